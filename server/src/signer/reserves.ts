/**
 * Statements of reserves: what addresses hold at named blocks, beside what is owed. The text is built from the figures alone,
 * and what is signed can be no transaction: it is one SHA-256 of a zero byte and the text. An EVM signs Keccak-256; Bitcoin
 * SHA-256 of 32 bytes; TRON SHA-256 of a message of protocol buffers, none of which begins with a zero byte; development
 * SHA-256 of JSON. `web/public/verify-reserves.mjs` says the same to others.
 */
import { createHash } from 'node:crypto';
import { networkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { addressOfKey, familyOf } from '../funds/chains/addresses.ts';
import { units } from '../funds/chains/transactions.ts';
import { type HotKeys, recoverable } from './signing-key.ts';

const TITLE = 'cambist statement of reserves 1';
const MOST_LINES = 500;

/** No field may have a space or a new line in it: each has one place in the text. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const scale = z.number().int().min(0).max(36);
const coin = z.string().regex(/^[A-Z0-9]{1,20}$/);

export const holding = z.strictObject({
  /** `hot`: of the address that signs. `clients`: of the addresses of clients together, as the exchange has credited them. */
  kind: z.enum(['hot', 'clients']),
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
});
export type Reserves = z.output<typeof reserves>;

export function reservesText({ batch, time, state, commitment, assets, holdings }: Reserves): string {
  const owed = assets.map((asset) => `owed ${asset.coin} ${asset.scale} ${asset.sum} ${asset.root}`);
  const held = holdings.map((one) =>
    [...['held', one.kind, one.network, one.coin, one.scale, one.height, one.hash, one.address ?? '-', one.units]].join(
      ' ',
    ),
  );
  const head = [TITLE, `batch ${batch}`, `time ${time}`, `state ${state}`, `commitment ${commitment}`];
  return [...head, ...owed, ...held].join('\n');
}

export const reservesDigest = (statement: Reserves): Buffer =>
  createHash('sha256').update(Buffer.of(0)).update(reservesText(statement)).digest();

/**
 * `NOT_OWN`: an address that is not this signer's hot wallet of the network, or none of them. `TWICE`: one holding counted
 * twice. `UNKNOWN_COIN`: held, and not among what is owed.
 */
export const reservesRefusal = z.enum(['NOT_OWN', 'TWICE', 'UNKNOWN_COIN']);

export const reservesAnswer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    signatures: z.array(
      z.object({
        address: z.string().max(100),
        /** r, s (the lower one) and 27 or 28, from which the public key is recovered. */
        signature: z.string().regex(/^0x[0-9a-f]{128}1[bc]$/),
      }),
    ),
  }),
  z.object({ ok: z.literal(false), code: reservesRefusal }),
]);
export type ReservesAnswer = z.output<typeof reservesAnswer>;

/** @param hotAddress of the signer's own keys */
export function reservesContradiction(
  { assets, holdings }: Reserves,
  hotAddress: (network: Holding['network']) => string,
): z.output<typeof reservesRefusal> | undefined {
  const isOwn = ({ kind, network, address }: Holding) =>
    kind === 'hot' ? address === hotAddress(network) : address === null;
  if (!holdings.every(isOwn) || !holdings.some(({ kind }) => kind === 'hot')) return 'NOT_OWN';
  const keys = holdings.map((one) => `${one.kind} ${one.network} ${one.coin}`);
  const coins = new Set(assets.map((asset) => asset.coin));
  if (new Set(keys).size !== keys.length || coins.size !== assets.length) return 'TWICE';
  return holdings.every((one) => coins.has(one.coin)) ? undefined : 'UNKNOWN_COIN';
}

/** One for each family of addresses that holds something. */
export async function signReserves(
  statement: Reserves,
  keyOf: HotKeys,
): Promise<Extract<ReservesAnswer, { ok: true }>['signatures']> {
  const digest = reservesDigest(statement);
  const hot = statement.holdings.filter(({ kind }) => kind === 'hot');
  const signatures = [];
  for (const family of new Set(hot.map(({ network }) => familyOf(network)))) {
    const key = keyOf(family);
    const signature = recoverable(await key.sign(digest));
    signatures.push({ address: addressOfKey(family, key.publicKey), signature });
  }
  return signatures;
}
