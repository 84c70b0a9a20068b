/** What a person has entered to move between wallets, what is wrong with it, and the call that it becomes. */
import { TRANSFERABLE_WALLETS, transferableNamed } from '@cambist/core/ledger/wallet-lists.ts';
import type { TransferableWallet } from '@cambist/core/ledger/wallets.ts';
import { compare, type Decimal, parseDecimal } from '../../../lib/decimal.ts';
import { msg } from '../../../lib/i18n.ts';

export interface TransferEntry {
  readonly from: TransferableWallet;
  readonly to: TransferableWallet;
  readonly coin: string;
  /** As typed. */
  readonly amount: string;
}

/** Each two wallets, once. */
export const WALLET_PAIRS: readonly (readonly [TransferableWallet, TransferableWallet])[] =
  TRANSFERABLE_WALLETS.flatMap(({ name: from }, at) =>
    TRANSFERABLE_WALLETS.slice(at + 1).map(({ name: to }) => [from, to] as const),
  );

/** The wallet that a transfer into `to` comes from unless the client chooses another. */
export function usualSource(to: TransferableWallet): TransferableWallet {
  return to === 'SPOT' ? 'FUTURE' : 'SPOT';
}

/** With a coin that the wallet has a row for: an address may name any. */
export function offered(entry: TransferEntry, coins: readonly { readonly code: string }[] | undefined): TransferEntry {
  const isThere = coins === undefined || coins.some(({ code }) => code === entry.coin);
  return isThere ? entry : { ...entry, coin: 'USDT' };
}

/** The key of a text about an amount above what there is: it is stated while it is typed, as more digits cannot mend it. */
export function excessProblem({ from, amount }: TransferEntry, available: Decimal): string | undefined {
  const value = parseDecimal(amount);
  return value && compare(value, available) > 0 ? transferableNamed(from).transfers.whenShort : undefined;
}

/** The key of the text, or undefined when the entry can be sent. */
export function amountProblem(entry: TransferEntry, available: Decimal): string | undefined {
  const amount = parseDecimal(entry.amount);
  if (!amount || amount.units === 0n) return msg('Amount is required');
  return excessProblem(entry, available);
}

/** The same wallets the other way round. */
export const swapped = (entry: TransferEntry): TransferEntry => ({ ...entry, from: entry.to, to: entry.from });
