/** What owners have in perpetual markets: leverage, margin mode, a position, and what their open orders add up to. */
import type { PositionLeg, Side } from '../terms/order-terms.ts';
import { fundingOwed } from './funding.ts';
import { type Direction, initialMargin, LONG, notionalOf, type PerpetualTerms, requirement } from './perpetual.ts';
import { type Position, unrealised } from './position.ts';
import { isBinding, type PositionTerm, type TermFigures } from './term.ts';

/** Of an owner who has chosen none. */
export const DEFAULT_LEVERAGE = 10;

/** What positions of a market are valued by. */
export interface Valuation {
  readonly terms: PerpetualTerms;
  /** Ticks; the last price until a mark was set, 0 before either. */
  readonly mark: number;
  /** The settlement asset. */
  readonly asset: number;
  /** Billionths of a settlement unit that a long lot has paid since the market began. */
  readonly fundingIndex: bigint;
}

/** An owner's part of one market: in hedge mode one of two, beside NET, which is of the mode alone then. */
export interface Holding {
  /** Owner index. */
  readonly owner: number;
  readonly market: number;
  readonly leg: PositionLeg;
  readonly valuation: Valuation;
  leverage: number;
  /** Whether the position has a margin of its own; otherwise the whole wallet backs it. */
  isIsolated: boolean;
  /** Of NET: whether the owner has two legs. */
  isHedged: boolean;
  position: Position | undefined;
  /** Of an isolated position, in settlement units; else 0n. */
  margin: bigint;
  /** Of the position, where it was opened with one. */
  term: PositionTerm | undefined;
  /** The market's when the position was touched last; 0n without one. */
  fundingIndex: bigint;
  /** The owner's available account of the settlement asset; 0 until it was needed. */
  available: number;
  /** Counts how often it was watched anew for its liquidation. */
  turn: number;
  /** Counts how often it was ranked anew for deleveraging. */
  rankTurn: number;
  /** The direction by which it is listed as open; 0 for not. */
  listed: Direction | 0;
  /** Its index in that list. */
  listedAt: number;
  /** Whether it is among those whose account is to be looked at for liquidation. */
  isUnwatched: boolean;
  /** By side, of open orders that may open a position: lots, and their value in settlement units. */
  readonly orderLots: [number, number];
  readonly orderValue: [bigint, bigint];
  /** By side, lots of open orders that only reduce. */
  readonly reducingLots: [number, number];
}

/** A holding as others know it. */
export interface HoldingRecord {
  readonly owner: number;
  readonly market: number;
  readonly leg: PositionLeg;
  readonly leverage: number;
  readonly isIsolated: boolean;
  readonly isHedged: boolean;
  readonly position: Position | undefined;
  readonly margin: bigint;
  readonly fundingIndex: bigint;
  readonly term: PositionTerm | undefined;
}

/** Whether a holding is what an owner has who has never done anything. */
export const isUntouched = (one: Pick<HoldingRecord, 'position' | 'isIsolated' | 'isHedged' | 'leverage'>): boolean =>
  one.position === undefined && !one.isIsolated && !one.isHedged && one.leverage === DEFAULT_LEVERAGE;

/** What closing a position at the mark would bring; 0n where nothing values it. */
export const profitOf = ({ position, valuation: { terms, mark } }: Holding): bigint =>
  position === undefined || mark === 0 ? 0n : unrealised(terms, position, mark);

/** Funding that a position owes and has not paid yet, in settlement units; below zero where it is to receive some. */
export const owedOf = ({ position, fundingIndex, valuation }: Holding): bigint =>
  position === undefined ? 0n : fundingOwed(position.direction, position.lots, fundingIndex, valuation.fundingIndex);

/** What a position must have so that it is not liquidated. */
export const requiredOf = ({ position, valuation: { terms, mark } }: Holding): bigint =>
  position === undefined ? 0n : requirement(terms, notionalOf(terms, mark, position.lots));

/** What a position adds to what backs it. */
export const worthOf = (holding: Holding): bigint => profitOf(holding) - owedOf(holding);

/** What decides whether a term keeps a position from being reduced. */
export function termFiguresOf(holding: Holding): TermFigures {
  const { isIsolated, margin, position, leverage } = holding;
  const income = worthOf(holding);
  return { income, total: (isIsolated ? margin : initialMargin(position?.cost ?? 0n, leverage)) + income };
}

/** Whether a position may not be reduced by its owner's orders now. */
export const isBound = (holding: Holding, time: number): boolean =>
  holding.term !== undefined && isBinding(holding.term, termFiguresOf(holding), time);

/** Whether an owner has orders open on the leg of a holding. */
export const hasOrders = ({ orderLots, reducingLots }: Holding): boolean =>
  [...orderLots, ...reducingLots].some((lots) => lots > 0);

/** Adds lots of an order to what orders of a leg add up to, or takes them away below zero. */
export function addOrder(holding: Holding, side: Side, reduces: boolean, lots: number, value: bigint): void {
  if (reduces) {
    holding.reducingLots[side] += lots;
    return;
  }
  holding.orderLots[side] += lots;
  holding.orderValue[side] += value;
}

/** The side whose orders reduce a position. */
export const closingSide = ({ direction }: Position): Side => (direction > 0 ? 1 : 0);

/** Field by field: quicker than a spread, and a start does it for each position. */
export function takeRecord(holding: Holding, record: HoldingRecord): void {
  holding.leverage = record.leverage;
  holding.isIsolated = record.isIsolated;
  holding.isHedged = record.isHedged;
  holding.position = record.position;
  holding.margin = record.margin;
  holding.fundingIndex = record.fundingIndex;
  holding.term = record.term;
}

