import { IntegerMap } from '../collections/integer-map.ts';
import { InvariantError } from '../invariant.ts';
import { accountKey, accountParts, Bucket, Wallet } from './account.ts';
import { DEFAULT_MAKER_PPM, DEFAULT_TAKER_PPM } from './fee.ts';

const FIRST_CAPACITY = 1024;
/** Owners × 8192 must stay a safe integer, and every key a double that a 40-bit owner number leaves exact. */
export const MAXIMUM_OWNER = 2 ** 40 - 1;
const HELD_KEY = accountKey(0, Wallet.SPOT, Bucket.HELD, 0);
/** Owners below this are found in a plain array; their numbers are dense. */
const DIRECT_OWNERS = 2 ** 22;
/** The spot pairs that an owner used last, one for each value of the asset's low bits. */
const RECENT_BITS = 3;
const RECENT_PAIRS = 1 << RECENT_BITS;
const RECENT_MASK = RECENT_PAIRS - 1;
/** What no asset is: pair 0, which means none, has it. */
const NO_ASSET = -1;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const { AVAILABLE } = Bucket;
const { SPOT } = Wallet;

/** Held is the account beside available, so one look-up finds both. */
export const HELD_BESIDE = 1;

/**
 * All owners and accounts, each under a dense index, in arrays by column. Accounts come in pairs, available then held;
 * an account's index is pair × 2 + bucket. Only the ledger changes balances.
 */
export class AccountTable {
  balances = new BigInt64Array(FIRST_CAPACITY * 2);
  /** 1 when an account was ever posted to or restored. */
  used = new Uint8Array(FIRST_CAPACITY * 2);
  /** Key of a pair's available account. */
  pairKeys = new Float64Array(FIRST_CAPACITY);
  #pairAssets = new Int32Array(FIRST_CAPACITY).fill(NO_ASSET, 0, 1);
  #pairNext = new Int32Array(FIRST_CAPACITY);
  #pairCount = 1;
  readonly #pairs = new IntegerMap();

  ownerNumbers = new Float64Array(FIRST_CAPACITY);
  makerPpm = new Int32Array(FIRST_CAPACITY);
  takerPpm = new Int32Array(FIRST_CAPACITY);
  /** 1 when the owner was ever given fee credit, so that trades of all others needn't look for it. */
  hasCredit = new Uint8Array(FIRST_CAPACITY);
  /** Head of the owner's list of open orders: a slot of the order pool. */
  firstOrder = new Int32Array(FIRST_CAPACITY);
  openOrders = new Int32Array(FIRST_CAPACITY);
  #firstPair = new Int32Array(FIRST_CAPACITY);
  #recentSpot = new Int32Array(FIRST_CAPACITY * RECENT_PAIRS);
  #ownerCount = 1;
  #directOwners = new Int32Array(FIRST_CAPACITY);
  readonly #owners = new IntegerMap();

