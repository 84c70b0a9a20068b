import type { Order } from '@cambist/contract/trading.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact, localizeNumber } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { isPerpetual } from '../../../lib/market/pairs.ts';

const isNothing = (text: string) => decimal(text).units === 0n;
const short = (text: string) => formatExact(decimal(text));

export interface OrderSize {
  readonly amount: string;
  readonly coin: string;
  /** A market order that is sized by what it may spend, and has no amount of its own. */
  readonly isTotal: boolean;
  /** An order that closes whatever is open of a position when it is triggered, and has no amount of its own. */
  readonly isAll: boolean;
}

/** What is left of an order to trade, without the zeros that say nothing. */
export function orderSize(order: Order): OrderSize {
  const [base = '', quote = ''] = order.coin_pair.pair_name.split('-');
  const quantity = isNothing(order.remaining) ? order.number_of_order : order.remaining;
  const isAll = isNothing(quantity) && order.reduce_only === true;
  const isTotal = isNothing(quantity) && !isNothing(order.total);
  if (isAll) return { amount: t('All'), coin: base, isTotal: false, isAll };
  return isTotal
    ? { amount: short(order.total), coin: quote, isTotal, isAll }
    : { amount: short(quantity), coin: base, isTotal, isAll };
}

type Side = Order['delegate_type'];

/** What the API documents as the type of a perpetual's order. */
export const delegateTypeName = (side: Side): string => (side === 'BUY' ? t('BUY MORE') : t('SELL EMPTY'));

/** A fill of a perpetual does not say whether it opened or closed. */
export const tradedSide = ({ delegate_type: side }: Pick<Order, 'delegate_type'>): string =>
  side === 'BUY' ? t('Buy') : t('Sell');

/** The side of an order in a list: of a perpetual what it opens, or what it closes if it only reduces. */
export function orderSide(order: Pick<Order, 'delegate_type' | 'coin_pair' | 'reduce_only'>): string {
  if (!isPerpetual(order.coin_pair.pair_name)) return tradedSide(order);
  const buying = order.delegate_type === 'BUY';
  if (order.reduce_only) return buying ? t('Close short') : t('Close long');
  return buying ? t('Long') : t('Short');
}

/** `Buy 0.01 BTC at 60,000.0`, `Sell 0.01 BTC at market price`, `Buy BTC for 100 USDT at market price`. */
export function sideText(order: Order): string {
  const { amount, coin, isTotal, isAll } = orderSize(order);
  if (isAll) return t('Close all of {{pair}}', { pair: order.coin_pair.pair_name });
  const buying = order.delegate_type === 'BUY';
  if (!isNothing(order.final_price)) {
    const price = localizeNumber(order.final_price);
    return buying
      ? t('Buy {{amount}} {{coin}} at {{price}}', { amount, coin, price })
      : t('Sell {{amount}} {{coin}} at {{price}}', { amount, coin, price });
  }
  if (isTotal) {
    const [base = ''] = order.coin_pair.pair_name.split('-');
    return t('Buy {{coin}} for {{total}} at market price', { coin: base, total: `${amount} ${coin}` });
  }
  return buying
    ? t('Buy {{amount}} {{coin}} at market price', { amount, coin })
    : t('Sell {{amount}} {{coin}} at market price', { amount, coin });
}
