import { describe, expect, test } from 'vitest';
import { toText } from '../../../lib/decimal.ts';
import { impactOf } from '../../../lib/order-book/market-impact.ts';
import { orderErrors } from './order-errors.ts';
import { orderRequest } from './order-request.ts';
import { amountForPercent, type OrderContext, percentOf, summarize } from './order-summary.ts';
import { slippageWarning, summaryLines } from './summary-lines.ts';
import { NEW_TICKET, type OrderType, type PriceName, type Ticket, ticketReducer } from './ticket.ts';

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
    price_band_percent: '25.0000',
    maker_fee_percent: '0.08',
    taker_fee_percent: '0.1',
    fee_credit: '0.00000000',
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

function conditional(type: OrderType, side: 'BUY' | 'SELL', prices: Partial<Record<PriceName, string>>): Ticket {
  const start = ticketReducer(NEW_TICKET, { kind: 'type', type });
  return Object.entries(prices).reduce<Ticket>(
    (ticket, [name, price]) => ticketReducer(ticket, { kind: 'price', side, name: name as PriceName, price }),
    start,
  );
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
    expect(orderRequest(ticket, 'BUY', context).body).toEqual({
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

  test('the fee of a sale at a limit is foreseen, since it may bring more; that of a purchase is known', () => {
    const feeOf = (side: 'BUY' | 'SELL') =>
      summaryLines(entered(limit, side, '0.01'), side, context).find(({ title }) => title === 'Max. fee')?.value;
    expect([feeOf('BUY'), feeOf('SELL')]).toEqual(['0.00001 BTC', '≈ 0.4 USDT']);
  });

  test('the fee of a sale with two ends is of the one that brings more, and what it brings of its stop', () => {
    const prices = { takeProfit: '60000', stop: '45000', price: '44000' };
    const summary = summarize(entered(conditional('oco', 'SELL', prices), 'SELL', '0.01'), 'SELL', context);
    expect([toText(summary.fee!), toText(summary.receive!)]).toEqual(['0.600000', '439.560000']);
  });

  test('fee credit is told when there is some', () => {
    const minimums = { ...context.minimums!, fee_credit: '12.50000000' };
    const lines = summaryLines(entered(limit, 'BUY', '0.01'), 'BUY', { ...context, minimums });
    expect(lines).toContainEqual({ title: 'Fee credit, used first', value: '12.5 USDT' });
  });
});

describe('slider', () => {
  test('a share in a market buy is money to spend', () => {
    const ticket = atPercent(NEW_TICKET, 'BUY', 50);
    expect(ticket.BUY.amount).toBe('0.01');
    expect(orderRequest(ticket, 'BUY', context).body).toEqual({
      symbol: 'BTC-USDT',
      side: 'BUY',
      type: 'market',
      quote_total: '500.06',
    });
  });

  test('a share of the balance, the coin of it when selling, zero at 0, never more than there is (T-spot-99..101)', () => {
    expect(amountForPercent(limit, 'BUY', 100, context)).toBe('0.025');
    expect(amountForPercent(limit, 'BUY', 25, context)).toBe('0.00625');
    expect(amountForPercent(limit, 'SELL', 100, context)).toBe('0.12345');
    expect(amountForPercent(limit, 'SELL', 50, context)).toBe('0.06172');
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
  test('required (T-spot-108, T-spot-111)', () => {
    expect(orderErrors(NEW_TICKET, 'BUY', context)).toEqual({ amount: 'Amount is required' });
    expect(orderErrors(entered(NEW_TICKET, 'SELL', '0'), 'SELL', context).amount).toBe('Amount is required');
    const noPrice = ticketReducer(NEW_TICKET, { kind: 'type', type: 'limit' });
    expect(orderErrors(entered(noPrice, 'BUY', '1'), 'BUY', context).price).toBe('Price is required');
  });

  test('minimum; equality is enough (T-spot-109, T-spot-112)', () => {
    expect(orderErrors(entered(limit, 'BUY', '0.00009'), 'BUY', context).amount).toBe(
      'Amount must be greater than minimum buy amount (0.0001 BTC)',
    );
    expect(orderErrors(entered(limit, 'SELL', '0.0001'), 'SELL', context).amount).toBe(
      'Amount must be greater than minimum sell amount (5 USDT)',
    );
    expect(orderErrors(entered(limit, 'SELL', '0.000125'), 'SELL', context)).toEqual({});
    expect(orderErrors(entered(limit, 'BUY', '0.000125'), 'BUY', context)).toEqual({});
    // Each side has its own.
    const minimums = { ...context.minimums!, minimum_sell: '0.0002' };
    const sold = (amount: string) =>
      orderErrors(entered(limit, 'SELL', amount), 'SELL', { ...context, minimums }).amount;
    expect(sold('0.00019')).toBe('Amount must be greater than minimum sell amount (0.0002 BTC)');
    expect(sold('0.0002')).toBeUndefined();
  });

  test('the text 0 means no minimum (T-spot-114)', () => {
    const minimums = {
      ...context.minimums!,
      minimum_total: '0',
      minimum_sell: '0',
      account_balance_limit_spot: '0',
    };
    expect(orderErrors(entered(limit, 'SELL', '0.00001'), 'SELL', { ...context, minimums })).toEqual({});
    expect(orderErrors(entered(limit, 'BUY', '0.00001'), 'BUY', { ...context, minimums })).toEqual({});
  });

  test('balance (T-spot-110, T-spot-113)', () => {
    expect(orderErrors(entered(limit, 'BUY', '0.026'), 'BUY', context).amount).toBe(
      'Insufficient balance (1,000.129999 USDT)',
    );
    expect(orderErrors(entered(limit, 'SELL', '0.2'), 'SELL', context).amount).toBe(
      'Insufficient balance (0.12345678 BTC)',
    );
  });
});

describe('orders that wait for a price', () => {
  const sized = (ticket: Ticket, side: 'BUY' | 'SELL') => entered(ticket, side, '0.01');

  test.each([
    ['stop_limit', 'SELL', { stop: '49000', price: '48900' }, { stop_price: '49000', stop_limit_price: '48900' }],
    [
      'take_profit_limit',
      'SELL',
      { takeProfit: '52000', price: '51900' },
      { take_profit_price: '52000', take_profit_limit_price: '51900' },
    ],
    [
      'oco',
      'SELL',
      { takeProfit: '52000', stop: '49000', price: '48900' },
      { take_profit_price: '52000', stop_price: '49000', stop_limit_price: '48900' },
    ],
  ] as const)('%s', (type, side, prices, wire) => {
    const ticket = sized(conditional(type, side, prices), side);
    expect(orderErrors(ticket, side, context)).toEqual({});
    expect(orderRequest(ticket, side, context)).toEqual({
      conditional: true,
      body: { symbol: 'BTC-USDT', side, kind: type, quantity: '0.01', time_in_force: 'GTC', ...wire },
    });
  });

  test('what waits to buy at market holds the money that it may spend', () => {
    const ticket = sized(conditional('stop_market', 'BUY', { stop: '51000' }), 'BUY');
    expect(orderRequest(ticket, 'BUY', context).body).toEqual({
      symbol: 'BTC-USDT',
      side: 'BUY',
      kind: 'stop_market',
      quote_total: '510',
      stop_price: '51000',
    });
    const selling = sized(conditional('trailing_stop', 'SELL', { callback: '1.5' }), 'SELL');
    expect(orderRequest(selling, 'SELL', context).body).toEqual({
      symbol: 'BTC-USDT',
      side: 'SELL',
      kind: 'trailing_stop',
      quantity: '0.01',
      callback_rate: '1.5',
    });
  });

  test.each([
    ['stop_market', 'SELL', { stop: '51000' }, 'stop', 'Must be below the last price'],
    ['stop_market', 'BUY', { stop: '49000' }, 'stop', 'Must be above the last price'],
    ['take_profit_market', 'SELL', { takeProfit: '49000' }, 'takeProfit', 'Must be above the last price'],
    ['take_profit_market', 'BUY', { takeProfit: '51000' }, 'takeProfit', 'Must be below the last price'],
    ['trailing_stop', 'SELL', { callback: '51' }, 'callback', 'Use 0.01 to 50 percent'],
  ] as const)('%s of a %s that makes no sense', (type, side, prices, field, text) => {
    expect(orderErrors(sized(conditional(type, side, prices), side), side, context)[field]).toBe(text);
  });
});

describe('the book before a market order', () => {
  const asks = [
    [500_000, 100_000],
    [501_000, 100_000],
    [510_000, 1_000_000],
  ] as const;
  const scales = { priceScale: 1, quantityScale: 5 };
  const size = (text: string, byTotal = false) => ({
    size: { units: BigInt(text), scale: 0 },
    byTotal,
  });

  test('average, worst level and slippage', () => {
    const impact = impactOf(asks, size('2'), scales)!;
    expect(toText(impact.average)).toBe('50050.00000');
    expect(toText(impact.worst)).toBe('50100.0');
    expect(impact.slippagePercent).toBeCloseTo(0.1);
    expect(impact.complete).toBe(true);
  });

  test('by total, and past the end of the book', () => {
    expect(toText(impactOf(asks, size('50000', true), scales)!.average)).toBe('50000.00000');
    expect(impactOf(asks, size('13'), scales)!.complete).toBe(false);
    expect(impactOf([], size('1'), scales)).toBeUndefined();
  });

  test('the summary counts with it, and warns past the limit of the person', () => {
    const rich = { ...context, availableQuote: '1000000', book: { asks, bids: [] } };
    const summary = summarize(entered(NEW_TICKET, 'BUY', '2'), 'BUY', rich);
    expect(toText(summary.total!)).toBe('100100.00000');
    expect(slippageWarning(summary, 0.05)).toContain('0.10% from the best one, above your limit of 0.05%');
    expect(slippageWarning(summary, 0.5)).toBeUndefined();
    expect(slippageWarning(summary, 0)).toBeUndefined();
  });
});

test('while a balance is not known, nothing is called more than there is', () => {
  const unknown = { ...context, availableBase: undefined, availableQuote: undefined };
  const bought = entered(NEW_TICKET, 'BUY', '2');
  expect(orderErrors(bought, 'BUY', context).amount).toMatch(/^Insufficient balance/);
  expect(orderErrors(bought, 'BUY', unknown)).toEqual({});
  expect(percentOf(bought, 'BUY', unknown)).toBe(0);
  expect(amountForPercent(bought, 'BUY', 50, unknown)).toBe('');
});

describe('ticket', () => {
  test('starts as a market order by amount (T-spot-35, T-spot-37, T-spot-88)', () => {
    expect([NEW_TICKET.type, NEW_TICKET.priceType]).toEqual(['market', 'AMOUNT']);
  });

  test('keeps for each delegate type its amount, the share of the balance and the limit price (T-spot-86, T-spot-89..93)', () => {
    const bought = entered(limit, 'BUY', '0.5');
    const sold = ticketReducer(atPercent(bought, 'SELL', 50), {
      kind: 'price',
      side: 'SELL',
      name: 'price',
      price: '41000',
    });
    expect(sold.BUY).toMatchObject({ amount: '0.5', percent: undefined, price: '40000' });
    expect(sold.SELL).toMatchObject({ amount: '0.06172', percent: 50, price: '41000' });
  });

  test('typing forgets the slider, changing the unit clears both sides', () => {
    const slid = atPercent(NEW_TICKET, 'BUY', 25);
    expect(entered(slid, 'BUY', '1').BUY.percent).toBeUndefined();
    expect(ticketReducer(slid, { kind: 'price-type', priceType: 'TOTAL' }).BUY.amount).toBe('');
    expect(ticketReducer(limit, { kind: 'sent', side: 'BUY' }).BUY.price).toBe('40000');
  });

  test('a price of the book becomes a limit, or the limit of what waits', () => {
    expect(limit.type).toBe('limit');
    const stop = ticketReducer(conditional('stop_limit', 'BUY', {}), { kind: 'take-price', price: '41000' });
    expect([stop.type, stop.BUY.price]).toEqual(['stop_limit', '41000']);
  });
});

test('a limit price stays on the way to the market form and back, and is not taken for that of a triggered order', () => {
  const choose = (ticket: Ticket, type: OrderType) => ticketReducer(ticket, { kind: 'type', type });
  expect(choose(choose(limit, 'market'), 'limit').BUY.price).toBe('40000');
  expect(choose(limit, 'oco').BUY.price).toBe('');
  expect(choose(choose(limit, 'oco'), 'limit').SELL.price).toBe('');
});

describe('an OCO whose stop is at market', () => {
  const sell = conditional('oco', 'SELL', { takeProfit: '52000', stop: '48000' });
  const buy = conditional('oco', 'BUY', { takeProfit: '48000', stop: '52000.1' });

  test('needs no limit price, and sells the quantity at the stop', () => {
    const ticket = entered(sell, 'SELL', '0.01');
    expect(orderErrors(ticket, 'SELL', context)).toEqual({});
    const { body } = orderRequest(ticket, 'SELL', context);
    expect(body).toMatchObject({ kind: 'oco', take_profit_price: '52000', stop_price: '48000', quantity: '0.01' });
    expect(Object.keys(body)).not.toContain('stop_limit_price');
    expect(Object.keys(body)).not.toContain('quote_total');
    expect(summaryLines(ticket, 'SELL', context)).toContainEqual({
      title: 'Price at the stop',
      value: 'Best available',
    });
  });

  test('states what the stop may spend when it buys, rounded up', () => {
    const ticket = entered(buy, 'BUY', '0.01003');
    expect(orderErrors(ticket, 'BUY', context)).toEqual({});
    // 0.01003 × 52,000.1
    expect(orderRequest(ticket, 'BUY', context).body).toMatchObject({ quantity: '0.01003', quote_total: '521.57' });
  });

  test('has the limit price of its stop where one is entered', () => {
    const limited = ticketReducer(entered(sell, 'SELL', '0.01'), {
      kind: 'price',
      side: 'SELL',
      name: 'price',
      price: '47900',
    });
    expect(orderRequest(limited, 'SELL', context).body).toMatchObject({ stop_limit_price: '47900' });
    expect(orderErrors(sell, 'SELL', context)).toEqual({ amount: 'Amount is required' });
    expect(orderErrors(conditional('oco', 'SELL', { takeProfit: '52000' }), 'SELL', context).stop).toBe(
      'Price is required',
    );
  });
});
