/**
 * What this browser keeps for the next visit, or a tab for its own life. A browser may forbid that, or have no room left: what is
 * chosen then holds until the page is left, and nothing else is different.
 */
import { createJSONStorage } from 'zustand/middleware';

function attempt<Result>(work: () => Result, otherwise: Result): Result {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** @param storage throws where it is forbidden, or where a page is drawn beforehand and there is no window */
function lenient(storage: () => Storage) {
  return {
    getItem: (name: string): string | null => attempt(() => storage().getItem(name), null),
    setItem: (name: string, value: string): void => attempt(() => storage().setItem(name, value), undefined),
    removeItem: (name: string): void => attempt(() => storage().removeItem(name), undefined),
    names: (): string[] => attempt(() => Object.keys(storage()), []),
  };
}

export const deviceStorage = lenient(() => window.localStorage);
export const tabStorage = lenient(() => sessionStorage);

/** Options of zustand's `persist`. */
export const onDevice = <State>(name: string) => ({ name, storage: createJSONStorage<State>(() => deviceStorage) });
export const inTab = <State>(name: string) => ({ name, storage: createJSONStorage<State>(() => tabStorage) });
