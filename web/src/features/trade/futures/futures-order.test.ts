import type { FuturesPosition } from '@cambist/contract/futures.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import { describe, expect, it } from 'vitest';
import { countdown } from '../../../lib/futures/countdown.ts';
import { type FuturesSettings, marketTerms } from '../../../lib/futures/terms.ts';
import type { Minimums } from '../ticket/order-types.ts';
import { NEW_TICKET, type Side, type Ticket } from '../ticket/ticket.ts';
import { amountForShare, closedReason, futuresErrors, futuresRequest, summarizeFutures } from './futures-order.ts';
import type { FuturesContext } from './futures-state.ts';

const pair = { pair_name: 'BTC-USDT-SWAP', price_scale: 1, quantity_scale: 3 } as CoinPair;
const settings = {
  taker_fee_percent: '0.05',
  tiers: [{ maximum_value: '10000', maximum_leverage: 100, maintenance_percent: '0.4' }],
} as FuturesSettings;

const context = (change: Partial<FuturesContext['futures']> = {}): FuturesContext => ({
  ...{ symbol: pair.pair_name, base: 'BTC', quote: 'USDT', priceScale: 1, quantityScale: 3, lastPrice: '1000.0' },
  ...{ availableBase: undefined, availableQuote: '100' },
  minimums: {
    ...{ account_balance_limit_spot: '0.01', minimum_sell: '0.01', minimum_total: '0', price_band_percent: '10' },
  } as Minimums,
  futures: {
    market: marketTerms(pair, settings),
    ...{ leverage: 10, isIsolated: true, maximumLeverage: 100, sellsEmpty: true, mark: '1000.0', free: '100' },
    ...{ position: undefined, crossBacking: undefined, ...change },
  },
});

function ticket(amount: string, change: Partial<Ticket> = {}, price = ''): Ticket {
  const entry = { ...NEW_TICKET.BUY, amount, price };
  return { ...NEW_TICKET, type: 'limit', priceType: 'TOTAL', ...change, BUY: entry, SELL: entry };
}

const LONG = { side: 'long', quantity: '0.050', cost: '50' } as FuturesPosition;

describe('an order of a perpetual', () => {
  it('counts a total in whole lots, and needs margin and fee for them', () => {
    const { lots, value, cost, fee } = summarizeFutures(ticket('100.99', {}, '1000'), 'BUY', context());
    expect({ lots, value: value?.units, cost: cost?.units, fee: fee?.units }).toEqual({
      lots: 100,
      value: 10_000_000_000n,
      cost: 1_005_000_000n,
      fee: 5_000_000n,
    });
  });

  it('shares out what is free at the leverage', () => {
    // 100 USDT at 0.1005 a lot.
    expect(amountForShare(ticket('', { priceType: 'AMOUNT' }, '1000'), 'BUY', 100, context())).toBe('0.995');
    expect(amountForShare(ticket('', {}, '1000'), 'SELL', 50, context())).toBe('497');
    expect(amountForShare(ticket('', {}, '1000'), 'BUY', 50, context({ free: undefined }))).toBeUndefined();
  });

  it('is refused without an amount, below the minimum in the unit of the field, and above what there is (T-futures-57) (T-futures-58)', () => {
    const amount = (text: string, side: Side, change: Partial<Ticket> = {}) =>
      futuresErrors(ticket(text, change, '1000'), side, context()).amount;
    for (const side of ['BUY', 'SELL'] as const) {
      const word = side === 'BUY' ? 'buy' : 'sell';
      expect(amount('', side)).toBe('Amount is required');
      expect(amount('5', side)).toBe(`Amount must be greater than minimum ${word} amount (10.00 USDT)`);
      expect(amount('0.005', side, { priceType: 'AMOUNT' })).toBe(
        `Amount must be greater than minimum ${word} amount (0.01 BTC)`,
      );
      expect(amount('1000', side)).toBe('Insufficient balance (995.00 USDT)');
      expect(amount('995', side)).toBeUndefined();
    }
  });

  it('sells empty only where an operator has switched that on; buying more and what only reduces are always there (T-futures-44)', () => {
    const off = context({ sellsEmpty: false });
    expect(closedReason(ticket('5'), 'SELL', off)).toMatch(/does not offer to sell empty/);
    expect(closedReason(ticket('5'), 'SELL', context())).toBeUndefined();
    expect(closedReason(ticket('5'), 'BUY', off)).toBeUndefined();
    expect(closedReason(ticket('5', { isReduceOnly: true }), 'SELL', off)).toBeUndefined();
  });

  it('closes no more than is open where it only reduces, and says so in its call', () => {
    const reducing = ticket('0.06', { priceType: 'AMOUNT', isReduceOnly: true }, '1000');
    const known = context({ position: LONG, free: '0' });
    expect(futuresErrors(reducing, 'SELL', known).amount).toBe('Only 0.05 BTC can be closed');
    const fitting = ticket('0.05', { priceType: 'AMOUNT', isReduceOnly: true }, '1000');
    expect(futuresErrors(fitting, 'SELL', known)).toEqual({});
    expect(futuresRequest(fitting, 'SELL', known)).toEqual({
      conditional: false,
      body: {
        ...{ symbol: 'BTC-USDT-SWAP', side: 'SELL', quantity: '0.05', reduce_only: true },
        ...{ type: 'limit', price: '1000', time_in_force: 'GTC' },
      },
    });
  });

  it('has its limit within the band around the mark', () => {
    expect(futuresErrors(ticket('50', {}, '1101'), 'BUY', context()).price).toBe(
      'Use a price from 900.0 to 1,100.0, within 10% of the mark price',
    );
  });
});

it('counts down to the next funding', () => {
  expect([countdown(29_062_999), countdown(0), countdown(-5)]).toEqual(['08:04:22', '00:00:00', '00:00:00']);
});
