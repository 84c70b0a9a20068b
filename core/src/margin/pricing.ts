/**
 * How the mark and the funding of a perpetual follow from its index, its book and the time of the command: no clock is read, and
 * two exchanges that are given the same commands have the same mark.
 */
import type { FundingSpec, PerpetualSpec } from '../money/market.ts';
import { NEWEST_RULES, SAMPLES_ARE_BOUNDED } from '../terms/rules.ts';
import { clamp, fundingRate, nextFundingIndex, premium } from './funding.ts';
import { markPrice, roomOf } from './mark-price.ts';
import type { PerpetualTerms } from './perpetual.ts';

/** How far the middle of the book was from the index, in ticks. */
export interface BasisSample {
  readonly time: number;
  readonly ticks: number;
}

/** What a perpetual has beside `MarketState`. */
export interface PerpetualState {
  /** Ticks; 0 until there is one, and while it is lost. */
  readonly index: number;
  /** Ms since 1970, when the index was said last. */
  readonly indexAt: number;
  /** Of the last 30 seconds, ascending by time. */
  readonly basis: readonly BasisSample[];
  /** Premiums of this interval: their sum in parts per billion, how many they are, and when the last was taken. */
  readonly premiumSum: bigint;
  readonly premiumCount: number;
  readonly sampledAt: number;
  /** Ms since 1970; 0 until there was an index. */
  readonly nextFundingAt: number;
  /** Billionths of a settlement unit that a long lot has paid since the market began. */
  readonly fundingIndex: bigint;
}

export const INITIAL_PERPETUAL_STATE: PerpetualState = {
  ...{ index: 0, indexAt: 0, basis: [], premiumSum: 0n, premiumCount: 0, sampledAt: 0, nextFundingAt: 0 },
  fundingIndex: 0n,
};

/** Nothing is liquidated by an index that is older. */
export const INDEX_FRESH_MS = 60_000;
const BASIS_MS = 30_000;
export const MAXIMUM_BASIS_SAMPLES = 32;
export const PREMIUM_EVERY_MS = 60_000;
/** What a rate is the mean of at least, an hour of premiums: one of them says little, and would be the rate of an interval's first minute. */
const LEAST_PREMIUMS = 60;

/** What pricing reads of a book; prices are in ticks, 0 where there is none. */
export interface BookPrices {
  readonly last: number;
  readonly bid: number;
  readonly ask: number;
  /** No mark is above it. */
  readonly highest: number;
  /** Average prices of an order of the impact value; undefined where the book has less. */
  impactBid(): number | undefined;
  impactAsk(): number | undefined;
}

/** A new index. */
export interface IndexSaid {
  /** Ticks, above zero. */
  readonly index: number;
  /** Ms since 1970. */
  readonly time: number;
  /** The version under which it is followed. */
  readonly rules: number;
}

export interface FundingSettled {
  readonly ratePpb: number;
  readonly mark: number;
}

export interface Priced {
  readonly state: PerpetualState;
  readonly mark: number;
  /** Where an interval has ended. */
  readonly settled: FundingSettled | undefined;
}

/** The rate that the interval would end with if it ended now, in parts per billion. */
export function predictedRate(
  { premiumSum, premiumCount }: PerpetualState,
  funding: FundingSpec,
  rules: number = NEWEST_RULES,
): number {
  const count = rules < SAMPLES_ARE_BOUNDED ? Math.max(1, premiumCount) : Math.max(LEAST_PREMIUMS, premiumCount);
  return Number(fundingRate(premiumSum / BigInt(count), funding));
}

/** Of an odd sum, half a tick goes down. */
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.floor(values.reduce((sum, one) => sum + one, 0) / values.length);

function withBasis(
  state: PerpetualState,
  clampPpm: number,
  { index, time, rules }: IndexSaid,
  { bid, ask }: BookPrices,
): PerpetualState['basis'] {
  const recent = state.basis.filter((sample) => time - sample.time <= BASIS_MS);
  if (bid === 0 || ask === 0) return recent;
  const distance = Math.floor((bid + ask) / 2) - index;
  const room = roomOf(index, clampPpm);
  const ticks = rules < SAMPLES_ARE_BOUNDED ? distance : Math.max(-room, Math.min(room, distance));
  return [...recent, { time, ticks }].slice(-MAXIMUM_BASIS_SAMPLES);
}

/** At the bound a premium that lasts is as much as the cap, and no more. */
function boundedPremium(ppb: bigint, { capPpb, dampPpb }: FundingSpec): bigint {
  const bound = BigInt(capPpb) + BigInt(dampPpb);
  return clamp(ppb, -bound, bound);
}

function withPremium(
  state: PerpetualState,
  funding: FundingSpec,
  { index, time, rules }: IndexSaid,
  book: BookPrices,
): PerpetualState {
  if (time - state.sampledAt < PREMIUM_EVERY_MS) return state;
  const found = premium(index, book.impactBid(), book.impactAsk());
  const sample = rules < SAMPLES_ARE_BOUNDED ? found : boundedPremium(found, funding);
  return {
    ...state,
    premiumSum: state.premiumSum + sample,
    premiumCount: state.premiumCount + 1,
    sampledAt: time,
  };
}

/**
 * A clock that was ahead and was set right leaves times of the future behind, by which nothing would be sampled or settled until then.
 * Where time only goes forward this changes nothing.
 */
function withoutFuture(state: PerpetualState, time: number, next: number): PerpetualState {
  if (state.sampledAt <= time) return state;
  const basis = state.basis.filter((sample) => sample.time <= time);
  return { ...state, basis, sampledAt: time, nextFundingAt: Math.min(state.nextFundingAt, next) };
}

/**
 * What a new index leads to. An interval that has ended is settled at the new mark; those that passed without an index are
 * left out, as nothing is known of them.
 */
export function follow(
  known: PerpetualState,
  { markClampPpm: clampPpm, funding }: PerpetualSpec,
  terms: PerpetualTerms,
  said: IndexSaid,
  book: BookPrices,
): Priced {
  const { index, time, rules } = said;
  const { intervalMs } = funding;
  const next = (Math.floor(time / intervalMs) + 1) * intervalMs;
  const before = withoutFuture(known, time, next);
  const basis = withBasis(before, clampPpm, said, book);
  const due = before.nextFundingAt === 0 ? next : before.nextFundingAt;
  const middle = markPrice({
    index,
    last: book.last === 0 ? index : book.last,
    ratePpb: BigInt(predictedRate(before, funding, rules)),
    left: { ms: Math.min(intervalMs, Math.max(0, due - time)), ofMs: intervalMs },
    meanBasis: mean(basis.map(({ ticks }) => ticks)),
    clampPpm,
  });
  const mark = Math.min(middle, book.highest);
  const state = withPremium({ ...before, index, indexAt: time, basis, nextFundingAt: due }, funding, said, book);
  if (time < due) return { state, mark, settled: undefined };
  const ratePpb = predictedRate(state, funding, rules);
  const fundingIndex = nextFundingIndex(terms, state.fundingIndex, BigInt(ratePpb), mark);
  const begun = { ...state, premiumSum: 0n, premiumCount: 0, nextFundingAt: next, fundingIndex };
  return { state: begun, mark, settled: { ratePpb, mark } };
}