  /** Index of an owner that is known; 0 when not. */
  findOwner(owner: number): number {
    if (owner < this.#directOwners.length) return this.#directOwners[owner] ?? 0;
    return this.#owners.get(owner);
  }

  /** Index of an owner, new if need be, with the default fees. */
  owner(owner: number): number {
    const found = this.findOwner(owner);
    return found !== 0 ? found : this.#addOwner(owner);
  }

  /** Index of the account of a key; −1 when its pair was never used. */
  findAccount(key: number): number {
    const held = accountParts(key).bucket === Bucket.HELD;
    const pair = this.#pairs.get(held ? key - HELD_KEY : key);
    return pair === 0 ? -1 : pair * 2 + (held ? HELD_BESIDE : 0);
  }

  /** Index of an owner's available account, new if need be. */
  available(ownerIndex: number, wallet: Wallet, asset: number): number {
    const key = accountKey(this.ownerNumbers[ownerIndex]!, wallet, AVAILABLE, asset);
    const found = this.#pairs.get(key);
    return (found !== 0 ? found : this.#addPair(ownerIndex, asset, key)) * 2;
  }

  /** The same of the spot wallet, which is where nearly all look-ups go: the owner's last used pairs come first. */
  spot(ownerIndex: number, asset: number): number {
    const place = (ownerIndex << RECENT_BITS) | (asset & RECENT_MASK);
    const recent = this.#recentSpot[place]!;
    if (this.#pairAssets[recent] === asset) return recent << 1;
    const account = this.available(ownerIndex, SPOT, asset);
    this.#recentSpot[place] = account >> 1;
    return account;
  }

  /** Key of an account index. */
  key(account: number): number {
    return this.pairKeys[account >> 1]! + (account & 1) * HELD_KEY;
  }

  /** Keys of the used accounts of an owner, ascending. */
  keysOf(ownerIndex: number): number[] {
    const keys: number[] = [];
    for (let pair = this.#firstPair[ownerIndex]!; pair !== 0; pair = this.#pairNext[pair]!) {
      for (const account of [pair * 2, pair * 2 + HELD_BESIDE]) {
        if (this.used[account] === 1) keys.push(this.key(account));
      }
    }
    return keys.sort((a, b) => a - b);
  }

  /** Indexes of all accounts that hold something, ascending by key. */
  nonZero(): number[] {
    const accounts: number[] = [];
    for (let account = 2; account < this.#pairCount * 2; account += 1) {
      if (this.balances[account] !== 0n) accounts.push(account);
    }
    return accounts.sort((a, b) => this.key(a) - this.key(b));
  }

  /** Indexes of all owners, ascending by owner number. */
  owners(): number[] {
    const indexes = Array.from({ length: this.#ownerCount - 1 }, (_, place) => place + 1);
    return indexes.sort((a, b) => this.ownerNumbers[a]! - this.ownerNumbers[b]!);
  }

  #addOwner(owner: number): number {
    if (!Number.isSafeInteger(owner) || owner < 1 || owner > MAXIMUM_OWNER) {
      throw new InvariantError('an owner is a whole number from 1 to 2^40 - 1', { owner });
    }
    if (this.#ownerCount === this.ownerNumbers.length) this.#growOwners();
    const index = this.#ownerCount;
    this.#ownerCount += 1;
    this.ownerNumbers[index] = owner;
    this.makerPpm[index] = DEFAULT_MAKER_PPM;
    this.takerPpm[index] = DEFAULT_TAKER_PPM;
    if (owner < DIRECT_OWNERS) this.#addDirect(owner, index);
    else this.#owners.add(owner, index);
    return index;
  }

  #addDirect(owner: number, index: number): void {
    let { length } = this.#directOwners;
    while (length <= owner) length *= 2;
    if (length > this.#directOwners.length) this.#directOwners = copied(this.#directOwners, new Int32Array(length));
    this.#directOwners[owner] = index;
  }

  #addPair(ownerIndex: number, asset: number, key: number): number {
    if (this.#pairCount === this.pairKeys.length) this.#growPairs();
    const pair = this.#pairCount;
    this.#pairCount += 1;
    this.pairKeys[pair] = key;
    this.#pairAssets[pair] = asset;
    this.#pairNext[pair] = this.#firstPair[ownerIndex]!;
    this.#firstPair[ownerIndex] = pair;
    this.#pairs.add(key, pair);
    return pair;
  }

  #growPairs(): void {
    const capacity = this.pairKeys.length * 2;
    this.balances = copied(this.balances, new BigInt64Array(capacity * 2));
    this.used = copied(this.used, new Uint8Array(capacity * 2));
    this.pairKeys = copied(this.pairKeys, new Float64Array(capacity));
    this.#pairAssets = copied(this.#pairAssets, new Int32Array(capacity));
    this.#pairNext = copied(this.#pairNext, new Int32Array(capacity));
  }

  #growOwners(): void {
    const capacity = this.ownerNumbers.length * 2;
    this.ownerNumbers = copied(this.ownerNumbers, new Float64Array(capacity));
    this.makerPpm = copied(this.makerPpm, new Int32Array(capacity));
    this.takerPpm = copied(this.takerPpm, new Int32Array(capacity));
    this.hasCredit = copied(this.hasCredit, new Uint8Array(capacity));
    this.firstOrder = copied(this.firstOrder, new Int32Array(capacity));
    this.openOrders = copied(this.openOrders, new Int32Array(capacity));
    this.#recentSpot = copied(this.#recentSpot, new Int32Array(capacity * RECENT_PAIRS));
    this.#firstPair = copied(this.#firstPair, new Int32Array(capacity));
  }
}

interface Column<Value> {
  set(values: ArrayLike<Value>): void;
}

function copied<Value, To extends Column<Value>>(from: ArrayLike<Value>, to: To): To {
  to.set(from);
  return to;
}
