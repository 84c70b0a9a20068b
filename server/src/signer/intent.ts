/** What the signer is asked, and what it answers. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { payment, paymentId, terms, writeJson } from '../funds/chains/transactions.ts';

/** Of a client's address, below 2^31. */
export const keyIndex = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);

/** From which key is paid: the index of a client's address; null for the hot wallet, as in all that was written before. */
export const source = keyIndex.nullable().default(null);

/** A payment from the hot wallet, or from a client's address to the hot wallet. */
export const intent = z.object({
  /** Of one payment for ever, of whatever attempt. */
  id: paymentId,
  /** 1 is the first; each later one replaces it with higher fees. */
  attempt: z.number().int().min(1).max(1000),
  source,
  payment,
  terms,
});
export type Intent = z.output<typeof intent>;

/**
 * `CHANGED`: another payment has this id, or the attempt other terms. `CLAIMED`: another payment has this nonce or input.
 * `NOT_ALLOWED`: the policy does not have the network, its format, the coin or so much of it, or the address is none that may
 * be paid from there. `DAY`: the day's amount is used up. `FEE`: above the cap. `NOT_A_REPLACEMENT`: fees that are not raised
 * by an eighth, or anything else changed. `FEES_OF_DAY`: what the day's transactions of the network may cost is used up.
 * `RECORD_BEHIND`: the record lacks what who asks knows to be signed, so it was set back.
 */
export const refusalCode = z.enum([
  'CHANGED',
  'CLAIMED',
  'NOT_ALLOWED',
  'DAY',
  'FEE',
  'NOT_A_REPLACEMENT',
  'FEES_OF_DAY',
  'RECORD_BEHIND',
]);
export type SignerRefusal = z.infer<typeof refusalCode>;

export const signAnswer = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** Under which it was signed: another where the payment went along with that one. */
    id: paymentId,
    /** What is sent to the chain. */
    raw: z.string().max(100_000),
    /** Of the chain, under which it will be found. */
    transaction: z.string().max(100),
    /** What was signed. Other than asked for where the database of who asks is older than the signer's. */
    terms,
  }),
  z.object({ ok: z.literal(false), code: refusalCode }),
]);
export type SignAnswer = z.output<typeof signAnswer>;

/** What was signed for a payment, in the order of the attempts. */
export const signedAttempts = z.array(
  z.object({
    ...{ id: paymentId, attempt: z.number().int(), terms },
    ...{ raw: z.string().max(100_000), transaction: z.string().max(100) },
  }),
);
export type SignedAttempt = z.output<typeof signedAttempts>[number];

export function paymentDigest({ network, contract, address, units }: Intent['payment'], from: number | null): string {
  return createHash('sha256')
    .update(writeJson([network, contract, address, units, ...(from === null ? [] : [from])]))
    .digest('hex');
}

export interface Built {
  readonly raw: string;
  readonly transaction: string;
}
