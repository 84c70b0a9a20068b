import type { FuturesAccount, FuturesPosition } from '@cambist/contract/futures.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import { isLiquidated } from '@cambist/core/margin/thresholds.ts';
import { describe, expect, it } from 'vitest';
import { crossBacking, known, liveFigures, positionOf, riskPercent } from './figures.ts';
import { affordable, afterFill, largestValue, needed, type OrderTerms } from './orders.ts';
import { type FuturesSettings, marketTerms, priceText, unitsOf, usdt } from './terms.ts';

const PAIR = { pair_name: 'BTC-USDT-SWAP', price_scale: 1, quantity_scale: 3 } as CoinPair;

const SETTINGS = {
  taker_fee_percent: '0.0500',
  tiers: [
    { maximum_value: '10000', maximum_leverage: 100, maintenance_percent: '0.4000' },
    { maximum_value: '50000', maximum_leverage: 50, maintenance_percent: '1.0000' },
  ],
} as FuturesSettings;

const MARKET = marketTerms(PAIR, SETTINGS);

/** 0.05 of a coin at 1,000 USDT, x10. */
const POSITION = {
  id: '1',
  coin_pair: { pair_name: PAIR.pair_name, coin_pair_name: 'BTCUSDTSWAP' },
  ...{ side: 'long', quantity: '0.050', leverage: 10, margin_mode: 'isolated', cost: '50', margin: '5' },
  ...{ mark_price: '1000.0', funding_owed: '0', income: '0', opening_price: '1000.0' },
} as FuturesPosition;

const ACCOUNT = { balance: '100', free: '90', equity: '100' } as FuturesAccount;

const at = (mark: string, change: Partial<FuturesPosition> = {}) => known({ ...POSITION, ...change }, MARKET, mark);

const isOwn = ({ coin_pair: { pair_name: name } }: FuturesPosition) => name === PAIR.pair_name;

describe('a position at the mark of now', () => {
  it('has its income, rate of return and value by that mark', () => {
    const [shown] = liveFigures([at('1010.0')], ACCOUNT).positions;
    expect(shown).toMatchObject({
      ...{ mark_price: '1010.0', income: '0.50000000', rate_of_return: '0.100000' },
      ...{ total_asset: '5.50000000', value: '50.50000000' },
    });
  });

  it('is shown the first price at which the engine liquidates it', () => {
    for (const margin_mode of ['isolated', 'cross'] as const) {
      const one = at('1000.0', { margin_mode });
      const [shown] = liveFigures([one], ACCOUNT).positions;
      const backing = margin_mode === 'isolated' ? unitsOf('5') : crossBacking(isOwn, [one], ACCOUNT);
      const end = shown?.estimated_force_parity;
      if (!end) {
        expect(isLiquidated(MARKET.terms, one.position, backing, 1)).toBe(false);
        continue;
      }
      const ticks = Number(end.replace('.', ''));
      expect(isLiquidated(MARKET.terms, one.position, backing, ticks)).toBe(true);
      expect(isLiquidated(MARKET.terms, one.position, backing, ticks + 1)).toBe(false);
    }
  });

  it('backs a cross position with what the others have beyond what they must keep', () => {
    const [one, other] = [at('1000.0', { margin_mode: 'cross' }), at('900.0', { id: '2', margin_mode: 'cross' })];
    const elsewhere = { ...other, shown: { ...other.shown, coin_pair: { pair_name: 'X', coin_pair_name: 'X' } } };
    const alone = crossBacking(isOwn, [one], ACCOUNT);
    expect(alone).toBe(unitsOf('100'));
    expect(crossBacking(isOwn, [one, elsewhere], ACCOUNT)).toBe(alone - unitsOf('5') - elsewhere.required);
  });

  it('is liquidated with its other leg as one, at the price at which both have no more than they must', () => {
    const legs = (mark: string) => [
      at(mark, { margin_mode: 'cross', position_side: 'long' }),
      at(mark, { id: '2', margin_mode: 'cross', side: 'short', position_side: 'short', quantity: '0.040', cost: '40' }),
    ];
    const poor = { ...ACCOUNT, balance: '3' };
    const shown = (mark: string) => liveFigures(legs(mark), poor);
    const [long, short] = shown('1000.0').positions;
    expect(short?.estimated_force_parity).toBeNull();
    const end = Number(long?.estimated_force_parity);
    const ratio = (mark: number) => shown(mark.toFixed(1)).account.margin_ratio;
    expect([Number(ratio(end)) >= 1, Number(ratio(end + 0.1)) < 1]).toEqual([true, true]);
  });

  it('takes what cross positions have lost from what is free, and gives nothing for what they have won', () => {
    const free = (mark: string) => liveFigures([at(mark, { margin_mode: 'cross' })], ACCOUNT).account.free;
    expect([free('990.0'), free('1010.0')]).toEqual(['89.50000000', '90.00000000']);
  });

  it('is at 100 percent of its risk where nothing backs it any more', () => {
    const ratio = (mark: string) => riskPercent(liveFigures([at(mark)], ACCOUNT).positions[0]?.margin_ratio ?? '0');
    expect(ratio('1000.0')).toBeCloseTo(4.5);
    expect(ratio('800.0')).toBe(100);
  });
});

