/**
 * Holds the keys and signs payments from hot wallets, and from clients' addresses to those. It believes no caller: it builds each transaction itself from what is
 * to be paid, checks it against its own policy and its own record, and never signs a hash.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { HDKey } from '@scure/bip32';
import {
  ACCOUNT_PATHS,
  addressOfKey,
  canonicalAddress,
  type Family,
  familyOf,
  isAddressOf,
} from '../funds/chains/addresses.ts';
import type { BitcoinNetwork } from '../funds/chains/bitcoin-addresses.ts';
import { signDevelopment } from '../funds/chains/development-transaction.ts';
import {
  type ChainPayment,
  claimantOf,
  claimsOf,
  highestCost,
  isOrdered,
  othersOf,
  replaces,
} from '../funds/chains/transactions.ts';
import { isUnspendable } from '../funds/chains/unspendable.ts';
import { signBitcoin, spendsOwn } from './bitcoin-transaction.ts';
import { signEvm } from './evm-transaction.ts';
import {
  type Built,
  type Intent,
  paymentDigest,
  type SignAnswer,
  type SignedAttempt,
  type SignerRefusal,
} from './intent.ts';
import type { NetworkPolicy, Policy } from './policy.ts';
import {
  type Reserves,
  type ReservesAnswer,
  type ReservesKind,
  reservesContradiction,
  signReserves,
} from './reserves.ts';
import { addedCost, type Signed, type SignedFile } from './signed-file.ts';
import { derivedKey, type HotKeys, type SigningKey } from './signing-key.ts';
import { signTron } from './tron-transaction.ts';

export interface SignerParts {
  readonly seed: Uint8Array;
  /** Of hot wallets; derived from the seed where it is absent. */
  readonly hot?: HotKeys | undefined;
  readonly signed: SignedFile;
  readonly policy: () => Policy | Promise<Policy>;
  /** Which of Bitcoin's networks; the main one where it is absent. */
  readonly bitcoin?: BitcoinNetwork | undefined;
  readonly clock: { now(): number };
}

/** Of the hot wallet: in the account beside that of clients' addresses (m/purpose'/coin'/1'). */
const pathOf = (family: Family, source: Intent['source']) =>
  source === null ? `${ACCOUNT_PATHS[family].replace(/0'$/, "1'")}/0/0` : `${ACCOUNT_PATHS[family]}/0/${source}`;

const DAY_MS = 86_400_000;

/**
 * What lasts longer could be held back, and sent when it is no longer expected. What a cold machine signs is carried, and comes
 * to the hot wallet whenever it is sent: the chain's own bound is enough.
 */
const LONGEST_MS = { hot: 3_600_000, cold: DAY_MS };
const lastsBriefly = (
  { expiration }: { readonly expiration: number },
  allowed: NetworkPolicy | undefined,
  now: number,
) => expiration <= now + (allowed?.only_to === undefined ? LONGEST_MS.hot : LONGEST_MS.cold);

/** Derives each once: the steps of its path take milliseconds, and whoever looks at a hot wallet asks for its address. */
function derivedOnce(derive: HotKeys): HotKeys {
  const derived = new Map<Family, SigningKey>();
  return (family) => {
    const key = derived.get(family) ?? derive(family);
    derived.set(family, key);
    return key;
  };
}

const answerOf = ({ id, raw, transaction, terms }: Signed): SignAnswer => ({ ok: true, id, raw, transaction, terms });

/** The digest of what was signed under an id: of the payment itself, or of one that went along with it. */
function digestUnder({ id: leader, digest, payment: { network }, terms }: Signed, id: string): string | undefined {
  if (leader === id) return digest;
  const other = othersOf(terms).find((one) => one.id === id);
  const payment = other && { network, contract: null, address: other.address, units: other.units };
  return payment && paymentDigest(payment, other.index ?? null);
}

/** Each payment of a transaction. */
const paymentsOf = ({ payment, terms }: Pick<Intent, 'payment' | 'terms'>): ChainPayment[] => [
  payment,
  ...othersOf(terms).map(({ address, units }) => ({ network: payment.network, contract: null, address, units })),
];

