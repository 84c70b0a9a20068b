/** Runs the fast and the reference exchange side by side and stops at the first difference. */

import type { Command } from '../exchange/command.ts';
import { createExchange, type FastExchange } from '../exchange/create-exchange.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { issue } from '../ledger/issue.ts';
import { highestInBand, lowestInBand, type MarketSpec } from '../money/market.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { NEWEST_RULES } from '../terms/rules.ts';
import { Auditor } from './auditor.ts';
import { type Magnification, magnifiedStep } from './magnified.ts';
import { listing } from './markets.ts';
import { PerpetualWorkload } from './perpetual-workload.ts';
import { Random } from './random.ts';
import { createReferenceExchange } from './reference-exchange.ts';
import { type Step, Workload } from './workload.ts';

const HASH_EVERY = 10;
const AUDIT_EVERY = 100;

/** What a run did; `failure` says what differed or broke, at the last of `steps`. */
export interface Run {
  readonly steps: readonly Step[];
  readonly accepted: number;
  readonly trades: number;
  readonly failure: string | undefined;
  readonly hash: string;
  /** How often a market has paused. */
  readonly pauses: number;
}

export class Twins {
  readonly #fast: FastExchange;
  readonly #reference: Exchange;
  readonly #auditor: Auditor;
  #count = 0;
  #time = 0;
  accepted = 0;
  pauses = 0;

