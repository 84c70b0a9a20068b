import type { Order } from '@cambist/contract/trading.ts';

/** `Buy 0.01 BTC at 60000`. */
export function sideText(order: Order): string {
  const word = order.delegate_type === 'BUY' ? 'Buy' : 'Sell';
  const [base = ''] = order.coin_pair.pair_name.split('-');
  return `${word} ${order.remaining} ${base} at ${order.final_price}`;
}
