/**
 * Changes of positions of a batch as records of 144 bytes in a buffer of their own, read through three views as records of orders
 * are. In the batch's own buffer a change is one unit that names its record, so that the order of all events is kept, and
 * a batch is as long as it was when such a change was an object.
 */
import { accountKey, Bucket, OWNER_KEYS, type Posting, SystemOwner, Wallet } from '../ledger/account.ts';
import type { PositionCause, PositionChanged } from '../margin/event.ts';
import type { Holding } from '../margin/holding.ts';
import type { PositionTerm } from '../margin/term.ts';
import type { PositionLeg } from '../terms/order-terms.ts';

/** Words in a record. */
export const POSITION_WORDS = 36;
const FIRST_CAPACITY = 512 * POSITION_WORDS;

/** What a change moves, in settlement units, in the order of its postings: its owner's accounts, then the exchange's. */
export const Move = { AVAILABLE: 0, HELD: 1, MARGIN: 2, CLEARING: 3, FEES: 4, FUNDING: 5, INSURANCE: 6 } as const;
export const MOVES = 7;
/**
 * Figures of a change, in settlement units. They are what it moves, at the same index, but for the clearing account, which pays what
 * closing has brought; beside that, what was paid as funding.
 */
export const ChangeFigure = {
  ...{ AVAILABLE: 0, HELD: 1, MARGIN: 2, REALISED: 3, FEE: 4, FUNDING: 5, INSURANCE: 6 },
  FUNDING_PAID: 7,
} as const;
/** Those that are not 0n. */
export type ChangeFigures = { readonly [Name in keyof typeof ChangeFigure]?: bigint };
const FIGURES = 8;

/** int64 of a record from its beginning; the figures of the change come first. */
const COST = 8;
const MARGIN = 9;
/** Doubles. */
const OWNER = 10;
const TIME = 11;
const LOTS = 12;
const LOTS_CHANGE = 13;
/** Words. */
const MARKET = 28;
const ASSET = 29;
const CODES = 30;
const PLACE = 31;
const TERM = 32;
const FUNDING_INDEX = 33;
const TRADES_BEFORE = 34;
const OBJECTS_BEFORE = 35;

/** Codes: the cause in four bits, the leg plus one in two, the margin mode, the position mode, and the leverage from there on. */
export const ChangeCode = {
  CAUSE_MASK: 15,
  LEG_SHIFT: 4,
  LEG_MASK: 3,
  IS_ISOLATED: 1 << 6,
  IS_HEDGED: 1 << 7,
  LEVERAGE_SHIFT: 8,
} as const;
const { CAUSE_MASK, LEG_SHIFT, LEG_MASK, IS_ISOLATED, IS_HEDGED, LEVERAGE_SHIFT } = ChangeCode;

/** A cause is its number, and its index among `CAUSES`. */
export const Cause = {
  ...{ trade: 0, liquidation: 1, deleveraging: 2, funding: 3, leverage: 4, margin: 5, mode: 6, cover: 7 },
  ...{ compensation: 8, settlement: 9 },
} as const satisfies Readonly<Record<PositionCause, number>>;
export const CAUSES = Object.keys(Cause) as readonly PositionCause[];

/** Keys of the accounts of `Move` beside the asset; those of the owner, which come first, beside the owner as well. */
const ofOwner = (bucket: Bucket) => accountKey(0, Wallet.FUTURE, bucket, 0);
const ofSystem = (owner: SystemOwner) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, 0);
const OWN_ACCOUNTS = [Bucket.AVAILABLE, Bucket.HELD, Bucket.MARGIN].map(ofOwner);
const ACCOUNTS = Float64Array.of(
  ...OWN_ACCOUNTS,
  ...[SystemOwner.CLEARING, SystemOwner.FEES, SystemOwner.FUNDING, SystemOwner.INSURANCE].map(ofSystem),
);

/** The accounts of `Move`: a key beside the asset, and whether the owner is added to it as `accountKey` does. */
export const MOVED_ACCOUNTS: readonly { readonly key: number; readonly isOwn: boolean }[] = Array.from(
  ACCOUNTS,
  (key, move) => ({ key, isOwn: move < OWN_ACCOUNTS.length }),
);

