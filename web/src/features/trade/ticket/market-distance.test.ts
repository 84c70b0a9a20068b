import { highestInBand, lowestInBand } from '@cambist/core/money/market.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryOf } from '../../../lib/typed-number.ts';
import { bandProblem, distanceWarning, marketDistance, movedWarning } from './market-distance.ts';
import { entryErrors, firstError, orderErrors } from './order-errors.ts';
import type { OrderContext } from './order-summary.ts';
import { NEW_TICKET, type Ticket, ticketReducer } from './ticket.ts';

const minimums = {
  minimum_sell: '0',
  account_balance_limit_spot: '0',
  minimum_total: '0',
  price_band_percent: '10.0000',
  maker_fee_percent: '0',
  taker_fee_percent: '0',
  fee_credit: '0',
};
const context: OrderContext = {
  symbol: 'BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  priceScale: 1,
  quantityScale: 5,
  lastPrice: '50000.0',
  availableBase: '10',
  availableQuote: '1000000',
  minimums,
  book: { asks: [[500_010, 1]], bids: [[499_990, 1]] },
};

const at = (price: string, start: Ticket = NEW_TICKET) => ticketReducer(start, { kind: 'take-price', price });

describe('the band', () => {
  test('is the same one that the exchange keeps, to the tick', () => {
    const ticks = fc.integer({ min: 1, max: 2_000_000_000 });
    fc.assert(
      fc.property(ticks, fc.integer({ min: 1, max: 3_000_000 }), ticks, (last, ppm, price) => {
        const text = (units: number, scale: number) => `${units / 10 ** scale}`;
        const exact = {
          ...context,
          priceScale: 0,
          lastPrice: String(last),
          minimums: { ...minimums, price_band_percent: text(ppm, 4) },
        };
        const refused = price < lowestInBand(last, ppm) || price > highestInBand(last, ppm);
        // A price of zero is refused elsewhere; the lowest tick is one.
        expect(bandProblem({ units: BigInt(price), scale: 0 }, exact) !== undefined).toBe(refused);
      }),
    );
  });

  test('is named with its ends, and is none where the pair has none or the client is not known', () => {
    const price = { units: 99n, scale: 0 };
    expect(bandProblem(price, context)).toBe(
      'Use a price from 45,000.0 to 55,000.0, within 10% of the reference price',
    );
    // One trade moves the last price, and not what the band is measured from.
    expect(bandProblem(price, { ...context, lastPrice: '99.0', reference: '50000.0' })).toMatch(
      /^Use a price from 45,000/,
    );
    expect(
      bandProblem({ units: 54_000n, scale: 0 }, { ...context, lastPrice: '45000.0', reference: '50000.0' }),
    ).toBeUndefined();
    expect(bandProblem(price, { ...context, minimums: { ...minimums, price_band_percent: '0.0000' } })).toBeUndefined();
    expect(bandProblem(price, { ...context, minimums: undefined })).toBeUndefined();
    expect(orderErrors(at('99'), 'SELL', context).price).toMatch(/^Use a price/);
  });
});

describe('a price through the market', () => {
  test.each([
    ['BUY', '50900', false],
    ['BUY', '51100', true],
    ['BUY', '46000', false],
    ['SELL', '49100', false],
    ['SELL', '48900', true],
    ['SELL', '54000', false],
  ] as const)('%s at %s asks again: %s', (side, price, asks) => {
    expect(distanceWarning(at(price), side, context) !== undefined).toBe(asks);
  });

  test('is counted from the best price of the other side, or the last one without a book', () => {
    expect(distanceWarning(at('51501'), 'BUY', context)).toBe(
      'Your price is 3.00% above the market. The order can fill immediately at up to 51,501.0.',
    );
    expect(distanceWarning(at('48000'), 'SELL', context)).toMatch(/4\.00% below the market/);
    expect(marketDistance(at('50500'), 'BUY', { ...context, book: undefined })).toEqual({ units: 100n, scale: 2 });
    expect(marketDistance(NEW_TICKET, 'BUY', context)).toBeUndefined();
  });
});

describe('a refused text', () => {
  const refused = ticketReducer(at('50000'), { kind: 'amount', side: 'BUY', amount: entryOf('1.2.3', 5) });

  test('is an error before anything is sent, and the only one while the form is filled in', () => {
    expect(entryErrors(refused, 'BUY', context)).toEqual({ amount: 'Enter a number such as 1,200.5' });
    expect(entryErrors(at('50000'), 'BUY', context)).toEqual({});
    expect(orderErrors(refused, 'BUY', context).amount).toBe('Enter a number such as 1,200.5');
  });

  test('stops an order also where the field may be empty', () => {
    const trailing = ticketReducer(NEW_TICKET, { kind: 'type', type: 'trailing_stop' });
    const ready = ticketReducer(trailing, { kind: 'amount', side: 'SELL', amount: '1' });
    expect(orderErrors(ready, 'SELL', context)).toEqual({});
    const price = entryOf('90.000', 1);
    const wrong = ticketReducer(ready, { kind: 'price', side: 'SELL', name: 'activation', price });
    expect(orderErrors(wrong, 'SELL', context).activation).toMatch(/^90,000 or 90\?/);
  });

  test('is named by its field where a form has several prices', () => {
    const oco = ticketReducer(NEW_TICKET, { kind: 'type', type: 'oco' });
    const errors = orderErrors(oco, 'SELL', context);
    expect(firstError(oco, errors)).toBe('Take-profit price: Price is required');
    expect(firstError(at('1'), { amount: 'Amount is required' })).toBe('Amount is required');
  });
});

describe('the price that a limit order begins at', () => {
  const beginAt = (ticket: Ticket, price: string) => ticketReducer(ticket, { kind: 'begin-at', price });
  const chosen = ticketReducer(NEW_TICKET, { kind: 'type', type: 'limit' });

  test('is the last one, once, until the client chooses another', () => {
    const begun = beginAt(chosen, '50000');
    expect([begun.BUY.price, begun.SELL.price]).toEqual(['50000', '50000']);
    expect(beginAt(begun, '50100')).toBe(begun);
    const cleared = ticketReducer(begun, { kind: 'price', side: 'BUY', name: 'price', price: '' });
    expect(beginAt(cleared, '50100').BUY.price).toBe('');
    expect(beginAt(NEW_TICKET, '50000')).toBe(NEW_TICKET);
  });

  test('is read again with another pair, or on the way back from another type', () => {
    const begun = beginAt(chosen, '50000');
    expect(beginAt(ticketReducer(begun, { kind: 'pair' }), '3000').BUY.price).toBe('3000');
    const back = ticketReducer(ticketReducer(begun, { kind: 'type', type: 'market' }), { kind: 'type', type: 'limit' });
    expect(beginAt(back, '50100').SELL.price).toBe('50100');
  });
});

test('a market that has left the price that was shown by half a percent, either way, is said', () => {
  const at = (units: bigint) => movedWarning({ units: 500_000n, scale: 1 }, { units, scale: 1 }, 1);
  expect(at(502_400n)).toBeUndefined();
  expect(at(497_600n)).toBeUndefined();
  expect(at(502_500n)).toMatch(/^The price has moved from 50,000.0 to 50,250.0 since this was shown/);
  expect(at(497_500n)).toMatch(/to 49,750.0/);
  expect(movedWarning({ units: 0n, scale: 1 }, { units: 1n, scale: 1 }, 1)).toBeUndefined();
});
