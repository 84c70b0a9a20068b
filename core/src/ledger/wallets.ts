/**
 * The wallets of a client, each declared once: account keys, totals, statements, transfers and the words of the screens
 * follow from this list. A new wallet is a new entry.
 */
import { msg } from '../terms/text.ts';

export interface WalletDeclaration {
  readonly name: string;
  /** 0 to 15. Part of account keys, in the journal and in every table: given once, never changed, never used again. */
  readonly number: number;
  /** Beside other wallets, and where it is named alone. */
  readonly title: string;
  readonly label: string;
  /**
   * Whether what is in it belongs to its owner, to sell or to take out: then it counts in totals, in the day's profit, in
   * what coins have cost and in the proof of liabilities, and it has a statement.
   */
  readonly inTotals: boolean;
  /** The refusal of more than there is, of a wallet that its owner moves funds to and from; absent for others. */
  readonly transfers?: { readonly whenShort: string };
}

export const WALLETS = [
  {
    name: 'SPOT',
    number: 0,
    title: msg('Spot'),
    label: msg('Spot wallet'),
    inTotals: true,
    transfers: { whenShort: msg('Insufficient balance in spot wallet') },
  },
  /** Backs positions: what they have won or lost counts in it. */
  {
    name: 'FUTURE',
    number: 1,
    title: msg('Futures'),
    label: msg('Futures wallet'),
    inTotals: true,
    transfers: { whenShort: msg('Insufficient balance in future wallet') },
  },
  /** Holds payments between clients. */
  {
    name: 'FUNDING',
    number: 2,
    title: msg('Funding'),
    label: msg('Funding wallet'),
    inTotals: true,
    transfers: { whenShort: msg('Insufficient balance in funding wallet') },
  },
  { name: 'EARN', number: 3, title: msg('Earn'), label: msg('Earn wallet'), inTotals: true },
  /** Pays fees and nothing else. */
  { name: 'CREDIT', number: 4, title: msg('Fee credit'), label: msg('Fee credit'), inTotals: false },
] as const satisfies readonly WalletDeclaration[];

type Declared = (typeof WALLETS)[number];
/** A wallet whose contents belong to its owner. */
export type WalletName = Extract<Declared, { readonly inTotals: true }>['name'];
/** A wallet that its owner moves funds to and from. */
export type TransferableWallet = Extract<Declared, { readonly transfers: object }>['name'];
