/** Index, mark and funding of a perpetual market by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExchangeEvent } from '../events/event.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import type { PerpetualSpec } from '../money/market.ts';
import { BTC_PERPETUAL, BTC_USDT, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { LONG } from './perpetual.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const HOUR = 3_600_000;
/** 50 lots at 10,000 ticks: 50 USDT. */
const [PRICE, LOTS] = [10_000, 50];

describe.each(ENGINES)('funding of a perpetual market, $engine', ({ create }) => {
  let floor: TradingFloor;
  /** Hourly funding of 0.01 % interest within 3 %, and marks within 2 % of the index. */
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    terms({ markClampPpm: 20_000 });
    // A whole number of hours since 1970.
    indexAt(0);
  });

  const HOURLY = {
    intervalMs: HOUR,
    interestPpb: 100_000,
    dampPpb: 500_000,
    capPpb: 30_000_000,
    impactValue: 4n * USD,
  };
  const terms = (change: Partial<PerpetualSpec>) => {
    const { minimumLots, maximumLots, minimumNotional, priceBandPpm, perpetual } = BTC_PERPETUAL;
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    const command = { kind: 'change-market', market: MARKET, ...limits } as const;
    expect(floor.verdict({ ...command, perpetual: { ...perpetual!, funding: HOURLY, ...change } })).toBe('OK');
  };
  const buy = (owner: number, price = PRICE, quantity = LOTS) => floor.buy({ market: MARKET, owner, price, quantity });
  const sell = (owner: number, price = PRICE, quantity = LOTS) =>
    floor.sell({ market: MARKET, owner, price, quantity });
  const open = () => {
    expect(sell(BOB)).toBe('OK');
    expect(buy(ALICE)).toBe('OK');
  };
  /** An index at so many ms after the beginning. */
  const indexAt = (ms: number, price = PRICE) => {
    floor.time = 1_000 * HOUR + ms - 1;
    expect(floor.index(price, MARKET)).toBe('OK');
  };
  const mark = () => floor.exchange.marketState(MARKET).markPrice;
  const system = (owner: SystemOwner) =>
    floor.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, USDT.id));
  const of = <Kind extends ExchangeEvent['kind']>(kind: Kind) =>
    floor.events.filter((event): event is Extract<ExchangeEvent, { kind: Kind }> => event.kind === kind);

  it('goes on from now when a clock that was ahead is set right', () => {
    open();
    const year = 365 * 24 * HOUR;
    indexAt(year);
    expect(of('perpetual-priced').at(-1)!.state.nextFundingAt).toBe(1_001 * HOUR + year);
    floor.setBack(1_000 * HOUR);
    indexAt(60_000);
    const state = { sampledAt: 1_000 * HOUR + 60_000, nextFundingAt: 1_001 * HOUR };
    expect(of('perpetual-priced').at(-1)!.state).toMatchObject(state);
    indexAt(120_000);
    expect(of('perpetual-priced').at(-1)!.state.sampledAt).toBe(1_000 * HOUR + 120_000);
    indexAt(HOUR);
    expect(of('funding-settled')).toHaveLength(1);
  });

  it('is the middle of the last price, the book’s and the index with its funding, and stays near the index', () => {
    const funding = { ...HOURLY, interestPpb: 10_000_000, dampPpb: 10_000_000 };
    terms({ markClampPpm: 20_000, funding });
    indexAt(10);
    expect(mark()).toBe(PRICE);
    open();
    buy(ALICE, 10_090, 5);
    sell(BOB, 10_110, 5);
    // Last 10,000; the index and an hour of funding 10,099; the index and the book's middle 10,100.
    indexAt(20);
    expect(of('perpetual-priced')).toMatchObject([{ mark: 10_099, ratePpb: 10_000_000 }]);
    sell(CAROL, 10_090, 5);
    // Now last is in the middle, as the book has a side alone and its sample is 30 seconds old.
    indexAt(30_021);
    expect(mark()).toBe(10_090);
    indexAt(30_030, 9_000);
    expect(mark()).toBe(9_089);
    terms({ markClampPpm: 5_000, funding });
    indexAt(30_040, 9_000);
    expect(mark()).toBe(9_045);
  });

  it('takes no mark from elsewhere, and no index for a spot market', () => {
    expect(floor.mark(PRICE, MARKET)).toBe('INVALID_MARKET');
    expect(floor.index(PRICE, BTC_USDT.id)).toBe('INVALID_MARKET');
    expect(floor.index(PRICE, 99)).toBe('UNKNOWN_MARKET');
    expect([-1, 1.5, 2 ** 31].map((price) => floor.index(price, MARKET))).toEqual(Array(3).fill('INVALID_PRICE'));
  });

  it('is paid by longs to shorts when they are touched, to the unit', () => {
    open();
    indexAt(10);
    const before = [floor.future(ALICE)[0], floor.future(BOB)[0]] as const;
    indexAt(HOUR);
    expect(of('funding-settled')).toMatchObject([{ ratePpb: 100_000, mark: PRICE }]);
    // Positions of other people make no event, however many they are.
    expect(of('position-changed')).toEqual([]);
    expect(floor.future(ALICE)[0]).toBe(before[0]);
    buy(CAROL, PRICE, 10);
    sell(ALICE, PRICE, 10);
    // 0.01 % of 50 USDT.
    const paid = { owner: ALICE, cause: 'funding', funding: 5_000n };
    expect(of('position-changed')).toContainEqual(expect.objectContaining(paid));
    expect(system(SystemOwner.FUNDING)).toBe(5_000n);
    sell(CAROL, PRICE, 10);
    buy(BOB, PRICE, 10);
    expect(of('position-changed')).toContainEqual(expect.objectContaining({ owner: BOB, funding: -5_000n }));
    expect(system(SystemOwner.FUNDING)).toBe(0n);
  });

  it('takes the premium of the book each minute, and pays shorts’ cost to longs where the book is below', () => {
    open();
    buy(ALICE, 9_900, 5);
    sell(BOB, 9_950, 5);
    for (let minute = 0; minute < 61; minute += 1) indexAt(1_000 + minute * 60_000);
    // 0.5 % below the index in 60 of 61 samples, damped by 0.05 %.
    expect(of('funding-settled')).toMatchObject([{ ratePpb: -4_418_032 }]);
    expect(floor.exchange.perpetualState(MARKET)).toMatchObject({ premiumCount: 0, nextFundingAt: 1_002 * HOUR });
  });

  it('leaves out intervals that passed without an index', () => {
    open();
    indexAt(10);
    indexAt(5 * HOUR + 10);
    expect(of('funding-settled')).toHaveLength(1);
    expect(floor.exchange.perpetualState(MARKET).nextFundingAt).toBe(1_006 * HOUR);
  });

  it('counts what is owed before it is paid: no order and no withdrawal takes it away', () => {
    open();
    indexAt(10);
    const before = floor.exchange.freeOf(ALICE, USDT.id);
    indexAt(HOUR);
    expect(floor.exchange.freeOf(ALICE, USDT.id)).toBe(before - 5_000n);
    // What Bob is to receive he may use once it was paid.
    expect(floor.moveToFutures(ALICE, -before)).toBe('INSUFFICIENT_FUNDS');
    expect(floor.moveToFutures(ALICE, 5_000n - before)).toBe('OK');
  });

  it('comes out of an isolated margin, and brings its liquidation nearer', () => {
    floor.apply({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: 10, isIsolated: true });
    open();
    indexAt(10);
    indexAt(HOUR);
    expect(floor.future(ALICE)[2]).toBe(5n * USD);
    expect(floor.verdict({ kind: 'adjust-margin', owner: ALICE, market: MARKET, amount: USD })).toBe('OK');
    expect(floor.future(ALICE)[2]).toBe(6n * USD - 5_000n);
    expect(floor.position(ALICE, MARKET)?.position).toMatchObject({ direction: LONG, lots: LOTS });
  });

  it('liquidates by funding alone where there is no more left', () => {
    terms({ markClampPpm: 0 });
    floor.apply({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: 100, isIsolated: true });
    open();
    sell(BOB, 10_100, 100);
    buy(CAROL, 10_090, 100);
    let minutes = 0;
    for (; minutes < 1_200 && of('position-liquidated').length === 0; minutes += 1) indexAt(1_000 + minutes * 60_000);
    expect(minutes).toBeGreaterThan(60);
    expect(minutes).toBeLessThan(1_200);
    expect(of('position-liquidated')[0]).toMatchObject({ owner: ALICE, mark: PRICE });
    expect(of('position-changed')[0]).toMatchObject({ owner: ALICE, cause: 'funding' });
  });

  describe('liquidation', () => {
    beforeEach(() => {
      terms({ markClampPpm: 0 });
      floor.apply({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: 20, isIsolated: true });
      open();
      indexAt(10);
    });

    it('waits while the index is lost, and comes with the next one', () => {
      indexAt(20, 0);
      expect(mark()).toBe(PRICE);
      terms({ tiers: [{ maximumNotional: 300n * USD, maximumLeverage: 10, maintenancePpm: 60_000 }] });
      expect(floor.exchange.hasLiquidations()).toBe(false);
      expect(floor.verdict({ kind: 'run-liquidations', maximum: 10 })).toBe('OK');
      expect(of('position-liquidated')).toEqual([]);
      indexAt(30);
      expect(of('position-liquidated')).toMatchObject([{ owner: ALICE }]);
    });

    it('waits while the index is older than a minute', () => {
      terms({ tiers: [{ maximumNotional: 300n * USD, maximumLeverage: 10, maintenancePpm: 60_000 }] });
      expect(floor.exchange.hasLiquidations()).toBe(true);
      floor.time += 60_001;
      expect(floor.verdict({ kind: 'run-liquidations', maximum: 10 })).toBe('OK');
      expect(of('position-liquidated')).toEqual([]);
      indexAt(70_000);
      expect(of('position-liquidated')).toHaveLength(1);
    });
  });
});
