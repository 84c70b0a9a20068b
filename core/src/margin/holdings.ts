/** What owners have in perpetual markets, and what it is worth. */
import { BUY, NET, type PositionLeg, SELL, type Side } from '../terms/order-terms.ts';
import { DEFAULT_LEVERAGE, Holding, owedOf, type Valuation } from './holding.ts';
import { type HoldingColumns, holdingColumns, isAfter } from './holding-columns.ts';
import { HoldingFigures } from './holding-figures.ts';
import { type Direction, initialMargin, LONG, notionalOf, requirement, SHORT } from './perpetual.ts';
import type { Position } from './position.ts';
import { isBinding, type TermFigures } from './term.ts';

/** Whether a holding is what an owner has who has never done anything. */
export const isUntouched = (one: Pick<Holding, 'lots' | 'isIsolated' | 'isHedged' | 'leverage'>): boolean =>
  one.lots === 0 && !one.isIsolated && !one.isHedged && one.leverage === DEFAULT_LEVERAGE;

/** What the open lots are worth at the mark. */
const markValueOf = ({ lots, valuation: { terms, mark } }: Holding): bigint =>
  notionalOf(terms, mark, lots < 0 ? -lots : lots);

/** What closing a position at the mark would bring; 0n where nothing values it. */
export function profitOf(holding: Holding): bigint {
  const { lots, cost } = holding;
  if (lots === 0 || holding.valuation.mark === 0) return 0n;
  const value = markValueOf(holding);
  return lots > 0 ? value - cost : cost - value;
}

/** What a position must have so that it is not liquidated. */
export const requiredOf = (holding: Holding): bigint =>
  holding.lots === 0 ? 0n : requirement(holding.valuation.terms, markValueOf(holding));

/** What a position adds to what backs it. */
export const worthOf = (holding: Holding): bigint => profitOf(holding) - owedOf(holding);

/** The same at the mark or at the index, whichever is less; at the mark while the index is lost. */
export function carefulWorthOf(holding: Holding): bigint {
  const { lots, valuation } = holding;
  const { terms, mark, index } = valuation;
  const worth = worthOf(holding);
  if (mark === 0 || index === 0) return worth;
  const differs = BigInt(lots) * BigInt(index - mark) * terms.unitsPerTickLot;
  return differs < 0n ? worth + differs : worth;
}

/** What decides whether a term keeps a position from being reduced. */
export function termFiguresOf(holding: Holding): TermFigures {
  const { isIsolated, margin, cost, leverage } = holding;
  const income = worthOf(holding);
  return { income, total: (isIsolated ? margin : initialMargin(cost, leverage)) + income };
}

/** Whether a position may not be reduced by its owner's orders now. */
export const isBound = (holding: Holding, time: number): boolean =>
  holding.term !== undefined && isBinding(holding.term, termFiguresOf(holding), time);

const SIDES = [BUY, SELL] as const;

/** Whether an owner has orders open on the leg of a holding. */
export const hasOrders = (holding: Holding): boolean =>
  SIDES.some((side) => holding.orderLots(side) > 0 || holding.reducingLots(side) > 0);

/** The side whose orders reduce a position. */
export const closingSide = ({ direction }: Position): Side => (direction > 0 ? SELL : BUY);

/** Whether orders of a side make a position larger. */
export const isOfSide = ({ lots }: Holding, side: Side): boolean => (side === BUY ? lots > 0 : lots < 0);

/** Lots of a holding that orders of a side close. */
export function closableLots({ lots }: Holding, side: Side): number {
  if (side === SELL) return lots > 0 ? lots : 0;
  return lots < 0 ? -lots : 0;
}

/** By market, then long before short. @param marketOf the id of a market's index, or the market where that is its id */
export const byPlace =
  (marketOf: (market: number) => number) =>
  (one: Pick<Holding, 'market' | 'leg'>, other: Pick<Holding, 'market' | 'leg'>): number =>
    marketOf(one.market) - marketOf(other.market) || other.leg - one.leg;

/** Owner indexes are multiples of sixteen, so that a leg fits beside one in a small integer. */
const keyOf = (owner: number, leg: PositionLeg): number => (owner >> 2) | (leg + 1);
const OWNER_SHIFT = 4;

const NONE: readonly Holding[] = [];

/** Holdings of one market. */
interface MarketHoldings {
  readonly all: Holding[];
  /** Those of one-way mode by owner: an array finds one with fewer reads of memory than a map. */
  readonly net: (Holding | undefined)[];
  readonly legs: Map<number, Holding>;
  /** Positions that are open; each knows its index. */
  readonly long: Holding[];
  readonly short: Holding[];
}

