import { IntegerMap } from '../collections/integer-map.ts';
import { doublesOf, int64sOf, lineWords, widerWords } from '../collections/records.ts';
import { InvariantError } from '../invariant.ts';
import { accountKey, accountParts, Bucket, Wallet } from './account.ts';
import { DEFAULT_MAKER_PPM, DEFAULT_TAKER_PPM } from './fee.ts';

/** Owners × 8192 must stay a safe integer, and every key a double that a 40-bit owner number leaves exact. */
export const MAXIMUM_OWNER = 2 ** 40 - 1;
const HELD_KEY = accountKey(0, Wallet.SPOT, Bucket.HELD, 0);
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
const HAS_CREDIT = 7;
const RECENT = 8;
const RECENT_MASK = 7;

/**
 * A pair of accounts is 32 bytes: what is available and what is held (int64), the key of the available account (double),
 * and two words. An account is the place of its balance, so the pair's other fields are found from it by its bits.
 */
const PAIR_WORDS = 8;
const KEY = 2;
const STATE = 6;
const NEXT_PAIR = 7;
/** State: the asset in nine bits (256 is what none has), then whether the available and the held account were used. */
const ASSET_MASK = 511;
const NO_ASSET = 256;
const USED = 512;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const { AVAILABLE } = Bucket;
const { SPOT } = Wallet;

/** Held is the account beside available, so one look-up finds both. */
export const HELD_BESIDE = 1;

/**
 * All owners and accounts as records in two buffers: everything that an order needs of its owner is in one cache line,
 * and everything about the accounts that pay for it in another. An owner is the place of its first word; an account is
 * the place of its balance. Only the ledger changes balances.
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

  setFees(owner: number, makerPpm: number, takerPpm: number): void {
    this.#ownerWords[owner | MAKER_PPM] = makerPpm;
    this.#ownerWords[owner | TAKER_PPM] = takerPpm;
  }

  /** Whether the owner was ever given fee credit, so that trades of all others needn't look for it. */
  hasCredit(owner: number): boolean {
    return this.#ownerWords[owner | HAS_CREDIT] === 1;
  }

  giveCredit(owner: number): void {
    this.#ownerWords[owner | HAS_CREDIT] = 1;
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
    const held = accountParts(key).bucket === Bucket.HELD;
    const available = this.#pairs.get(held ? key - HELD_KEY : key);
    return available === 0 ? -1 : available | (held ? HELD_BESIDE : 0);
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
    return this.#pairDoubles[(account & ~1) | KEY]! + (account & 1) * HELD_KEY;
  }

  /** Notes that an account was posted to or restored. */
  use(account: number): void {
    this.#pairWords[((account & ~1) << 1) | STATE]! |= USED << (account & 1);
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

  /** All accounts that hold something, ascending by key. */
  nonZero(): number[] {
    const accounts: number[] = [];
    for (let pair = PAIR_WORDS >> 1; pair < this.#pairsEnd >> 1; pair += PAIR_WORDS >> 1) {
      for (const account of [pair, pair | HELD_BESIDE]) if (this.balances[account] !== 0n) accounts.push(account);
    }
    return accounts.sort((a, b) => this.key(a) - this.key(b));
  }

  /** All owners, ascending by owner number. */
  owners(): number[] {
    const owners: number[] = [];
    for (let owner = OWNER_WORDS; owner < this.#ownersEnd; owner += OWNER_WORDS) owners.push(owner);
    return owners.sort((a, b) => this.ownerNumber(a) - this.ownerNumber(b));
  }

  #addOwner(number: number): number {
    if (!Number.isSafeInteger(number) || number < 1 || number > MAXIMUM_OWNER) {
      throw new InvariantError('an owner is a whole number from 1 to 2^40 - 1', { owner: number });
    }
    const owner = this.#ownersEnd;
    if (owner === this.#ownerWords.length) {
      this.#ownerWords = widerWords(this.#ownerWords, owner * 2);
      this.#ownerDoubles = doublesOf(this.#ownerWords);
    }
    this.#ownersEnd += OWNER_WORDS;
    this.#ownerDoubles[(owner >> 1) | NUMBER] = number;
    this.setFees(owner, DEFAULT_MAKER_PPM, DEFAULT_TAKER_PPM);
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
