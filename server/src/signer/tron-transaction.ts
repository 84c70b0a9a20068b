/** TRON transactions, built from what is to be paid and read again before they leave. */
import { createHash } from 'node:crypto';
import { type ChainPayment, writeJson } from '../funds/chains/transactions.ts';
import { rawData, readTron, signedBytes, type TronTerms } from '../funds/chains/tron-transaction.ts';
import type { Built } from './intent.ts';
import { recoverable, type SigningKey } from './signing-key.ts';

/** @param key of who pays @param from its address */
export async function signTron(key: SigningKey, from: string, payment: ChainPayment, terms: TronTerms): Promise<Built> {
  const data = rawData(from, payment, terms);
  const signature = recoverable(await key.sign(createHash('sha256').update(data).digest()));
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
