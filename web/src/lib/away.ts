/**
 * Whether the server answers. Whatever asks by itself asks less often while it does not, the longer the less, and out of step
 * with other tabs: a server that comes back is not met by all of them at once.
 */
const LEAST_MS = 10_000;
const MOST_MS = 60_000;

let since: number | undefined;
const listeners = new Set<() => void>();

/** A request had no answer, or one of whatever stands before a server that is gone. */
export function noteUnanswered(): void {
  since ??= Date.now();
}

export function noteAnswered(): void {
  if (since === undefined) return;
  since = undefined;
  for (const listener of listeners) listener();
}

export const isAway = (): boolean => since !== undefined;

/** Called when the server answers again. */
export function whenBack(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param usualMs between two requests to a server that answers */
export function pacedMs(usualMs: number): number {
  if (since === undefined) return usualMs;
  const grown = Math.min(MOST_MS, Math.max(LEAST_MS, Date.now() - since));
  return Math.max(usualMs, grown) * (0.75 + Math.random() / 2);
}

/** For `refetchInterval`, which is asked again after each answer; false for not at all. */
export const every =
  <Usual extends number | false>(usualMs: Usual) =>
  () =>
    usualMs === false ? false : pacedMs(usualMs);
