/** What a conversion has moved, in amounts. */
import type { Order } from '@cambist/contract/trading.ts';
import { type Decimal, decimal, multiply, subtract } from './decimal.ts';
import { formatDecimal, formatExact } from './format.ts';

const MONEY_DIGITS = 2;

/** What an order that filled has paid and received, after its fee. Its average price is cut to the tick. */
export function movedBy(order: Pick<Order, 'delegate_type' | 'filled' | 'average_price' | 'fee'>) {
  const coins = decimal(order.filled);
  const money = multiply(coins, decimal(order.average_price));
  const [paid, received] = order.delegate_type === 'BUY' ? [money, coins] : [coins, money];
  return { paid, received: subtract(received, decimal(order.fee)) };
}

/** `9,207.00 USDT`, or all the digits of a coin. */
export const inWords = (amount: Decimal, coin: string): string =>
  `${coin === 'USDT' ? formatDecimal(amount, MONEY_DIGITS) : formatExact(amount)} ${coin}`;

/** Of the notice that a conversion is done. */
export const conversionNotice = ({ id }: Pick<Order, 'id'>): string => `converted-${id}`;

type Converted = Parameters<typeof movedBy>[0] & { readonly coin_pair: Pick<Order['coin_pair'], 'pair_name'> };

/** `from` and `to` of a conversion that is done. */
export function convertedWords(order: Converted): { readonly from: string; readonly to: string } {
  const [base = '', quote = ''] = order.coin_pair.pair_name.split('-');
  const [paidIn, receivedIn] = order.delegate_type === 'BUY' ? [quote, base] : [base, quote];
  const { paid, received } = movedBy(order);
  return { from: inWords(paid, paidIn), to: inWords(received, receivedIn) };
}