/** The last one takes its index. */
function takeOut(open: Holding[], holding: Holding): void {
  const last = open.pop()!;
  if (last === holding) return;
  open[holding.listIndex] = last;
  last.listIndex = holding.listIndex;
}

function addRow(to: HoldingColumns, holding: Holding, owner: number, market: number): void {
  const at = to.size;
  to.size += 1;
  to.owner[at] = owner;
  to.market[at] = market;
  holding.write(to, at);
}

export class Holdings {
  readonly #figures = new HoldingFigures();
  /** By owner index; few markets each. */
  readonly #byOwner = new Map<number, Holding[]>();
  /** By index of the market. */
  readonly #byMarket: MarketHoldings[] = [];

  find(owner: number, market: number, leg: PositionLeg): Holding | undefined {
    const holdings = this.#byMarket[market];
    if (holdings === undefined) return undefined;
    return leg === NET ? holdings.net[owner >> OWNER_SHIFT] : holdings.legs.get(keyOf(owner, leg));
  }

  /** New if need be. */
  of(owner: number, market: number, leg: PositionLeg, valuation: Valuation): Holding {
    const found = this.find(owner, market, leg);
    if (found !== undefined) return found;
    while (this.#byMarket.length <= market)
      this.#byMarket.push({ all: [], net: [], legs: new Map(), long: [], short: [] });
    const own = this.#ownOf(owner);
    const holding = new Holding(owner, market, leg, valuation, own.at(-1), this.#figures);
    own.push(holding);
    const { all, net, legs } = this.#byMarket[market]!;
    all.push(holding);
    if (leg === NET) net[owner >> OWNER_SHIFT] = holding;
    else legs.set(keyOf(owner, leg), holding);
    return holding;
  }

  /** Makes room for so many more at once. */
  reserve(more: number): void {
    this.#figures.reserve(more);
  }

  ofOwner(owner: number): readonly Holding[] {
    return this.#byOwner.get(owner) ?? NONE;
  }

  /** All of a market, in no order. */
  ofMarket(market: number): Iterable<Holding> {
    return this.#byMarket[market]?.all ?? NONE;
  }

  /** Lists a holding by what it has open; comes after each change of that. */
  list(holding: Holding): void {
    const { listed, market, lots } = holding;
    const direction = lots === 0 ? 0 : lots > 0 ? LONG : SHORT;
    if (direction === listed) return;
    const { long, short } = this.#byMarket[market]!;
    if (listed !== 0) takeOut(listed === LONG ? long : short, holding);
    if (direction !== 0) holding.listIndex = (direction === LONG ? long : short).push(holding) - 1;
    holding.listed = direction;
  }

  /** Positions of a market in a direction, in no order. */
  open(market: number, direction: Direction): readonly Holding[] {
    return this.#byMarket[market]?.[direction === LONG ? 'long' : 'short'] ?? NONE;
  }

  get openCount(): number {
    return this.#byMarket.reduce((count, { long, short }) => count + long.length + short.length, 0);
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
      const isSorted = own.every((one, index) => index === 0 || order(own[index - 1]!, one) < 0);
      for (const holding of isSorted ? own : own.toSorted(order)) if (!isUntouched(holding)) all.push(holding);
    }
    return all;
  }

  /** In the same order. As a start has put them they are in it, and then nothing is sorted. */
  columns(numberOf: (owner: number) => number, marketOf: (index: number) => number): HoldingColumns {
    const to = holdingColumns(this.#byMarket.reduce((count, { all }) => count + all.length, 0));
    for (const own of this.#byOwner.values()) {
      for (const holding of own) {
        if (isUntouched(holding)) continue;
        addRow(to, holding, numberOf(holding.owner), marketOf(holding.market));
        if (to.size > 1 && !isAfter(to, to.size - 1)) return this.#sortedColumns(numberOf, marketOf);
      }
    }
    return to;
  }

  #sortedColumns(numberOf: (owner: number) => number, marketOf: (index: number) => number): HoldingColumns {
    const sorted = this.sorted(numberOf, marketOf);
    const to = holdingColumns(sorted.length);
    for (const holding of sorted) addRow(to, holding, numberOf(holding.owner), marketOf(holding.market));
    return to;
  }

  #ownOf(owner: number): Holding[] {
    const known = this.#byOwner.get(owner);
    if (known !== undefined) return known;
    const own: Holding[] = [];
    this.#byOwner.set(owner, own);
    return own;
  }

  /** Who has a position, in no order. */
  owners(): readonly number[] {
    const isOpen = ({ lots }: Holding) => lots !== 0;
    return Array.from(this.#byOwner).flatMap(([owner, own]) => (own.some(isOpen) ? owner : []));
  }
}
