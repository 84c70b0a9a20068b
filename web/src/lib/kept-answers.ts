/**
 * What is kept on the device of one client, and goes with the session: answers of the last visit, shown until newer ones are
 * here, and what was chosen about wallets.
 */
import type { StoreApi } from 'zustand';
import { atSessionEnd, useSession } from './session-store.ts';
import { deviceStorage, onDevice } from './storage.ts';

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

/** Options of zustand's `persist` for what a client chose. */
export const ofClient = <State>(name: string) => onDevice<State>(PREFIX + name);

/** A page that goes on after the session begins anew: what is kept is forgotten by name, a store that has been read is not. */
export function endWithSession<State>(store: StoreApi<State>): void {
  atSessionEnd(() => store.setState(store.getInitialState(), true));
}

export function forgetKept(): void {
  for (const name of deviceStorage.names()) {
    if (name.startsWith(PREFIX)) deviceStorage.removeItem(name);
  }
}
