/** What came of a coin and what went, from trades, transfers, deposits and withdrawals, as one list by time. */
import type { Deposit } from '@cambist/contract/deposits.ts';
import type { Fill } from '@cambist/contract/trading.ts';
import type { Transfer } from '@cambist/contract/transfers.ts';
import type { Withdrawal } from '@cambist/contract/withdrawals.ts';
import { type Decimal, decimal, subtract } from '../../../lib/decimal.ts';

export type Movement = { readonly id: string; readonly time: number; readonly coin: string } & (
  | {
      readonly kind: 'fill';
      /** What the coin's balance has changed by, after the fee; below zero where it was given. */
      readonly change: Decimal;
      readonly fill: Fill;
    }
  | { readonly kind: 'transfer'; readonly transfer: Transfer }
  | { readonly kind: 'deposit'; readonly deposit: Deposit }
  | { readonly kind: 'withdrawal'; readonly withdrawal: Withdrawal }
);

/** One of the lists that are put together, as far as it was read, newest first. */
export interface Source<Row> {
  readonly rows: readonly Row[];
  /** There are older ones that are not read yet. */
  readonly hasMore: boolean;
}

const negative = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale });

/** A pair of the coin with money, or of money with any coin. */
export function ofFill(coin: string, fill: Fill): Movement | undefined {
  const [base, quote] = fill.coin_pair.pair_name.split('-');
  if (base !== coin && quote !== coin) return undefined;
  const isBuy = fill.delegate_type === 'BUY';
  const isReceived = (base === coin) === isBuy;
  const gross = decimal(base === coin ? fill.quantity : fill.total);
  const change = isReceived
    ? subtract(gross, fill.fee_coin === coin ? decimal(fill.fee) : decimal('0'))
    : negative(gross);
  return { kind: 'fill', id: `fill-${fill.id}`, time: fill.created_at, coin, change, fill };
}

export function ofTransfer(coin: string, transfer: Transfer): Movement | undefined {
  if (transfer.coin !== coin) return undefined;
  return { kind: 'transfer', id: `transfer-${transfer.id}`, time: transfer.created_at, coin, transfer };
}

export function ofDeposit(coin: string, deposit: Deposit): Movement | undefined {
  if (deposit.coin !== coin) return undefined;
  return { kind: 'deposit', id: `deposit-${deposit.id}`, time: deposit.date, coin, deposit };
}

export function ofWithdrawal(coin: string, withdrawal: Withdrawal): Movement | undefined {
  if (withdrawal.coin !== coin) return undefined;
  return { kind: 'withdrawal', id: `withdrawal-${withdrawal.id}`, time: withdrawal.date, coin, withdrawal };
}

/** A list as movements, with the time up to which nothing of it is missing. */
export function part<Row>(
  { rows, hasMore }: Source<Row>,
  timeOf: (row: Row) => number,
  movementOf: (row: Row) => Movement | undefined,
) {
  const oldest = rows.at(-1);
  return {
    movements: rows.map(movementOf).filter((movement) => movement !== undefined),
    // A list that is not read to its end is known down to its oldest row.
    knownFrom: hasMore && oldest !== undefined ? timeOf(oldest) : hasMore ? Infinity : -Infinity,
  };
}

/**
 * The newest of all lists together. What is older than a list was read to is left out, because something of that list may
 * belong between it: nothing appears later above what was there.
 */
export function merged(parts: readonly ReturnType<typeof part>[]): Movement[] {
  const knownFrom = Math.max(...parts.map((one) => one.knownFrom));
  return parts
    .flatMap(({ movements }) => movements)
    .filter(({ time }) => time >= knownFrom)
    .sort((left, right) => right.time - left.time || right.id.localeCompare(left.id));
}
