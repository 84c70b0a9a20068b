import { IntegerMap } from '../collections/integer-map.ts';
import { doublesOf, int64sOf, lineWords, widerWords } from '../collections/records.ts';
import type { SectionReader, SectionWriter } from '../collections/sections.ts';
import { InvariantError } from '../invariant.ts';
import { accountKey, accountParts, BUCKET_KEYS, Bucket, MAXIMUM_OWNER, Wallet } from './account.ts';

/** Owners below this are found in a plain array; their numbers are dense. */
const DIRECT_OWNERS = 2 ** 22;
const FIRST_DIRECT = 1024;
const FIRST_RECORDS = 1024;

/**
 * An owner's record is 64 bytes, one cache line: the number as a double, then words. The last eight are the spot pairs
 * that the owner used last, one for each value of the asset's low bits.
 */
const OWNER_WORDS = 16;
const NUMBER = 0;
const MAKER_PPM = 2;
const TAKER_PPM = 3;
const FIRST_ORDER = 4;
const OPEN_ORDERS = 5;
const FIRST_PAIR = 6;
const FLAGS = 7;
const RECENT = 8;
const RECENT_MASK = 7;
/** Flags: the owner was ever given fee credit, and has rates of its own. */
const HAS_CREDIT = 1;
const HAS_FEES = 2;

/**
 * A pair of accounts is 32 bytes: the balances of two neighbouring buckets, such as available and held (int64), the key
 * of the first (double), and two words. An account is the index of its balance, so the pair's other fields are found
 * from it by its bits.
 */
const PAIR_WORDS = 8;
const KEY = 2;
const STATE = 6;
const NEXT_PAIR = 7;
/**
 * State: the asset in fifteen bits (16384 is what none has), whether each of the two accounts was used, and whether the
 * pair has changed since the balances were last taken.
 */
const ASSET_MASK = 0x7fff;
const NO_ASSET = 0x4000;
const USED = 1 << 15;
const CHANGED = 1 << 17;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const { AVAILABLE } = Bucket;
const { SPOT } = Wallet;

/** Held is the account beside available, so one look-up finds both. */
export const HELD_BESIDE = 1;
const TO_HELD = HELD_BESIDE;
const BUCKET_STEP = BUCKET_KEYS;

/** Takes accounts that changed, and what is in them before and after; `balanceCount` of them. */
export interface BalanceChanges {
  /** Their indexes in the table, which stay the same. */
  readonly balanceAccounts: Int32Array;
  readonly balanceKeys: Float64Array;
  readonly balancesBefore: BigInt64Array;
  readonly balances: BigInt64Array;
  balanceCount: number;
  /** Makes room for so many more. */
  reserve(more: number): void;
}

/** What `save` wrote of accounts: views of the file. Those that hold nothing are among them. */
export function readAccounts(from: SectionReader): {
  readonly keys: Float64Array;
  readonly balances: BigInt64Array;
} {
  from.section('accounts', 1);
  return { keys: from.column(Float64Array), balances: from.column(BigInt64Array) };
}

/**
 * All owners and accounts as records in two buffers: everything that an order needs of its owner is in one cache line,
 * and everything about the accounts that pay for it in another. An owner is the index of its first word; an account is
 * the index of its balance. Only the ledger changes balances.
 */
