import type { FuturesPosition } from '@cambist/contract/futures.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import { describe, expect, it } from 'vitest';
import { toText } from '../../../lib/decimal.ts';
import { countdown } from '../../../lib/futures/countdown.ts';
import { type FuturesSettings, marketTerms } from '../../../lib/futures/terms.ts';
import type { BookView } from '../../../lib/order-book/book-state.ts';
import type { Minimums } from '../ticket/order-types.ts';
import { NEW_TICKET, type Side, type Ticket } from '../ticket/ticket.ts';
import {
  affordedAt,
  amountForShare,
  closedReason,
  futuresErrors,
  futuresRequest,
  liquidationAfter,
  summarizeFutures,
} from './futures-order.ts';
import type { FuturesContext } from './futures-state.ts';

const pair = { pair_name: 'BTC-USDT-SWAP', price_scale: 1, quantity_scale: 3 } as CoinPair;
const settings = {
  taker_fee_percent: '0.05',
  tiers: [{ maximum_value: '10000', maximum_leverage: 100, maintenance_percent: '0.4' }],
} as FuturesSettings;

const context = (change: Partial<FuturesContext['futures']> = {}): FuturesContext => ({
  ...{ symbol: pair.pair_name, base: 'BTC', quote: 'USDT', priceScale: 1, quantityScale: 3, lastPrice: '1000.0' },
  ...{ availableBase: undefined, availableQuote: '100', marks: { mark: '1000.0', index: '1001.0' } },
  minimums: {
    ...{ account_balance_limit_spot: '0.01', minimum_sell: '0.01', minimum_total: '0', price_band_percent: '10' },
  } as Minimums,
  futures: {
    market: marketTerms(pair, settings),
    ...{ leverage: 10, isIsolated: true, maximumLeverage: 100, sellsEmpty: true, free: '100' },
    ...{ position: undefined, crossBacking: undefined, ordered: { BUY: 0n, SELL: 0n }, ...change },
  },
});

function ticket(amount: string, change: Partial<Ticket> = {}, price = ''): Ticket {
  const entry = { ...NEW_TICKET.BUY, amount, price };
  return { ...NEW_TICKET, type: 'limit', priceType: 'TOTAL', ...change, BUY: entry, SELL: entry };
}

const LONG = { side: 'long', quantity: '0.050', cost: '50' } as FuturesPosition;

