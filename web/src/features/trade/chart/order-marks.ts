/** What of the person's own trading belongs on the chart: lines of what is open, marks of what was filled. */
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { t } from '../../../lib/i18n.ts';

/** The price of an order that a line stands for, and that dragging the line changes. */
export type LineField = 'price' | 'stop_price' | 'take_profit_price' | 'trailing';

export interface OrderLine {
  readonly id: string;
  readonly order: Order;
  readonly field: LineField;
  /** Decimal text, as the server wrote it. */
  readonly price: string;
  readonly label: string;
  readonly buying: boolean;
}

function baseOf(order: Order): string {
  return order.coin_pair.pair_name.split('-')[0] ?? '';
}

/** Amounts without the zeros that carry nothing: labels are short of room. */
const short = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function line(order: Order, field: LineField, price: string, label: string): OrderLine[] {
  if (price === '' || !/[1-9]/.test(price)) return [];
  return [{ id: `${order.id}/${field}`, order, field, price, label, buying: order.delegate_type === 'BUY' }];
}

export function orderLines(orders: readonly Order[], symbol: string): OrderLine[] {
  return orders
    .filter((order) => order.coin_pair.pair_name === symbol)
    .flatMap((order) => {
      const amount = `${short(order.remaining || order.number_of_order)} ${baseOf(order)}`.trim();
      const { trigger } = order;
      const side = order.delegate_type === 'BUY' ? t('Buy') : t('Sell');
      if (trigger?.status !== 'untriggered') return line(order, 'price', order.final_price, `${side} ${amount}`);
      return [
        ...line(order, 'stop_price', trigger.stop_price, `${t('Stop')} · ${side} ${amount}`),
        ...line(order, 'take_profit_price', trigger.take_profit_price, `${t('Take profit')} · ${side} ${amount}`),
        ...line(order, 'trailing', trigger.trailing_price, `${t('Trailing stop')} · ${side} ${amount}`),
      ];
    });
}

export interface FillMark {
  readonly id: string;
  readonly timestamp: number;
  readonly price: number;
  readonly buying: boolean;
}

const FILLS_SHOWN = 200;

export function fillMarks(fills: readonly Fill[], symbol: string): FillMark[] {
  return fills
    .filter((fill) => fill.coin_pair.pair_name === symbol)
    .slice(0, FILLS_SHOWN)
    .map((fill) => ({
      id: fill.id,
      timestamp: fill.created_at,
      price: Number(fill.price),
      buying: fill.delegate_type === 'BUY',
    }));
}
