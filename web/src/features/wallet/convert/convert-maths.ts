/** Pure arithmetic of a conversion before it is sent. Prices are USDT for one coin. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import {
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  parseDecimal,
  rescale,
  subtract,
  toShortText,
} from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { type ConvertEntry, type Direction, directionOf, MONEY } from './convert-form.ts';

/** Decimals of USDT in the ledger. */
export const MONEY_SCALE = 8;

export interface Minimums {
  readonly minimum_sell: string;
  readonly account_balance_limit_spot: string;
  readonly minimum_total: string;
  readonly taker_fee_percent: string;
}

export type Scales = Pick<CoinPair, 'price_scale' | 'quantity_scale'>;

/** Decimals that an amount of a side may have: whole lots of the coin, or USDT. */
export function amountScale(coin: string, scales: Scales): number {
  return coin === MONEY ? MONEY_SCALE : scales.quantity_scale;
}

/** A buy brings amount / price, a sell amount × price; never more than the price gives. Undefined until both are known. */
export function derived(direction: Direction, amount: string, price: string, scales: Scales): string {
  const given = parseDecimal(amount);
  const known = parseDecimal(price);
  if (!given || !known || given.units === 0n || known.units <= 0n) return '';
  if (direction === 'BUY') {
    const coins = divide(given, known, scales.quantity_scale, 'floor');
    return coins ? toShortText(coins) : '';
  }
  return toShortText(rescale(multiply(given, known), MONEY_SCALE, 'floor'));
}

export interface LimitOrder {
  readonly direction: Direction;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** USDT. */
  readonly total: Decimal;
  /** In the coin that is received, at the taker's rate: the most that it can be. */
  readonly fee: Decimal;
  readonly receive: Decimal;
}

/**
 * The order that stands for the ratio of both amounts: the coin's amount in whole lots, and a price on the tick that is
 * never worse for the client than their ratio (down for a buy, up for a sell).
 */
export function limitOrder(
  entry: ConvertEntry,
  toAmount: string,
  scales: Scales,
  feePercent: string | undefined,
): LimitOrder | undefined {
  const direction = directionOf(entry);
  const [coins, money] = direction === 'BUY' ? [toAmount, entry.fromAmount] : [entry.fromAmount, toAmount];
  const exactCoins = parseDecimal(coins);
  const exactMoney = parseDecimal(money);
  if (!exactCoins || !exactMoney) return undefined;
  const quantity = rescale(exactCoins, scales.quantity_scale, 'floor');
  const price = divide(exactMoney, exactCoins, scales.price_scale, direction === 'BUY' ? 'floor' : 'ceil');
  if (!price || price.units <= 0n || quantity.units <= 0n) return undefined;
  const total = multiply(price, quantity);
  const received = direction === 'BUY' ? quantity : total;
  const percent = decimal(feePercent);
  const share = multiply(received, { units: percent.units, scale: percent.scale + 2 });
  const fee = rescale(share, MONEY_SCALE, 'ceil');
  return { direction, price, quantity, total, fee, receive: subtract(received, fee) };
}

/** How far a price is from the market's, in percent, signed; undefined without a market price. */
export function distancePercent(price: Decimal, market: Decimal): Decimal | undefined {
  return divide(multiply(subtract(price, market), { units: 100n, scale: 0 }), market, 4, 'nearest');
}

interface Bounds {
  readonly entry: ConvertEntry;
  /** The other side, typed or derived. */
  readonly toAmount: string;
  readonly available: Decimal;
  readonly minimums: Minimums | undefined;
}

export interface ConvertErrors {
  readonly from?: string;
  readonly to?: string;
}

function minimumProblem({ entry, toAmount, minimums }: Bounds): string | undefined {
  if (!minimums) return undefined;
  const buying = directionOf(entry) === 'BUY';
  const [coins, money] = buying ? [toAmount, entry.fromAmount] : [entry.fromAmount, toAmount];
  const coin = buying ? entry.to : entry.from;
  const refusal = (value: string) =>
    buying
      ? t('Amount must be greater than minimum buy amount ({{value}})', { value })
      : t('Amount must be greater than minimum sell amount ({{value}})', { value });
  const isBelow = (amount: string, least: string) =>
    least !== '0' && amount !== '' && compare(decimal(amount), decimal(least)) < 0;
  const smallest = buying ? minimums.account_balance_limit_spot : minimums.minimum_sell;
  if (isBelow(coins, smallest)) return refusal(`${formatExact(decimal(smallest))} ${coin}`);
  if (isBelow(money, minimums.minimum_total))
    return refusal(`${formatExact(decimal(minimums.minimum_total))} ${MONEY}`);
  return undefined;
}

/** What is stated of the entry while it is typed: an amount above what there is, which more digits cannot mend. */
export function excessErrors({ entry, available }: Pick<Bounds, 'entry' | 'available'>): ConvertErrors {
  const amount = parseDecimal(entry.fromAmount);
  if (!amount || compare(amount, available) <= 0) return {};
  return { from: t('Insufficient balance ({{balance}})', { balance: `${formatExact(available)} ${entry.from}` }) };
}

/** Everything that is wrong with the entry, in the words of the specification; empty when it can be sent. */
export function convertErrors(bounds: Bounds): ConvertErrors {
  const { entry, toAmount } = bounds;
  const amount = parseDecimal(entry.fromAmount);
  if (!amount || amount.units === 0n) return { from: t('Amount is required') };
  const excess = excessErrors(bounds);
  if (excess.from) return excess;
  const isToMissing = decimal(toAmount).units === 0n;
  if (isToMissing && entry.toAmount !== undefined) return { to: t('Amount is required') };
  const small = minimumProblem(bounds);
  if (small) return { from: small };
  return isToMissing ? { to: t('Amount is required') } : {};
}
