/**
 * TWAPs: orders that are traded in slices of about the same size at equal intervals, each immediate or cancelled at the
 * order's limit price. A TWAP rests in no book; what remains of it is held from the beginning. What a slice did not get
 * is left to the later ones. In a perpetual a slice is asked for its margin when it is due, and gets nothing where that is
 * missing. Slice k is due at k intervals after the order was placed, and the end is one more chance
 * for what remains, before it is cancelled. A slice that is due while the market pauses moves all of the schedule that is left behind the
 * pause, by whole intervals, so that no slice is lost and none is doubled.
 */
import type { MarketSpec } from '../../money/market.ts';
import { notional } from '../../money/notional.ts';
import { divCeil } from '../../money/rounding.ts';
import type { PositionSide, SelfTradeMode, Side } from '../../terms/order-terms.ts';
import type { RejectReason } from '../../terms/outcome.ts';
import type { OpenOrder } from '../order-state.ts';

export const MINIMUM_INTERVAL_MS = 1_000;
export const MINIMUM_DURATION_MS = 5_000;
export const MAXIMUM_DURATION_MS = 24 * 60 * 60 * 1_000;
export const MAXIMUM_SLICES = 1_000;
/** Slices that one command may place. */
export const MAXIMUM_RUN = 1_000;

export interface PlaceTwap {
  readonly kind: 'place-twap';
  /** As in `PlaceOrder`. */
  readonly orderId: number;
  readonly owner: number;
  readonly market: number;
  readonly side: Side;
  /** Ticks: no slice trades at a worse price. */
  readonly price: number;
  /** Lots of all slices. */
  readonly quantity: number;
  /** Who gives way where a slice meets an order of its owner. A slice that gives way ends, and the TWAP goes on. */
  readonly selfTrade: SelfTradeMode;
  readonly durationMs: number;
  readonly intervalMs: number;
  /** As in `PlaceOrder`. */
  readonly clientOrderId?: string | undefined;
  /** As in `PlaceOrder`: then it holds nothing, a slice closes no more than is open, and the TWAP ends with the position. */
  readonly reduceOnly?: boolean | undefined;
  /** As in `PlaceOrder`. */
  readonly positionSide?: PositionSide | undefined;
}

/**
 * What is due at the command's time: pauses that are over end, orders are triggered that the last price was held beyond, and the slices of TWAPs that are due are placed, the earliest first, at most
 * so many, and one of an order.
 */
export interface RunTwaps {
  readonly kind: 'run-twaps';
  readonly maximum: number;
}

export function runProblem({ maximum }: RunTwaps): RejectReason | undefined {
  return Number.isInteger(maximum) && maximum >= 1 && maximum <= MAXIMUM_RUN ? undefined : 'INVALID_QUANTITY';
}

/** When an order's slices are placed, and how far it is. */
export interface TwapSchedule {
  readonly intervalMs: number;
  /** Slices in all. */
  readonly slices: number;
  /** Slices whose time has passed, also those that were missed or got nothing. */
  readonly done: number;
  /** Ms: when the next slice is due, which is the end once all were. */
  readonly nextAt: number;
  /** Ms. */
  readonly endsAt: number;
}

/** A TWAP that is open: nothing of it is in the book, so all that remains is hidden. */
export interface TwapOrder extends OpenOrder, TwapSchedule {}

/** The whole schedule after a change; the order's own event follows. */
export interface TwapChanged extends TwapSchedule {
  readonly kind: 'twap-changed';
  readonly time: number;
  readonly orderId: number;
}

/** The schedule of an order that is placed now; undefined for one that no order may have. */
export function scheduleOf(time: number, { durationMs, intervalMs }: ScheduleTerms): TwapSchedule | undefined {
  const isWhole = Number.isSafeInteger(durationMs) && Number.isSafeInteger(intervalMs);
  if (!isWhole || durationMs < MINIMUM_DURATION_MS || durationMs > MAXIMUM_DURATION_MS) return undefined;
  if (intervalMs < MINIMUM_INTERVAL_MS || intervalMs >= durationMs) return undefined;
  const slices = Math.ceil(durationMs / intervalMs);
  if (slices > MAXIMUM_SLICES) return undefined;
  return { intervalMs, slices, done: 0, nextAt: time, endsAt: time + durationMs };
}

type ScheduleTerms = Pick<PlaceTwap, 'durationMs' | 'intervalMs'>;
type Scheduled = Pick<TwapOrder, 'createdAt' | keyof TwapSchedule>;

/** When the first slice would have been due if the schedule had always been where it is: pauses move it by whole intervals. */
function beginOf({ createdAt, intervalMs, slices, endsAt }: Scheduled): number {
  return createdAt + (Math.ceil((endsAt - createdAt) / intervalMs) - slices) * intervalMs;
}

/** Slices that are left at a time, the one that is due counted; missed ones are not made up for. */
export function slicesLeft(order: Scheduled, time: number): number {
  const { intervalMs, slices, endsAt } = order;
  if (time >= endsAt) return 1;
  return Math.max(1, slices - Math.floor((time - beginOf(order)) / intervalMs));
}

/** The schedule after the slice that was due at a time: it goes on at the first interval that is still to come. */
export function scheduleAfter(order: Scheduled, time: number): Pick<TwapSchedule, 'done' | 'nextAt'> {
  const { intervalMs, slices, endsAt } = order;
  const begun = beginOf(order);
  const done = Math.min(slices, Math.floor((time - begun) / intervalMs) + 1);
  return { done, nextAt: done < slices ? begun + done * intervalMs : endsAt };
}

/** The schedule whose slice was due at a time in a pause: it goes on with that slice at the first of its intervals behind the pause. */
export function scheduleBehind(
  order: Scheduled,
  time: number,
  until: number,
): Omit<TwapSchedule, 'intervalMs' | 'slices'> {
  const { intervalMs, done, endsAt } = order;
  const begun = beginOf(order);
  const isEnd = time >= endsAt;
  const passed = Math.floor((time - begun) / intervalMs);
  const due = isEnd ? endsAt : begun + passed * intervalMs;
  const moved = Math.ceil((until - due) / intervalMs) * intervalMs;
  return { done: isEnd ? done : Math.max(done, passed), nextAt: due + moved, endsAt: endsAt + moved };
}

/**
 * Lots of the next slice: an equal part of what remains, rounded up, but never less than the pair's smallest order at
 * the limit price, and all of it where no more remains.
 */
export function sliceLots(market: MarketSpec, price: number, remaining: number, left: number): number {
  return Math.min(remaining, Math.max(Math.ceil(remaining / left), smallestOrder(market, price)));
}

/** Lots of the pair's smallest order at a price. */
function smallestOrder(market: MarketSpec, price: number): number {
  const forValue = divCeil(market.minimumNotional, notional(market, price, 1));
  return Math.max(market.minimumLots, Number(forValue));
}
