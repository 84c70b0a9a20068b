/** Take-profit and stop-loss that go with an order: at which prices, what is wrong with them, and how they are said. */
import type { AttachedExits } from '@cambist/contract/conditional-orders.ts';
import {
  add,
  changePercent,
  compare,
  type Decimal,
  decimal,
  multiply,
  rescale,
  subtract,
  toShortText,
} from '../../../lib/decimal.ts';
import { formatDecimal, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { enteredPrice, type OrderContext } from './order-summary.ts';
import { EXITS, type ExitName, hasExits, type Side, type Ticket } from './ticket.ts';

const HUNDRED: Decimal = { units: 100n, scale: 0 };

/** Whether an exit is above the price of its order: a buy takes its profit there, a sell stops there. */
export const isAbove = (name: ExitName, side: Side) => (name === 'takeProfitExit') === (side === 'BUY');

/** What exits are measured from: the limit, or the last price of a market order. */
function orderPrice(ticket: Ticket, side: Side, context: OrderContext): Decimal | undefined {
  const price = ticket.type === 'limit' ? enteredPrice(ticket, side, 'price') : decimal(context.lastPrice);
  return price && price.units > 0n ? price : undefined;
}

/** The price of an exit, on the pair's step; undefined while it has none. */
function exitPrice(ticket: Ticket, side: Side, name: ExitName, context: OrderContext): Decimal | undefined {
  const entered = hasExits(ticket) ? enteredPrice(ticket, side, name) : undefined;
  if (entered === undefined || ticket.exitsIn === 'price') return entered;
  const from = orderPrice(ticket, side, context);
  const share = isAbove(name, side) ? add(HUNDRED, entered) : subtract(HUNDRED, entered);
  return from && rescale(multiply(multiply(from, share), { units: 1n, scale: 2 }), context.priceScale, 'nearest');
}

/** An exit that the order's own price has passed would end at once what it just began. */
export function exitError(name: ExitName, ticket: Ticket, side: Side, context: OrderContext): string | undefined {
  const price = exitPrice(ticket, side, name, context);
  const from = orderPrice(ticket, side, context);
  if (price === undefined || from === undefined) return undefined;
  if (price.units <= 0n) return t('Use less than 100%');
  const above = isAbove(name, side);
  const against = compare(price, from);
  if (against !== 0 && against > 0 === above) return undefined;
  if (ticket.type === 'market') return above ? t('Must be above the last price') : t('Must be below the last price');
  return above ? t('Must be above the order price') : t('Must be below the order price');
}

export const exitLabel = (name: ExitName): string => (name === 'stopExit' ? t('Stop loss') : t('Take profit'));

/** Each exit with its price and how far that is from the order's. */
export function exitLines(ticket: Ticket, side: Side, context: OrderContext) {
  const from = orderPrice(ticket, side, context);
  return EXITS.flatMap((name) => {
    const price = exitPrice(ticket, side, name, context);
    if (price === undefined) return [];
    const distance = from && changePercent(from, price);
    const value = `${formatDecimal(price, context.priceScale)} ${context.quote}`;
    return [{ title: exitLabel(name), value: distance ? `${value} (${formatPercent(distance)})` : value }];
  });
}

/** As the call takes them; undefined for an order without. */
export function exitsRequest(ticket: Ticket, side: Side, context: OrderContext): AttachedExits | undefined {
  const text = (name: ExitName) => {
    const price = exitPrice(ticket, side, name, context);
    return price && toShortText(price);
  };
  const [profit, stop] = EXITS.map(text);
  if (profit === undefined && stop === undefined) return undefined;
  return { ...(profit && { take_profit_price: profit }), ...(stop && { stop_price: stop }) };
}
