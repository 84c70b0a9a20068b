/** The calls of conversions: HTTP in, the service's answers out, each refusal mapped once. */
import { convert, convertQuote, type Quote } from '@cambist/contract/convert.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import { orderRefusal } from '../../exchange/orders/refusals.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import { spreadPercent } from './quote-maths.ts';
import type { ConvertError, ConvertService, HeldQuote } from './service.ts';

const PERCENT_SCALE = 4;

function belowMinimum({ market, direction, lots, money }: Extract<ConvertError, { kind: 'below-minimum' }>): Refusal {
  const value =
    lots === undefined
      ? `${formatAmount(money ?? 0n, market.quote.scale)} ${market.quote.code}`
      : `${formatLots(lots, market)} ${market.base.code}`;
  const detail =
    direction === 'BUY'
      ? say('Amount must be greater than minimum buy amount ({{value}})', { value })
      : say('Amount must be greater than minimum sell amount ({{value}})', { value });
  return new Refusal(422, 'BELOW_MINIMUM', detail);
}

function refusalOf(error: ConvertError): Refusal {
  switch (error.kind) {
    case 'book-too-thin':
      return new Refusal(422, 'BOOK_TOO_THIN', 'The order book is not deep enough for this amount.');
    case 'own-order':
      return new Refusal(
        409,
        'OWN_ORDER',
        say('Your own order at {{price}} {{coin}} comes first. Cancel it, or convert a smaller amount.', {
          price: formatTicks(error.price, error.market),
          coin: error.market.quote.code,
        }),
      );
    case 'no-price':
      return new Refusal(422, 'NO_PRICE', 'This coin has no price yet.');
    case 'below-minimum':
      return belowMinimum(error);
    case 'quote-gone':
      return new Refusal(409, 'QUOTE_EXPIRED', 'This price has expired. Get a new one.');
    case 'price-moved':
      return new Refusal(409, 'PRICE_MOVED', 'The price has moved. Get a new one.');
    default:
      return orderRefusal(error);
  }
}

function describe({ id, market, direction, priced, ...quote }: HeldQuote & { readonly id: string }): Quote {
  const [given, received] = direction === 'BUY' ? [market.quote, market.base] : [market.base, market.quote];
  return {
    id,
    delegate_type: direction,
    pair_name: market.symbol,
    from: given.code,
    to: received.code,
    from_amount: formatAmount(quote.paid, given.scale),
    to_amount: formatAmount(quote.received, received.scale),
    fee: formatAmount(quote.fee, received.scale),
    receive: formatAmount(quote.received - quote.fee, received.scale),
    price: formatTicks(priced.price, market),
    reference_price: formatTicks(Math.round(quote.reference), market),
    spread_percent: formatAmount(spreadPercent(direction, priced.price, quote.reference), PERCENT_SCALE),
    expires_at: quote.expiresAt,
    quoted_at: quote.quotedAt,
  };
}

export function serveConvert(calls: CallServer, service: ConvertService): void {
  calls.serve(convertQuote, async ({ identity, body }) => {
    const { from, to, from_amount: fromAmount, to_amount: toAmount } = body;
    const result = await service.quote(identity, { from, to, fromAmount, toAmount });
    return result.ok ? { quote: describe(result.value) } : refusalOf(result.error);
  });

  calls.serve(convert, async ({ identity, body }) => {
    const result = await service.convert(identity, body.quote_id, body.transaction_password);
    if (result.ok) return { message: 'success' as const, order: result.value };
    // The documented answer to a wrong transaction password is a message, not a failure.
    if (result.error.kind === 'wrong-password') return { message: 'wrong_transaction_password' as const };
    return refusalOf(result.error);
  });
}
