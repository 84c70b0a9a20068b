/**
 * Holdings as columns: what a snapshot has of them, what the hash of a state is over, and what a start takes back. There may be
 * hundreds of thousands, so no object is made for one.
 */
import { Int64Column } from '../collections/records.ts';
import type { SectionReader, SectionWriter } from '../collections/sections.ts';
import type { StateHasher } from '../collections/state-hash.ts';
import { NET, type PositionLeg } from '../terms/order-terms.ts';
import type { HoldingRecord } from './holding-record.ts';
import type { Direction } from './perpetual.ts';
import { type PositionTerm, withDiscount } from './term.ts';

export interface HoldingColumns {
  /** How many there are; the arrays may have room for more. */
  size: number;
  readonly owner: Float64Array;
  /** Id. */
  readonly market: Int32Array;
  readonly leverage: Int32Array;
  readonly flags: Uint8Array;
  readonly lots: Float64Array;
  readonly cost: Int64Column;
  readonly margin: Int64Column;
  /** An index of funding may be wider than 64 bits: the lower ones, and what is above them. */
  readonly fundingLow: Int64Column;
  readonly fundingHigh: Int64Column;
  /** Of the few that have one, by place, ascending. */
  readonly terms: Map<number, PositionTerm>;
}

export const holdingColumns = (capacity: number): HoldingColumns => ({
  size: 0,
  owner: new Float64Array(capacity),
  market: new Int32Array(capacity),
  leverage: new Int32Array(capacity),
  flags: new Uint8Array(capacity),
  lots: new Float64Array(capacity),
  cost: new Int64Column(new BigInt64Array(capacity)),
  margin: new Int64Column(new BigInt64Array(capacity)),
  fundingLow: new Int64Column(new BigInt64Array(capacity)),
  fundingHigh: new Int64Column(new BigInt64Array(capacity)),
  terms: new Map(),
});

/** Bits of a holding beside its numbers: its leg + 1, its direction + 1, and what is chosen or there. */
const [LEG, ISOLATED, HEDGED, DIRECTION, WITH_TERM] = [0, 2, 3, 4, 6];
const BITS = 3;

/** @param direction 0 where nothing is open */
export const flagsOf = (
  leg: number,
  direction: number,
  isIsolated: boolean,
  isHedged: boolean,
  hasTerm: boolean,
): number =>
  ((leg + 1) << LEG) |
  ((isIsolated ? 1 : 0) << ISOLATED) |
  ((isHedged ? 1 : 0) << HEDGED) |
  ((direction + 1) << DIRECTION) |
  ((hasTerm ? 1 : 0) << WITH_TERM);

export const legIn = (flags: number): PositionLeg => (((flags >> LEG) & BITS) - 1) as PositionLeg;
export const directionIn = (flags: number): Direction | 0 => (((flags >> DIRECTION) & BITS) - 1) as Direction | 0;
export const isIsolatedIn = (flags: number): boolean => ((flags >> ISOLATED) & 1) === 1;
export const isHedgedIn = (flags: number): boolean => ((flags >> HEDGED) & 1) === 1;
const hasTermIn = (flags: number): boolean => ((flags >> WITH_TERM) & 1) === 1;

const WORD_BITS = 64n;
const SIGN_SHIFT = 31;

export function writeFundingIndex(to: HoldingColumns, at: number, index: bigint): void {
  const low = BigInt.asIntN(64, index);
  to.fundingLow.units[at] = low;
  if (low === index) extendSign(to, at);
  else to.fundingHigh.units[at] = index >> WORD_BITS;
}

/** What is above the lower bits of an index that is no wider than they. */
export function extendSign({ fundingLow, fundingHigh }: HoldingColumns, at: number): void {
  const sign = fundingLow.words[at * 2 + 1]! >> SIGN_SHIFT;
  fundingHigh.words[at * 2] = sign;
  fundingHigh.words[at * 2 + 1] = sign;
}

export function fundingIndexAt({ fundingLow, fundingHigh }: HoldingColumns, at: number): bigint {
  const [low, high] = [fundingLow.words[at * 2 + 1]!, fundingHigh.words[at * 2 + 1]!];
  const sign = low >> SIGN_SHIFT;
  if (high !== sign || fundingHigh.words[at * 2] !== sign)
    return (fundingHigh.units[at]! << WORD_BITS) | BigInt.asUintN(64, fundingLow.units[at]!);
  return low === 0 && fundingLow.words[at * 2] === 0 ? 0n : fundingLow.units[at]!;
}

/** The columns of records, for what has few. */
export function columnsOf(records: readonly HoldingRecord[]): HoldingColumns {
  const to = holdingColumns(records.length);
  for (const [at, { position, term, ...record }] of records.entries()) {
    to.owner[at] = record.owner;
    to.market[at] = record.market;
    to.leverage[at] = record.leverage;
    const { leg, isIsolated, isHedged } = record;
    to.flags[at] = flagsOf(leg, position?.direction ?? 0, isIsolated, isHedged, term !== undefined);
    to.lots[at] = position?.lots ?? 0;
    to.cost.units[at] = position?.cost ?? 0n;
    to.margin.units[at] = record.margin;
    writeFundingIndex(to, at, record.fundingIndex);
    if (term !== undefined) to.terms.set(at, term);
  }
  to.size = records.length;
  return to;
}