export class AccountTable {
  #pairWords = lineWords(FIRST_RECORDS * PAIR_WORDS);
  #pairDoubles = doublesOf(this.#pairWords);
  /** By account. */
  balances = int64sOf(this.#pairWords);
  #pairsEnd = PAIR_WORDS;
  readonly #pairs = new IntegerMap();

  #ownerWords = lineWords(FIRST_RECORDS * OWNER_WORDS);
  #ownerDoubles = doublesOf(this.#ownerWords);
  #ownersEnd = OWNER_WORDS;
  #directOwners = new Int32Array(FIRST_DIRECT);
  readonly #owners = new IntegerMap();
  #defaultMakerPpm = 0;
  #defaultTakerPpm = 0;
  /** Pairs that have changed since the balances were last taken. */
  #changed = new Int32Array(FIRST_RECORDS);
  /** Of each of them, both balances as they were before. */
  #before = new BigInt64Array(FIRST_RECORDS * 2);
  #changedCount = 0;

  constructor() {
    this.#pairWords[STATE] = NO_ASSET;
  }

  /** An owner that is known; 0 when not. */
  findOwner(number: number): number {
    if (number < this.#directOwners.length) return this.#directOwners[number] ?? 0;
    return this.#owners.get(number);
  }

  /** An owner, new if need be, with the default fees. */
  owner(number: number): number {
    const found = this.findOwner(number);
    return found !== 0 ? found : this.#addOwner(number);
  }

  ownerNumber(owner: number): number {
    return this.#ownerDoubles[(owner >> 1) | NUMBER]!;
  }

  makerPpm(owner: number): number {
    return this.#ownerWords[owner | MAKER_PPM]!;
  }

  takerPpm(owner: number): number {
    return this.#ownerWords[owner | TAKER_PPM]!;
  }

  get defaultFees(): { readonly makerPpm: number; readonly takerPpm: number } {
    return { makerPpm: this.#defaultMakerPpm, takerPpm: this.#defaultTakerPpm };
  }

  /** Gives rates to every owner without its own. Rare, so that a trade reads its rate without asking whose it is. */
  setDefaultFees(makerPpm: number, takerPpm: number): void {
    this.#defaultMakerPpm = makerPpm;
    this.#defaultTakerPpm = takerPpm;
    for (let owner = OWNER_WORDS; owner < this.#ownersEnd; owner += OWNER_WORDS) {
      if (!this.hasFees(owner)) this.#writeFees(owner, makerPpm, takerPpm);
    }
  }

  setFees(owner: number, makerPpm: number, takerPpm: number): void {
    this.#writeFees(owner, makerPpm, takerPpm);
    this.#ownerWords[owner | FLAGS]! |= HAS_FEES;
  }

  /** Whether the owner has rates of its own. */
  hasFees(owner: number): boolean {
    return (this.#ownerWords[owner | FLAGS]! & HAS_FEES) !== 0;
  }

  /** Whether the owner was ever given fee credit, so that trades of all others needn't look for it. */
  hasCredit(owner: number): boolean {
    return (this.#ownerWords[owner | FLAGS]! & HAS_CREDIT) !== 0;
  }

  giveCredit(owner: number): void {
    this.#ownerWords[owner | FLAGS]! |= HAS_CREDIT;
  }

  /** Head of the owner's list of open orders: a slot of the order pool. */
  firstOrder(owner: number): number {
    return this.#ownerWords[owner | FIRST_ORDER]!;
  }

  openOrders(owner: number): number {
    return this.#ownerWords[owner | OPEN_ORDERS]!;
  }

  /** Sets the head of the owner's list, which is now longer or shorter by some. */
  listOrders(owner: number, head: number, change: number): void {
    this.#ownerWords[owner | FIRST_ORDER] = head | 0;
    this.#ownerWords[owner | OPEN_ORDERS]! += change;
  }

  /** The account of a key; −1 when its pair was never used. */
  findAccount(key: number): number {
    const beside = accountParts(key).bucket & 1;
    const first = this.#pairs.get(key - beside * BUCKET_KEYS);
    return first === 0 ? -1 : first | beside;
  }

  /** The account of a key, new if need be. */
  account(key: number): number {
    const { owner, bucket, asset } = accountParts(key);
    const beside = bucket & 1;
    const first = key - beside * BUCKET_KEYS;
    const found = this.#pairs.get(first);
    return (found !== 0 ? found : this.#addPair(this.owner(owner), asset, first)) | beside;
  }

  /** An owner's available account, new if need be. */
  available(owner: number, wallet: Wallet, asset: number): number {
    const key = accountKey(this.ownerNumber(owner), wallet, AVAILABLE, asset);
    const found = this.#pairs.get(key);
    return found !== 0 ? found : this.#addPair(owner, asset, key);
  }

  /** The same in the spot wallet, which is where nearly all look-ups go. */
  spot(owner: number, asset: number): number {
    const recent = this.#ownerWords[owner | RECENT | (asset & RECENT_MASK)]!;
    if ((this.#pairWords[(recent << 1) | STATE]! & ASSET_MASK) === asset) return recent;
    const account = this.available(owner, SPOT, asset);
    this.#ownerWords[owner | RECENT | (asset & RECENT_MASK)] = account;
    return account;
  }

  /** Key of an account. */
  key(account: number): number {
    return this.#pairDoubles[(account & ~1) | KEY]! + (account & 1) * BUCKET_KEYS;
  }

  /**
   * Notes that an account is about to be posted to: it is used, and its pair changes. Called before the balance is
   * written, so that the balance before the first change is kept.
   */
  use(account: number): void {
    const at = ((account & ~1) << 1) | STATE;
    const state = this.#pairWords[at]!;
    this.#pairWords[at] = state | CHANGED | (USED << (account & 1));
    if ((state & CHANGED) === 0) this.#noteChanged(account & ~1);
  }

  /**
   * Writes key and balance, before and after, of each account that has changed since the last time, and forgets that it
   * has. From array to array, because an int64 that travels through a call becomes an object.
   */
  takeChanged(to: BalanceChanges): void {
    to.reserve(this.#changedCount * 2);
    const { balanceAccounts, balanceKeys, balancesBefore, balances } = to;
    let count = to.balanceCount;
    for (let index = 0; index < this.#changedCount; index += 1) {
      const pair = this.#changed[index]!;
      const state = this.#pairWords[(pair << 1) | STATE]!;
      this.#pairWords[(pair << 1) | STATE] = state & ~CHANGED;
      for (let beside = 0; beside <= TO_HELD; beside += 1) {
        if ((state & (USED << beside)) === 0) continue;
        balanceAccounts[count] = pair | beside;
        balanceKeys[count] = this.#pairDoubles[pair | KEY]! + beside * BUCKET_STEP;
        balancesBefore[count] = this.#before[index * 2 + beside]!;
        balances[count] = this.balances[pair | beside]!;
        count += 1;
      }
    }
    to.balanceCount = count;
    this.#changedCount = 0;
  }

  /** Forgets what has changed: what was restored is known already. */
  forgetChanged(): void {
    for (let index = 0; index < this.#changedCount; index += 1) {
      this.#pairWords[(this.#changed[index]! << 1) | STATE]! &= ~CHANGED;
    }
    this.#changedCount = 0;
  }

  /** Keys of the used accounts of an owner, ascending. */
  keysOf(owner: number): number[] {
    const keys: number[] = [];
    const words = this.#pairWords;
    for (let pair = this.#ownerWords[owner | FIRST_PAIR]!; pair !== 0; pair = words[(pair << 1) | NEXT_PAIR]!) {
      for (const account of [pair, pair | HELD_BESIDE]) {
        if ((words[(pair << 1) | STATE]! & (USED << (account & 1))) !== 0) keys.push(this.key(account));
      }
    }
    return keys.sort((a, b) => a - b);
  }

  /** All accounts that hold something, ascending by key. Numbers alone are sorted much quicker than by a function. */
  nonZero(): number[] {
    const words = this.#pairWords;
    const keys = new Float64Array((this.#pairsEnd / PAIR_WORDS) * 2);
    let count = 0;
    for (let account = PAIR_WORDS >> 1; account < this.#pairsEnd >> 1; account += PAIR_WORDS >> 1) {
      const at = account << 1;
      for (let beside = 0; beside <= TO_HELD; beside += 1) {
        if ((words[at | (beside * 2)]! | words[at | (beside * 2 + 1)]!) === 0) continue;
        keys[count] = this.key(account | beside);
        count += 1;
      }
    }
    return Array.from(keys.subarray(0, count).sort(), (key) => this.findAccount(key));
  }

  /** Keys of all accounts that are not empty, in no order, and what is in them. */
  nonZeroBalances(): { readonly keys: Float64Array; readonly amounts: BigInt64Array } {
    const length = (this.#pairsEnd / PAIR_WORDS) * 2;
    const [keys, amounts] = [new Float64Array(length), new BigInt64Array(length)];
    let count = 0;
    for (let pair = PAIR_WORDS >> 1; pair < this.#pairsEnd >> 1; pair += PAIR_WORDS >> 1) {
      for (const account of [pair, pair | HELD_BESIDE]) {
        if (this.balances[account] === 0n) continue;
        keys[count] = this.key(account);
        amounts[count] = this.balances[account]!;
        count += 1;
      }
    }
    return { keys: keys.subarray(0, count), amounts: amounts.subarray(0, count) };
  }

  /** Numbers of the owners from one number up to another, both included, ascending. */
  ownersBetween(first: number, last: number): number[] {
    const numbers: number[] = [];
    const end = Math.min(last + 1, this.#directOwners.length);
    for (let number = first; number < end; number += 1) if (this.#directOwners[number] !== 0) numbers.push(number);
    if (last < DIRECT_OWNERS) return numbers;
    const others: number[] = [];
    for (let owner = OWNER_WORDS; owner < this.#ownersEnd; owner += OWNER_WORDS) {
      const number = this.ownerNumber(owner);
      if (number >= DIRECT_OWNERS && number >= first && number <= last) others.push(number);
    }
    return [...numbers, ...others.sort((a, b) => a - b)];
  }

  /** Owners that have rates of their own, ascending by owner number. */
  ownersWithFees(): number[] {
    return this.#flagged(HAS_FEES);
  }

  /** Writes every account that was ever used, and what is known of owners beside their accounts. */
  save(to: SectionWriter): void {
    const length = (this.#pairsEnd / PAIR_WORDS) * 2;
    const [keys, balances] = [new Float64Array(length), new BigInt64Array(length)];
    let count = 0;
    for (let pair = PAIR_WORDS >> 1; pair < this.#pairsEnd >> 1; pair += PAIR_WORDS >> 1) {
      for (const account of [pair, pair | HELD_BESIDE]) {
        if ((this.#pairWords[(pair << 1) | STATE]! & (USED << (account & 1))) === 0) continue;
        keys[count] = this.key(account);
        balances[count] = this.balances[account]!;
        count += 1;
      }
    }
    const flagged = this.#flagged(HAS_FEES | HAS_CREDIT);
    to.section('accounts', 1);
    to.column(keys.subarray(0, count));
    to.column(balances.subarray(0, count));
    to.column(Int32Array.from(flagged, (owner) => this.ownerNumber(owner)));
    to.column(Int32Array.from(flagged, (owner) => this.#ownerWords[owner | FLAGS]!));
    to.column(Int32Array.from(flagged, (owner) => this.makerPpm(owner)));
    to.column(Int32Array.from(flagged, (owner) => this.takerPpm(owner)));
  }

  /** Reads into an empty table what `save` wrote; the default fees are there already. */
  load(from: SectionReader): void {
    const { keys, balances } = readAccounts(from);
    for (let index = 0; index < keys.length; index += 1) {
      const account = this.account(keys[index]!);
      this.#pairWords[((account & ~1) << 1) | STATE]! |= USED << (account & 1);
      this.balances[account] = balances[index]!;
    }
    const [numbers, flags] = [from.column(Int32Array), from.column(Int32Array)];
    const [makers, takers] = [from.column(Int32Array), from.column(Int32Array)];
    for (let index = 0; index < numbers.length; index += 1) {
      const owner = this.owner(numbers[index]!);
      this.#ownerWords[owner | FLAGS] = flags[index]!;
      if (this.hasFees(owner)) this.#writeFees(owner, makers[index]!, takers[index]!);
    }
  }

  /** Ascending by owner number. */
  #flagged(flags: number): number[] {
    const owners: number[] = [];
    for (let owner = OWNER_WORDS; owner < this.#ownersEnd; owner += OWNER_WORDS)
      if ((this.#ownerWords[owner | FLAGS]! & flags) !== 0) owners.push(owner);
    return owners.sort((a, b) => this.ownerNumber(a) - this.ownerNumber(b));
  }

  #writeFees(owner: number, makerPpm: number, takerPpm: number): void {
    this.#ownerWords[owner | MAKER_PPM] = makerPpm;
    this.#ownerWords[owner | TAKER_PPM] = takerPpm;
  }

  #noteChanged(pair: number): void {
    if (this.#changedCount === this.#changed.length) {
      const wider = new Int32Array(this.#changed.length * 2);
      wider.set(this.#changed);
      this.#changed = wider;
      const before = new BigInt64Array(wider.length * 2);
      before.set(this.#before);
      this.#before = before;
    }
    this.#changed[this.#changedCount] = pair;
    this.#before[this.#changedCount * 2] = this.balances[pair]!;
    this.#before[this.#changedCount * 2 + 1] = this.balances[pair | HELD_BESIDE]!;
    this.#changedCount += 1;
  }

  #addOwner(number: number): number {
    if (!Number.isSafeInteger(number) || number < 1 || number > MAXIMUM_OWNER) {
      throw new InvariantError('an owner is a whole number from 1 to 2^30 - 1', { owner: number });
    }
    const owner = this.#ownersEnd;
    if (owner === this.#ownerWords.length) {
      this.#ownerWords = widerWords(this.#ownerWords, owner * 2);
      this.#ownerDoubles = doublesOf(this.#ownerWords);
    }
    this.#ownersEnd += OWNER_WORDS;
    this.#ownerDoubles[(owner >> 1) | NUMBER] = number;
    this.#writeFees(owner, this.#defaultMakerPpm, this.#defaultTakerPpm);
    if (number < DIRECT_OWNERS) this.#addDirect(number, owner);
    else this.#owners.add(number, owner);
    return owner;
  }

  #addDirect(number: number, owner: number): void {
    let { length } = this.#directOwners;
    while (length <= number) length *= 2;
    if (length > this.#directOwners.length) {
      const wider = new Int32Array(length);
      wider.set(this.#directOwners);
      this.#directOwners = wider;
    }
    this.#directOwners[number] = owner;
  }

  #addPair(owner: number, asset: number, key: number): number {
    const at = this.#pairsEnd;
    if (at === this.#pairWords.length) {
      this.#pairWords = widerWords(this.#pairWords, at * 2);
      this.#pairDoubles = doublesOf(this.#pairWords);
      this.balances = int64sOf(this.#pairWords);
    }
    this.#pairsEnd += PAIR_WORDS;
    const available = at >> 1;
    this.#pairDoubles[available | KEY] = key;
    this.#pairWords[at | STATE] = asset;
    this.#pairWords[at | NEXT_PAIR] = this.#ownerWords[owner | FIRST_PAIR]!;
    this.#ownerWords[owner | FIRST_PAIR] = available;
    this.#pairs.add(key, available);
    return available;
  }
}
