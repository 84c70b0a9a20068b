/** Answers of the last visit, shown until newer ones are here. They are a client's own, and go with the session. */
import { useSession } from './session-store.ts';
import { deviceStorage } from './storage.ts';

const PREFIX = 'cambist.kept.';
/** Of what is kept: a release that changes the shape of an answer does not read what an earlier one left. */
const VERSION = 2;

interface Kept {
  readonly version: number;
  readonly client: number | undefined;
  readonly answer: unknown;
}

const clientNow = () => useSession.getState().user?.id;

export function keepAnswer(name: string, answer: unknown): void {
  const kept: Kept = { version: VERSION, client: clientNow(), answer };
  deviceStorage.setItem(PREFIX + name, JSON.stringify(kept));
}

/** Undefined where nothing is kept of this client. */
export function keptAnswer<Answer>(name: string): Answer | undefined {
  const text = deviceStorage.getItem(PREFIX + name);
  if (text === null) return undefined;
  try {
    const kept = JSON.parse(text) as Kept;
    const isOwn = kept.version === VERSION && kept.client !== undefined && kept.client === clientNow();
    return isOwn ? (kept.answer as Answer) : undefined;
  } catch {
    // Another hand wrote it.
    return undefined;
  }
}

export function forgetAnswers(): void {
  for (const name of deviceStorage.names()) {
    if (name.startsWith(PREFIX)) deviceStorage.removeItem(name);
  }
}
