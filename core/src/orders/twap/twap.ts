/**
 * TWAPs: orders that are traded in slices of about the same size at equal intervals, each immediate or cancelled at the
 * order's limit price. A TWAP rests in no book; what remains of it is held from the beginning. What a slice did not get
 * is left to the later ones. In a perpetual a slice is asked for its margin when it is due, and gets nothing where that is
 * missing. Slice k is due at k intervals after the order was placed, later by the intervals that were missed, and the end is one
 * more chance for what remains, before it is cancelled. A slice that is due while the market pauses moves all of the schedule that is
 * left behind the pause, by whole intervals.
 */
import type { MarketSpec } from '../../money/market.ts';
import { notional } from '../../money/notional.ts';
import { divCeil } from '../../money/rounding.ts';
import type { PositionSide, SelfTradeMode, Side } from '../../terms/order-terms.ts';
import type { RejectReason } from '../../terms/outcome.ts';
import { TWAPS_ARE_SPREAD } from '../../terms/rules.ts';
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
  /** Slices that were due, also those that got nothing. */
  readonly done: number;
  /** Ms: when the next slice is due, which is the end once all were. */
  readonly nextAt: number;
  /** Ms: later than planned by the intervals that were missed. */
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

/** The slice that is due: among how many the rest is divided, and the schedule after it. */
export interface DueSlice {
  readonly left: number;
  readonly schedule: Pick<TwapSchedule, 'done' | 'nextAt' | 'endsAt'>;
}

/**
 * Slices that were missed move the rest of the schedule, the end included, by whole intervals, so that no slice grows because the
 * clock or the exchange was away. A slice that is late by less than an interval moves nothing.
 */
export function dueSlice(order: Scheduled, time: number, rules: number): DueSlice {
  if (rules < TWAPS_ARE_SPREAD) return dueSliceBefore(order, time);
  const { intervalMs, slices, done, nextAt, endsAt } = order;
  if (done >= slices) return { left: 1, schedule: { done, nextAt: endsAt, endsAt } };
  const movedMs = Math.floor((time - nextAt) / intervalMs) * intervalMs;
  const end = endsAt + movedMs;
  const isLast = done + 1 === slices;
  const schedule = { done: done + 1, nextAt: isLast ? end : nextAt + movedMs + intervalMs, endsAt: end };
  return { left: slices - done, schedule };
}

/** Before `TWAPS_ARE_SPREAD` the lots of missed slices were divided among the later ones, and the end stayed. */
function dueSliceBefore({ createdAt, intervalMs, slices, endsAt }: Scheduled, time: number): DueSlice {
  const passed = Math.floor((time - createdAt) / intervalMs);
  const done = Math.min(slices, passed + 1);
  const nextAt = done < slices ? createdAt + done * intervalMs : endsAt;
  return { left: time >= endsAt ? 1 : Math.max(1, slices - passed), schedule: { done, nextAt, endsAt } };
}

/** The schedule whose slice is due in a pause: that slice comes at the first of its intervals behind the pause, and the others after it. */
export function scheduleBehind(
  { intervalMs, nextAt, endsAt }: Scheduled,
  until: number,
): Pick<TwapSchedule, 'nextAt' | 'endsAt'> {
  const movedMs = Math.ceil((until - nextAt) / intervalMs) * intervalMs;
  return { nextAt: nextAt + movedMs, endsAt: endsAt + movedMs };
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
