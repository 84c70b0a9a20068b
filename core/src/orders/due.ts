import { heldAt } from './conditional/passed-prices.ts';
import type { MarketBook } from './market-book.ts';

/** When time alone brings something next in a market or, with what is known, before that; ms. */
export function nextDueAt(markets: readonly MarketBook[], known: number | undefined): number | undefined {
  let next = known;
  for (const { pause, isPaused, passed, halted } of markets) {
    const end = isPaused ? pause?.until : 0;
    const due = pause === undefined ? (halted ? undefined : heldAt(passed)) : end;
    if (due !== undefined && (next === undefined || due < next)) next = due;
  }
  return next;
}