export class PositionRecords {
  words = new Int32Array(FIRST_CAPACITY);
  doubles = new Float64Array(this.words.buffer);
  units = new BigInt64Array(this.words.buffer);
  /** The first free word. */
  end = 0;
  /** What is too rare or too wide for a record, which is listed from 1 on; 0 is none, and a funding index of 0n. */
  #terms: PositionTerm[] = [];
  #fundingIndexes: bigint[] = [];

  get count(): number {
    return this.end / POSITION_WORDS;
  }

  /** A number. */
  owner(at: number): number {
    return this.doubles[(at >> 1) + OWNER]!;
  }

  /** Id. */
  market(at: number): number {
    return this.words[at + MARKET]!;
  }

  /** The settlement asset. */
  asset(at: number): number {
    return this.words[at + ASSET]!;
  }

  time(at: number): number {
    return this.doubles[(at >> 1) + TIME]!;
  }

  leg(at: number): PositionLeg {
    return (((this.codes(at) >> LEG_SHIFT) & LEG_MASK) - 1) as PositionLeg;
  }

  /** Its index among `CAUSES`. */
  cause(at: number): number {
    return this.codes(at) & CAUSE_MASK;
  }

  /** Lots that are open after it, below zero of a short position. */
  lots(at: number): number {
    return this.doubles[(at >> 1) + LOTS]!;
  }

  /** Lots that were bought, below zero that were sold. */
  lotsChange(at: number): number {
    return this.doubles[(at >> 1) + LOTS_CHANGE]!;
  }

  cost(at: number): bigint {
    return this.units[(at >> 1) + COST]!;
  }

  margin(at: number): bigint {
    return this.units[(at >> 1) + MARGIN]!;
  }

  /** One of `ChangeFigure`, in settlement units. */
  figure(at: number, figure: number): bigint {
    return this.units[(at >> 1) + figure]!;
  }

  /** Whether a figure is not 0n. By halves, since an int64 that travels through a call may become an object. */
  hasFigure(at: number, figure: number): boolean {
    const word = this.figureWord(at, figure);
    return (this.words[word]! | this.words[word + 1]!) !== 0;
  }

  /** The first word of a figure, of the cost and of the margin. */
  figureWord(at: number, figure: number): number {
    return at + 2 * figure;
  }

  costWord(at: number): number {
    return at + 2 * COST;
  }

  marginWord(at: number): number {
    return at + 2 * MARGIN;
  }

  leverage(at: number): number {
    return this.codes(at) >> LEVERAGE_SHIFT;
  }

  /** Counts the holdings of an exchange from 0 on: another number after a start. */
  place(at: number): number {
    return this.words[at + PLACE]!;
  }

  /** Cause, leg, modes and leverage as one integer, as `ChangeCode` says, for who keeps them. */
  codes(at: number): number {
    return this.words[at + CODES]!;
  }

  isIsolated(at: number): boolean {
    return (this.codes(at) & IS_ISOLATED) !== 0;
  }

  isHedged(at: number): boolean {
    return (this.codes(at) & IS_HEDGED) !== 0;
  }

  term(at: number): PositionTerm | undefined {
    const listed = this.words[at + TERM]!;
    return listed === 0 ? undefined : this.#terms[listed - 1];
  }

  fundingIndex(at: number): bigint {
    const listed = this.words[at + FUNDING_INDEX]!;
    return listed === 0 ? 0n : this.#fundingIndexes[listed - 1]!;
  }

  /** Trades of the batch before it. */
  tradesBefore(at: number): number {
    return this.words[at + TRADES_BEFORE]!;
  }

  /** Objects of the batch before it. */
  objectsBefore(at: number): number {
    return this.words[at + OBJECTS_BEFORE]!;
  }

  /** Key of an account of `Move`. */
  account(at: number, move: number): number {
    const key = ACCOUNTS[move]! + this.asset(at);
    return move < OWN_ACCOUNTS.length ? key + this.owner(at) * OWNER_KEYS : key;
  }

