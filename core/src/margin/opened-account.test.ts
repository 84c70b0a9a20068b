/** Openings beside their maintenance by example, in both engines: prices in tenths of a USDT, a lot is a thousandth of a coin. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { PlaceOrder } from '../orders/commands.ts';
import { BTC_PERPETUAL, ETH_PERPETUAL } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { OPENS_ABOVE_MAINTENANCE } from '../terms/rules.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
/** 50 lots at 10,000 ticks: 50 USDT, with a margin of 0.5 USDT at x100, where 0.45 % are maintenance and closing fee. */
const [PRICE, LOTS] = [10_000, 50];

describe.each(ENGINES)('what an order opens, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 1_000n * USD);
    floor.index(PRICE, MARKET);
  });

  const buy = (terms: Partial<PlaceOrder>) => floor.buy({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const sell = (terms: Partial<PlaceOrder>) => floor.sell({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const leverage = (times: number, isIsolated: boolean, market = MARKET) =>
    floor.verdict({ kind: 'set-leverage', owner: ALICE, market, leverage: times, isIsolated });
  const alice = () => floor.position(ALICE, MARKET);

  it.each(['limit', 'market'] as const)('is refused below the maintenance of its own margin, by a %s order', (type) => {
    leverage(100, true);
    buy({ owner: BOB, price: 9_900 });
    const order = { type, price: type === 'limit' ? 9_900 : 0, timeInForce: 'IOC' } as const;
    expect([sell(order), alice()?.position]).toEqual(['BELOW_MAINTENANCE', undefined]);
    leverage(20, true);
    expect([sell(order), alice()?.position?.lots]).toEqual(['OK', LOTS]);
  });

  it('was taken and liquidated at the next mark under the rules before', () => {
    floor.exchange.rules = OPENS_ABOVE_MAINTENANCE - 1;
    leverage(100, true);
    buy({ owner: BOB, price: 9_900 });
    expect(sell({ price: 9_900, timeInForce: 'IOC' })).toBe('OK');
    floor.index(PRICE, MARKET);
    expect(floor.events.some(({ kind }) => kind === 'position-liquidated')).toBe(true);
  });

  it('is asked of an order that would rest only for what it trades at once', () => {
    leverage(100, true);
    expect(buy({ price: 10_090 })).toBe('OK');
    floor.verdict({ kind: 'cancel-all-orders', owner: ALICE, market: undefined });
    sell({ owner: BOB, price: 10_090 });
    expect([buy({ price: 10_090 }), buy({ price: 10_090, timeInForce: 'FOK' })]).toEqual([
      ...Array(2).fill('BELOW_MAINTENANCE'),
    ]);
  });

  it('is asked of an amendment that trades', () => {
    leverage(100, true);
    sell({ owner: BOB, price: 10_090 });
    const order = floor.order({ market: MARKET, price: PRICE, quantity: LOTS });
    expect(floor.verdict(order)).toBe('OK');
    const amended = (price: number) =>
      floor.verdict({ kind: 'amend-order', orderId: order.orderId, owner: ALICE, price, quantity: undefined });
    expect([amended(10_090), floor.index(10_050, MARKET), amended(10_090)]).toEqual(['BELOW_MAINTENANCE', 'OK', 'OK']);
    expect(alice()?.position?.lots).toBe(LOTS);
  });

  it('is asked of the part of a reversal that opens, and not of what closes', () => {
    leverage(100, true);
    sell({ owner: BOB, quantity: 20 });
    expect(buy({ quantity: 20, timeInForce: 'IOC' })).toBe('OK');
    buy({ owner: CAROL, price: 9_990, quantity: 20 });
    buy({ owner: BOB, price: 9_940 });
    const order = { type: 'market', price: 0, timeInForce: 'IOC' } as const;
    expect(sell({ ...order, quantity: 50 })).toBe('BELOW_MAINTENANCE');
    expect([sell({ ...order, quantity: 20 }), alice()?.position]).toEqual(['OK', undefined]);
  });

  it('is asked of what is triggered and of slices of a TWAP', () => {
    leverage(100, true);
    const stop = { trigger: 9_990, price: 0 };
    expect(floor.place({ market: MARKET, source: 'mark', side: 1, quantity: LOTS, quoteTotal: 0n, stop })).toBe('OK');
    buy({ owner: BOB, price: 9_850 });
    floor.index(9_980, MARKET);
    expect(floor.triggerings().at(-1)).toContain('BELOW_MAINTENANCE');
    expect(floor.twap({ market: MARKET, side: 1, price: 9_850, quantity: LOTS })).toBe('OK');
    floor.runAt(floor.time + 1);
    expect([floor.events.filter(({ kind }) => kind === 'trade'), alice()?.position]).toEqual([[], undefined]);
  });

  it('is asked by the value at the mark, of which a higher tier needs more, where all of a wallet backs it', () => {
    const market = ETH_PERPETUAL.id;
    leverage(100, false, market);
    // 10 USDT at a price that is worth 25,540 USDT at the mark: no band keeps them apart.
    const tiny = { market, quantity: 100_000, price: 1 };
    floor.index(1, market);
    expect(buy({ ...tiny, owner: BOB })).toBe('OK');
    expect(floor.index(2_554, market)).toBe('OK');
    // The loss and the margin of x100 at the mark are 25,785 USDT with the fee, and maintenance is twice that margin.
    floor.moveToFutures(ALICE, 24_900n * USD);
    expect(sell({ ...tiny, timeInForce: 'IOC' })).toBe('BELOW_MAINTENANCE');
    floor.moveToFutures(ALICE, 300n * USD);
    expect(sell({ ...tiny, timeInForce: 'IOC' })).toBe('OK');
  });
});
