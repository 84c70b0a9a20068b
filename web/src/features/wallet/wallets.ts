/** The wallets of a client, read as one shape, so that screens need not know which call answered. */
import { OWNED_WALLETS, walletNamed } from '@cambist/core/ledger/wallet-lists.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { add, compare, type Decimal, decimal } from '../../lib/decimal.ts';
import { t } from '../../lib/i18n.ts';
import { futureWalletQuery, spotWalletQuery, walletCoinsQuery } from '../../lib/queries/account.ts';

export interface WalletCoin {
  readonly code: string;
  readonly name: string;
  readonly available: string;
  /** With what is held. */
  readonly total: Decimal;
  /** USDT; nothing is said by it where there is no price. */
  readonly worth: string;
  /** Of one coin in USDT; null where no market prices it. */
  readonly price: string | null;
}

/** What a list of coins is made of: the answer, or why there is none. */
export type WalletRead = Pick<UseQueryResult<readonly WalletCoin[]>, 'data' | 'error' | 'isPending' | 'refetch'>;

export const walletLabel = (wallet: WalletName): string => t(walletNamed(wallet).label);

/** Beside the names of other wallets. */
export const walletTitle = (wallet: WalletName): string => t(walletNamed(wallet).title);

interface Row {
  readonly name: string;
  readonly full_name: string;
  readonly usdt_value: string;
  readonly price: string | null;
}

const coinOf = (row: Row, available: string, total: Decimal): WalletCoin => ({
  code: row.name,
  name: row.full_name,
  available,
  total,
  worth: row.usdt_value,
  price: row.price,
});

type Rows = { wallet: readonly (Row & { coin_value: string; freeze_value: string })[] };
const coinsOf = (answer: Rows) =>
  answer.wallet.map((row) => coinOf(row, row.coin_value, add(decimal(row.coin_value), decimal(row.freeze_value))));

const future = {
  ...futureWalletQuery,
  select: (answer: { wallet: readonly (Row & { available: string; margin_balance: string })[] }) =>
    answer.wallet.map((row) => coinOf(row, row.available, decimal(row.margin_balance))),
};

/** Screens of spot and futures read the same answers. */
function queryOf(wallet: WalletName) {
  if (wallet === 'FUTURE') return future;
  return { ...(wallet === 'SPOT' ? spotWalletQuery : walletCoinsQuery(wallet)), select: coinsOf };
}

const QUERIES = OWNED_WALLETS.map(({ name }) => queryOf(name));

/** Read side by side: each screen that shows one wallet soon shows another. */
export function useWallets(): Readonly<Record<WalletName, WalletRead>> {
  const reads = useQueries({ queries: QUERIES });
  const named = OWNED_WALLETS.map(({ name }, at): [WalletName, WalletRead] => [name, reads[at]!]);
  return Object.fromEntries(named) as Record<WalletName, WalletRead>;
}

export function availableIn(wallet: WalletRead, coin: string): Decimal {
  return decimal(wallet.data?.find(({ code }) => code === coin)?.available);
}

/** What a person has comes first, largest value first; the rest keeps the order of the answer. */
export function heldFirst(coins: readonly WalletCoin[]): WalletCoin[] {
  const isHeld = ({ available }: WalletCoin) => (decimal(available).units > 0n ? 1 : 0);
  return [...coins].sort(
    (left, right) => isHeld(right) - isHeld(left) || compare(decimal(right.worth), decimal(left.worth)),
  );
}
