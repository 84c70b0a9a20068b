import type { Order } from '@cambist/contract/trading.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { amendErrors, amendLines, amendWarning, canAmend, realChanges } from '../orders/amend-fields.ts';
import { STATES, triggerText } from '../orders/order-columns.tsx';
import { sideText } from '../orders/side-text.ts';
import { chartStyles } from './chart-styles.ts';
import { FIRST_INDICATORS, INDICATORS, setParameter, toggleIndicator } from './indicators.ts';
import { dragChanges, fillMarks, orderLines } from './order-marks.ts';
import { tradeFlow } from './trade-flow.ts';
import { zoomOnLast } from './zoom.ts';

const MINUTE_MS = 60_000;

const LIMIT: Order = {
  id: '7',
  delegate_type: 'BUY',
  number_of_order: '0.01000',
  final_price: '40000.0',
  state: 'PENDING',
  coin_pair: { pair_name: 'BTC-USDT', coin_pair_name: 'BTCUSDT' },
  type: 'limit',
  total: '400',
  filled: '0',
  remaining: '0.01000',
  average_price: '0',
  fee: '0',
  fee_coin: 'BTC',
  time_in_force: 'GTC',
  reason: '',
  created_at: 1,
  updated_at: 1,
};

const NO_PRICES = {
  stop_price: '',
  stop_limit_price: '',
  take_profit_price: '',
  take_profit_limit_price: '',
  callback_rate: '',
  callback_distance: '',
  activation_price: '',
  best_price: '',
  trailing_price: '',
  triggered_leg: '',
  triggered_price: '',
  triggered_at: null,
} as const;

function waiting(kind: NonNullable<Order['trigger']>['kind'], prices: Partial<Record<keyof typeof NO_PRICES, string>>) {
  const trigger = { ...NO_PRICES, ...prices, kind, trigger_by: 'last', status: 'untriggered' } as Order['trigger'];
  return { ...LIMIT, trigger };
}

const oco = waiting('oco', { take_profit_price: '45000', stop_price: '39000', stop_limit_price: '38900' });
const trailing = waiting('trailing_stop', { callback_rate: '1.5', activation_price: '41000' });