describe('an order of a perpetual', () => {
  const order = { side: 'BUY', ticks: 10_000, leverage: 10, mark: 10_000 } as const;

  it('needs its margin and its fee for each lot, and the loss that it begins with', () => {
    // A lot is worth 1 USDT: a tenth of it, and 0.05 %.
    const lot = (change: Partial<OrderTerms>) => needed(MARKET, { ...order, ...change }, 1);
    expect(lot({})).toBe(unitsOf('0.1005'));
    expect(lot({ mark: 9_900 })).toBe(unitsOf('0.1105'));
    expect(lot({ side: 'SELL', mark: 9_900 })).toBe(unitsOf('0.1005'));
    expect(needed(MARKET, order, 7)).toBe(unitsOf('0.7035'));
  });

  it('needs what a cross position loses where the order closes it, and for those lots no loss that they would begin with', () => {
    const sell = { ...order, side: 'SELL', ticks: 9_900, mark: 9_950 } as const;
    const open = { position: positionOf(MARKET, POSITION), isIsolated: false };
    // 50 lots lose 0.01 USDT each, the others begin with 0.005; margin and fee are at the mark.
    expect(needed(MARKET, sell, 50, open)).toBe(50n * unitsOf('0.0999975') + unitsOf('0.5'));
    expect(needed(MARKET, sell, 60, open)).toBe(60n * unitsOf('0.0999975') + unitsOf('0.5') + unitsOf('0.05'));
    expect(needed(MARKET, { ...sell, side: 'BUY', mark: 9_900 }, 1, open)).toBe(unitsOf('0.099495'));
    // An isolated position loses what is its own.
    expect(needed(MARKET, sell, 60, { ...open, isIsolated: true })).toBe(60n * unitsOf('0.0999975') + unitsOf('0.05'));
    for (const free of ['0', '0.05', '0.5', '5.4', '5.5', '5.50', '6.6', '20'].map(unitsOf)) {
      const most = affordable(MARKET, sell, free, open);
      expect(needed(MARKET, sell, most, open) <= free || most === 0).toBe(true);
      expect(needed(MARKET, sell, most + 1, open) > free).toBe(true);
    }
  });

  it('may be as large as the tier of its leverage', () => {
    expect([100, 50, 10, 101].map((times) => largestValue(MARKET, times))).toEqual(
      ['10000', '50000', '50000', '0'].map(unitsOf),
    );
  });

  it('says where the position is liquidated that it leads to', () => {
    const position = positionOf(MARKET, POSITION);
    const isolated = afterFill(MARKET, order, 50, { position: undefined, margin: 0n, backing: 0n });
    const [shown] = liveFigures([at('1000.0')], ACCOUNT).positions;
    expect(isolated.position).toEqual(position);
    expect(priceText(MARKET, isolated.liquidationPrice ?? 0)).toEqual({
      units: BigInt((shown?.estimated_force_parity ?? '').replace('.', '')),
      scale: 1,
    });
    const closed = afterFill(MARKET, { ...order, side: 'SELL' }, 50, { position, margin: unitsOf('5'), backing: 0n });
    expect(closed).toEqual({ position: undefined, liquidationPrice: undefined });
    const turned = afterFill(MARKET, { ...order, side: 'SELL' }, 80, { position, margin: unitsOf('5'), backing: 0n });
    expect(turned.position).toEqual({ direction: -1, lots: 30, cost: usdt(unitsOf('30')).units });
  });
});
