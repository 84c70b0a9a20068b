/** Terms of positions by example, in both engines: prices in tenths of a USDT, a lot is a thousandth of a coin. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { PlaceOrder } from '../orders/commands.ts';
import { BTC_PERPETUAL, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { SELL } from '../terms/order-terms.ts';
import { TERMS_ARE_EARNED } from '../terms/rules.ts';
import { LONG } from './perpetual.ts';
import { daysLeft, isWithinBounds, type TermChoice } from './term.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const DAY_MS = 86_400_000;
/** 50 lots at 10,000 ticks: 50 USDT, with a margin of 5 USDT at x10. */
const [PRICE, LOTS] = [10_000, 50];
const TERM: TermChoice = { days: 7, target: 2n * USD, floor: 3n * USD };

it('asks for a target and a floor that mean something and are not reached yet', () => {
  const margin = 1_000n;
  const fits = (target: bigint, floor: bigint, income = 0n) =>
    isWithinBounds({ days: 7, target, floor }, margin, income);
  expect([fits(50n, 800n), fits(49n, 800n), fits(50n, 801n), fits(50n, 0n), fits(50n, -1n)]).toEqual([
    ...[true, false, false, true, false],
  ]);
  expect([fits(60n, 800n, 60n), fits(61n, 800n, 60n), fits(60n, 800n, -200n), fits(60n, 799n, -200n)]).toEqual([
    ...[false, true, false, true],
  ]);
});

it('counts a day that has begun', () => {
  const term = { endsAt: 7 * DAY_MS };
  expect([0, 1, DAY_MS, 7 * DAY_MS - 1, 7 * DAY_MS, 8 * DAY_MS].map((time) => daysLeft(term, time))).toEqual([
    ...[7, 7, 6, 1, 0, 0],
  ]);
});

