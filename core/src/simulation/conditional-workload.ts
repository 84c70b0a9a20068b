import type { Command } from '../exchange/command.ts';
import type { MarketSpec } from '../money/market.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import type {
  AmendConditionalOrder,
  ConditionalTerms,
  Leg,
  LegChange,
  PlaceConditionalOrder,
  SetMarkPrice,
} from '../orders/conditional/conditional-order.ts';
import { BUY, SELL, type SelfTradeMode, type Side, type TimeInForce } from '../terms/order-terms.ts';
import type { Random } from './random.ts';

const SELF_TRADE_MODES: readonly SelfTradeMode[] = ['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'];
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'GTC', 'GTC', 'POST_ONLY', 'IOC', 'FOK'];
const RECENT_ORDERS = 25;
const STRANGE = [0, -1, 0.5, Number.NaN, 2 ** 31];

interface Middle {
  readonly market: MarketSpec;
  /** About where it trades, in ticks. */
  readonly price: number;
}

/** Few texts, so that they are met again while an order has them and after it has ended. */
export function someClientOrderId(random: Random): string | undefined {
  if (random.chance(75)) return undefined;
  return random.chance(2) ? random.pick(['', 'x'.repeat(37)]) : `mine-${random.between(1, 12)}`;
}

/** Orders that wait, of all kinds, near enough to prices that wander that many trigger; and the marks they wait for. */
export class ConditionalWorkload {
  readonly #random: Random;
  #recent: PlaceConditionalOrder[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  place(orderId: number, owner: number, middle: Middle): PlaceConditionalOrder {
    const random = this.#random;
    const side = random.chance(50) ? BUY : SELL;
    const kind = random.pick(['stop', 'stop', 'take-profit', 'oco', 'trailing', 'trailing'] as const);
    const trailing = kind === 'trailing' ? this.#trailing(side, middle.price) : undefined;
    const takeProfit = kind === 'take-profit' || kind === 'oco' ? this.#leg(side, middle.price, -1) : undefined;
    const stop = kind === 'stop' || kind === 'oco' ? this.#leg(side, middle.price, 1) : undefined;
    const order: PlaceConditionalOrder = {
      kind: 'place-conditional-order',
      orderId,
      owner,
      market: random.chance(1) ? 99 : middle.market.id,
      side,
      source: random.chance(70) ? 'last' : 'mark',
      timeInForce: random.pick(TIMES_IN_FORCE),
      ...this.#size(side, [takeProfit, stop], trailing !== undefined),
      selfTrade: random.pick(SELF_TRADE_MODES),
      takeProfit,
      stop,
      trailing: random.chance(1) ? { callbackPpm: 1_000, callbackTicks: 0, activation: 0 } : trailing,
      clientOrderId: someClientOrderId(random),
    };
    this.#recent.push(order);
    if (this.#recent.length > RECENT_ORDERS) this.#recent = this.#recent.slice(1);
    return order;
  }

  /** An entry with exits on the right side of its price, or of the price of now; a few are wrong. */
  withExits(entry: PlaceOrder, middle: number): PlaceOrder {
    const random = this.#random;
    const price = entry.price > 0 && entry.price < 2 ** 31 ? Math.floor(entry.price) : middle;
    // Exits are on the side of an order that goes the other way: its take-profit is where a buy's stop would be.
    const side = entry.side === BUY ? SELL : BUY;
    const takeProfit = random.chance(70) ? this.#leg(side, price, -1) : undefined;
    const stop = takeProfit === undefined || random.chance(60) ? this.#leg(side, price, 1) : undefined;
    const exits = { source: random.chance(75) ? ('last' as const) : ('mark' as const), takeProfit, stop };
    return { ...entry, exits: random.chance(2) ? { ...exits, takeProfit: undefined, stop: undefined } : exits };
  }

  /** Cancels or amends one of the recent. */
  change(): Command | undefined {
    const random = this.#random;
    if (this.#recent.length === 0) return undefined;
    const { orderId, owner, takeProfit, stop } = random.pick(this.#recent);
    if (random.chance(60)) return { kind: 'cancel-order', orderId, owner };
    const amended: AmendConditionalOrder = {
      kind: 'amend-conditional-order',
      orderId,
      owner: random.chance(3) ? owner + 1 : owner,
      takeProfit: this.#moved(takeProfit),
      stop: this.#moved(stop),
    };
    return amended;
  }

  mark({ market, price }: Middle): SetMarkPrice {
    const random = this.#random;
    const wandered = random.chance(2) ? random.pick(STRANGE) : Math.max(1, price + random.between(-25, 25));
    const waits = wandered % 5 > 0 && { waitsWhileHalted: true };
    return { kind: 'set-mark-price', market: random.chance(2) ? 99 : market.id, price: wandered, ...waits };
  }

  /** `towards` is 1 for a stop and −1 for a take-profit: on which side of the price the trigger of a buy stands. */
  #leg(side: Side, price: number, towards: 1 | -1): Leg {
    const random = this.#random;
    if (random.chance(1)) return { trigger: random.pick(STRANGE), price: random.pick(STRANGE) };
    const away = towards * (side === BUY ? 1 : -1) * random.between(1, 14);
    const trigger = Math.max(1, price + away);
    return { trigger, price: random.chance(45) ? 0 : Math.max(1, trigger + random.between(-6, 6)) };
  }

  #trailing(side: Side, price: number): NonNullable<ConditionalTerms['trailing']> {
    const random = this.#random;
    const away = (side === SELL ? 1 : -1) * random.between(-3, 10);
    const activation = random.chance(40) ? Math.max(1, price + away) : 0;
    if (random.chance(2)) return { callbackPpm: random.pick(STRANGE), callbackTicks: random.pick(STRANGE), activation };
    if (random.chance(50)) return { callbackPpm: 0, callbackTicks: random.between(1, 15), activation };
    return { callbackPpm: random.pick([100, 101, 150, 1_000, 2_000]), callbackTicks: 0, activation };
  }

  /** What the terms need, and now and then what they do not. */
  #size(side: Side, legs: readonly (Leg | undefined)[], trails: boolean): { quantity: number; quoteTotal: bigint } {
    const random = this.#random;
    const known = legs.filter((leg) => leg !== undefined);
    const byTotal = side === BUY && (trails || known.some((leg) => leg.price === 0));
    const byLots = side === SELL || known.some((leg) => leg.price > 0);
    const quantity = byLots !== random.chance(1) ? random.between(8, 60) : 0;
    const quoteTotal = byTotal !== random.chance(1) ? BigInt(random.between(5, 400)) * 100_000n : 0n;
    return { quantity, quoteTotal };
  }

  #moved(leg: Leg | undefined): LegChange | undefined {
    const random = this.#random;
    if (leg === undefined) return random.chance(5) ? { trigger: 10, price: random.pick([0, undefined]) } : undefined;
    if (random.chance(25)) return undefined;
    const price = random.chance(3) ? 7 : leg.price === 0 ? 0 : leg.price + random.between(-4, 4);
    const trigger = leg.trigger + random.between(-6, 6);
    return { trigger: random.chance(25) ? undefined : trigger, price: random.chance(25) ? undefined : price };
  }
}
