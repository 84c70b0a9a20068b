/**
 * The transaction format of chains that development makes: canonical JSON with the sender's public key, signed by
 * secp256k1. Pure: the signer writes it, the chain verifies it.
 */
import { createHash } from 'node:crypto';
import type { HDKey } from '@scure/bip32';
import { z } from 'zod';
import { addressOfKey, canonicalAddress, familyOf, publicKeyOf } from './addresses.ts';
import { type ChainPayment, payment, units, writeJson } from './transactions.ts';

const body = z.strictObject({
  network: payment.shape.network,
  /** Compressed, in hex. */
  key: z.string().regex(/^0[23][0-9a-f]{64}$/),
  nonce: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  outputs: z.array(payment.pick({ contract: true, address: true, units: true })).length(1),
  /** In the chain's own coin. */
  fee: units,
});
const signed = body.extend({ signature: z.string().regex(/^[0-9a-f]{128}$/) });

export interface DevelopmentTransaction extends z.output<typeof body> {
  readonly id: string;
  /** The canonical address of the key. */
  readonly from: string;
  readonly raw: string;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

function transactionOf(parts: z.output<typeof body>, raw: string, key: HDKey): DevelopmentTransaction {
  const family = familyOf(parts.network);
  const from = canonicalAddress(family, addressOfKey(family, key));
  return { ...parts, from, raw, id: `${family === 'EVM' ? '0x' : ''}${sha256(raw).toString('hex')}` };
}

/** Fields in one order, so that the same transaction is the same bytes. */
function textOf({ network, key, nonce, outputs, fee }: z.output<typeof body>): string {
  const written = outputs.map(({ contract, address, units: amount }) => ({ contract, address, units: amount }));
  return writeJson({ network, key, nonce, outputs: written, fee });
}

/** Of who pays. */
interface Key {
  readonly publicKey: HDKey;
  sign(digest: Uint8Array): Promise<{ readonly compact: Uint8Array }>;
}

export async function signDevelopment(
  { publicKey: key, sign }: Key,
  { network, contract, address, units: amount }: ChainPayment,
  { nonce, fee }: { readonly nonce: number; readonly fee: bigint },
): Promise<DevelopmentTransaction> {
  if (key.publicKey === null) throw new Error('A key without a public key');
  const publicKey = Buffer.from(key.publicKey).toString('hex');
  const parts = { network, key: publicKey, nonce, outputs: [{ contract, address, units: amount }], fee };
  const text = textOf(parts);
  const signature = Buffer.from((await sign(sha256(text))).compact).toString('hex');
  return transactionOf(parts, `${text.slice(0, -1)},"signature":"${signature}"}`, key);
}

/** @returns undefined unless the bytes are exactly what the owner of the key has signed */
export function readDevelopment(raw: string): DevelopmentTransaction | undefined {
  try {
    const { signature, ...parts } = signed.parse(JSON.parse(raw));
    const text = textOf(parts);
    if (raw !== `${text.slice(0, -1)},"signature":"${signature}"}`) return undefined;
    const key = publicKeyOf(Buffer.from(parts.key, 'hex'));
    const isSigned = key.verify(sha256(text), Buffer.from(signature, 'hex'));
    return isSigned ? transactionOf(parts, raw, key) : undefined;
  } catch {
    return undefined;
  }
}
