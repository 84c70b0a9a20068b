/** The end of a market by example, in both engines: prices in tenths of a USDT, a lot is a thousandth of a coin. */
import { beforeEach, describe, expect, it } from 'vitest';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { BTC_PERPETUAL, BTC_USDT, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import type { SettlePositions } from './commands.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const [PRICE, LOTS] = [10_000, 50];
const INSURANCE = accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, USDT.id);

describe.each(ENGINES)('settling the positions of a market, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 20n * USD);
    floor.index(PRICE, MARKET);
  });

  const buy = (terms: Partial<PlaceOrder>) => floor.buy({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const sell = (terms: Partial<PlaceOrder>) => floor.sell({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const halt = (halted = true) => floor.verdict({ kind: 'halt-market', market: MARKET, halted });
  const settle = (terms: Partial<SettlePositions> = {}) =>
    floor.verdict({ kind: 'settle-positions', market: MARKET, price: PRICE, maximum: 1_000, ...terms });
  const lotsOf = (owner: number) => floor.position(owner, MARKET)?.position?.lots ?? 0;
  const has = (owner: number) => floor.exchange.freeOf(owner, USDT.id);
  /** Alice is long against Bob and Carol. */
  const open = () => {
    for (const owner of [BOB, CAROL]) sell({ owner });
    buy({ quantity: 2 * LOTS });
  };

  it('is refused while the market trades or has orders, and for a price or a number that cannot be', () => {
    open();
    buy({ price: 9_000 });
    expect(settle()).toBe('MARKET_NOT_EMPTY');
    halt();
    expect(settle()).toBe('MARKET_NOT_EMPTY');
    floor.verdict({ kind: 'clear-market', market: MARKET, maximum: 10 });
    for (const [terms, reason] of [
      [{ market: 99 }, 'UNKNOWN_MARKET'],
      [{ market: BTC_USDT.id }, 'INVALID_MARKET'],
      [{ price: 0 }, 'INVALID_PRICE'],
      [{ price: 1.5 }, 'INVALID_PRICE'],
      [{ maximum: 0 }, 'INVALID_QUANTITY'],
      [{ maximum: 1_001 }, 'INVALID_QUANTITY'],
    ] as const)
      expect(settle(terms), reason).toBe(reason);
    expect([ALICE, BOB, CAROL].map(lotsOf)).toEqual([100, 50, 50]);
  });

  it('closes all at the price without a fee, and lets the market be delisted', () => {
    open();
    const before = [ALICE, BOB, CAROL].map(has);
    halt();
    expect(floor.verdict({ kind: 'delist-market', market: MARKET })).toBe('MARKET_NOT_EMPTY');
    // 1 % more: 0.5 USDT for each 50 lots, and the margin of 5 USDT comes back.
    expect(settle({ price: 10_100 })).toBe('OK');
    expect([ALICE, BOB, CAROL].map(lotsOf)).toEqual([0, 0, 0]);
    const gained = [ALICE, BOB, CAROL].map((owner, index) => has(owner) - before[index]!);
    expect(gained).toEqual([11n * USD, 4_500_000n, 4_500_000n]);
    const causes = floor.events.flatMap((event) => (event.kind === 'position-changed' ? [event.cause] : []));
    expect(causes).toEqual(Array(4).fill('settlement'));
    expect(settle()).toBe('OK');
    expect(floor.events).toEqual([]);
    expect(floor.verdict({ kind: 'delist-market', market: MARKET })).toBe('OK');
  });

  it('ends as many of a side as it is told, the lowest owners first', () => {
    open();
    halt();
    settle({ maximum: 1 });
    expect([ALICE, BOB, CAROL].map(lotsOf)).toEqual([50, 0, 50]);
    settle({ maximum: 1 });
    expect([ALICE, BOB, CAROL].map(lotsOf)).toEqual([0, 0, 0]);
  });

  it('asks no term, and lets the insurance pay what an isolated position has not got', () => {
    floor.verdict({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: 10, isIsolated: true });
    sell({ owner: BOB });
    buy({ timeInForce: 'IOC', term: { days: 7, target: 2n * USD, floor: 3n * USD } });
    const [insured, bob, alice] = [floor.exchange.balance(INSURANCE), has(BOB), has(ALICE)];
    halt();
    // 20 % less is 10 USDT, of which the margin has 5.
    settle({ price: 8_000 });
    expect([lotsOf(ALICE), lotsOf(BOB)]).toEqual([0, 0]);
    expect(floor.exchange.balance(INSURANCE) - insured).toBe(-5n * USD);
    expect([has(ALICE) - alice, has(BOB) - bob]).toEqual([0n, 15n * USD]);
  });
});
