import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { describe, expect, it } from 'vitest';
import type { DayMean } from '../market-data/service.ts';
import { createWorth, type WorthDeps } from './worth.ts';

const USDT: Asset = { id: 1, code: 'USDT', scale: 8 };
const ETH: Asset = { id: 2, code: 'ETH', scale: 8 };
const NEW: Asset = { id: 3, code: 'NEW', scale: 8 };
const spec = { id: 7, symbol: 'ETH-USDT', base: ETH, quote: USDT, tickScale: 2, lotScale: 4 } as MarketSpec;
const perpetual = { ...spec, id: 8, symbol: 'ETH-USDT-SWAP', tickScale: 1 } as MarketSpec;
const WHOLE_DAY: DayMean = { price: 300_000, minutes: 1440, tradedHours: 24 };
const NOW = 10 ** 9;
const usdt = (amount: number) => BigInt(Math.round(amount * 1e8));

const worthWith = (changed: Partial<WorthDeps>) =>
  createWorth({
    catalogue: {
      assetByCode: (code) => [USDT, ETH, NEW].find((asset) => asset.code === code),
      assetById: (id) => [USDT, ETH, NEW].find((asset) => asset.id === id),
      resolvePair: (name) => (name === 'ETHUSDT' ? ({ spec } as never) : undefined),
      perpetuals: [{ spec: perpetual } as never],
    },
    lastPrice: () => 300_000,
    referenceOf: () => undefined,
    dayMean: () => WHOLE_DAY,
    perpetual: () => undefined,
    clock: { now: () => NOW },
    ...changed,
  });

describe('what an asset is worth', () => {
  it('is by the highest price where it leaves, and by the lowest where it backs something', () => {
    const dumped = worthWith({ lastPrice: () => 2_700 });
    expect(dumped.highest(ETH.id, 10n ** 8n)).toBe(usdt(3000));
    expect(dumped.lowest(ETH.id, 10n ** 8n)).toBe(usdt(27));
    const pumped = worthWith({ lastPrice: () => 9_000_000 });
    expect(pumped.highest(ETH.id, 10n ** 8n)).toBe(usdt(90_000));
    expect(pumped.lowest(ETH.id, 10n ** 8n)).toBe(usdt(3000));
  });

  it('is by the middle one where nothing is decided by it', () => {
    const worth = worthWith({ lastPrice: () => 2_700, referenceOf: () => 301_000.5 });
    expect(worth.middle(ETH.id, 10n ** 8n)).toBe(usdt(3000));
  });

  it('counts another market, the index and the mark, in their own decimals, and rounds to the safe side', () => {
    expect(worthWith({ referenceOf: () => 310_000.2 }).highest(ETH.id, 10n ** 8n)).toBe(usdt(3100.01));
    const figures = { index: 31_000, mark: 32_000, time: NOW };
    const indexed = worthWith({ perpetual: () => figures });
    expect(indexed.highest(ETH.id, 10n ** 8n)).toBe(usdt(3200));
    const lost = worthWith({ perpetual: () => ({ ...figures, time: NOW - 60_001 }) });
    expect(lost.highest(ETH.id, 10n ** 8n)).toBe(usdt(3000));
    expect(indexed.highest(ETH.id, 1n)).toBe(3200n);
  });

  it('is not known of what no market prices, and its own amount of the quote asset', () => {
    const worth = worthWith({});
    expect([worth.highest(NEW.id, 1n), worth.lowest(NEW.id, 1n), worth.isTrusted(NEW.id)]).toEqual([
      ...[undefined, undefined, false],
    ]);
    expect([worth.highest(USDT.id, 5n), worth.isTrusted(USDT.id)]).toEqual([5n, true]);
    const unpriced = worthWith({ lastPrice: () => 0, dayMean: () => undefined });
    expect(unpriced.highest(ETH.id, 1n)).toBeUndefined();
  });

  it('is trusted by another market, an index, or a whole day of own trades, and not by a few of them', () => {
    const few: DayMean = { ...WHOLE_DAY, tradedHours: 11 };
    expect(worthWith({}).isTrusted(ETH.id)).toBe(true);
    expect(worthWith({ dayMean: () => few }).isTrusted(ETH.id)).toBe(false);
    expect(worthWith({ dayMean: () => ({ ...WHOLE_DAY, minutes: 1439 }) }).isTrusted(ETH.id)).toBe(false);
    expect(worthWith({ dayMean: () => few, referenceOf: () => 300_000 }).isTrusted(ETH.id)).toBe(true);
    const figures = { index: 30_000, mark: 0, time: NOW };
    expect(worthWith({ dayMean: () => few, perpetual: () => figures }).isTrusted(ETH.id)).toBe(true);
  });
});
