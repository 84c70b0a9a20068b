/**
 * A volatility interruption, as exchanges have them: where an order has traded up to the end of the band of a spot market and would go on,
 * the market pauses, and goes on from the price at which it stopped. So a real move goes on by a band at a time, with five minutes for
 * others to see it and to quote.
 *
 * What pauses a market is a trade, and never an order alone: one of at least `LEAST_NOTIONALS` smallest orders' value, the last of it in
 * the outer tenth of the band, after everything better is gone. Whoever wants a market paused has to buy all that is offered within the
 * band (or sell to all that is bid), up to 9 tenths of the band worse than the reference, and pays the fees of that.
 */
import type { EventLog } from '../events/event-log.ts';
import { PAUSE_MS } from '../instruments/market-state.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import type { MarketBook } from './market-book.ts';
import { type Matcher, Stop } from './matcher.ts';

/** What an order must have traded, in smallest orders of the pair. */
const LEAST_NOTIONALS = 100n;
/** The edge is this part of the band. */
const EDGE_PART = 10;

/**
 * Pauses a market whose band has stopped the order that was matched last.
 * @param limit its worst price, ticks
 * @param before what it had traded before, in quote units
 */
export function pauseWhereStopped(
  log: EventLog,
  matcher: Matcher,
  market: MarketBook,
  [side, limit, stop]: readonly [side: Side, limit: number, stop: Stop],
  before = 0n,
): void {
  if (stop !== Stop.PRICE && stop !== Stop.NO_ORDERS) return;
  if (matcher.traded === 0 || !market.pauses || limit !== market.worstPrice(side)) return;
  const value = matcher.arriving.figures[0]! - before;
  if (value < market.spec.minimumNotional * LEAST_NOTIONALS || !isAtEdge(market, side)) return;
  market.startPause(log.time + PAUSE_MS, side === BUY);
  log.object({ kind: 'market-paused', market: market.spec.id, state: market.state });
}

function isAtEdge(market: MarketBook, side: Side): boolean {
  const [end, middle] = [market.worstPrice(side), market.bandPrice()];
  return Math.abs(end - market.lastPrice) * EDGE_PART <= Math.abs(end - middle);
}

/** Ends a pause whose time is over. @returns whether there was one */
export function endPause(log: EventLog, market: MarketBook): boolean {
  if (market.pause === undefined || market.isPaused) return false;
  market.pause = undefined;
  log.object({ kind: 'market-resumed', market: market.spec.id, state: market.state });
  return true;
}