/** By market, then long before short. @param marketOf the id of a market's index, or the market where that is its id */
export const byPlace =
  (marketOf: (market: number) => number) =>
  (one: Pick<Holding, 'market' | 'leg'>, other: Pick<Holding, 'market' | 'leg'>): number =>
    marketOf(one.market) - marketOf(other.market) || other.leg - one.leg;

/** Owner indexes are multiples of sixteen, so that a leg fits beside one in a small integer. */
const keyOf = (owner: number, leg: PositionLeg): number => (owner >> 2) | (leg + 1);

const NONE: readonly Holding[] = [];

/** Whose account has changed since it was looked at for liquidation: each once, in the order of their changes. */
export class Unwatched {
  readonly #holdings: Holding[] = [];

  add(holding: Holding): void {
    if (holding.isUnwatched) return;
    holding.isUnwatched = true;
    this.#holdings.push(holding);
  }

  /** Takes all out. @param look adds none */
  take(look: (holding: Holding) => void): void {
    for (const holding of this.#holdings) {
      holding.isUnwatched = false;
      look(holding);
    }
    this.#holdings.length = 0;
  }
}

export class Holdings {
  /** By owner index; few markets each. */
  readonly #byOwner = new Map<number, Holding[]>();
  /** By index of the market, then by owner and leg. */
  readonly #byMarket: Map<number, Holding>[] = [];
  /** By index of the market, long ones and short ones, each at its `listedAt`. */
  readonly #open: (readonly [long: Holding[], short: Holding[]])[] = [];

  find(owner: number, market: number, leg: PositionLeg): Holding | undefined {
    return this.#byMarket[market]?.get(keyOf(owner, leg));
  }

  /** New if need be. */
  of(owner: number, market: number, leg: PositionLeg, valuation: Valuation): Holding {
    const found = this.find(owner, market, leg);
    if (found !== undefined) return found;
    // One literal: spreads of parts would be most of what a start with many positions does.
    const holding: Holding = {
      owner,
      market,
      leg,
      valuation,
      leverage: DEFAULT_LEVERAGE,
      isIsolated: false,
      isHedged: false,
      position: undefined,
      margin: 0n,
      term: undefined,
      fundingIndex: 0n,
      available: 0,
      turn: 0,
      rankTurn: 0,
      listed: 0,
      listedAt: 0,
      isUnwatched: false,
      orderLots: [0, 0],
      orderValue: [0n, 0n],
      reducingLots: [0, 0],
    };
    while (this.#byMarket.length <= market) {
      this.#byMarket.push(new Map());
      this.#open.push([[], []]);
    }
    this.#byMarket[market]!.set(keyOf(owner, leg), holding);
    const own = this.#byOwner.get(owner);
    if (own === undefined) this.#byOwner.set(owner, [holding]);
    else own.push(holding);
    return holding;
  }

  ofOwner(owner: number): readonly Holding[] {
    return this.#byOwner.get(owner) ?? NONE;
  }

  /** All of a market, in no order. */
  ofMarket(market: number): Iterable<Holding> {
    return this.#byMarket[market]?.values() ?? NONE;
  }

  /** Lists a holding by what it has open; comes after each change of that. */
  list(holding: Holding): void {
    const direction = holding.position?.direction ?? 0;
    const { listed, market } = holding;
    if (direction === listed) return;
    const [long, short] = this.#open[market]!;
    if (listed !== 0) unlist(listed === LONG ? long : short, holding);
    if (direction !== 0) {
      const list = direction === LONG ? long : short;
      holding.listedAt = list.length;
      list.push(holding);
    }
    holding.listed = direction;
  }

  /** Positions of a market in a direction, in no order. */
  open(market: number, direction: Direction): readonly Holding[] {
    return this.#open[market]?.[direction === LONG ? 0 : 1] ?? NONE;
  }

  get openCount(): number {
    return this.#open.reduce((count, [long, short]) => count + long.length + short.length, 0);
  }

  /** All that differ from what an owner has who has never done anything, in no order. */
  *all(): Iterable<Holding> {
    for (const own of this.#byOwner.values()) {
      for (const holding of own) {
        if (!isUntouched(holding)) yield holding;
      }
    }
  }

  /** The same, ascending by what `numberOf` says of an owner, then by market as `marketOf` says, long before short. */
  sorted(numberOf: (owner: number) => number, marketOf: (index: number) => number): readonly Holding[] {
    const owners = Array.from(this.#byOwner.keys()).sort((one, other) => numberOf(one) - numberOf(other));
    const order = byPlace(marketOf);
    const all: Holding[] = [];
    for (const owner of owners) {
      const own = this.#byOwner.get(owner)!;
      // As a start has put them, they are in order.
      const isSorted = own.every((one, index) => index === 0 || order(own[index - 1]!, one) < 0);
      for (const holding of isSorted ? own : own.toSorted(order)) if (!isUntouched(holding)) all.push(holding);
    }
    return all;
  }

  /** Who has a position, in no order. */
  owners(): readonly number[] {
    const isOpen = ({ position }: Holding) => position !== undefined;
    return Array.from(this.#byOwner).flatMap(([owner, own]) => (own.some(isOpen) ? owner : []));
  }
}

/** The last one of a list takes the index of one that leaves it. */
function unlist(list: Holding[], { listedAt }: Holding): void {
  const last = list.pop()!;
  if (last.listedAt === listedAt) return;
  list[listedAt] = last;
  last.listedAt = listedAt;
}
