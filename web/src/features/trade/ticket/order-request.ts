/** The call of an entry without errors. Decimals are written the one way that the engine reads. */
import type { ConditionalKind } from '@cambist/contract/conditional-orders.ts';
import { type Decimal, rescale, toShortText, ZERO } from '../../../lib/decimal.ts';
import { exitsRequest } from './exits.ts';
import { visibleRequest } from './iceberg.ts';
import { enteredPrice, type OrderContext, stopsAtMarket, summarize, TOTAL_SCALE } from './order-summary.ts';
import type { OrderRequest } from './order-types.ts';
import { hasTimeInForce, isConditional, PRICES_OF, type PriceName, type Side, type Ticket } from './ticket.ts';
import { twapRequest } from './twap.ts';

/** What the call names the prices of each kind; the limit belongs to the take-profit or to the stop. */
function wireName(name: PriceName, type: Ticket['type']): string {
  if (name === 'price') return type === 'take_profit_limit' ? 'take_profit_limit_price' : 'stop_limit_price';
  return {
    takeProfit: 'take_profit_price',
    stop: 'stop_price',
    callback: 'callback_rate',
    activation: 'activation_price',
  }[name];
}

function sizeOf(ticket: Ticket, side: Side, context: OrderContext) {
  const { quantity, total, byTotal } = summarize(ticket, side, context);
  if (byTotal) return { quote_total: toShortText(total ?? ZERO) };
  const lots = { quantity: toShortText(rescale(quantity ?? ZERO, context.quantityScale, 'floor')) };
  // The take-profit buys the quantity at its limit; the stop, at market, spends at most what that quantity costs there.
  const isHeldByTotal = side === 'BUY' && stopsAtMarket(ticket, side);
  return isHeldByTotal ? { ...lots, quote_total: toShortText(rescale(total ?? ZERO, TOTAL_SCALE, 'ceil')) } : lots;
}

export function orderRequest(ticket: Ticket, side: Side, context: OrderContext): OrderRequest {
  const { type } = ticket;
  const common = { symbol: context.symbol, side, ...sizeOf(ticket, side, context) };
  const text = (price: Decimal | undefined) => toShortText(price ?? ZERO);
  const exits = exitsRequest(ticket, side, context);
  const attached = exits && { exits };
  if (type === 'market') return { conditional: false, body: { ...common, type, ...attached } };
  if (!isConditional(type)) {
    return {
      conditional: false,
      body: {
        ...common,
        type: 'limit',
        price: text(enteredPrice(ticket, side, 'price')),
        ...timeTerms(ticket),
        ...attached,
        ...visibleRequest(ticket, side),
        ...twapRequest(ticket),
      },
    };
  }
  return { conditional: true, body: { ...common, ...triggerTerms(ticket, type, side) } };
}

/** Of an order that waits for a trigger, everything but what it is of and how much. */
export function triggerTerms(ticket: Ticket, kind: ConditionalKind, side: Side) {
  const prices = PRICES_OF[kind].flatMap((name) => {
    const price = enteredPrice(ticket, side, name);
    return price ? [[wireName(name, kind), toShortText(price)] as const] : [];
  });
  return { kind, ...timeTerms(ticket), ...Object.fromEntries(prices) };
}

/** How long the order stays, where the person says that. */
export const timeTerms = ({ type, timeInForce }: Ticket) =>
  hasTimeInForce(type) ? { time_in_force: timeInForce } : {};
