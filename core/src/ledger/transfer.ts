/**
 * Movements of money that are no trade: declared once here, each with the accounts that it may touch, and made by three
 * commands after TigerBeetle's model: a transfer, posted at once or pending, and the end of a pending one.
 */
import { accountParts, Bucket, isClient, MAXIMUM_ASSET, SystemOwner, Wallet } from './account.ts';

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

/** Which accounts one end of a leg may be. */
interface Accounts {
  readonly owners: 'clients' | readonly SystemOwner[];
  readonly wallets: readonly Wallet[];
}

export interface TransferDeclaration {
  readonly reason: string;
  readonly from: Accounts;
  readonly to: Accounts;
  /** Both ends belong to the same owner. */
  readonly isOwn: boolean;
  readonly mayPend: boolean;
}

function defineTransfer<Reason extends string>(
  declaration: TransferDeclaration & { readonly reason: Reason },
): TransferDeclaration & { readonly reason: Reason } {
  return declaration;
}

const client = (...wallets: readonly Wallet[]): Accounts => ({ owners: 'clients', wallets });
const system = (...owners: readonly SystemOwner[]): Accounts => ({ owners, wallets: [Wallet.SPOT] });

/** A new movement of money is a new line here. The order is part of the snapshot format: new ones go last. */
export const TRANSFERS = [
  /** Development only: funds from the faucet. */
  defineTransfer({
    reason: 'development-credit',
    from: system(SystemOwner.DEVELOPMENT),
    to: client(Wallet.SPOT),
    isOwn: false,
    mayPend: false,
  }),
  /** Capital that the operator puts behind the market maker. */
  defineTransfer({
    reason: 'house-capital',
    from: system(SystemOwner.HOUSE_CAPITAL),
    to: client(Wallet.SPOT),
    isOwn: false,
    mayPend: false,
  }),
  /** Fee credit (referral, rewards), in the quote asset; trading fees use it up first. */
  defineTransfer({
    reason: 'fee-credit-grant',
    from: system(SystemOwner.PROMOTIONS),
    to: client(Wallet.CREDIT),
    isOwn: false,
    mayPend: false,
  }),
  /** A client moves funds between wallets. */
  defineTransfer({
    reason: 'wallet-transfer',
    from: client(Wallet.SPOT, Wallet.FUTURE, Wallet.FUNDING),
    to: client(Wallet.SPOT, Wallet.FUTURE, Wallet.FUNDING),
    isOwn: true,
    mayPend: true,
  }),
  /** Coins that came in from a chain. */
  defineTransfer({
    reason: 'deposit',
    from: system(SystemOwner.CUSTODY),
    to: client(Wallet.SPOT),
    isOwn: false,
    mayPend: false,
  }),
  /** Takes back a deposit whose block is no longer part of its chain, from whichever wallets have it. */
  defineTransfer({
    reason: 'deposit-reversal',
    from: client(Wallet.SPOT, Wallet.FUNDING, Wallet.FUTURE),
    to: system(SystemOwner.CUSTODY),
    isOwn: false,
    mayPend: false,
  }),
  /** Coins that leave by a chain, and what the exchange charges for it. */
  defineTransfer({
    reason: 'withdrawal',
    from: client(Wallet.SPOT),
    to: system(SystemOwner.CUSTODY, SystemOwner.FEES),
    isOwn: false,
    mayPend: true,
  }),
  /** A withdrawal to the deposit address of a client. */
  defineTransfer({
    reason: 'internal-withdrawal',
    from: client(Wallet.SPOT),
    to: client(Wallet.SPOT),
    isOwn: false,
    mayPend: true,
  }),
  /** What a chain has charged for a transaction of the exchange's own. */
  defineTransfer({
    reason: 'network-cost',
    from: system(SystemOwner.NETWORK_COSTS),
    to: system(SystemOwner.CUSTODY),
    isOwn: false,
    mayPend: false,
  }),
  /** Capital that the operator puts into the insurance of perpetuals. */
  defineTransfer({
    reason: 'insurance-capital',
    from: system(SystemOwner.HOUSE_CAPITAL),
    to: system(SystemOwner.INSURANCE),
    isOwn: false,
    mayPend: false,
  }),
] as const;

export type TransferReason = (typeof TRANSFERS)[number]['reason'];

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

function isDeclared({ from, to, isOwn }: TransferDeclaration, leg: TransferLeg): boolean {
  if (!Number.isSafeInteger(leg.from) || !Number.isSafeInteger(leg.to) || leg.from === leg.to) return false;
  const payer = accountParts(leg.from);
  const receiver = accountParts(leg.to);
  const isOneAsset = payer.asset === receiver.asset && payer.asset <= MAXIMUM_ASSET;
  return isOneAsset && fits(from, payer) && fits(to, receiver) && (!isOwn || payer.owner === receiver.owner);
}

function fits(accounts: Accounts, { owner, wallet, bucket }: ReturnType<typeof accountParts>): boolean {
  const isOwner = accounts.owners === 'clients' ? isClient(owner) : accounts.owners.some((one) => one === owner);
  return isOwner && accounts.wallets.includes(wallet) && bucket === Bucket.AVAILABLE;
}
