/** Other tabs of this browser: what a person chooses in one of them holds in all. */
import { deviceStorage } from './storage.ts';

/** What is kept in this browser, as `persist` of zustand keeps it. */
interface Kept<State> {
  getState(): State;
  readonly persist: {
    getOptions(): { readonly name?: string | undefined };
    rehydrate(): Promise<void> | void;
  };
}

/** Acts when another tab has kept something of the store, or has forgotten all that was kept. */
export function whenKeptElsewhere({ persist }: Kept<unknown>, act: () => void): void {
  const nameOf = () => persist.getOptions().name ?? '';
  // Where pages are drawn beforehand there is no window.
  globalThis.window?.addEventListener('storage', ({ key }) => {
    if (key === null || key === nameOf()) act();
  });
  // A page that was left, and is come back to as it was, has heard nothing meanwhile.
  globalThis.window?.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && deviceStorage.getItem(nameOf()) !== null) act();
  });
}

/** What is kept of the store now. */
export function keptBy<State>({ persist }: Kept<State>): Partial<State> {
  try {
    const text = deviceStorage.getItem(persist.getOptions().name ?? '') ?? '{}';
    return (JSON.parse(text) as { state?: Partial<State> }).state ?? {};
  } catch {
    // Another hand wrote it.
    return {};
  }
}

/**
 * Takes over what another tab has kept. Without it this tab would go on by what no longer holds, such as orders without a
 * summary; and since a tab writes all that it knows, its next choice would undo those of the others.
 */
export function followOtherTabs(store: Kept<unknown>): void {
  whenKeptElsewhere(store, () => void store.persist.rehydrate());
}