  constructor(markets: readonly MarketSpec[], rules: number) {
    // Low limits, so that they are met.
    const limits = {
      maximumOpenOrdersPerOwner: 12,
      maximumUntriggeredOrdersPerOwner: 8,
      maximumUntriggeredOrdersPerMarket: 40,
    };
    this.#fast = createExchange();
    this.#reference = createReferenceExchange();
    for (const exchange of [this.#fast, this.#reference]) exchange.rules = rules;
    this.#auditor = new Auditor(this.#fast);
    for (const command of listing(markets, limits)) this.step({ time: 0, command });
    this.accepted = 0;
  }

  /** Applies a step to both; says what differs, or undefined. */
  step({ time, command }: Step): string | undefined {
    this.#count += 1;
    if (time < this.#time) this.#auditor.setBack(time);
    this.#time = time;
    try {
      const outcome = text(this.#fast.apply(time, command));
      const expected = text(this.#reference.apply(time, command));
      if (outcome !== expected) return `outcome ${outcome}, reference ${expected}`;
      if (outcome === '{"ok":true}') this.accepted += 1;
      const isLeft = command.kind === 'set-index-price' && this.#fast.hasLiquidations();
      const [due, expectedDue] = [this.#fast.nextDueAt(), this.#reference.nextDueAt()];
      if (due !== expectedDue) return `due at ${due}, reference ${expectedDue}`;
      return this.#compareEvents(isLeft) ?? this.#compareState();
    } catch (error) {
      return String(error);
    }
  }

  trades(): number {
    return this.#fast.counters().lastTradeId;
  }

  nextOrderId(): number {
    return this.#fast.lastOrderId + 1;
  }

  bandPrice(market: number): number {
    return this.#fast.bandPrice(market);
  }

  hash(): string {
    return this.#fast.stateHash();
  }

  /** Compares and audits everything, whatever the step. */
  finish(): string | undefined {
    this.#count = 0;
    return this.#compareState();
  }

  /** @param isLeft whether an account is still to be liquidated after a new mark */
  #compareEvents(isLeft: boolean): string | undefined {
    const batch = this.#fast.takeBatch();
    const events = batch.events();
    // What a mark triggers is placed after its liquidations, and may open what the next mark liquidates.
    this.pauses += events.filter(({ kind }) => kind === 'market-paused').length;
    const isTriggered = events.some(({ kind }) => kind === 'order-triggered');
    if (isLeft && !isTriggered) return 'a new mark has left an account to be liquidated, though few are there';
    const actual = text(events);
    const expected = text(this.#reference.takeEvents());
    if (actual !== expected) return `events\n  ${actual}\nreference\n  ${expected}`;
    this.#auditor.observeBatch(batch);
    this.#fast.recycle(batch);
    return undefined;
  }

  #compareState(): string | undefined {
    if (this.#count % HASH_EVERY === 0) {
      const hash = this.#fast.stateHash();
      const expected = this.#reference.stateHash();
      if (hash !== expected) return `state hash ${hash}, reference ${expected}`;
    }
    if (this.#count % AUDIT_EVERY === 0) this.#auditor.audit();
    return undefined;
  }
}

function workloadOf(seed: number, owners: number, markets: readonly MarketSpec[]): Workload | PerpetualWorkload {
  const isPerpetual = markets.every(({ perpetual }) => perpetual !== undefined);
  return new (isPerpetual ? PerpetualWorkload : Workload)(new Random(seed), markets, owners);
}

/** A seeded run of `count` steps by `owners` traders, up to the first failure. */
export function simulate(
  seed: number,
  count: number,
  owners: number,
  markets: readonly MarketSpec[],
  rules: number = NEWEST_RULES,
): Run {
  const workload = workloadOf(seed, owners, markets);
  return run(markets, count, () => workload.next(), rules);
}

const LOWERED_EVERY = 60;
const FEW_LOTS = 6;

/** The same, where the largest order of each market is lowered again and again, below what was taken and what is open. */
export function simulateLowered(
  seed: number,
  count: number,
  owners: number,
  markets: readonly MarketSpec[],
  rules: number = NEWEST_RULES,
): Run {
  const workload = workloadOf(seed, owners, markets);
  let time = 0;
  const stepAt = (place: number): Step => {
    const turn = Math.floor(place / LOWERED_EVERY);
    if (place % LOWERED_EVERY >= markets.length) {
      const step = workload.next();
      time = step.time;
      return step;
    }
    const { id: market, minimumNotional, priceBandPpm, ...lots } = markets[place % LOWERED_EVERY]!;
    const maximumLots = turn % 2 === 0 ? lots.maximumLots : FEW_LOTS;
    const minimumLots = Math.min(lots.minimumLots, maximumLots);
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    return { time, command: { kind: 'change-market', market, ...limits } };
  };
  return run(markets, count, stepAt, rules);
}

const YEAR_MS = 365 * 86_400_000;

/** The same by a clock that is a year ahead, and set right halfway. */
export function simulateSetBack(seed: number, count: number, owners: number, markets: readonly MarketSpec[]): Run {
  const workload = workloadOf(seed, owners, markets);
  const stepAt = (place: number): Step => {
    const step = workload.next();
    return place < count / 2 ? { ...step, time: step.time + YEAR_MS } : step;
  };
  return run(markets, count, stepAt);
}

const HURRIED_EVERY = 25;
const HURRY_MS = 100_000;

/** Steps between two orders that sweep a book to the end of its band. */
const SWEPT_EVERY = 10;
const SWEEPER = 190;

/** An order at the end of a band, and one that takes all up to there and more; both sides in turn. */
function sweepStep(place: number, markets: readonly MarketSpec[], twins: Twins): Command {
  const turn = Math.floor(place / SWEPT_EVERY);
  const market = markets[turn % markets.length]!;
  const isBuy = turn % 2 === 0;
  const facts = { kind: 'place-order', orderId: twins.nextOrderId(), market: market.id, quoteTotal: 0n } as const;
  const terms = { ...facts, timeInForce: 'IOC', selfTrade: 'CANCEL_OLDEST' } as const;
  const [sweeping, resting] = isBuy ? ([BUY, SELL] as const) : ([SELL, BUY] as const);
  if (place % SWEPT_EVERY === 2)
    return { ...terms, owner: SWEEPER + 1, side: sweeping, type: 'market', price: 0, quantity: market.maximumLots };
  const end = (isBuy ? highestInBand : lowestInBand)(twins.bandPrice(market.id), market.priceBandPpm);
  return { ...terms, timeInForce: 'GTC', owner: SWEEPER, side: resting, type: 'limit', price: end, quantity: 20 };
}

/** The same where time passes more quickly, and orders go to the ends of bands, so that pauses begin and end. */
export function simulateHurried(
  seed: number,
  count: number,
  owners: number,
  markets: readonly MarketSpec[],
  rules: number = NEWEST_RULES,
): Run {
  const workload = workloadOf(seed, owners, markets);
  let last = 0;
  const stepAt = (place: number, twins: Twins): Step => {
    const later = Math.floor(place / HURRIED_EVERY) * HURRY_MS;
    if (place % HURRIED_EVERY === 0 && place > 0)
      return { time: last + later, command: { kind: 'run-twaps', maximum: 50 } };
    if (place < 6)
      return { time: last, command: issue('development-credit', SWEEPER + (place % 2), place >> 1, 10n ** 16n) };
    if (place % SWEPT_EVERY === 1 || place % SWEPT_EVERY === 2)
      return { time: last + later, command: sweepStep(place, markets, twins) };
    const { time, command } = workload.next();
    last = time;
    return { time: time + later, command };
  };
  return run(markets, count, stepAt, rules);
}

/** The same with larger figures. @param large the markets with theirs */
export function simulateLarge(
  [seed, count, owners]: readonly [number, number, number],
  markets: readonly MarketSpec[],
  large: readonly MarketSpec[],
  by: Magnification,
): Run {
  const workload = workloadOf(seed, owners, markets);
  return run(large, count, () => magnifiedStep(workload.next(), by));
}

/** Runs given steps again. */
export function replay(steps: readonly Step[], markets: readonly MarketSpec[]): Run {
  return run(markets, steps.length, (place) => steps[place]!);
}

function run(
  markets: readonly MarketSpec[],
  count: number,
  stepAt: (place: number, twins: Twins) => Step,
  rules: number = NEWEST_RULES,
): Run {
  const twins = new Twins(markets, rules);
  const steps: Step[] = [];
  let failure: string | undefined;
  for (let place = 0; place < count && failure === undefined; place += 1) {
    const step = stepAt(place, twins);
    steps.push(step);
    failure = twins.step(step);
  }
  if (failure === undefined) failure = finished(twins);
  return { steps, accepted: twins.accepted, trades: twins.trades(), failure, hash: twins.hash(), pauses: twins.pauses };
}

function finished(twins: Twins): string | undefined {
  try {
    return twins.finish();
  } catch (error) {
    return String(error);
  }
}

/**
 * The fewest steps, found by leaving out ever smaller pieces, that still fail (Zeller and Hildebrandt, "Simplifying and
 * isolating failure-inducing input", 2002, without its complements).
 */
export function shrink(steps: readonly Step[], markets: readonly MarketSpec[]): Run {
  let best = replay(steps, markets);
  for (let piece = Math.ceil(best.steps.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let start = 0; start < best.steps.length; ) {
      const fewer = best.steps.filter((_, place) => place < start || place >= start + piece);
      const attempt = replay(fewer, markets);
      if (attempt.failure === undefined) start += piece;
      else best = attempt;
    }
  }
  return best;
}

/** A run as text: what failed, and the commands that lead there, one to a line. */
export function describeRun(failed: Run): string {
  const lines = failed.steps.map(({ time, command }) => `${time} ${text(command)}`);
  return [failed.failure ?? 'no failure', ...lines].join('\n');
}

/** JSON in which a bigint reads like a literal, and what JSON has no word for does not pass as null. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'bigint') return `${inner}n`;
    return typeof inner === 'number' && !Number.isFinite(inner) ? String(inner) : inner;
  });
}