describe.each(ENGINES)('a term of a position, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    floor.index(PRICE, MARKET);
  });

  const buy = (terms: Partial<PlaceOrder>) => floor.buy({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const sell = (terms: Partial<PlaceOrder>) => floor.sell({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  /** Bob offers what Alice buys. */
  const open = (terms: Partial<PlaceOrder> = {}) => {
    sell({ owner: BOB });
    return buy({ timeInForce: 'IOC', term: TERM, ...terms });
  };
  const close = (terms: Partial<PlaceOrder> = {}) => sell({ timeInForce: 'IOC', reduceOnly: true, ...terms });
  const alice = () => floor.position(ALICE, MARKET);
  /** Carol buys what Alice sells. */
  const bid = (price = PRICE) => buy({ owner: CAROL, price });

  it('begins with the trade that opens, from the command’s time, and costs the taker’s fee', () => {
    expect(open()).toBe('OK');
    const { term, position } = alice()!;
    expect(position).toMatchObject({ direction: LONG, lots: LOTS });
    expect(term).toEqual({
      startedAt: floor.time,
      endsAt: floor.time + 7 * DAY_MS,
      target: 2n * USD,
      floor: 3n * USD,
      discount: 15_000n,
    });
    // 500 parts per million of 50 USDT; a maker pays 200.
    expect(floor.exchange.freeOf(ALICE, USDT.id)).toBe(95n * USD - 25_000n);
    sell({ owner: BOB });
    expect(buy({ timeInForce: 'IOC' })).toBe('OK');
    expect(floor.exchange.freeOf(ALICE, USDT.id)).toBe(90n * USD - 2n * 25_000n);
    expect(alice()?.term).toEqual(term);
  });

  it('keeps orders from reducing the position, and nothing else', () => {
    open();
    bid();
    expect([close(), sell({}), sell({ quantity: 2 * LOTS, timeInForce: 'IOC' }), sell({ price: 11_000 })]).toEqual([
      ...Array(4).fill('TERM_RUNNING'),
    ]);
    sell({ owner: BOB, quantity: 10, price: 10_010 });
    expect(buy({ quantity: 10, price: 10_010, timeInForce: 'IOC' })).toBe('OK');
    expect(alice()?.position?.lots).toBe(LOTS + 10);
  });

  it('ends a stop that is triggered while it runs', () => {
    open();
    const leg = { trigger: 9_950, price: 0 };
    const stop = { source: 'mark', quantity: 0, reduceOnly: true, stop: leg } as const;
    expect(floor.place({ owner: ALICE, market: MARKET, side: SELL, ...stop })).toBe('OK');
    bid(9_900);
    floor.index(9_900, MARKET);
    expect(floor.events).toContainEqual(expect.objectContaining({ kind: 'untriggered-ended', reason: 'TERM_RUNNING' }));
    expect(alice()?.position?.lots).toBe(LOTS);
  });

  it('lets the position be closed from the target on', () => {
    open();
    floor.index(10_390, MARKET);
    bid(10_300);
    expect(close({ price: 10_300 })).toBe('TERM_RUNNING');
    floor.index(10_420, MARKET);
    expect(floor.exchange.marketState(MARKET).markPrice).toBeGreaterThanOrEqual(10_400);
    expect(close({ price: 10_300 })).toBe('OK');
    expect(alice()).toBeUndefined();
  });

  it('lets the position be closed from the floor down', () => {
    open();
    bid(9_500);
    floor.index(9_700, MARKET);
    expect(close({ price: 9_500 })).toBe('TERM_RUNNING');
    floor.index(9_590, MARKET);
    expect(close({ price: 9_500 })).toBe('OK');
  });

  it('is over at its end, and the position an ordinary one', () => {
    open();
    bid();
    floor.time += 7 * DAY_MS - 10;
    expect(close()).toBe('TERM_RUNNING');
    floor.time += 10;
    expect(close({ quantity: 20 })).toBe('OK');
    expect(alice()).toMatchObject({ position: { lots: LOTS - 20 }, term: { target: 2n * USD } });
  });

  it('does not keep a position from being liquidated, and ends with it', () => {
    floor.verdict({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: 10, isIsolated: true });
    expect(open({ term: { ...TERM, floor: 0n } })).toBe('OK');
    bid(9_200);
    floor.index(9_000, MARKET);
    expect(floor.events.some(({ kind }) => kind === 'position-liquidated')).toBe(true);
    expect(alice()?.position).toBeUndefined();
  });

  it('is of an order that opens at once, where nothing is open', () => {
    sell({ owner: BOB, quantity: 4 * LOTS });
    expect(buy({ term: TERM })).toBe('INVALID_TERM');
    expect(sell({ term: TERM, timeInForce: 'IOC', reduceOnly: true })).toBe('INVALID_TERM');
    expect(buy({ term: TERM, timeInForce: 'IOC', price: 9_990 })).toBe('NO_LIQUIDITY');
    expect(buy({ price: 9_990, quantity: 10 })).toBe('OK');
    expect(buy({ term: TERM, timeInForce: 'IOC' })).toBe('ORDERS_OPEN');
    floor.verdict({ kind: 'cancel-all-orders', owner: ALICE, market: undefined });
    expect(buy({ term: { ...TERM, target: 200_000n }, timeInForce: 'IOC' })).toBe('INVALID_TERM');
    expect(buy({ term: { ...TERM, floor: 4_500_000n }, timeInForce: 'IOC' })).toBe('INVALID_TERM');
    expect(buy({ term: TERM, timeInForce: 'FOK' })).toBe('OK');
    expect(buy({ term: TERM, timeInForce: 'IOC' })).toBe('POSITION_OPEN');
  });

  it('measures the bounds by what would trade, not by what was asked for', () => {
    sell({ owner: BOB, quantity: 5 });
    // Of five lots the margin is half a USDT.
    expect(buy({ term: TERM, timeInForce: 'IOC' })).toBe('INVALID_TERM');
    expect(buy({ term: { days: 30, target: USD, floor: 300_000n }, timeInForce: 'IOC' })).toBe('OK');
  });

  it('is not cut short by more leverage or by taking margin out', () => {
    const leverage = (times: number, isIsolated = false) =>
      floor.verdict({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: times, isIsolated });
    open();
    expect([leverage(20), leverage(15), leverage(5)]).toEqual(['TERM_RUNNING', 'OK', 'OK']);
    floor.time += 8 * DAY_MS;
    bid();
    expect([close(), leverage(5, true), leverage(10, true)]).toEqual(['OK', 'OK', 'OK']);
    const take = (amount: bigint) => floor.verdict({ kind: 'adjust-margin', owner: ALICE, market: MARKET, amount });
    expect(open({ term: { ...TERM, floor: 4n * USD } })).toBe('OK');
    expect([take(5n * USD), take(-4n * USD), leverage(20, true)]).toEqual(['OK', 'OK', 'OK']);
    expect([take(-2n * USD), take(-1_900_000n)]).toEqual(['TERM_RUNNING', 'OK']);
  });

  /** The fees that Alice paid in the last command. */
  const fees = () =>
    floor.events.flatMap((one) => (one.kind === 'position-changed' && one.owner === ALICE ? one.fee : []));

  it('takes the maker’s discount off the fees of closing after its end, as far as it goes', () => {
    open();
    floor.time += 7 * DAY_MS;
    bid();
    // 500 parts per million of 20 and of 30 USDT.
    expect([close({ quantity: 20 }), fees(), alice()?.term?.discount]).toEqual(['OK', [0n], 5_000n]);
    expect([close(), fees(), alice()]).toEqual(['OK', [10_000n], undefined]);
  });

  it('keeps of the discount the share of the lots that its target or floor has not closed before the end', () => {
    open();
    floor.index(10_420, MARKET);
    buy({ owner: CAROL, price: 10_300, quantity: 20 });
    expect([close({ price: 10_300, quantity: 20 }), fees()]).toEqual(['OK', [10_300n]]);
    expect(alice()?.term?.discount).toBe(9_000n);
    sell({ owner: BOB, quantity: 30, price: 10_400 });
    expect([buy({ quantity: 30, price: 10_400, timeInForce: 'IOC' }), fees()]).toEqual(['OK', [15_600n]]);
    expect(alice()?.term?.discount).toBe(9_000n);
    floor.index(10_600, MARKET);
    bid(10_550);
    expect(close({ price: 10_550, quantity: 30 })).toBe('OK');
    expect(alice()?.term?.discount).toBe(4_500n);
  });

  it('gives no discount where its target lets all of the position be closed before the end', () => {
    open();
    floor.index(10_420, MARKET);
    bid(10_300);
    expect([close({ price: 10_300 }), fees(), alice()]).toEqual(['OK', [25_750n], undefined]);
  });

  it('pays the maker’s fee at once under the rules before', () => {
    floor.exchange.rules = TERMS_ARE_EARNED - 1;
    open();
    expect([floor.exchange.freeOf(ALICE, USDT.id), alice()?.term?.discount]).toEqual([95n * USD - 10_000n, undefined]);
    floor.exchange.rules = TERMS_ARE_EARNED;
    floor.time += 7 * DAY_MS;
    bid();
    expect([close(), fees()]).toEqual(['OK', [25_000n]]);
  });

  it('is of one leg in hedge mode: the other is traded as ever', () => {
    floor.verdict({ kind: 'set-position-mode', owner: ALICE, market: MARKET, isHedged: true });
    open({ positionSide: 'long' });
    bid();
    expect(sell({ positionSide: 'long', timeInForce: 'IOC' })).toBe('TERM_RUNNING');
    expect(sell({ positionSide: 'short', timeInForce: 'IOC' })).toBe('OK');
    sell({ owner: BOB });
    expect(buy({ positionSide: 'short', timeInForce: 'IOC' })).toBe('OK');
    expect(floor.position(ALICE, MARKET, LONG)).toMatchObject({ term: { target: 2n * USD } });
  });
});
