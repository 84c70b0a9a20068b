/**
 * Movements of money that are no trade, each declared once: which accounts it may touch, what it means to a client, and what
 * is said of it. Journal, tables, totals, statements and words follow from this list.
 */
import { msg } from '../terms/text.ts';
import { SystemOwner, Wallet } from './account.ts';
import { TRANSFERABLE_WALLETS } from './wallet-lists.ts';

/** Which accounts one end of a leg may be. */
export interface Accounts {
  readonly owners: 'clients' | readonly SystemOwner[];
  readonly wallets: readonly Wallet[];
}

/**
 * What a movement is to a client. Totals, the day's profit and statements follow from it.
 *
 * - `own`: between wallets of one owner: nothing comes and nothing goes.
 * - `in` and `out`: funds come from outside or leave; neither is a profit or a loss. Between two clients it is `out`, and `in`
 *   to who receives them.
 * - `gain`: what the exchange pays or charges: part of the day's profit.
 * - `house`: between accounts of the exchange.
 */
export type Effect = 'own' | 'in' | 'out' | 'gain' | 'house';

/** The words of a statement's line: one text, or one for what comes in and one for what goes out. */
export type TransferLabel = string | { readonly incoming: string; readonly outgoing: string };

export interface TransferDeclaration {
  /** Its name in the journal, in the tables and as the `cause` of a statement's entry. */
  readonly reason: string;
  readonly effect: Effect;
  readonly label: TransferLabel;
  readonly from: Accounts;
  readonly to: Accounts;
  readonly mayPend: boolean;
}

function defineTransfer<Reason extends string>(
  declaration: TransferDeclaration & { readonly reason: Reason },
): TransferDeclaration & { readonly reason: Reason } {
  return declaration;
}

const client = (...wallets: readonly Wallet[]): Accounts => ({ owners: 'clients', wallets });
const system = (...owners: readonly SystemOwner[]): Accounts => ({ owners, wallets: [Wallet.SPOT] });

const transferable = TRANSFERABLE_WALLETS.map(({ number }) => number as Wallet);

/** A new movement of money is a new entry here. The order is part of the snapshot format: new ones go last. */
export const TRANSFERS = [
  /** Development only: funds from the faucet. */
  defineTransfer({
    reason: 'development-credit',
    effect: 'in',
    label: msg('Development funds'),
    from: system(SystemOwner.DEVELOPMENT),
    to: client(Wallet.SPOT),
    mayPend: false,
  }),
  /** Capital that the operator puts behind the market maker. */
  defineTransfer({
    reason: 'house-capital',
    effect: 'in',
    label: msg('Capital'),
    from: system(SystemOwner.HOUSE_CAPITAL),
    to: client(Wallet.SPOT),
    mayPend: false,
  }),
  /** Fee credit (referral, rewards), in the quote asset; trading fees use it up first. */
  defineTransfer({
    reason: 'fee-credit-grant',
    effect: 'gain',
    label: msg('Fee credit'),
    from: system(SystemOwner.PROMOTIONS),
    to: client(Wallet.CREDIT),
    mayPend: false,
  }),
  /** A client moves funds between wallets. */
  defineTransfer({
    reason: 'wallet-transfer',
    effect: 'own',
    label: { incoming: msg('From another of your wallets'), outgoing: msg('To another of your wallets') },
    from: client(...transferable),
    to: client(...transferable),
    mayPend: true,
  }),
  /** Coins that came in from a chain. */
  defineTransfer({
    reason: 'deposit',
    effect: 'in',
    label: msg('Deposit'),
    from: system(SystemOwner.CUSTODY),
    to: client(Wallet.SPOT),
    mayPend: false,
  }),
  /** Takes back a deposit whose block is no longer part of its chain, from whichever wallets have it. */
  defineTransfer({
    reason: 'deposit-reversal',
    effect: 'out',
    label: msg('Deposit taken back'),
    from: client(Wallet.SPOT, Wallet.FUNDING, Wallet.FUTURE),
    to: system(SystemOwner.CUSTODY),
    mayPend: false,
  }),
  /** Coins that leave by a chain, and what the exchange charges for it. */
  defineTransfer({
    reason: 'withdrawal',
    effect: 'out',
    label: msg('Withdrawal'),
    from: client(Wallet.SPOT),
    to: system(SystemOwner.CUSTODY, SystemOwner.FEES),
    mayPend: true,
  }),
  /** A withdrawal to the deposit address of a client. */
  defineTransfer({
    reason: 'internal-withdrawal',
    effect: 'out',
    label: { incoming: msg('From another client'), outgoing: msg('To another client') },
    from: client(Wallet.SPOT),
    to: client(Wallet.SPOT),
    mayPend: true,
  }),
  /** What a chain has charged for a transaction of the exchange's own. */
  defineTransfer({
    reason: 'network-cost',
    effect: 'house',
    label: msg('Network cost'),
    from: system(SystemOwner.NETWORK_COSTS),
    to: system(SystemOwner.CUSTODY),
    mayPend: false,
  }),
  /** Capital that the operator puts into the insurance of perpetuals. */
  defineTransfer({
    reason: 'insurance-capital',
    effect: 'house',
    label: msg('Capital'),
    from: system(SystemOwner.HOUSE_CAPITAL),
    to: system(SystemOwner.INSURANCE),
    mayPend: false,
  }),
] as const;

export type TransferReason = (typeof TRANSFERS)[number]['reason'];
