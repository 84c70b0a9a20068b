/** Things that are good once and for a while: nonces, challenges, one-time codes. Kept in memory, never more than so many. */
export interface Expiring<Value> {
  put(key: string, value: Value): void;
  /** Looks without using it up. */
  peek(key: string): Value | undefined;
  /** Uses it up. */
  take(key: string): Value | undefined;
}

export function createExpiring<Value>(
  clock: { now(): number },
  { lifetimeMs, limit }: { readonly lifetimeMs: number; readonly limit: number },
): Expiring<Value> {
  // A Map keeps the order of insertion, and all live equally long: the first ones are the ones to go.
  const entries = new Map<string, { value: Value; until: number }>();

  function dropOld(): void {
    const now = clock.now();
    for (const [key, { until }] of entries) {
      if (until > now && entries.size < limit) return;
      entries.delete(key);
    }
  }

  function peek(key: string): Value | undefined {
    const entry = entries.get(key);
    return entry !== undefined && entry.until > clock.now() ? entry.value : undefined;
  }

  return {
    put(key, value) {
      dropOld();
      entries.delete(key);
      entries.set(key, { value, until: clock.now() + lifetimeMs });
    },
    peek,
    take(key) {
      const value = peek(key);
      entries.delete(key);
      return value;
    },
  };
}