export class Signer {
  readonly #parts: SignerParts;
  readonly #root: HDKey;
  readonly #hot: HotKeys;
  /** One signature at a time: what was checked still holds when it is written. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: SignerParts) {
    this.#parts = parts;
    this.#root = HDKey.fromMasterSeed(parts.seed);
    this.#hot = parts.hot ?? derivedOnce((family) => derivedKey(this.#root.derive(pathOf(family, null))));
  }

  xpub(family: Family): string {
    return this.#root.derive(ACCOUNT_PATHS[family]).publicExtendedKey;
  }

  /** Derived from the private keys, by another way than from the extended public key. */
  address(family: Family, index: number): string {
    return addressOfKey(family, this.#root.derive(pathOf(family, index)), this.#parts.bitcoin);
  }

  /** As people are shown it. */
  hotAddress(network: NetworkName): string {
    const family = familyOf(network);
    return addressOfKey(family, this.#hot(family).publicKey, this.#parts.bitcoin);
  }

  /** Canonical; null where the policy names none. */
  async coldAddress(network: NetworkName): Promise<string | null> {
    return (await this.#parts.policy()).networks[network]?.cold_address ?? null;
  }

  /**
   * The same bytes for the same id and attempt, for ever.
   * @param newest what who asks knows to be signed last; null where nothing was
   */
  sign(intent: Intent, newest: string | null = null): Promise<SignAnswer> {
    const signing = this.#last.then(() => this.#sign(intent, newest));
    this.#last = signing.catch(() => undefined);
    return signing;
  }

  /** What was signed for a payment, also where who asks has forgotten it. */
  signed(id: string): SignedAttempt[] {
    const of = this.#parts.signed.attempts(id);
    return of.map(({ id: leader, attempt, terms, raw, transaction }) => ({
      id: leader,
      attempt,
      terms,
      raw,
      transaction,
    }));
  }

  /** States what its wallets hold. It moves nothing, whatever is in it. @param kind `cold` on a machine without a network */
  async reserves(statement: Reserves, kind: ReservesKind = 'hot'): Promise<ReservesAnswer> {
    const code = reservesContradiction(statement, kind, (network) => this.hotAddress(network));
    if (code !== undefined) return { ok: false, code };
    const keys = { keyOf: this.#hot, bitcoin: this.#parts.bitcoin };
    return { ok: true, signatures: await signReserves(statement, kind, keys) };
  }

  async #sign(intent: Intent, newest: string | null): Promise<SignAnswer> {
    const { signed, clock } = this.#parts;
    const known = signed.attempts(intent.id).find(({ attempt }) => attempt === intent.attempt);
    const digest = paymentDigest(intent.payment, intent.source);
    if (known !== undefined && digestUnder(known, intent.id) === digest) return answerOf(known);
    if (newest !== null && signed.attempts(newest).length === 0) return { ok: false, code: 'RECORD_BEHIND' };
    const day = Math.floor(clock.now() / DAY_MS);
    const allowed = (await this.#parts.policy()).networks[intent.payment.network];
    const leaves = this.#leaves(intent, allowed);
    const code = this.#contradiction(intent, digest, allowed) ?? this.#policyRefusal(intent, allowed, leaves, day);
    if (code !== undefined) return { ok: false, code };
    const { id, attempt, source, payment, terms } = intent;
    const entry = { id, attempt, digest, source, leaves, payment, terms, day, ...(await this.#build(intent)) };
    signed.append(entry);
    return answerOf(entry);
  }

  /** What was signed before and this cannot both be. */
  #contradiction(
    { id, attempt, source, payment, terms }: Intent,
    digest: string,
    allowed: NetworkPolicy | undefined,
  ): SignerRefusal | undefined {
    const { signed } = this.#parts;
    const before = signed.attempts(id);
    if (before.some((one) => digestUnder(one, id) !== digest)) return 'CHANGED';
    // What went along with another payment is replaced with it.
    if (attempt !== before.length + 1 || before.some((one) => one.id !== id)) return 'NOT_A_REPLACEMENT';
    const names = [id, ...othersOf(terms).map((other) => other.id)];
    const isPaid = attempt === 1 && names.some((name) => signed.attempts(name).length > 0);
    if (isPaid || new Set(names).size < names.length) return 'CHANGED';
    const last = before.at(-1);
    if (last !== undefined && !replaces(last.terms, terms, this.#parts.clock.now())) return 'NOT_A_REPLACEMENT';
    // What a cold machine signs comes to the hot wallet, whichever of two with one nonce is mined: one may be signed anew.
    if (allowed?.only_to !== undefined) return undefined;
    const owners = claimsOf(terms).map((claim) => signed.ownerOf(payment.network, claimantOf(terms, source), claim));
    return owners.some((owner) => owner !== undefined && owner !== id) ? 'CLAIMED' : undefined;
  }

  /** From a client's address to the hot wallet, or to the cold one: it stays with the exchange. */
  #leaves({ source, payment, terms }: Intent, allowed: NetworkPolicy | undefined): boolean {
    return source === null && paymentsOf({ payment, terms }).some(({ address }) => address !== allowed?.cold_address);
  }

  /** Whether the address may be paid from there: a client's address pays to the hot wallet alone. */
  #isReceiver(source: number | null, { network, address }: ChainPayment, allowed: NetworkPolicy | undefined): boolean {
    const family = familyOf(network);
    if (!isAddressOf(family, address, this.#parts.bitcoin) || canonicalAddress(family, address) !== address)
      return false;
    // The server has refused it; what is signed here cannot be taken back.
    if (isUnspendable(family, address, this.#parts.bitcoin)) return false;
    if (source !== null) return address === canonicalAddress(family, this.hotAddress(network));
    return allowed?.only_to === undefined || address === allowed.only_to;
  }

  #policyRefusal(
    { id, attempt, source, payment, terms }: Intent,
    allowed: NetworkPolicy | undefined,
    leaves: boolean,
    day: number,
  ): SignerRefusal | undefined {
    const { signed } = this.#parts;
    const { network, contract } = payment;
    const coin = allowed?.coins.find((one) => one.contract === contract);
    const isFormat =
      terms.format === allowed?.format &&
      (terms.format !== 'evm' || (familyOf(network) === 'EVM' && terms.chainId === allowed.chain_id)) &&
      (terms.format !== 'tron' || (network === 'TRC20' && lastsBriefly(terms, allowed, this.#parts.clock.now()))) &&
      (terms.format !== 'bitcoin' || (network === 'BTC' && contract === null && spendsOwn({ payment, source, terms })));
    const payments = paymentsOf({ payment, terms });
    if (allowed === undefined || coin === undefined || !isFormat) return 'NOT_ALLOWED';
    const isAllowed = (one: ChainPayment) =>
      this.#isReceiver(source, one, allowed) && (!leaves || one.units <= coin.most_per_payment);
    if (!payments.every(isAllowed)) return 'NOT_ALLOWED';
    if (highestCost(terms) > allowed.fee_cap) return 'FEE';
    const cost = signed.feesOf(network, day) + addedCost({ terms, day }, signed.attempts(id).at(-1));
    if (cost > allowed.most_fees_per_day) return 'FEES_OF_DAY';
    if (!leaves) return undefined;
    const asked = payments.reduce((sum, { units }) => sum + units, 0n);
    const isMore = attempt === 1 || !isOrdered(terms);
    const spent = isMore ? signed.sumOf(network, contract, day) + asked : 0n;
    return spent > coin.most_per_day ? 'DAY' : undefined;
  }

  #key(family: Family, source: Intent['source']): SigningKey {
    return source === null ? this.#hot(family) : derivedKey(this.#root.derive(pathOf(family, source)));
  }

  async #build({ source, payment, terms }: Intent): Promise<Built> {
    const family = familyOf(payment.network);
    const key = this.#key(family, source);
    if (terms.format === 'development') {
      const { id, raw } = await signDevelopment(key, payment, terms);
      return { raw, transaction: id };
    }
    if (terms.format === 'bitcoin') {
      const { bitcoin: network = 'mainnet' } = this.#parts;
      const [hot, ofIndex] = [this.#hot('BTC'), (index: number) => this.#key('BTC', index)];
      return signBitcoin(payment, terms, { hot, ofIndex, network });
    }
    const from = addressOfKey(family, key.publicKey);
    if (terms.format === 'tron') return signTron(key, from, payment, terms);
    return signEvm(key, from, payment, terms);
  }
}
