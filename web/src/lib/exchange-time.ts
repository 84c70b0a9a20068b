/** The exchange's time. A device's clock may be hours off, and what ends or is due is decided by the exchange's. */

/** An answer is seldom older than this when it is read, and a clock that is off by less misleads about nothing. */
const TOLERATED_MS = 20_000;

/** How far the exchange's clock is ahead of the device's. */
let aheadMs = 0;

/** Learns it from an answer, which says when it was made; not from one that the browser may have kept since. */
export function noteTimeOf({ headers }: Response): void {
  if (headers.get('cache-control')?.includes('max-age')) return;
  const madeAt = Date.parse(headers.get('date') ?? '');
  // What stands before the exchange may have kept the answer for so many seconds.
  const keptMs = Number(headers.get('age') ?? 0) * 1_000;
  const ahead = madeAt + keptMs - Date.now();
  if (Number.isFinite(ahead)) aheadMs = Math.abs(ahead) > TOLERATED_MS ? ahead : 0;
}

/** In place of `Date.now()` for whatever is compared with a time of the exchange, or sent to it. Ms since 1970. */
export const exchangeTime = (): number => Date.now() + aheadMs;
