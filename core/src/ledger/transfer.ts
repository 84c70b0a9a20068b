/**
 * How money moves that no trade moves (`movements.ts`), by three commands after TigerBeetle's model: a transfer, posted at
 * once or pending, and the end of a pending one.
 */
import { accountParts, Bucket, isClient, MAXIMUM_ASSET } from './account.ts';
import { type Accounts, TRANSFERS, type TransferDeclaration, type TransferReason } from './movements.ts';

/** From one available account to another of the same asset. */
export interface TransferLeg {
  /** Account keys. */
  readonly from: number;
  readonly to: number;
  /** Smallest units, above zero. */
  readonly amount: bigint;
}

/** Who a command comes from when a slice's own work made it: a seen deposit, an accrual, a payout. */
export interface Origin {
  /** The slice's number; the core keeps the last sequence of each. */
  readonly source: number;
  /** The one after the source's last: a command that comes twice is refused, and so is one that comes too early. */
  readonly sequence: number;
}

/** Moves money. Pending, it is reserved at the payer until it is posted or voided. */
export interface Transfer {
  readonly kind: 'transfer';
  /** Must be above every transfer id seen before. 0 takes the next one, as funds commands of the first journals did. */
  readonly transferId: number;
  readonly reason: TransferReason;
  /** What it belongs to, such as the client or the row of a slice. */
  readonly reference: number;
  readonly isPending: boolean;
  readonly legs: readonly TransferLeg[];
  /** Opaque to the core, at most 1000 characters; never what privacy law would ask to delete. */
  readonly detail: string;
  readonly origin?: Origin | undefined;
}

/** Completes a pending transfer: what it reserved goes to the receivers. */
export interface PostPending {
  readonly kind: 'post-pending';
  readonly transferId: number;
  /** What is posted of each leg, in its order, up to what is reserved; the rest goes back. Absent: all of it. */
  readonly amounts?: readonly bigint[] | undefined;
  readonly origin?: Origin | undefined;
}

/** Ends a pending transfer: what it reserved goes back to the payers. */
export interface VoidPending {
  readonly kind: 'void-pending';
  readonly transferId: number;
  readonly origin?: Origin | undefined;
}

export type TransferCommand = Transfer | PostPending | VoidPending;

const byReason = new Map<string, TransferDeclaration>(TRANSFERS.map((one) => [one.reason, one]));

/** The declaration of a reason; undefined for one that is not declared. */
export function declarationOf(reason: string): TransferDeclaration | undefined {
  return byReason.get(reason);
}

/** Legs of one transfer, at most. */
export const MAXIMUM_LEGS = 8;
export const MAXIMUM_DETAIL = 1000;

/** Whether every leg is between accounts that its declaration allows, of one asset, in whole positive units. */
export function areLegsDeclared(declaration: TransferDeclaration, legs: readonly TransferLeg[]): boolean {
  return legs.length > 0 && legs.length <= MAXIMUM_LEGS && legs.every((leg) => isDeclared(declaration, leg));
}

function isDeclared({ from, to, effect }: TransferDeclaration, leg: TransferLeg): boolean {
  if (!Number.isSafeInteger(leg.from) || !Number.isSafeInteger(leg.to) || leg.from === leg.to) return false;
  const payer = accountParts(leg.from);
  const receiver = accountParts(leg.to);
  const isOneAsset = payer.asset === receiver.asset && payer.asset <= MAXIMUM_ASSET;
  return isOneAsset && fits(from, payer) && fits(to, receiver) && (effect !== 'own' || payer.owner === receiver.owner);
}

function fits(accounts: Accounts, { owner, wallet, bucket }: ReturnType<typeof accountParts>): boolean {
  const isOwner = accounts.owners === 'clients' ? isClient(owner) : accounts.owners.some((one) => one === owner);
  return isOwner && accounts.wallets.includes(wallet) && bucket === Bucket.AVAILABLE;
}
