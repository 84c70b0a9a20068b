/**
 * Loads files of the program until they are there: a connection that goes while a part is on its way delays the part and
 * breaks nothing. `main.tsx` uses it before anything else has run, so it imports nothing.
 */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;
/** Said to the window when the person does not want to wait; every part that is still missing is asked for. */
export const TRY_NOW = 'cambist:try-now';

/** How long to wait after so many failures. */
export const restMs = (failures: number): number => Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS);

/** Resolves after the rest, and at once when the connection comes back or the person asks. */
function rest(failures: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      for (const event of ['online', TRY_NOW]) removeEventListener(event, done);
      resolve();
    };
    const timer = setTimeout(done, restMs(failures));
    for (const event of ['online', TRY_NOW]) addEventListener(event, done);
  });
}

/** Of one that did not come, a browser has none, an empty one, or one that must not be read. None of ours is empty. */
function hasCome({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

/** Asks again for style sheets of the page itself that did not come; those of parts are asked for by `preload.ts`. */
export async function fetchMissingStyles(): Promise<void> {
  const own = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]:not([data-part])');
  const missing = [...own].filter((link) => !hasCome(link));
  const fetches = missing.map((link) => {
    const again = link.cloneNode() as HTMLLinkElement;
    return new Promise((resolve, reject) => {
      again.onload = resolve;
      again.onerror = reject;
      link.replaceWith(again);
    });
  });
  await Promise.all(fetches);
}

interface Persistence {
  /** Told how often it has failed, after each time. */
  readonly onFailure?: (failures: number, error: unknown) => void;
  /** Once aborted, nothing is tried any more, and the promise stays open. */
  readonly signal?: AbortSignal;
}

export async function persist<Part>(load: () => Promise<Part>, { onFailure, signal }: Persistence = {}): Promise<Part> {
  for (let failures = 0; ; ) {
    try {
      return await load();
    } catch (error) {
      failures += 1;
      onFailure?.(failures, error);
      await rest(failures);
      if (signal?.aborted) return new Promise(() => undefined);
    }
  }
}