  /** The change as an object: for tests and tools. */
  event(at: number): PositionChanged {
    const lots = this.lots(at);
    const position = { direction: lots > 0 ? 1 : -1, lots: Math.abs(lots), cost: this.cost(at) } as const;
    return {
      kind: 'position-changed',
      ...{ owner: this.owner(at), market: this.market(at), leg: this.leg(at) },
      position: lots === 0 ? undefined : position,
      ...{ margin: this.margin(at), leverage: this.leverage(at), isIsolated: this.isIsolated(at) },
      ...{ isHedged: this.isHedged(at), fundingIndex: this.fundingIndex(at), term: this.term(at) },
      cause: CAUSES[this.cause(at)]!,
      realised: this.figure(at, ChangeFigure.REALISED),
      fee: this.figure(at, ChangeFigure.FEE),
      funding: this.figure(at, ChangeFigure.FUNDING_PAID),
      ...{ moves: this.moves(at), time: this.time(at) },
    };
  }

  /** An account to which nothing is moved has no posting. */
  moves(at: number): readonly Posting[] {
    const postings: Posting[] = [];
    for (let move = 0; move < MOVES; move += 1) {
      const amount = move === Move.CLEARING ? -this.figure(at, ChangeFigure.REALISED) : this.figure(at, move);
      if (amount !== 0n) postings.push({ account: this.account(at, move), amount });
    }
    return postings;
  }

  /** Makes room for a record, whose figures are written before it is added. @returns where they begin in `units` */
  reserve(): number {
    if (this.end + POSITION_WORDS > this.words.length) this.#grow();
    return this.end >> 1;
  }

  /** The same with the figures. */
  begin(figures: ChangeFigures): void {
    const at = this.reserve();
    this.units.fill(0n, at, at + FIGURES);
    for (const [name, amount] of Object.entries(figures))
      this.units[at + ChangeFigure[name as keyof typeof ChangeFigure]] = amount;
  }

  /**
   * Adds the record that was reserved last, with what has become of a holding.
   * @param owner its number
   * @param market its id
   */
  add(holding: Holding, owner: number, market: number, cause: number, lotsChange: number, time: number): number {
    const at = this.end;
    this.end = at + POSITION_WORDS;
    const { words, doubles, units } = this;
    const half = at >> 1;
    holding.copyMoney(units, half + COST, half + MARGIN);
    doubles[half + OWNER] = owner;
    doubles[half + TIME] = time;
    doubles[half + LOTS] = holding.lots;
    doubles[half + LOTS_CHANGE] = lotsChange;
    const modes = (holding.isIsolated ? IS_ISOLATED : 0) | (holding.isHedged ? IS_HEDGED : 0);
    const leverage = holding.leverage << LEVERAGE_SHIFT;
    words[at + MARKET] = market;
    words[at + ASSET] = holding.valuation.asset;
    words[at + CODES] = cause | ((holding.leg + 1) << LEG_SHIFT) | modes | leverage;
    words[at + PLACE] = holding.place;
    words[at + TERM] = holding.term === undefined ? 0 : this.#terms.push(holding.term);
    words[at + FUNDING_INDEX] = this.#listed(holding.fundingIndex);
    return at;
  }

  /** Notes what of the batch came before a record. */
  follow(at: number, trades: number, objects: number): void {
    this.words[at + TRADES_BEFORE] = trades;
    this.words[at + OBJECTS_BEFORE] = objects;
  }

  /** Forgets everything, so that it can be written again. */
  clear(): void {
    this.end = 0;
    if (this.#terms.length > 0) this.#terms = [];
    if (this.#fundingIndexes.length > 0) this.#fundingIndexes = [];
  }

  /** Most changes of a batch are of one index. */
  #listed(fundingIndex: bigint): number {
    if (fundingIndex === 0n) return 0;
    const { length } = this.#fundingIndexes;
    if (length > 0 && this.#fundingIndexes[length - 1] === fundingIndex) return length;
    return this.#fundingIndexes.push(fundingIndex);
  }

  #grow(): void {
    const wider = new Int32Array(this.words.length * 2);
    wider.set(this.words);
    this.words = wider;
    this.doubles = new Float64Array(wider.buffer);
    this.units = new BigInt64Array(wider.buffer);
  }
}
