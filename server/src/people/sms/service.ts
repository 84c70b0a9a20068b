/** Text messages by an HTTP gateway, or into the development outbox where none is configured. */
export interface SentSms {
  readonly to: string;
  readonly text: string;
  /** ISO 8601. */
  readonly sentAt: string;
}

export interface SmsSender {
  /** @param to E.164. Rejects when the message could not be handed over. */
  send(to: string, text: string): Promise<void>;
}

export interface SmsOutbox extends SmsSender {
  /** Newest first. */
  messages(to: string | undefined): SentSms[];
}

const OUTBOX_LIMIT = 500;
const TIMEOUT_MS = 10_000;

/** Posts `{from, to, text}` as JSON with the token as bearer; any 2xx is taken for handed over. */
export function createHttpSms({
  url,
  token,
  from,
}: {
  url: string;
  token: string | undefined;
  from: string;
}): SmsSender {
  return {
    async send(to, text) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify({ from, to, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`The SMS gateway answered ${answer.status}`);
    },
  };
}

export function createSmsOutbox(clock: { now(): number }): SmsOutbox {
  let sent: SentSms[] = [];
  return {
    async send(to, text) {
      sent = [{ to, text, sentAt: new Date(clock.now()).toISOString() }, ...sent].slice(0, OUTBOX_LIMIT);
    },
    messages: (to) => (to === undefined ? sent : sent.filter((message) => message.to === to)),
  };
}
