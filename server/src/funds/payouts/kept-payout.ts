/** Payouts as they are kept, and what is told of their transactions. */
import type { Parameter, Statement } from '../../platform/database.ts';
import { type PayerCoin, payerCoins, type Terms } from '../chains/service.ts';
import { type Payment, type Payout, PURPOSES, type Purpose, type WaitsFor } from './service.ts';

export interface Attempt {
  readonly attempt: number;
  readonly terms: Terms;
  /** What is sent to the chain; null until it was signed. */
  readonly raw: string | null;
  readonly transaction: string | null;
  /** The newest block when a node took it. */
  readonly sentHeight: number | null;
}

export interface KeptPayout extends Payout {
  readonly change: number;
  readonly confirmationsRequired: number;
  readonly waitsFor: WaitsFor;
  /** The canonical address that pays; empty before what decides the bytes was fixed. */
  readonly sender: string;
  /** Null also where the chain has no nonces. */
  readonly nonce: number | null;
  readonly height: number | null;
  /** The payout in whose transaction it goes along; null for one with its own. */
  readonly carriedBy: number | null;
  readonly isUndone: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** In their order. */
  readonly attempts: readonly Attempt[];
}

/** What is kept of coins that a payer pays with. */
export const payerCoinsIn = (text: string | null): readonly PayerCoin[] | undefined =>
  text === null ? undefined : payerCoins.parse(JSON.parse(text));

export const lastSigned = ({ attempts }: KeptPayout): Attempt | undefined =>
  attempts.findLast(({ raw }) => raw !== null);
export const unsigned = ({ attempts }: KeptPayout): Attempt | undefined => attempts.find(({ raw }) => raw === null);

/** Of every attempt. */
export const termsOf = (open: readonly KeptPayout[]): Terms[] =>
  open.flatMap(({ attempts }) => attempts.map((one) => one.terms));

export interface NetworkRow {
  readonly isPaused: boolean;
  readonly hotAddress: string;
  /** By the signer's policy; empty where that names none. */
  readonly coldAddress: string;
  readonly nextNonce: number | null;
  /** What transactions have cost and the ledger does not have yet, in smallest units of the chain's own coin. */
  readonly costRest: bigint;
}

/** What is told of a transaction in a block. */
export interface InBlock {
  readonly transaction: string;
  readonly height: number;
  readonly confirmations: number;
  readonly cost: bigint;
  readonly isUndone: boolean;
}

/** How a cost goes to the ledger: `units × multiplier ÷ divisor`, rounded down, the rest kept for the next. */
export interface CostScale {
  readonly asset: number;
  readonly divisor: bigint;
  readonly multiplier: bigint;
}

/** What ends with a payout. */
export interface Ending {
  /** Undefined where the chain's own coin is not in the ledger: the cost is kept until it is. */
  readonly scale: CostScale | undefined;
  /** What the client has paid for it, in smallest units of the ledger. */
  readonly charged: bigint | undefined;
  /** The same of those that went along with it. */
  readonly carried: readonly { readonly id: number; readonly charged: bigint | undefined }[];
  readonly told: readonly Statement[];
}

/** Of a payment at the signer. */
export async function nameOf(store: { book(): Promise<string> }, { purpose, reference }: Payment): Promise<string> {
  const name = purpose === 'withdrawal' ? reference : `${purpose}:${reference}`;
  return `${await store.book()}:${name}`;
}

/** Which payment a name at the signer is of: the book, the purpose but of withdrawals, and the reference. */
export function paymentNamed(name: string): { readonly purpose: Purpose; readonly reference: number } {
  const [, purpose, reference = purpose] = name.split(':');
  return { purpose: PURPOSES.find((one) => one === purpose) ?? 'withdrawal', reference: Number(reference) };
}

/** @returns false where something else has changed the payout since it was read; nothing was done then */
export type Update = (
  payout: KeptPayout,
  values: Readonly<Record<string, Parameter>>,
  now: number,
  others?: readonly Statement[],
) => Promise<boolean>;
