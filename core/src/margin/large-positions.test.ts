/** A position of a cheap coin is many orders of the largest size: what closes it, closes all of it. In both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { MarketSpec } from '../money/market.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import { BTC_PERPETUAL, listing, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';

/** Price in millionths of a USDT, quantity in whole coins: one tick × lot is one USDT unit. */
const CHEAP: MarketSpec = {
  ...BTC_PERPETUAL,
  ...{ id: 30, symbol: 'CHEAP-USDT-SWAP', tickScale: 6, lotScale: 0, minimumLots: 1, maximumLots: MAXIMUM_INT32 },
  perpetual: {
    ...BTC_PERPETUAL.perpetual!,
    tiers: [{ maximumNotional: 10n ** 15n, maximumLeverage: 50, maintenancePpm: 4_000 }],
  },
};
const PRICE = 10_000;
const LOTS = 3 * MAXIMUM_INT32;

describe.each(ENGINES)('a position of more lots than an order may have, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const command of listing([CHEAP])) floor.apply(command);
    floor.index(PRICE, CHEAP.id);
    for (const owner of [ALICE, BOB, CAROL]) {
      floor.fund(owner, USDT.id, 10n ** 14n);
      floor.moveToFutures(owner, owner === ALICE ? 2_600_000_000_000n : 60_000_000_000_000n);
      floor.verdict({ kind: 'set-leverage', owner, market: CHEAP.id, leverage: 50, isIsolated: false });
    }
    const order = { market: CHEAP.id, price: PRICE, quantity: MAXIMUM_INT32 };
    for (let times = 0; times < 3; times += 1) {
      expect(floor.sell({ ...order, owner: BOB })).toBe('OK');
      expect(floor.buy({ ...order, owner: ALICE })).toBe('OK');
    }
    expect(floor.position(ALICE, CHEAP.id)?.position?.lots).toBe(LOTS);
  });

  it('is liquidated by several orders, and against the other side where nobody takes them', () => {
    expect(floor.buy({ market: CHEAP.id, owner: CAROL, price: 9_700, quantity: MAXIMUM_INT32 })).toBe('OK');
    expect(floor.buy({ market: CHEAP.id, owner: CAROL, price: 9_690, quantity: 1_000 })).toBe('OK');
    floor.index(9_620, CHEAP.id);
    const [first, second] = [MAXIMUM_INT32, MAXIMUM_INT32 - 1_000];
    expect(floor.changes()).toEqual([
      `#7 filled 0/${first}`,
      `#9 filled 0/${first}`,
      '#8 filled 0/1000',
      `#10 cancelled UNFILLED_REMAINDER ${second}/${first}`,
    ]);
    const left = LOTS - MAXIMUM_INT32 - 1_000;
    expect(floor.events).toContainEqual(
      expect.objectContaining({ kind: 'position-deleveraged', owner: BOB, against: ALICE, lots: left }),
    );
    expect(floor.position(ALICE, CHEAP.id)?.position).toBeUndefined();
    expect(floor.position(BOB, CHEAP.id)?.position?.lots).toBe(MAXIMUM_INT32 + 1_000);
  });

  it('is liquidated by several orders that are all filled', () => {
    for (let times = 0; times < 3; times += 1)
      expect(floor.buy({ market: CHEAP.id, owner: CAROL, price: 9_700, quantity: MAXIMUM_INT32 })).toBe('OK');
    floor.index(9_620, CHEAP.id);
    expect(floor.trades()).toEqual([7, 8, 9].map((maker) => `9700x${MAXIMUM_INT32}#${maker}`));
    expect(floor.position(ALICE, CHEAP.id)?.position).toBeUndefined();
    expect(floor.position(CAROL, CHEAP.id)?.position?.lots).toBe(LOTS);
  });
});
