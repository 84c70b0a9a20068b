import type { Order } from '@cambist/contract/trading.ts';
import { localizeNumber } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';

/** `Buy 0.01 BTC at 60,000.0`. */
export function sideText(order: Order): string {
  const [base = ''] = order.coin_pair.pair_name.split('-');
  const amount = localizeNumber(order.remaining || order.number_of_order);
  const values = { amount, coin: base, price: localizeNumber(order.final_price) };
  return order.delegate_type === 'BUY'
    ? t('Buy {{amount}} {{coin}} at {{price}}', values)
    : t('Sell {{amount}} {{coin}} at {{price}}', values);
}
