/**
 * Payments by chains as other slices see them: written down with what they are for in one transaction, sent once whatever
 * fails, and followed to their end.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Statement } from '../../platform/database.ts';
import type { SignedAttempt } from '../../signer/service.ts';
import type { PayerCoin, Payment as PaymentInBlock, Terms } from '../chains/service.ts';
import type { AddressChange } from '../deposits/service.ts';

export { forgetNewestSigned, payoutTimes } from './correction-store.ts';

/**
 * `top-up`: gas for a client's address, from which tokens can then be swept; `to-cold`: what the hot wallet need not have.
 * Others pay to the hot wallet: a `sweep` from a client's address, and a `refill` from the cold wallet, signed elsewhere.
 */
export const PURPOSES = ['withdrawal', 'top-up', 'to-cold', 'sweep', 'refill'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Who pays where it is not the hot wallet. */
export interface Payer {
  /** Canonical. */
  readonly address: string;
  /** Of a client's address in the tree of keys; null for the cold wallet. */
  readonly index: number | null;
  /** What it pays with where it has outputs instead of a balance: all of it, and the fee is out of the payment. */
  readonly coins?: readonly PayerCoin[];
}

/** What is to be paid. */
export interface Payment {
  readonly purpose: Purpose;
  /** What it is for, such as the id of a withdrawal: there is one payout of a purpose for each, for ever. */
  readonly reference: number;
  readonly network: NetworkName;
  readonly coin: string;
  /** As `canonicalAddress` writes it. */
  readonly address: string;
  /** Smallest units of the chain. */
  readonly units: bigint;
  /** Undefined for the hot wallet. */
  readonly payer?: Payer | undefined;
}

/**
 * `PLANNED` may still be given up by an operator; `SIGNED` exists as bytes; `BROADCAST` was sent; `MINED` is in a block of the chain as
 * it is now; `FINAL` is so deep that it stays, and has paid; `FAILED` has not paid and never will: its transaction was
 * undone by the chain at that depth, another one took its place, or an operator gave it up before it was signed.
 */
export type PayoutState = 'PLANNED' | 'SIGNED' | 'BROADCAST' | 'MINED' | 'FINAL' | 'FAILED';

export interface Payout extends Payment {
  readonly id: number;
  readonly state: PayoutState;
  /** On the chain; null until it was signed. May change while it is not final: a replacement has another. */
  readonly transaction: string | null;
  readonly confirmations: number;
  /** Smallest units of the chain's own coin; null until it is in a block. */
  readonly cost: bigint | null;
}

/** What a chain says of a payment before it is made. */
export interface Estimate {
  /** Smallest units of the chain's own coin. */
  readonly cost: bigint;
  /** Until it has the confirmations that are asked for. */
  readonly minutes: number;
}

/** Why a payout that is not in a block waits; empty while it goes on. */
export type WaitsFor = '' | 'FUNDS' | 'SIGNER' | 'NODE' | 'PAUSED' | 'REFUSED_BY_SIGNER' | 'FEE' | 'WOULD_FAIL';

/** What moves coins between the exchange's own addresses asks of payouts. */
export interface OwnPayouts extends Pick<Payouts, 'planning' | 'wake'> {
  /** For the transaction that takes over what was signed elsewhere: it is sent as it is. */
  signedElsewhere(
    payment: Payment & { readonly payer: Payer },
    signed: Pick<SignedAttempt, 'raw' | 'transaction' | 'terms'>,
    confirmations: number,
    now: number,
  ): Statement;
  /** What the hot wallet will pay in a coin and is in no block yet, in smallest units of the chain. */
  owedBy(network: NetworkName, coin: string): Promise<bigint>;
  /** Of the last payment of a payer in a coin, where that has burned all that it could, and moved nothing. */
  exhausted(network: NetworkName, coin: string, payer: string): Promise<Terms | undefined>;
  /** Begins the name of every payment at a signer. */
  book(): Promise<string>;
  /** Asks the signer for the cold wallets of its policy; what it said last is kept while it is away. */
  readColdAddresses(): Promise<void>;
  /** Canonical, by the signer's policy; undefined where that names none. */
  coldAddress(network: NetworkName): Promise<string | undefined>;
  of(purpose: Purpose, references: readonly number[]): Promise<readonly (Payout & OwnFacts)[]>;
  /** Ends one of which nothing was signed or is being signed. @returns false for any other */
  giveUp(purpose: Purpose, reference: number): Promise<boolean>;
  /** What is in blocks that are not final and has changed what addresses of clients have: their account learns of it later. */
  moving(): Promise<readonly AddressChange[]>;
  /**
   * Begins to read what the addresses of clients have, before a block is named.
   * @returns what they have at its height, in smallest units of the chain; both reject with `NodeFailure` where that cannot be said
   */
  atAddresses(
    network: NetworkName,
  ): Promise<(height: number) => Promise<readonly { readonly coin: string; readonly units: bigint }[]>>;
  /** Canonical; undefined before the signer has named it. */
  hotAddress(network: NetworkName): string | undefined;
  /** Whether payouts of a coin stand still, since chains hold less of it than they owe. */
  isStopped(coin: string): boolean;
}

interface OwnFacts {
  readonly waitsFor: WaitsFor;
  readonly updatedAt: number;
}

export interface Payouts {
  /**
   * For the transaction that decides to pay. The second one for a reference fails it, whatever became of the first.
   */
  planning(payment: Payment, confirmations: number, now: number): Statement;
  /** After a transaction that has planned. */
  wake(): void;
  byReferences(purpose: Purpose, references: readonly number[]): Promise<Payout[]>;
  /** Undefined while the chain cannot say, or nothing can be sent by it. */
  estimate(payment: Omit<Payment, 'purpose' | 'reference'>, confirmations: number): Promise<Estimate | undefined>;
  /** What stands in the way of a network; null while payouts go out. */
  trouble(network: NetworkName): 'PAUSED' | 'BEHIND' | 'SPLIT' | 'AWAY' | null;
  /** Whether something can be sent by it at all. */
  serves(network: NetworkName): boolean;
  /** Those of a block's transactions that move coins between the exchange's own addresses. */
  internal(network: NetworkName, payments: readonly PaymentInBlock[]): Promise<ReadonlySet<string>>;
  /** The addresses of the exchange's own wallets: nothing is withdrawn to them. */
  isOwnAddress(network: NetworkName, address: string): boolean;
}
