import { describe, expect, test } from 'vitest';
import { firstError, orderErrors } from './order-errors.ts';
import { orderRequest } from './order-request.ts';
import type { OrderContext } from './order-summary.ts';
import { summaryLines } from './summary-lines.ts';
import { NEW_TICKET, type Ticket, type TicketAction, ticketReducer } from './ticket.ts';

const context: OrderContext = {
  ...{ symbol: 'BTC-USDT', base: 'BTC', quote: 'USDT', priceScale: 1, quantityScale: 5, lastPrice: '50000.0' },
  ...{ availableBase: '10', availableQuote: '1000000' },
  minimums: {
    ...{ minimum_sell: '0.0001', account_balance_limit_spot: '0.0001', minimum_total: '5', price_band_percent: '0' },
    ...{ maker_fee_percent: '0.08', taker_fee_percent: '0.1', fee_credit: '0' },
  },
};

/** A limit sell of 2 BTC that shows so much of itself. */
function iceberg(visible: string, ...actions: TicketAction[]): Ticket {
  const begun: TicketAction[] = [
    { kind: 'take-price', price: '51000' },
    { kind: 'amount', side: 'SELL', amount: '2' },
    { kind: 'iceberg', isIceberg: true },
    { kind: 'visible', side: 'SELL', amount: visible },
  ];
  return [...begun, ...actions].reduce(ticketReducer, NEW_TICKET);
}

const visibleIn = (ticket: Ticket) => {
  const { body } = orderRequest(ticket, 'SELL', context);
  return 'visible_quantity' in body ? body.visible_quantity : undefined;
};
const errorOf = (ticket: Ticket) => firstError(ticket, orderErrors(ticket, 'SELL', context));

describe('an iceberg at the ticket', () => {
  test('goes with the order and into its summary', () => {
    const ticket = iceberg('0.25');
    expect([errorOf(ticket), visibleIn(ticket)]).toEqual([undefined, '0.25']);
    expect(summaryLines(ticket, 'SELL', context)).toContainEqual({ title: 'Visible amount', value: '0.25000 BTC' });
  });

  test.each([
    ['2', 'Visible amount: Must be less than the amount'],
    ['0.01999', 'Visible amount: Use at least a hundredth of the amount'],
    ['0.00009', 'Visible amount: Use at least 0.00010 BTC'],
  ])('of %s is refused with words', (visible, words) => {
    expect(errorOf(iceberg(visible))).toBe(words);
  });

  test('needs an order that stays in the book', () => {
    const ticket = iceberg('0.25', { kind: 'time-in-force', timeInForce: 'IOC' });
    expect(errorOf(ticket)).toBe('Visible amount: Needs an order that stays in the book');
  });

  test('is only of a limit order, and only while it is chosen', () => {
    expect(visibleIn(iceberg('0.25', { kind: 'type', type: 'market' }))).toBeUndefined();
    expect(visibleIn(iceberg('0.25', { kind: 'iceberg', isIceberg: false }))).toBeUndefined();
    expect(visibleIn(iceberg('0.25', { kind: 'sent', side: 'SELL' }))).toBeUndefined();
  });
});
