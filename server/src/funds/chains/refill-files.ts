/** What is carried to a cold wallet's machine to be signed, and what comes back. */
import { networkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { payment, terms, units, writeJson } from './transactions.ts';

/** The request's name at the signer. */
const id = z.string().regex(/^[\w:-]{1,100}$/);
const VERSION = 1;

/** What the server asks of the cold wallet. */
export const refillRequest = z.strictObject({
  version: z.literal(VERSION),
  request: id,
  network: networkName,
  /** The cold wallet and the hot one, canonical. */
  from: payment.shape.address,
  to: payment.shape.address,
  /** The token; null for the chain's own coin. */
  contract: payment.shape.contract,
  /** Smallest units of the chain. */
  units: units.pipe(z.bigint().positive()),
  terms,
  /** Until when it must be back where time ends it (ISO 8601), for who reads the file: the terms are what counts. */
  back_by: z.iso.datetime().optional(),
});
export type RefillRequest = z.output<typeof refillRequest>;

/** What comes back. */
export const signedRefill = z.strictObject({
  version: z.literal(VERSION),
  request: id,
  network: networkName,
  raw: z.string().min(1).max(100_000),
});
export type SignedRefill = z.output<typeof signedRefill>;

export const writeRequest = (asked: Omit<RefillRequest, 'version'>): string =>
  `${writeJson({ version: VERSION, ...asked })}\n`;

export const writeSigned = (signed: Omit<SignedRefill, 'version'>): string =>
  `${writeJson({ version: VERSION, ...signed })}\n`;
