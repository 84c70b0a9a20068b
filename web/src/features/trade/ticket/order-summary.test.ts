import { describe, expect, test } from 'vitest';
import { toText } from '../../../lib/decimal.ts';
import { amountForPercent, type OrderContext, orderBody, orderErrors, percentOf, summarize } from './order-summary.ts';
import { cleanDecimal, NEW_TICKET, type Ticket, ticketReducer } from './ticket.ts';

const context: OrderContext = {
  symbol: 'BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  priceScale: 1,
  quantityScale: 5,
  lastPrice: '50000.0',
  availableBase: '0.12345678',
  availableQuote: '1000.129999',
  minimums: {
    minimum_sell: '0.0001',
    account_balance_limit_spot: '0.0001',
    minimum_total: '5',
    maker_fee_percent: '0.08',
    taker_fee_percent: '0.1',
  },
};

const limit = ticketReducer(NEW_TICKET, { kind: 'take-price', price: '40000' });

function entered(ticket: Ticket, side: 'BUY' | 'SELL', amount: string): Ticket {
  return ticketReducer(ticket, { kind: 'amount', side, amount });
}

function atPercent(ticket: Ticket, side: 'BUY' | 'SELL', percent: number): Ticket {
  return ticketReducer(ticket, {
    kind: 'percent',
    side,
    percent,
    amount: amountForPercent(ticket, side, percent, context),
  });
}

describe('summary', () => {
  test('a market buy by amount', () => {
    const summary = summarize(entered(NEW_TICKET, 'BUY', '0.01'), 'BUY', context);
    expect(toText(summary.total!)).toBe('500.000');
    expect(toText(summary.fee!)).toBe('0.00001000');
    expect(toText(summary.receive!)).toBe('0.00999000');
  });

  test('a limit order by total counts whole lots', () => {
    const ticket = entered(ticketReducer(limit, { kind: 'price-type', priceType: 'TOTAL' }), 'BUY', '100.33');
    const summary = summarize(ticket, 'BUY', context);
    expect(toText(summary.quantity!)).toBe('0.00250');
    expect(toText(summary.total!)).toBe('100.00000');
    expect(orderBody(ticket, 'BUY', context)).toEqual({
      symbol: 'BTC-USDT',
      side: 'BUY',
      type: 'limit',
      price: '40000',
      quantity: '0.0025',
      time_in_force: 'GTC',
    });
  });

  test('the fee of a sale is rounded against the seller, in USDT', () => {
    const summary = summarize(entered(limit, 'SELL', '0.00001'), 'SELL', context);
    expect(toText(summary.fee!)).toBe('0.000400');
    expect(toText(summary.receive!)).toBe('0.399600');
  });
});

describe('slider', () => {
  test('a share in a market buy is money to spend', () => {
    const ticket = atPercent(NEW_TICKET, 'BUY', 50);
    expect(ticket.BUY.amount).toBe('0.01');
    expect(orderBody(ticket, 'BUY', context)).toEqual({
      symbol: 'BTC-USDT',
      side: 'BUY',
      type: 'market',
      quote_total: '500.06',
    });
  });

  test('a share never exceeds the balance', () => {
    expect(amountForPercent(limit, 'BUY', 100, context)).toBe('0.025');
    expect(amountForPercent(limit, 'SELL', 100, context)).toBe('0.12345');
    expect(amountForPercent(limit, 'SELL', 0, context)).toBe('0');
    expect(orderErrors(atPercent(limit, 'SELL', 100), 'SELL', context)).toEqual({});
  });

  test('the handle follows what is typed', () => {
    expect(percentOf(entered(limit, 'BUY', '0.0125'), 'BUY', context)).toBe(50);
    expect(percentOf(entered(limit, 'BUY', '9'), 'BUY', context)).toBe(100);
    expect(percentOf(limit, 'BUY', context)).toBe(0);
  });
});

describe('refusals, with the specified texts', () => {
  test('required', () => {
    expect(orderErrors(NEW_TICKET, 'BUY', context)).toEqual({ amount: 'Amount is required' });
    expect(orderErrors(entered(NEW_TICKET, 'SELL', '0'), 'SELL', context).amount).toBe('Amount is required');
    const noPrice = ticketReducer(NEW_TICKET, { kind: 'type', type: 'limit' });
    expect(orderErrors(entered(noPrice, 'BUY', '1'), 'BUY', context).price).toBe('Price is required');
  });

  test('minimum; equality is enough', () => {
    expect(orderErrors(entered(limit, 'BUY', '0.00009'), 'BUY', context).amount).toBe(
      'Amount must be greater than minimum buy amount (0.0001 BTC)',
    );
    expect(orderErrors(entered(limit, 'SELL', '0.0001'), 'SELL', context).amount).toBe(
      'Amount must be greater than minimum sell amount (5 USDT)',
    );
    expect(orderErrors(entered(limit, 'SELL', '0.000125'), 'SELL', context)).toEqual({});
  });

  test('the text 0 means no minimum', () => {
    const minimums = {
      ...context.minimums!,
      minimum_total: '0',
      minimum_sell: '0',
      account_balance_limit_spot: '0',
    };
    expect(orderErrors(entered(limit, 'SELL', '0.00001'), 'SELL', { ...context, minimums })).toEqual({});
  });

  test('balance', () => {
    expect(orderErrors(entered(limit, 'BUY', '0.026'), 'BUY', context).amount).toBe(
      'Insufficient balance (1000.129999 USDT)',
    );
    expect(orderErrors(entered(limit, 'SELL', '0.2'), 'SELL', context).amount).toBe(
      'Insufficient balance (0.12345678 BTC)',
    );
  });
});

describe('ticket', () => {
  test('starts as a market order by amount', () => {
    expect([NEW_TICKET.type, NEW_TICKET.priceType]).toEqual(['market', 'AMOUNT']);
  });

  test('typing forgets the slider, changing the unit clears both sides', () => {
    const slid = atPercent(NEW_TICKET, 'BUY', 25);
    expect(entered(slid, 'BUY', '1').BUY.percent).toBeUndefined();
    expect(ticketReducer(slid, { kind: 'price-type', priceType: 'TOTAL' }).BUY.amount).toBe('');
    expect(ticketReducer(limit, { kind: 'sent', side: 'BUY' }).BUY.price).toBe('40000');
  });

  test.each([
    ['1,5', 5, '1.5'],
    ['1.2.3', 5, '1.23'],
    ['0.1234567', 5, '0.12345'],
    ['12a', 5, '12'],
    ['1.5', 0, '1'],
  ])('input %s', (text, scale, clean) => {
    expect(cleanDecimal(text, scale)).toBe(clean);
  });
});