/** Whether a row comes after the one before: ascending by owner, then by market, long before short. */
export function isAfter({ owner, market, flags }: HoldingColumns, at: number): boolean {
  if (owner[at] !== owner[at - 1]) return owner[at]! > owner[at - 1]!;
  if (market[at] !== market[at - 1]) return market[at]! > market[at - 1]!;
  return legIn(flags[at]!) < legIn(flags[at - 1]!);
}

/** The other way round. */
export function recordsOf(columns: HoldingColumns): readonly HoldingRecord[] {
  return Array.from({ length: columns.size }, (_, at): HoldingRecord => {
    const flags = columns.flags[at]!;
    const direction = directionIn(flags);
    return {
      owner: columns.owner[at]!,
      market: columns.market[at]!,
      leg: legIn(flags),
      leverage: columns.leverage[at]!,
      isIsolated: isIsolatedIn(flags),
      isHedged: isHedgedIn(flags),
      position: direction === 0 ? undefined : { direction, lots: columns.lots[at]!, cost: columns.cost.units[at]! },
      margin: columns.margin.units[at]!,
      fundingIndex: fundingIndexAt(columns, at),
      term: columns.terms.get(at),
    };
  });
}

export function saveColumns(to: SectionWriter, columns: HoldingColumns): void {
  const { size } = columns;
  const terms = [...columns.terms.values()];
  to.column(columns.owner.subarray(0, size));
  to.column(columns.market.subarray(0, size));
  to.column(columns.leverage.subarray(0, size));
  to.column(columns.flags.subarray(0, size));
  to.column(columns.lots.subarray(0, size));
  const { cost, margin, fundingLow, fundingHigh } = columns;
  for (const { units } of [cost, margin, fundingLow, fundingHigh]) to.column(units.subarray(0, size));
  to.column(Float64Array.from(terms.flatMap(({ startedAt, endsAt }) => [startedAt, endsAt])));
  const amounts = terms.flatMap(({ target, floor }) => [target, floor]);
  const discounts = terms.map(({ discount = 0n }) => discount);
  // Snapshots of older versions have no discounts; the states that have none are written like them.
  to.column(BigInt64Array.from(discounts.some((one) => one > 0n) ? [...amounts, ...discounts] : amounts));
}

/** Views of the file. */
export function loadColumns(from: SectionReader): HoldingColumns {
  const owner = from.column(Float64Array);
  const [market, leverage, flags] = [from.column(Int32Array), from.column(Int32Array), from.column(Uint8Array)];
  const lots = from.column(Float64Array);
  const units = () => new Int64Column(from.column(BigInt64Array));
  const [cost, margin, fundingLow, fundingHigh] = [units(), units(), units(), units()];
  const [times, amounts] = [from.column(Float64Array), from.column(BigInt64Array)];
  const terms = new Map<number, PositionTerm>();
  for (let at = 0; at < owner.length; at += 1) {
    if (!hasTermIn(flags[at]!)) continue;
    const place = terms.size * 2;
    const [target, floor] = [amounts[place]!, amounts[place + 1]!];
    const discount = amounts[times.length + terms.size] ?? 0n;
    terms.set(at, withDiscount({ startedAt: times[place]!, endsAt: times[place + 1]!, target, floor }, discount));
  }
  const columns = { owner, market, leverage, flags, lots, cost, margin, fundingLow, fundingHigh };
  return { size: owner.length, ...columns, terms };
}

/** What a term begins with in a hash, which no leg is. */
const TERM_MARK = 3;

/** The same words as of the numbers and amounts of records. */
export function hashHoldings(hasher: StateHasher, columns: HoldingColumns): void {
  const { owner, market, leverage, flags, lots, terms, size } = columns;
  const { cost, margin, fundingLow, fundingHigh } = columns;
  for (let at = 0; at < size; at += 1) {
    const bits = flags[at]!;
    hasher.number(owner[at]!);
    hasher.number(market[at]!);
    hasher.number(leverage[at]!);
    hasher.number(isIsolatedIn(bits) ? 1 : 0);
    hasher.number(directionIn(bits));
    hasher.number(lots[at]!);
    const low = at * 2;
    hasher.words(cost.words[low]!, cost.words[low + 1]!);
    hasher.words(margin.words[low]!, margin.words[low + 1]!);
    hasher.words(fundingLow.words[low]!, fundingLow.words[low + 1]!);
    hasher.words(fundingHigh.words[low]!, fundingHigh.words[low + 1]!);
    // Of what is not in one-way mode alone.
    if (isHedgedIn(bits) || legIn(bits) !== NET) hasher.number(isHedgedIn(bits) ? 2 : legIn(bits));
    if (hasTermIn(bits)) hashTerm(hasher, terms.get(at)!);
  }
}

function hashTerm(hasher: StateHasher, { startedAt, endsAt, target, floor, discount }: PositionTerm): void {
  for (const value of [TERM_MARK, startedAt, endsAt]) hasher.number(value);
  for (const amount of [target, floor]) hasher.amount(amount);
  if (discount !== undefined) hasher.amount(discount);
}
