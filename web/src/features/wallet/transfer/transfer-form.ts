/** What a person has entered to move between wallets, what is wrong with it, and the call that it becomes. */
import type { WalletName } from '@cambist/contract/transfers.ts';
import { compare, type Decimal, parseDecimal } from '../../../lib/decimal.ts';
import { msg } from '../../../lib/i18n.ts';

export interface TransferEntry {
  readonly from: WalletName;
  readonly to: WalletName;
  readonly coin: string;
  /** As typed. */
  readonly amount: string;
}

export const WALLET_PAIRS: readonly (readonly [WalletName, WalletName])[] = [
  ['SPOT', 'FUTURE'],
  ['SPOT', 'FUNDING'],
  ['FUTURE', 'FUNDING'],
];

/** The wallet that a transfer into `to` comes from unless the client chooses another. */
export function usualSource(to: WalletName): WalletName {
  return to === 'SPOT' ? 'FUTURE' : 'SPOT';
}

const INSUFFICIENT: Readonly<Record<WalletName, string>> = {
  SPOT: msg('Insufficient balance in spot wallet'),
  FUTURE: msg('Insufficient balance in future wallet'),
  FUNDING: msg('Insufficient balance in funding wallet'),
};

/** With a coin that the wallet has a row for: an address may name any. */
export function offered(entry: TransferEntry, coins: readonly { readonly code: string }[] | undefined): TransferEntry {
  const isThere = coins === undefined || coins.some(({ code }) => code === entry.coin);
  return isThere ? entry : { ...entry, coin: 'USDT' };
}

/** The key of a text about an amount above what there is: it is stated while it is typed, as more digits cannot mend it. */
export function excessProblem({ from, amount }: TransferEntry, available: Decimal): string | undefined {
  const value = parseDecimal(amount);
  return value && compare(value, available) > 0 ? INSUFFICIENT[from] : undefined;
}

/** The key of the text, or undefined when the entry can be sent. */
export function amountProblem(entry: TransferEntry, available: Decimal): string | undefined {
  const amount = parseDecimal(entry.amount);
  if (!amount || amount.units === 0n) return msg('Amount is required');
  return excessProblem(entry, available);
}

/** The same wallets the other way round. */
export const swapped = (entry: TransferEntry): TransferEntry => ({ ...entry, from: entry.to, to: entry.from });
