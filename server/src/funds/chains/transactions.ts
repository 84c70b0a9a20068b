/**
 * Transactions of the exchange's own before they are signed: what is paid, and what else decides the bytes. Pure: the signer
 * builds from it, and shares nothing else with the server.
 */
import { type NetworkName, networkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { larger, smaller } from './units.ts';

/** Smallest units of a chain, as decimal text where they are written. */
export const units = z
  .union([z.bigint(), z.string().regex(/^\d{1,78}$/)])
  .transform((value) => BigInt(value))
  .pipe(z.bigint().min(0n));

/** Of a client's address in the tree of keys. */
const index = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);

/** What one transaction can spend, and whom it can pay beside its first payment, on a chain without balances. */
export const [MOST_INPUTS, MOST_OTHERS] = [50, 49];

/** What a transaction has left to be spent, on a chain without balances. */
const output = {
  transaction: z.string().regex(/^[0-9a-f]{64}$/),
  output: z.number().int().min(0).max(0xffff_ffff),
  units,
};
/** How a payment in a block is named there: by its output. */
export const outputName = (of: number): string => `out:${of}`;
export const outputNamed = (name: string): number => Number(name.slice('out:'.length));
/** What an address pays with on such a chain. */
export const payerCoins = z.array(z.object(output)).min(1).max(MOST_INPUTS);
export type PayerCoin = z.output<typeof payerCoins>[number];

const nonce = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Of one payment at the signer for ever, of whatever attempt. */
export const paymentId = z.string().regex(/^[\w:-]{1,100}$/);

/** What decides the bytes beside the payment. A replacement changes fees alone. */
export const terms = z.discriminatedUnion('format', [
  z.object({
    format: z.literal('evm'),
    chainId: z.number().int().positive(),
    nonce,
    gas: units,
    maxFeePerGas: units,
    maxPriorityFeePerGas: units,
  }),
  z.object({
    format: z.literal('bitcoin'),
    /** What is spent. `index` is that of a client's address; null where it is the hot wallet's. */
    inputs: z
      .array(z.object({ ...output, index: index.nullable() }))
      .min(1)
      .max(MOST_INPUTS),
    /** Payments that go along, each under the name that it has for ever. `index` is that of the address that a sweep is from. */
    others: z
      .array(z.object({ id: paymentId, address: z.string().min(1).max(100), units, index: index.optional() }))
      .max(MOST_OTHERS),
    /** Back to the wallet that pays; zero for none. */
    change: units,
    /** Of a sweep, out of what is paid. */
    fee: units,
  }),
  /**
   * TRON numbers no transactions: each is good once, until it expires. `reference*` name a block, so that it counts on that
   * block's branch alone (TAPOS).
   */
  z.object({
    format: z.literal('tron'),
    referenceBytes: z.string().regex(/^[0-9a-f]{4}$/),
    referenceHash: z.string().regex(/^[0-9a-f]{16}$/),
    /** Ms since 1970, of no other payment: two that are alike would be the same transaction otherwise. Kept by replacements. */
    timestamp: z.number().int().positive(),
    /** Ms since 1970. */
    expiration: z.number().int().positive(),
    /** For energy, in sun; what its bytes cost comes on top. */
    feeLimit: units,
  }),
  /** A chain that development makes in its own process. */
  z.object({ format: z.literal('development'), nonce, fee: units }),
]);
export type Terms = z.output<typeof terms>;
export type BitcoinTerms = Extract<Terms, { format: 'bitcoin' }>;

export const payment = z.object({
  network: networkName,
  /** The token; null for the chain's own coin. */
  contract: z.string().max(100).nullable(),
  /** As `canonicalAddress` writes it. */
  address: z.string().min(1).max(100),
  /** Smallest units of the chain. */
  units: units.pipe(z.bigint().positive()),
});
export type ChainPayment = z.output<typeof payment>;

/** The coin in which each network is paid for its transactions. */
export const NATIVE_COINS: Readonly<Record<NetworkName, { readonly coin: string; readonly scale: number }>> = {
  ERC20: { coin: 'ETH', scale: 18 },
  BEP20: { coin: 'BNB', scale: 18 },
  BTC: { coin: 'BTC', scale: 8 },
  TRC20: { coin: 'TRX', scale: 6 },
};

/** What the bytes of a signed transaction say. */
export interface SignedPayment extends ChainPayment {
  /** The canonical address whose key has signed it. */
  readonly from: string;
  readonly terms: Terms;
  /** Of the chain. */
  readonly transaction: string;
  /** What is sent to the chain; absent where it is what was read. */
  readonly raw?: string;
}

/** JSON with big integers as decimal text, the same for the same value built in the same order. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));

/** What one transaction alone can have; who has signed for it first keeps it. */
export function claimsOf(of: Terms): readonly string[] {
  if (of.format !== 'bitcoin') return [String(nonceOf(of))];
  return of.inputs.map(({ transaction, output }) => `${transaction}:${output}`);
}

/** Whose claims these are: each address has nonces of its own, and an output is one whoever spends it. */
export const claimantOf = (of: Terms, source: number | null): number | null =>
  of.format === 'bitcoin' ? null : source;

/** What tells the transactions of an address apart; null where that is no number. */
export function nonceOf(of: Terms): number | null {
  if (of.format === 'bitcoin') return null;
  return of.format === 'tron' ? of.timestamp : of.nonce;
}

/** Whether it brings coins from the addresses of clients to the hot wallet: all that they hold less the fee, in one output. */
export const isCoinSweep = (of: Terms): boolean =>
  of.format === 'bitcoin' && of.inputs.some((input) => input.index !== null);

