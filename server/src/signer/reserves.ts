/**
 * Statements of reserves: what addresses hold at named blocks, beside what is owed. The text is built from the figures alone,
 * and what is signed can be no transaction: it is one SHA-256 of a zero byte and the text. An EVM signs Keccak-256; Bitcoin
 * SHA-256 of 32 bytes; TRON SHA-256 of a message of protocol buffers, none of which begins with a zero byte; development
 * SHA-256 of JSON. `web/public/verify-reserves.mjs` says the same to others.
 */
import { createHash } from 'node:crypto';
import { networkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { addressOfKey, familyOf, publicKeyOf } from '../funds/chains/addresses.ts';
import type { BitcoinNetwork } from '../funds/chains/bitcoin-addresses.ts';
import { units, writeJson } from '../funds/chains/transactions.ts';
import { publicKeyBehind } from '../platform/secp256k1.ts';
import { type HotKeys, recoverable } from './signing-key.ts';

const TITLE = 'cambist statement of reserves 1';
const MOST_LINES = 500;

/** No field may have a space or a new line in it: each has one place in the text. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const scale = z.number().int().min(0).max(36);
const coin = z.string().regex(/^[A-Z0-9]{1,20}$/);

export const holding = z.strictObject({
  /**
   * `hot`: of the address that signs. `clients`: of the addresses of clients together, as the exchange has credited them.
   * `cold`: of an address whose key is on a machine without a network, in a statement of its own.
   */
  kind: z.enum(['hot', 'clients', 'cold']),
  network: networkName,
  coin,
  scale,
  height: count,
  /** Of the block, as its chain writes it. */
  hash: z.string().regex(/^(0x)?[0-9a-f]{64}$/),
  /** As people are shown it; null for the addresses of clients. */
  address: z
    .string()
    .regex(/^[0-9A-Za-z]{20,100}$/)
    .nullable(),
  units,
});
export type Holding = z.output<typeof holding>;

/** A coin whose contract has not said what wallets hold of it, by a chain that answers: nothing of it is stated there. */
export const unreadCoin = holding.pick({ network: true, coin: true, height: true, hash: true });
export type UnreadCoin = z.output<typeof unreadCoin>;

export const reserves = z.strictObject({
  /** The run of the proof of liabilities that is stated beside it. */
  batch: count,
  /** Ms since 1970. */
  time: count,
  /** The hash of the exchange's state at the batch. */
  state: z.string().regex(/^[0-9a-f]{1,128}$/),
  /** Of the run: it binds all totals and roots. */
  commitment: hash,
  assets: z.array(z.strictObject({ coin, scale, sum: units, root: hash })).max(MOST_LINES),
  holdings: z.array(holding).min(1).max(MOST_LINES),
  /** Absent where all was read. */
  unread: z.array(unreadCoin).min(1).max(MOST_LINES).optional(),
});
export type Reserves = z.output<typeof reserves>;

export function reservesText({ batch, time, state, commitment, assets, holdings, unread = [] }: Reserves): string {
  const owed = assets.map((asset) => `owed ${asset.coin} ${asset.scale} ${asset.sum} ${asset.root}`);
  const held = holdings.map((one) =>
    [...['held', one.kind, one.network, one.coin, one.scale, one.height, one.hash, one.address ?? '-', one.units]].join(
      ' ',
    ),
  );
  const head = [TITLE, `batch ${batch}`, `time ${time}`, `state ${state}`, `commitment ${commitment}`];
  const missing = unread.map((one) => `unread ${one.network} ${one.coin} ${one.height} ${one.hash}`);
  return [...head, ...owed, ...held, ...missing].join('\n');
}

export const reservesDigest = (statement: Reserves): Buffer =>
  createHash('sha256').update(Buffer.of(0)).update(reservesText(statement)).digest();

/**
 * `NOT_OWN`: an address that is not this signer's hot wallet of the network, or none of them. `TWICE`: one holding counted
 * twice, or held and unread. `UNKNOWN_COIN`: held or unread, and not among what is owed.
 */
export const reservesRefusal = z.enum(['NOT_OWN', 'TWICE', 'UNKNOWN_COIN']);

