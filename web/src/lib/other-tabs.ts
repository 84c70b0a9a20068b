/** Other tabs of this browser: what a person chooses in one of them holds in all. */

/** What is kept in this browser, as `persist` of zustand keeps it. */
interface Kept {
  readonly persist: {
    getOptions(): { readonly name?: string | undefined };
    rehydrate(): Promise<void> | void;
  };
}

/**
 * Takes over what another tab has kept. Without it this tab would go on by what no longer holds, such as orders without a
 * summary; and since a tab writes all that it knows, its next choice would undo those of the others.
 */
export function followOtherTabs(...stores: readonly Kept[]): void {
  // Where pages are drawn beforehand there is no window.
  globalThis.window?.addEventListener('storage', ({ key }) => {
    for (const { persist } of stores) if (key === persist.getOptions().name) void persist.rehydrate();
  });
}
