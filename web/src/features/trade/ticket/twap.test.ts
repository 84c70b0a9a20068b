import type { Order } from '@cambist/contract/trading.ts';
import { describe, expect, test } from 'vitest';
import { decimal } from '../../../lib/decimal.ts';
import { orderLines } from '../chart/order-marks.ts';
import { canAmend } from '../orders/amend-fields.ts';
import { NO_FILTER, wantsOrder } from '../orders/history-filter.ts';
import { firstError, orderErrors } from './order-errors.ts';
import { orderRequest } from './order-request.ts';
import type { OrderContext } from './order-summary.ts';
import { summaryLines } from './summary-lines.ts';
import { NEW_TICKET, type Ticket, type TicketAction, ticketReducer } from './ticket.ts';
import { durationText, scheduleText, secondsOf } from './twap.ts';

const context: OrderContext = {
  ...{ symbol: 'BTC-USDT', base: 'BTC', quote: 'USDT', priceScale: 1, quantityScale: 5, lastPrice: '50000.0' },
  ...{ availableBase: '10', availableQuote: '1000000' },
  minimums: {
    ...{ minimum_sell: '0.0001', account_balance_limit_spot: '0.0001', minimum_total: '5', price_band_percent: '10' },
    ...{ maker_fee_percent: '0.08', taker_fee_percent: '0.1', fee_credit: '0' },
  },
};

/** A TWAP that buys 1 BTC. */
function twap(duration: string, interval: string, ...actions: TicketAction[]): Ticket {
  const begun: TicketAction[] = [
    { kind: 'type', type: 'twap' },
    { kind: 'begin-at', price: '50000' },
    { kind: 'amount', side: 'BUY', amount: '1' },
    { kind: 'schedule', duration },
    { kind: 'schedule', interval },
  ];
  return [...begun, ...actions].reduce(ticketReducer, NEW_TICKET);
}

const errorOf = (ticket: Ticket) => firstError(ticket, orderErrors(ticket, 'BUY', context));

describe('a duration', () => {
  test.each([
    ['30m', 1_800],
    ['90s', 90],
    ['1h 30m', 5_400],
    [' 1H30M5S ', 5_405],
    ['３０m', 1_800],
  ])('of %s is read', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
    expect(secondsOf(durationText(seconds))).toBe(seconds);
  });

  test.each(['', '30', '0m', 'm', '1.5h', '5m 1h', '1d'])('of "%s" is not', (text) => {
    expect(secondsOf(text)).toBeUndefined();
  });

  test('is written without what it has nothing of', () => {
    expect([5, 60, 5_400, 3_605].map(durationText)).toEqual(['5s', '1m', '1h 30m', '1h 5s']);
  });
});

describe('a TWAP at the ticket', () => {
  test('goes out as a limit order with its schedule, without a time in force', () => {
    const ticket = twap('10m', '30s', { kind: 'time-in-force', timeInForce: 'POST_ONLY' });
    expect(errorOf(ticket)).toBeUndefined();
    expect(orderRequest(ticket, 'BUY', context)).toEqual({
      conditional: false,
      body: {
        ...{ symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '50000', quantity: '1' },
        twap: { duration_seconds: 600, interval_seconds: 30 },
      },
    });
  });

  test('says what it will do, at the ticket and in the summary', () => {
    const noon = new Date(2026, 0, 5, 12, 0, 0).getTime();
    const text = '20 slices of about 0.05 BTC, one every 30s, until 12:10:00';
    expect(scheduleText(twap('10m', '30s'), decimal('1'), context, noon)).toBe(text);
    const titles = summaryLines(twap('10m', '30s'), 'BUY', context).map(({ title }) => title);
    expect(titles).toContain('Schedule');
    expect(titles).not.toContain('Time in force');
    expect(scheduleText(twap('10m', ''), decimal('1'), context, noon)).toBeUndefined();
  });

  test.each([
    ['soon', '30s', 'Duration: Write it as 30m, 1h or 90s'],
    ['4s', '1s', 'Duration: Use 5 seconds to 24 hours'],
    ['24h 1s', '10m', 'Duration: Use 5 seconds to 24 hours'],
    ['10m', '30', 'Interval: Write it as 30m, 1h or 90s'],
    ['10m', '10m', 'Interval: Must be less than the duration'],
    ['1h', '3s', 'Interval: Use at most 1,000 slices'],
  ])('for %s in slices of %s is refused with words', (duration, interval, words) => {
    expect(errorOf(twap(duration, interval))).toBe(words);
  });

  test('is refused when a slice would be below the minimum, and outside of the price band', () => {
    const small: TicketAction = { kind: 'amount', side: 'BUY', amount: '0.00199' };
    expect(errorOf(twap('10m', '30s', small))).toBe(
      'Each slice would be too small. Use fewer slices or a larger amount.',
    );
    const far: TicketAction = { kind: 'price', side: 'BUY', name: 'price', price: '60000' };
    expect(errorOf(twap('10m', '30s', far))).toMatch(/^Use a price from/);
  });

  test('has neither exits nor a visible part, whatever was open before', () => {
    const ticket = twap('10m', '30s', { kind: 'exits', unit: 'price' }, { kind: 'iceberg', isIceberg: true });
    const chosen: TicketAction[] = [
      { kind: 'price', side: 'BUY', name: 'stopExit', price: '49000' },
      { kind: 'visible', side: 'BUY', amount: '0.5' },
    ];
    const { body } = orderRequest(chosen.reduce(ticketReducer, ticket), 'BUY', context);
    expect(Object.keys(body)).not.toContain('exits');
    expect(Object.keys(body)).not.toContain('visible_quantity');
  });
});

describe('a TWAP that is open', () => {
  const order: Order = {
    ...{ id: '7', delegate_type: 'BUY', number_of_order: '1', final_price: '50000.0', state: 'PENDING', type: 'limit' },
    ...{ total: '50000', filled: '0.35', remaining: '0.65', average_price: '49990.0', fee: '0', fee_coin: 'BTC' },
    ...{ time_in_force: 'GTC', reason: '', created_at: 1, updated_at: 2 },
    coin_pair: { pair_name: 'BTC-USDT', coin_pair_name: 'BTCUSDT' },
    twap: { interval_seconds: 30, slices: 20, slices_done: 7, next_slice_at: 3, ends_at: 4 },
  };

  test('can not be changed, has no line on the chart, and is of a type of its own in the history', () => {
    const { twap: _twap, ...limit } = order;
    expect([limit, order].map(canAmend)).toEqual([true, false]);
    expect([limit, order].map((one) => orderLines([one], 'BTC-USDT').length)).toEqual([1, 0]);
    const wanted = (type: 'limit' | 'twap') => [limit, order].map((one) => wantsOrder({ ...NO_FILTER, type }, one));
    expect([wanted('limit'), wanted('twap')]).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});