/** Payments that go along with another. */
export const othersOf = (of: Terms): BitcoinTerms['others'] => (of.format === 'bitcoin' ? of.others : []);

/** Whether a replacement can never be mined beside what it replaces. */
export const isOrdered = (of: Terms): boolean => of.format !== 'tron';

/**
 * In sun, beside energy: the 345 bytes of a transfer of a token at 1,000 each; of coins, 1.1 TRX where they open an account,
 * which is more than their bytes.
 */
const TRON_BESIDE_ENERGY = { token: 400_000n, coin: 1_500_000n };

/** The most that a transaction may cost, in smallest units of the chain's own coin. */
export function highestCost(of: Terms): bigint {
  if (of.format === 'evm') return of.gas * of.maxFeePerGas;
  if (of.format !== 'tron') return of.fee;
  return of.feeLimit + (of.feeLimit > 0n ? TRON_BESIDE_ENERGY.token : TRON_BESIDE_ENERGY.coin);
}

/**
 * Whether a payment that the chain has undone had burned all that it could: its energy has run out. What is left of a limit is
 * less than a unit of energy costs.
 */
export const isExhausted = (of: Terms, cost: bigint): boolean =>
  of.format === 'tron' && of.feeLimit > 0n && cost * 100n >= of.feeLimit * 99n;

/** After which no block takes a transaction, ms since 1970; null where time does not end it. */
export const lastsUntil = (of: Terms): number | null => (of.format === 'tron' ? of.expiration : null);

/** Nodes ask a replacement for at least a tenth more of each fee; this is an eighth, rounded up, or what is asked for now. */
export function raised(fee: bigint, asked = 0n): bigint {
  const least = fee + (fee + 7n) / 8n;
  if (least < asked) return asked;
  return least;
}

/** What two nodes think of one call at most differs by the blocks that they have. */
const isAlike = (one: bigint, other: bigint): boolean => larger(one, other) <= 2n * smaller(one, other);

type TermsOf<Format extends Terms['format']> = Extract<Terms, { format: Format }>;

/**
 * A call that may burn too little burns all of it and has paid nothing; what it may burn and does not need is not charged. Of
 * what is paid in any case the lower counts.
 */
function asOneEvm(here: TermsOf<'evm'>, there: TermsOf<'evm'>): Terms[] {
  const isSame = here.chainId === there.chainId && here.nonce === there.nonce;
  if (!isSame || !isAlike(here.gas, there.gas) || !isAlike(here.maxFeePerGas, there.maxFeePerGas)) return [];
  const maxPriorityFeePerGas = smaller(here.maxPriorityFeePerGas, there.maxPriorityFeePerGas);
  const maxFeePerGas = smaller(here.maxFeePerGas, there.maxFeePerGas);
  return [{ ...here, gas: larger(here.gas, there.gas), maxFeePerGas, maxPriorityFeePerGas }];
}

/** On the branch of either: which of both blocks is final for both, nodes say. */
function asOneTron(here: TermsOf<'tron'>, there: TermsOf<'tron'>): Terms[] {
  if (!isAlike(here.feeLimit, there.feeLimit)) return [];
  const shared = {
    timestamp: Math.min(here.timestamp, there.timestamp),
    expiration: Math.min(here.expiration, there.expiration),
    feeLimit: larger(here.feeLimit, there.feeLimit),
  };
  return [here, there].map((one) => ({ ...one, ...shared }));
}

/**
 * What two nodes have named for one payment as one, the best first; none where that cannot be. No figure is out of the range
 * of both, so that a node that is wrong makes nothing dearer than the other would have it, but for what is not paid unless it
 * is needed.
 */
export function asOne(here: Terms, there: Terms): readonly Terms[] {
  if (here.format === 'evm' && there.format === 'evm') return asOneEvm(here, there);
  if (here.format === 'tron' && there.format === 'tron') return asOneTron(here, there);
  if (here.format === 'bitcoin' && there.format === 'bitcoin') return [here.fee <= there.fee ? here : there];
  return writeJson(here) === writeJson(there) ? [here] : [];
}

/** The same payments, and every input of the one before, so that never both are mined; coins may be added for the fee. */
function replacesBitcoin(before: BitcoinTerms, after: BitcoinTerms): boolean {
  const kept = after.inputs.slice(0, before.inputs.length);
  const isSame = writeJson([before.inputs, before.others]) === writeJson([kept, after.others]);
  return isSame && after.fee >= raised(before.fee);
}

/** No block takes a transaction after its time; clocks may differ by so much. */
export const EXPIRED_MS = 120_000;

/**
 * Whether a replacement keeps what it must and raises each fee by an eighth; where nothing but time ends a transaction, whether
 * that has ended the one before.
 * @param now ms since 1970
 */
export function replaces(before: Terms, after: Terms, now: number): boolean {
  if (before.format === 'bitcoin' && after.format === 'bitcoin') return replacesBitcoin(before, after);
  if (nonceOf(before) !== nonceOf(after)) return false;
  if (before.format === 'tron' && after.format === 'tron') return before.expiration + EXPIRED_MS <= now;
  if (before.format === 'evm' && after.format === 'evm') {
    const { chainId, gas, maxFeePerGas, maxPriorityFeePerGas } = before;
    const isSame = chainId === after.chainId && gas === after.gas;
    const isRaised = after.maxFeePerGas >= raised(maxFeePerGas);
    return isSame && isRaised && after.maxPriorityFeePerGas >= raised(maxPriorityFeePerGas);
  }
  return before.format === 'development' && after.format === 'development' && after.fee >= raised(before.fee);
}
