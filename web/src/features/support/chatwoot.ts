/** A Chatwoot inbox instead of our own thread: its SDK is fetched from the operator's server on demand. */
interface ChatwootSdk {
  run(options: { websiteToken: string; baseUrl: string }): void;
}

interface ChatwootWindow {
  chatwootSettings?: { hideMessageBubble: boolean; locale: string };
  chatwootSDK?: ChatwootSdk;
  $chatwoot?: { toggle(state: 'open' | 'close'): void };
}

export interface ChatwootInbox {
  readonly url: string;
  readonly token: string;
}

const page = window as unknown as ChatwootWindow;
let started: Promise<void> | undefined;

function start({ url, token }: ChatwootInbox): Promise<void> {
  // Our own button stands in the corner; theirs would be a second one.
  page.chatwootSettings = { hideMessageBubble: true, locale: document.documentElement.lang };
  return new Promise((resolve, reject) => {
    window.addEventListener('chatwoot:ready', () => resolve(), { once: true });
    const script = document.createElement('script');
    script.src = new URL('/packs/js/sdk.js', url).href;
    script.async = true;
    script.onload = () => page.chatwootSDK?.run({ websiteToken: token, baseUrl: new URL(url).origin });
    script.onerror = () => reject(new Error(`${script.src} could not be loaded`));
    document.head.append(script);
  });
}

export async function openChatwoot(inbox: ChatwootInbox): Promise<void> {
  started ??= start(inbox);
  try {
    await started;
    page.$chatwoot?.toggle('open');
  } catch (error) {
    // The next press tries again.
    started = undefined;
    throw error;
  }
}