describe('own orders', () => {
  test('a resting order is one line, an OCO two, a trailing stop none before it follows', () => {
    expect(orderLines([LIMIT], 'BTC-USDT')).toMatchObject([{ field: 'price', price: '40000.0', label: 'Buy 0.01' }]);
    expect(orderLines([oco], 'BTC-USDT').map(({ field, price }) => [field, price])).toEqual([
      ['stop_price', '39000'],
      ['take_profit_price', '45000'],
    ]);
    expect(orderLines([trailing], 'BTC-USDT')).toEqual([]);
    expect(orderLines([LIMIT], 'ETH-USDT')).toEqual([]);
  });

  test('are of the newest orders where there are hundreds', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ ...LIMIT, id: String(500 - index) }));
    const lines = orderLines(many, 'BTC-USDT');
    expect(lines).toHaveLength(200);
    expect(lines[0]?.order.id).toBe('500');
  });

  test('fills of the pair become marks at their time and price', () => {
    const { type: _, ...order } = LIMIT;
    const fill = { ...order, order_id: '7', price: '40000.5', quantity: '1', role: 'taker' } as const;
    expect(fillMarks([fill], 'BTC-USDT', MINUTE_MS)).toEqual([
      { id: '7', timestamp: 1, price: 40_000.5, buying: true },
    ]);
    expect(fillMarks([fill], 'ETH-USDT', MINUTE_MS)).toEqual([]);
  });

  test('a market order that met three others is one mark at its average price; another order is another mark', () => {
    const { type: _, ...order } = LIMIT;
    const fill = { ...order, order_id: '7', price: '100.0', quantity: '1', role: 'taker' } as const;
    const fills = [
      fill,
      { ...fill, id: '8', price: '101.0', quantity: '2' },
      { ...fill, id: '9', price: '102.5', quantity: '1' },
      { ...fill, id: '10', order_id: '11' },
      { ...fill, id: '12', created_at: MINUTE_MS },
    ];
    expect(fillMarks(fills, 'BTC-USDT', MINUTE_MS).map(({ id, price }) => [id, price])).toEqual([
      ['7', 101.125],
      ['10', 100],
      ['12', 100],
    ]);
  });

  test('a dragged trigger takes its limit price along at the same distance', () => {
    const [stop, profit] = orderLines([oco], 'BTC-USDT');
    expect(dragChanges(stop!, '38500.0', 1)).toEqual({ stop_price: '38500.0', stop_limit_price: '38400.0' });
    expect(dragChanges(profit!, '46000.0', 1)).toEqual({ take_profit_price: '46000.0' });
    const [line] = orderLines([LIMIT], 'BTC-USDT');
    expect(dragChanges(line!, '39000.0', 1)).toEqual({ price: '39000.0' });
    // A limit price stays above zero.
    expect(dragChanges(stop!, '50.0', 1)).toEqual({ stop_price: '50.0', stop_limit_price: '0.1' });
  });

  test('an order is told without zeros that say nothing, and one at market has no price', () => {
    const size = { type: 'market', final_price: '0', number_of_order: '0.00000', remaining: '0.00000' } as const;
    expect(sideText(LIMIT)).toBe('Buy 0.01 BTC at 40,000.0');
    expect(sideText({ ...LIMIT, ...size, total: '100.00000000' })).toBe('Buy BTC for 100 USDT at market price');
    expect(sideText({ ...LIMIT, final_price: '0', delegate_type: 'SELL' })).toBe('Sell 0.01 BTC at market price');
    const stop = waiting('stop_market', { stop_price: '45000' });
    expect(orderLines([{ ...stop, ...size, total: '100.00000000' }], 'BTC-USDT')).toMatchObject([
      { label: 'Stop · Buy 100 USDT' },
    ]);
  });

  test('only what differs is a change, and only what has a price can change', () => {
    expect(realChanges(LIMIT, { price: '40000', quantity: '0.02' })).toEqual({ quantity: '0.02' });
    expect(realChanges(LIMIT, { price: '' })).toEqual({});
    expect(amendErrors(LIMIT, { price: '', quantity: '0.02' }, undefined)).toEqual({ price: 'Price is required' });
    expect(amendErrors(LIMIT, { quantity: '?1.2.3' }, undefined)).toEqual({ quantity: 'Amount is required' });
    expect(amendErrors(LIMIT, { price: '41000' }, undefined)).toEqual({});
    expect(amendLines(oco).map(({ field }) => field)).toEqual(['take_profit_price', 'stop_price', 'stop_limit_price']);
    expect([LIMIT, oco, trailing, { ...LIMIT, type: 'market' as const }].map(canAmend)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('a changed limit is looked at as an entered one is: the band refuses it, and far through the market it is warned of', () => {
    const percents = { price_band_percent: '10.0000', maker_fee_percent: '0', taker_fee_percent: '0', fee_credit: '0' };
    const minimums = { minimum_sell: '0', account_balance_limit_spot: '0', minimum_total: '0', ...percents };
    const market = { priceScale: 1, lastPrice: '41000.0', minimums, book: undefined };
    expect(amendErrors(LIMIT, { price: '46000' }, market)).toEqual({
      price: 'Use a price from 36,900.0 to 45,100.0, within 10% of the reference price',
    });
    expect(amendErrors(LIMIT, { price: '45000' }, market)).toEqual({});
    expect(amendWarning(LIMIT, { price: '42230' }, market)).toBe(
      'Your price is 3.00% above the market. The order can fill immediately at up to 42,230.0.',
    );
    expect(amendWarning(LIMIT, { price: '41500' }, market)).toBeUndefined();
    // What stays as it is, and the trigger of an untriggered order, is no new limit.
    expect(amendWarning({ ...LIMIT, final_price: '45000.0' }, { price: '45000' }, market)).toBeUndefined();
    expect(amendWarning(oco, { stop_limit_price: '50000' }, market)).toBeUndefined();
    expect(amendWarning(LIMIT, { price: '42230' }, undefined)).toBeUndefined();
  });

  test('what waits says for what', () => {
    expect(triggerText(oco)).toBe('takes profit at 45,000, stops at 39,000');
    expect(triggerText(trailing)).toBe('trails by 1.5%, from 41,000 on');
    expect(triggerText(LIMIT)).toBe('');
    const by = (source: 'mark' | 'index') =>
      triggerText({ trigger: { ...oco.trigger, trigger_by: source } as Order['trigger'] });
    expect(by('mark')).toBe('takes profit at 45,000, stops at 39,000, by the mark price');
    expect(by('index')).toBe('takes profit at 45,000, stops at 39,000, by the index price');
  });

  test('the states in words (T-spot-95..97)', () => {
    expect(STATES).toMatchObject({ PENDING: 'Pending', APPROVED: 'Filled', DISSAPROVED: 'Cancelled' });
  });
});

describe('the chart', () => {
  beforeEach(() => {
    vi.stubGlobal('document', { documentElement: {} });
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '#123456' }));
  });
  afterEach(() => void vi.unstubAllGlobals());

  test('the last close is a dashed line, and what is written on drawings is in the font of the product', () => {
    expect(chartStyles().overlay?.text?.family).toContain('Inter');
    expect(chartStyles().candle?.priceMark?.last?.line).toMatchObject({ style: 'dashed', dashedValue: [3, 3] });
  });

  test('zooming on the last twenty candles gives each a twentieth of the width (T-chart-12)', () => {
    const chart = {
      getSize: () => ({ width: 812 }) as never,
      setBarSpace: vi.fn(),
      setOffsetRightDistance: vi.fn(),
      scrollToRealTime: vi.fn(),
    };
    zoomOnLast(chart, 20);
    expect(chart.setBarSpace).toHaveBeenCalledWith(40);
    expect(chart.scrollToRealTime).toHaveBeenCalledOnce();
  });

  test('thirty indicators, each with periods that can be set', () => {
    expect(INDICATORS).toHaveLength(30);
    const chosen = toggleIndicator(FIRST_INDICATORS, 'MA');
    expect(chosen.at(-1)).toEqual({ name: 'MA', params: [7, 25, 99] });
    expect(setParameter(chosen, 'MA', 1, '21').at(-1)?.params).toEqual([7, 21, 99]);
    for (const text of ['0', '1.5', '1001', 'x']) expect(setParameter(chosen, 'MA', 1, text)).toBe(chosen);
    expect(toggleIndicator(chosen, 'MA')).toEqual(FIRST_INDICATORS);
  });
});

test('the pie counts the real trades by side and size (T-spot-58)', () => {
  const trade = (side: 'buy' | 'sell', sz: string, tradeId: string) => ({ side, sz, px: '10', ts: '1', tradeId });
  const flow = tradeFlow([
    trade('buy', '6', '1'),
    trade('buy', '1', '2'),
    trade('sell', '1', '3'),
    trade('sell', '2', '4'),
  ]);
  expect(flow.map(({ kind, share }) => [kind, share])).toEqual([
    ['large-buy', 0.6],
    ['small-buy', 0.1],
    ['small-sell', 0.3],
    ['large-sell', 0],
  ]);
});
