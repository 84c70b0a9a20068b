/** From which amount on sweeping a coin is worth what it costs. */
import { describe, expect, it } from 'vitest';
import type { CoinNetwork } from '../chains/service.ts';
import { hasMarket, leastUnits, type WorthDeps } from './worth.ts';

const codes = ['USDT', 'USDC', 'BNB', 'TRX'];
const ONE = 10n ** 8n;

/** @param prices in USDT, smallest units of the ledger */
const market = (prices: Readonly<Record<string, bigint>>): WorthDeps => ({
  assetByCode: (code) => (codes.includes(code) ? { id: codes.indexOf(code), code, scale: 8 } : undefined),
  worthOf: (asset, units) => {
    const price = codes[asset] === 'USDT' ? ONE : prices[codes[asset] ?? ''];
    return price === undefined ? undefined : (price * units) / ONE;
  },
});
const way = (change: Partial<CoinNetwork>) =>
  ({ network: 'TRC20', coin: 'USDT', contract: 'T', chain_scale: 6, withdraw_fee: null, ...change }) as CoinNetwork;
const twice = (coin_price: string | null) => ({ least_multiple: 2, coin_price });
const TRX = 1_000_000n;

describe('the least worth of a sweep', () => {
  it('is a multiple of its cost, of the chain’s own coin whatever that is worth', () => {
    expect(leastUnits(way({ contract: null }), 7n, twice('3'), market({}))).toBe(14n);
  });

  it('is said by the last price of a market, whatever an operator has said', () => {
    const deps = market({ TRX: (3n * ONE) / 10n });
    expect(leastUnits(way({}), 10n * TRX, twice('9'), deps)).toBe(6_000_000n);
    expect(hasMarket('TRC20', deps)).toBe(true);
  });

  it.each([
    ['where there is no market', market({})],
    ['where a market has no price', market({ TRX: 0n, BNB: 0n })],
  ])('is said by the price of an operator %s, rounded up, in the decimals of each chain', (_, deps) => {
    expect(hasMarket('TRC20', deps)).toBe(false);
    expect(leastUnits(way({}), 10n * TRX, twice('0.28'), deps)).toBe(5_600_000n);
    expect(leastUnits(way({}), 1n, twice('0.00000001'), deps)).toBe(2n);
    const bep20 = way({ network: 'BEP20', chain_scale: 18 });
    expect(leastUnits(bep20, 10n ** 15n, twice('889.5'), deps)).toBe(1_779n * 10n ** 15n);
  });

  it('is said in the swept coin by its own market', () => {
    const deps = market({ USDC: (9n * ONE) / 10n });
    expect(leastUnits(way({ coin: 'USDC' }), 9n * TRX, twice('0.5'), deps)).toBe(10_000_000n);
    expect(leastUnits(way({ coin: 'USDC' }), 9n * TRX, twice('0.5'), market({}))).toBeUndefined();
  });

  it('is said by what a withdrawal costs where nothing else says it, and by nothing where that is free', () => {
    expect(leastUnits(way({ withdraw_fee: '1.5' }), TRX, twice(null), market({}))).toBe(3_000_000n);
    expect(leastUnits(way({ withdraw_fee: '0' }), TRX, twice(null), market({}))).toBeUndefined();
    expect(leastUnits(way({}), TRX, twice(null), market({}))).toBeUndefined();
  });
});