describe('an order of a perpetual', () => {
  it('below the best bid needs the margin of a sell at that bid, and offers so much fewer', () => {
    const levels = { asks: [[10_210, 30]], bids: [[10_200, 900]] } as BookView;
    const summary = (book?: BookView) =>
      summarizeFutures(ticket('100', {}, '1000'), 'SELL', { ...context(), ...(book && { book }) });
    expect([summary().maximumLots, summary(levels).maximumLots]).toEqual([995, 975]);
  });

  it('says that the mark or the best bid decides its largest size where its own price is below', () => {
    const book = { asks: [[10_210, 30]], bids: [[10_200, 900]] } as BookView;
    const known = { ...context(), book };
    const at = (price: string, side: Side, change: Partial<Ticket> = {}) =>
      affordedAt(ticket('100', change, price), side, known);
    expect([at('999', 'BUY'), at('1000', 'BUY'), at('1030', 'BUY')]).toEqual(['mark', undefined, undefined]);
    expect([at('999', 'SELL'), at('1010', 'SELL'), at('1020', 'SELL')]).toEqual(['bid', 'bid', undefined]);
    expect(affordedAt(ticket('100', {}, '999'), 'SELL', context())).toBe('mark');
    expect(at('999', 'BUY', { isReduceOnly: true })).toBeUndefined();
    expect(at('', 'BUY', { type: 'market' })).toBeUndefined();
    expect(affordedAt(ticket('100', {}, '999'), 'BUY', { ...known, marks: { mark: '', index: '' } })).toBeUndefined();
    // A tenth less in price buys nothing more.
    const most = (price: string) => summarizeFutures(ticket('100', {}, price), 'BUY', known).maximumLots;
    expect(most('900')).toBe(most('1000'));
  });

  it('counts a total in whole lots, and needs margin and fee for them', () => {
    const { lots, value, cost, fee } = summarizeFutures(ticket('100.99', {}, '1000'), 'BUY', context());
    expect({ lots, value: value?.units, cost: cost?.units, fee: fee?.units }).toEqual({
      lots: 100,
      value: 10_000_000_000n,
      cost: 1_005_000_000n,
      fee: 5_000_000n,
    });
  });

  it('is estimated at market by what the book would fill: value, cost, fee and liquidation', () => {
    const levels = {
      asks: [
        [10_100, 30],
        [10_200, 100],
      ],
      bids: [
        [9_900, 30],
        [9_800, 100],
      ],
    } as const;
    const known = { ...context(), book: levels as unknown as BookView };
    const estimate = (change: Partial<Ticket>, side: Side, price = '') => {
      const summary = summarizeFutures(ticket('0.05', { priceType: 'AMOUNT', ...change }, price), side, known);
      const { value, cost, fee } = summary;
      const end = liquidationAfter(side, summary, known)?.price;
      return [value, cost, fee, end].map((one) => one && toText(one));
    };
    // 30 lots at 1,010 and 20 at 1,020; the mark is 1,000.
    expect(estimate({ type: 'market' }, 'BUY')).toEqual(estimate({}, 'BUY', '1014'));
    expect(estimate({ type: 'market' }, 'BUY').slice(0, 3)).toEqual(['50.70000000', '5.79535000', '0.02535000']);
    const [value, , , end] = estimate({ type: 'market' }, 'SELL');
    expect([value, end]).toEqual(['49.30000000', estimate({}, 'SELL', '986')[3]]);
  });

  it('shares out what is free at the leverage', () => {
    // 100 USDT at 0.1005 a lot.
    expect(amountForShare(ticket('', { priceType: 'AMOUNT' }, '1000'), 'BUY', 100, context())).toBe('0.995');
    expect(amountForShare(ticket('', {}, '1000'), 'SELL', 50, context())).toBe('497');
    expect(amountForShare(ticket('', {}, '1000'), 'BUY', 50, context({ free: undefined }))).toBeUndefined();
  });

  it('is refused without an amount, below the minimum in the unit of the field, and above what there is (T-futures-57) (T-futures-58)', () => {
    const known = context();
    const minimums = { ...known.minimums!, minimum_sell: '0.02' };
    const amount = (text: string, side: Side, change: Partial<Ticket> = {}) =>
      futuresErrors(ticket(text, change, '1000'), side, { ...known, minimums }).amount;
    for (const side of ['BUY', 'SELL'] as const) {
      const [word, inCoin, inQuote] = side === 'BUY' ? ['buy', '0.01', '10.00'] : ['sell', '0.02', '20.00'];
      expect(amount('', side)).toBe('Amount is required');
      expect(amount('5', side)).toBe(`Amount must be greater than minimum ${word} amount (${inQuote} USDT)`);
      expect(amount('0.005', side, { priceType: 'AMOUNT' })).toBe(
        `Amount must be greater than minimum ${word} amount (${inCoin} BTC)`,
      );
      expect(amount('1000', side)).toBe('Insufficient balance (995.00 USDT)');
      expect(amount('995', side)).toBeUndefined();
    }
  });

  it('sells empty only where an operator has switched that on; buying more and what only reduces are always there (T-futures-44)', () => {
    const off = context({ sellsEmpty: false });
    expect(closedReason(ticket('5'), 'SELL', off)).toMatch(/does not offer short positions/);
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

  it('waits for a trigger by the price that was chosen, and needs nothing until then', () => {
    const stop = (change: Partial<Ticket> = {}): Ticket => {
      const begun = ticket('500', { type: 'stop_market', triggerBy: 'mark', ...change });
      return { ...begun, SELL: { ...begun.SELL, stop: '999.5' } };
    };
    // Ten times of what is free: that is asked for when it is triggered.
    expect(futuresErrors(stop(), 'SELL', context({ free: '1' }))).toEqual({});
    expect(futuresRequest(stop(), 'SELL', context())).toEqual({
      conditional: true,
      body: {
        ...{ symbol: 'BTC-USDT-SWAP', side: 'SELL', kind: 'stop_market', quantity: '0.5' },
        ...{ stop_price: '999.5', trigger_by: 'mark' },
      },
    });
    const hedged = { ...context(), futures: { ...context().futures, positionSide: 'long' as const } };
    expect(futuresRequest(stop({ isReduceOnly: true, triggerBy: 'index' }), 'SELL', hedged).body).toMatchObject({
      ...{ reduce_only: true, position_side: 'long', trigger_by: 'index' },
    });
  });

  it.each([
    ['mark', '1000.5', 'Must be below the mark price'],
    ['index', '1000.5', undefined],
    ['index', '1001.5', 'Must be below the index price'],
    ['last', '1000.5', 'Must be below the last price'],
  ] as const)('stops on the right side of the %s price: %s', (triggerBy, price, problem) => {
    const begun = ticket('50', { type: 'stop_market', triggerBy });
    expect(futuresErrors({ ...begun, SELL: { ...begun.SELL, stop: price } }, 'SELL', context()).stop).toBe(problem);
  });

  it('does not wait for a price that is not known', () => {
    const begun = ticket('50', { type: 'stop_market', triggerBy: 'index' });
    const unknown = { ...context(), marks: { mark: '', index: '' } };
    const error = (triggerBy: Ticket['triggerBy']) =>
      futuresErrors({ ...begun, triggerBy, SELL: { ...begun.SELL, stop: '999' } }, 'SELL', unknown).stop;
    expect(error('index')).toBe('The index price is not known at the moment');
    expect(error('mark')).toBe('The mark price is not known at the moment');
  });

  it('trails by a callback from an activation price on', () => {
    const begun = ticket('0.05', { type: 'trailing_stop', priceType: 'AMOUNT', triggerBy: 'last', isReduceOnly: true });
    const trailing = { ...begun, SELL: { ...begun.SELL, callback: '2', activation: '1010' } };
    expect(futuresErrors(trailing, 'SELL', context({ position: LONG }))).toEqual({});
    expect(futuresRequest(trailing, 'SELL', context({ position: LONG })).body).toEqual({
      ...{ symbol: 'BTC-USDT-SWAP', side: 'SELL', kind: 'trailing_stop', quantity: '0.05', reduce_only: true },
      ...{ callback_rate: '2', activation_price: '1010', trigger_by: 'last' },
    });
  });

  it('takes profit and stops in one, each at its limit', () => {
    const begun = ticket('50', { type: 'oco', triggerBy: 'mark' }, '989');
    const oco = { ...begun, SELL: { ...begun.SELL, takeProfit: '1050', stop: '990' } };
    expect(futuresErrors(oco, 'SELL', context())).toEqual({});
    expect(futuresRequest(oco, 'SELL', context()).body).toMatchObject({
      ...{ kind: 'oco', take_profit_price: '1050', stop_price: '990', stop_limit_price: '989' },
      ...{ time_in_force: 'GTC', quantity: '0.05' },
    });
  });

  it('is traded in slices, each of them an order of the market', () => {
    const sliced = (duration: string) => ticket('100', { type: 'twap', duration, interval: '1m' }, '1000');
    expect(futuresErrors(sliced('10m'), 'BUY', context())).toEqual({});
    expect(futuresErrors(sliced('20m'), 'BUY', context()).amount).toMatch(/^Each slice would be too small/);
    expect(futuresRequest(sliced('10m'), 'BUY', context()).body).toEqual({
      ...{ symbol: 'BTC-USDT-SWAP', side: 'BUY', type: 'limit', price: '1000', quantity: '0.1' },
      twap: { duration_seconds: 600, interval_seconds: 60 },
    });
  });

  it('shows a part of itself at a time', () => {
    const begun = ticket('0.5', { priceType: 'AMOUNT', isIceberg: true }, '1000');
    const iceberg = (visible: string) => ({ ...begun, BUY: { ...begun.BUY, visible } });
    expect(futuresErrors(iceberg('0.6'), 'BUY', context()).visible).toBe('Must be less than the amount');
    expect(futuresErrors(iceberg('0.05'), 'BUY', context())).toEqual({});
    expect(futuresRequest(iceberg('0.05'), 'BUY', context()).body).toMatchObject({ visible_quantity: '0.05' });
  });

  it('has exits on the right side of its price, triggered by the price that was chosen', () => {
    const begun = ticket('50', { exitsIn: 'price', triggerBy: 'index' }, '1000');
    const entry = (stopExit: string) => ({ ...begun, BUY: { ...begun.BUY, stopExit } });
    expect(futuresErrors(entry('1001'), 'BUY', context()).stopExit).toBe('Must be below the order price');
    expect(futuresRequest(entry('990'), 'BUY', context()).body).toMatchObject({
      exits: { stop_price: '990', trigger_by: 'index' },
    });
  });
});

it('counts down to the next funding', () => {
  expect([countdown(29_062_999), countdown(0), countdown(-5)]).toEqual(['08:04:22', '00:00:00', '00:00:00']);
});
