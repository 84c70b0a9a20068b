/** TRON transactions, built from what is to be paid and read again before they leave. */
import { createHash } from 'node:crypto';
import { type ChainPayment, writeJson } from '../funds/chains/transactions.ts';
import { rawData, readTron, signedBytes, type TronTerms } from '../funds/chains/tron-transaction.ts';
import type { Built } from './intent.ts';

/** @param privateKey of who pays @param from its address */
export async function signTron(
  privateKey: Uint8Array,
  from: string,
  payment: ChainPayment,
  terms: TronTerms,
): Promise<Built> {
  const { sign } = await import('viem/accounts');
  const data = rawData(from, payment, terms);
  const hash = createHash('sha256').update(data).digest('hex');
  const key = Buffer.from(privateKey).toString('hex');
  const signature = await sign({ hash: `0x${hash}`, privateKey: `0x${key}`, to: 'hex' });
  const raw = signedBytes(data, signature.slice(2));
  const read = await readTron(raw);
  const { contract, address, units } = payment;
  const { referenceBytes, referenceHash, timestamp, expiration, feeLimit } = terms;
  const wanted = { format: 'tron', referenceBytes, referenceHash, timestamp, expiration, feeLimit };
  const isWanted =
    read !== undefined &&
    writeJson([read.contract, read.address, read.units, read.from, read.terms]) ===
      writeJson([contract, address, units, from, wanted]);
  if (!isWanted) throw new Error('The transaction is not what was wanted');
  return { raw, transaction: read.transaction };
}