/** r, s (the lower one) and 27 or 28, from which the public key is recovered. */
const reserveSignature = z.string().regex(/^0x[0-9a-f]{128}1[bc]$/);

export const reservesAnswer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    signatures: z.array(
      z.object({
        address: z.string().max(100),
        signature: reserveSignature,
      }),
    ),
  }),
  z.object({ ok: z.literal(false), code: reservesRefusal }),
]);
export type ReservesAnswer = z.output<typeof reservesAnswer>;

/** Which wallets sign: those of the signer that the server asks, or that of a machine without a network. */
export type ReservesKind = 'hot' | 'cold';

/** @param ownAddress of the signer's own keys */
export function reservesContradiction(
  { assets, holdings, unread = [] }: Reserves,
  signing: ReservesKind,
  ownAddress: (network: Holding['network']) => string,
): z.output<typeof reservesRefusal> | undefined {
  const isOwn = ({ kind, network, address }: Holding) =>
    kind === signing ? address === ownAddress(network) : signing === 'hot' && kind === 'clients' && address === null;
  if (!holdings.every(isOwn) || !holdings.some(({ kind }) => kind === signing)) return 'NOT_OWN';
  const keys = holdings.map((one) => `${one.kind} ${one.network} ${one.coin}`);
  const coins = new Set(assets.map((asset) => asset.coin));
  const missing = new Set(unread.map((one) => `${one.network} ${one.coin}`));
  const isBoth = holdings.some((one) => missing.has(`${one.network} ${one.coin}`));
  if (new Set(keys).size !== keys.length || coins.size !== assets.length || missing.size !== unread.length || isBoth)
    return 'TWICE';
  return [...holdings, ...unread].every((one) => coins.has(one.coin)) ? undefined : 'UNKNOWN_COIN';
}

/** One for each family of addresses that holds something. @param bitcoin which of Bitcoin's networks */
export async function signReserves(
  statement: Reserves,
  signing: ReservesKind,
  { keyOf, bitcoin }: { readonly keyOf: HotKeys; readonly bitcoin: BitcoinNetwork | undefined },
): Promise<Extract<ReservesAnswer, { ok: true }>['signatures']> {
  const digest = reservesDigest(statement);
  const own = statement.holdings.filter(({ kind }) => kind === signing);
  const signatures = [];
  for (const family of new Set(own.map(({ network }) => familyOf(network)))) {
    const key = keyOf(family);
    const signature = recoverable(await key.sign(digest));
    signatures.push({ address: addressOfKey(family, key.publicKey, bitcoin), signature });
  }
  return signatures;
}

/** Whether a signature is by the key of the address of each holding. @param bitcoin which of Bitcoin's networks */
export async function isSignedBy(statement: Reserves, signature: string, bitcoin: BitcoinNetwork): Promise<boolean> {
  const found = await publicKeyBehind({ digest: reservesDigest(statement), signature });
  if (found === undefined) return false;
  const key = publicKeyOf(Buffer.from(found.slice(2), 'hex'));
  // Recovering takes either s: the higher one, which anybody could make of the lower, is none.
  return (
    key.verify(reservesDigest(statement), Buffer.from(signature.slice(2, 130), 'hex')) &&
    statement.holdings.every(({ network, address }) => address === addressOfKey(familyOf(network), key, bitcoin))
  );
}

const VERSION = 1;
const KIND = 'reserves';

/** What is carried to a cold wallet's machine: what its address held, beside what was owed. */
export const coldReserves = z.strictObject({
  version: z.literal(VERSION),
  kind: z.literal(KIND),
  statement: reserves,
});

/** What comes back. */
export const signedColdReserves = z.strictObject({
  version: z.literal(VERSION),
  kind: z.literal(KIND),
  batch: count,
  commitment: hash,
  address: z.string().min(1).max(100),
  signature: reserveSignature,
});
export type SignedColdReserves = z.output<typeof signedColdReserves>;

export const writeColdReserves = (statement: Reserves): string =>
  `${writeJson({ version: VERSION, kind: KIND, statement })}\n`;

export const writeSignedColdReserves = (signed: Omit<SignedColdReserves, 'version' | 'kind'>): string =>
  `${writeJson({ version: VERSION, kind: KIND, ...signed })}\n`;
