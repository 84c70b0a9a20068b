/** What of the person's own trading belongs on the chart: lines of what is open, marks of what was filled. */
import type { Fill, Order } from '@cambist/contract/trading.ts';
import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  rescale,
  subtract,
  toText,
  ZERO,
} from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { orderSize } from '../orders/side-text.ts';
import type { AmendChanges } from '../orders/use-amend.ts';

/** The price of an order that a line stands for, and that dragging the line changes. */
export type LineField = 'price' | 'stop_price' | 'take_profit_price' | 'trailing';

export interface OrderLine {
  readonly id: string;
  readonly order: Order;
  readonly field: LineField;
  /** Decimal text, as the server wrote it. */
  readonly price: string;
  /** Of the limit order that is placed there, where it differs. */
  readonly limit: string | undefined;
  readonly label: string;
  readonly buying: boolean;
}

/** The limit price that belongs to a trigger, and moves with it. */
const LIMITS = { stop_price: 'stop_limit_price', take_profit_price: 'take_profit_limit_price' } as const;

function line(order: Order, field: LineField, price: string, label: string): OrderLine[] {
  if (price === '' || !/[1-9]/.test(price)) return [];
  const limit =
    order.trigger && (field === 'stop_price' || field === 'take_profit_price') ? order.trigger[LIMITS[field]] : '';
  const apart = limit !== '' && compare(decimal(limit), decimal(price)) !== 0;
  const buying = order.delegate_type === 'BUY';
  return [{ id: `${order.id}/${field}`, order, field, price, limit: apart ? limit : undefined, label, buying }];
}

/**
 * What dragging a line to a price asks for. The limit price of a trigger keeps its distance: left where it was, it could
 * end on the other side of the trigger, and the order would not be filled when it triggers.
 */
export function dragChanges({ order, field, price }: OrderLine, wanted: string, priceScale: number): AmendChanges {
  if (field === 'trailing') return {};
  const before = field === 'price' ? undefined : order.trigger?.[LIMITS[field]];
  if (field === 'price' || !before) return { [field]: wanted };
  const moved = add(decimal(before), subtract(decimal(wanted), decimal(price)));
  const tick = { units: 1n, scale: priceScale };
  const limit = compare(moved, tick) < 0 ? tick : rescale(moved, priceScale, 'nearest');
  return { [field]: wanted, [LIMITS[field]]: toText(limit) };
}

/** Of the newest orders: more lines could not be told apart, and each change of the list draws them all. */
const LINES_SHOWN = 200;

/** A TWAP has no line: its limit is not where it trades. */
export function orderLines(orders: readonly Order[], symbol: string): OrderLine[] {
  return orders
    .filter((order) => order.coin_pair.pair_name === symbol && !order.twap)
    .slice(0, LINES_SHOWN)
    .flatMap((order) => {
      const size = orderSize(order);
      // The chart is of one coin, and tags are short of room: only a total names its own.
      const amount = size.isTotal ? `${size.amount} ${size.coin}` : size.amount;
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

/** What one order traded within one candle is one mark, at its average price; a market order meets many others. */
export function fillMarks(fills: readonly Fill[], symbol: string, candleMs: number): FillMark[] {
  const marks = Map.groupBy(
    fills.filter((fill) => fill.coin_pair.pair_name === symbol),
    (fill) => `${fill.order_id}/${Math.floor(fill.created_at / candleMs)}`,
  );
  return [...marks.values()].slice(0, FILLS_SHOWN).flatMap((together) => {
    const [first] = together;
    return first
      ? [
          {
            id: first.id,
            timestamp: first.created_at,
            price: averagePrice(together),
            buying: first.delegate_type === 'BUY',
          },
        ]
      : [];
  });
}

/** Digits beyond every tick; the mark is drawn to a pixel. */
const AVERAGE_SCALE = 10;

function averagePrice(fills: readonly Fill[]): number {
  const sum = (value: (fill: Fill) => Decimal) => fills.map(value).reduce(add, ZERO);
  const paid = sum(({ price, quantity }) => multiply(decimal(price), decimal(quantity)));
  const average = divide(
    paid,
    sum(({ quantity }) => decimal(quantity)),
    AVERAGE_SCALE,
    'nearest',
  );
  return Number(average ? toText(average) : (fills[0]?.price ?? 0));
}
