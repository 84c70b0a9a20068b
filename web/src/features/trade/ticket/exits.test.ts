import { describe, expect, test } from 'vitest';
import { exitLines } from './exits.ts';
import { firstError, orderErrors } from './order-errors.ts';
import { orderRequest } from './order-request.ts';
import type { OrderContext } from './order-summary.ts';
import { type ExitName, NEW_TICKET, type Side, type Ticket, type TicketAction, ticketReducer } from './ticket.ts';

const context: OrderContext = {
  ...{ symbol: 'BTC-USDT', base: 'BTC', quote: 'USDT', priceScale: 1, quantityScale: 5, lastPrice: '50000.0' },
  ...{ availableBase: '1', availableQuote: '100000', minimums: undefined },
};

const after = (ticket: Ticket, ...actions: TicketAction[]) => actions.reduce(ticketReducer, ticket);
const exit = (side: Side, name: ExitName, price: string): TicketAction => ({ kind: 'price', side, name, price });

/** A limit order at 40,000 with an open part for its exits. */
function limit(side: Side, unit: 'price' | 'percent', ...actions: TicketAction[]): Ticket {
  const base = after(NEW_TICKET, { kind: 'take-price', price: '40000' }, { kind: 'amount', side, amount: '0.01' });
  return after(base, { kind: 'exits', unit }, ...actions);
}

const exitsOf = (ticket: Ticket, side: Side) => {
  const { body } = orderRequest(ticket, side, context);
  return 'exits' in body ? body.exits : undefined;
};

describe('exits of an order', () => {
  test('go with the order as prices, and are shown with their distance', () => {
    const ticket = limit('BUY', 'price', exit('BUY', 'takeProfitExit', '42000'), exit('BUY', 'stopExit', '39000.5'));
    expect(orderErrors(ticket, 'BUY', context)).toEqual({});
    expect(exitsOf(ticket, 'BUY')).toEqual({ take_profit_price: '42000', stop_price: '39000.5' });
    expect(exitLines(ticket, 'BUY', context)).toEqual([
      { title: 'Take profit', value: '42,000.0 USDT (+5.00%)' },
      { title: 'Stop loss', value: '39,000.5 USDT (−2.50%)' },
    ]);
    expect(exitsOf(ticket, 'SELL')).toBeUndefined();
  });

  test.each([
    ['BUY', '41333.3', '38666.7'],
    ['SELL', '38666.7', '41333.3'],
  ] as const)('of a %s are measured in percent from its own price, on the step of the pair', (side, profit, stop) => {
    const ticket = limit(side, 'percent', exit(side, 'takeProfitExit', '3.33325'), exit(side, 'stopExit', '3.33325'));
    expect(exitsOf(ticket, side)).toEqual({ take_profit_price: profit, stop_price: stop });
  });

  test('of a market order are measured from the last price', () => {
    const ticket = after(NEW_TICKET, { kind: 'exits', unit: 'percent' }, exit('SELL', 'takeProfitExit', '10'));
    expect(exitsOf(ticket, 'SELL')).toEqual({ take_profit_price: '45000' });
    const wrong = after(NEW_TICKET, { kind: 'exits', unit: 'price' }, exit('BUY', 'stopExit', '50000'));
    expect(orderErrors(wrong, 'BUY', context).stopExit).toBe('Must be below the last price');
  });

  test.each([
    ['BUY', 'takeProfitExit', '40000', 'Take profit: Must be above the order price'],
    ['BUY', 'stopExit', '40000.1', 'Stop loss: Must be below the order price'],
    ['SELL', 'takeProfitExit', '40001', 'Take profit: Must be below the order price'],
    ['SELL', 'stopExit', '39999', 'Stop loss: Must be above the order price'],
  ] as const)('of a %s on the wrong side are refused with words: %s %s', (side, name, price, text) => {
    const ticket = limit(side, 'price', exit(side, name, price));
    expect(firstError(ticket, orderErrors(ticket, side, context))).toBe(text);
  });

  test('cannot be all of the price away', () => {
    const ticket = limit('BUY', 'percent', exit('BUY', 'stopExit', '100'));
    expect(orderErrors(ticket, 'BUY', context).stopExit).toBe('Use less than 100%');
  });

  test('are gone once the part is closed, the unit changes, the order is sent, or it waits for a trigger', () => {
    const ticket = limit('BUY', 'price', exit('BUY', 'stopExit', '39000'));
    expect(exitsOf(after(ticket, { kind: 'exits', unit: undefined }), 'BUY')).toBeUndefined();
    expect(after(ticket, { kind: 'exits', unit: 'percent' }).BUY.stopExit).toBe('');
    expect(exitsOf(after(ticket, { kind: 'sent', side: 'BUY' }), 'BUY')).toBeUndefined();
    const waiting = after(ticket, { kind: 'type', type: 'stop_limit' });
    expect(exitLines(waiting, 'BUY', context)).toEqual([]);
  });
});
