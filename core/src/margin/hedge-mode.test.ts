/** Hedge mode by example, in both engines: prices in tenths of a USDT, a lot is a thousandth of a coin. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createExchange } from '../exchange/create-exchange.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import type { ConditionalTerms } from '../orders/conditional/conditional-order.ts';
import { BTC_PERPETUAL, BTC_USDT, USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, type PositionSide, SELL } from '../terms/order-terms.ts';
import { LONG, SHORT } from './perpetual.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
/** 50 lots at 10,000 ticks: 50 USDT. */
const [PRICE, LOTS] = [10_000, 50];

describe.each(ENGINES)('hedge mode, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    floor.index(PRICE, MARKET);
    expect(mode(true)).toBe('OK');
  });

  const mode = (isHedged: boolean, owner = ALICE) =>
    floor.verdict({ kind: 'set-position-mode', owner, market: MARKET, isHedged });
  const buy = (terms: Partial<PlaceOrder>) => floor.buy({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const sell = (terms: Partial<PlaceOrder>) => floor.sell({ market: MARKET, price: PRICE, quantity: LOTS, ...terms });
  const leverage = (positionSide: PositionSide | undefined, times: number, isIsolated = false) =>
    floor.verdict({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: times, isIsolated, positionSide });
  const leg = (direction: 1 | -1) => floor.position(ALICE, MARKET, direction);
  const lots = () => [leg(LONG)?.position?.lots ?? 0, leg(SHORT)?.position?.lots ?? 0];
  /** Alice is long and short at once, against Bob. */
  const openBoth = () => {
    sell({ owner: BOB });
    expect(buy({ positionSide: 'long' })).toBe('OK');
    buy({ owner: BOB });
    expect(sell({ positionSide: 'short' })).toBe('OK');
    expect(lots()).toEqual([LOTS, LOTS]);
  };
  const liquidated = () =>
    floor.events.flatMap((event) => (event.kind === 'position-liquidated' ? [[event.owner, event.leg]] : []));

  it('has a long and a short at once, which pay margin each and close apart', () => {
    openBoth();
    expect(leg(LONG)?.position).toEqual({ direction: LONG, lots: LOTS, cost: 50n * USD });
    expect(leg(SHORT)?.position).toEqual({ direction: SHORT, lots: LOTS, cost: 50n * USD });
    // Two taker's fees of 25,000 and two margins of 5 USDT.
    expect(floor.exchange.freeOf(ALICE, USDT.id)).toBe(100n * USD - 50_000n - 10n * USD);
    buy({ owner: CAROL, quantity: 30 });
    expect(sell({ positionSide: 'long', quantity: 30 })).toBe('OK');
    expect(lots()).toEqual([20, LOTS]);
    sell({ owner: CAROL, quantity: 50 });
    expect(buy({ positionSide: 'short' })).toBe('OK');
    expect([lots(), floor.position(ALICE, MARKET)?.position]).toEqual([[20, 0], undefined]);
  });

  it('begins with the leverage of one-way mode in both legs, and keeps what was chosen for one', () => {
    const chosen = () => [LONG, SHORT].map((one) => leg(one as 1 | -1)?.leverage);
    expect([mode(false), leverage(undefined, 20, true), mode(true), chosen()]).toEqual(['OK', 'OK', 'OK', [20, 20]]);
    expect([leverage('short', 5), mode(false), leverage(undefined, 50), mode(true)]).toEqual(Array(4).fill('OK'));
    expect(chosen()).toEqual([20, 5]);
  });

  it('names the leg in each order, and in one-way mode none', () => {
    expect([buy({}), sell({}), buy({ owner: BOB, positionSide: 'long' })]).toEqual(
      Array(3).fill('POSITION_SIDE_MISMATCH'),
    );
    expect(buy({ market: BTC_USDT.id, price: 640_000, positionSide: 'long' })).toBe('POSITION_SIDE_MISMATCH');
    expect([leverage(undefined, 20), leverage('long', 20)]).toEqual(['POSITION_SIDE_MISMATCH', 'OK']);
    expect([leg(LONG)?.leverage, leg(SHORT)]).toEqual([20, undefined]);
    expect(sell({ positionSide: 'short', reduceOnly: true })).toBe('NOTHING_TO_CLOSE');
  });

  it('closes by orders that only reduce: without a reserve, no larger than what is open, and nothing without it', () => {
    expect(sell({ positionSide: 'long' })).toBe('NOTHING_TO_CLOSE');
    openBoth();
    const before = floor.future(ALICE);
    expect(sell({ positionSide: 'long', price: 11_000, quantity: 80 })).toBe('OK');
    expect(floor.changes()).toEqual([`#${floor.lastOrderId()} open 50/50`]);
    const [order] = floor.exchange.openOrdersOf(ALICE);
    expect([order?.reduceOnly, order?.positionSide, floor.future(ALICE)]).toEqual([true, 'long', before]);
    // The short leg is another: what closes the long one takes nothing from it, and opens more of it beside.
    expect(sell({ positionSide: 'short', price: 11_000, quantity: 10 })).toBe('OK');
    expect(floor.exchange.openOrdersOf(ALICE).map(({ positionSide }) => positionSide)).toEqual(['long', 'short']);
    expect(buy({ positionSide: 'short', price: 9_000 })).toBe('OK');
    expect(sell({ positionSide: 'long', price: 11_000 })).toBe('NOTHING_TO_CLOSE');
  });

  it('is chosen where nothing of the owner’s is open in the market, and left there alone', () => {
    buy({ positionSide: 'long', price: 9_000 });
    expect(mode(false)).toBe('ORDERS_OPEN');
    floor.cancel(floor.lastOrderId(), ALICE);
    openBoth();
    expect(mode(false)).toBe('POSITION_OPEN');
    expect(exit('long', { trigger: 9_000, price: 0 })).toBe('OK');
    buy({ owner: CAROL });
    sell({ positionSide: 'long' });
    sell({ owner: CAROL });
    buy({ positionSide: 'short' });
    // What was to close all of the long ended with it.
    expect([lots(), mode(false)]).toEqual([[0, 0], 'OK']);
    expect(floor.exchange.holdings().filter(({ owner }) => owner === ALICE)).toEqual([]);
    expect(buy({ price: 9_000 })).toBe('OK');
    floor.cancel(floor.lastOrderId(), ALICE);
    floor.place({ market: MARKET, side: BUY, quantity: 10, quoteTotal: 0n, stop: { trigger: 11_000, price: 0 } });
    expect(mode(true)).toBe('ORDERS_OPEN');
    expect(floor.verdict({ kind: 'set-position-mode', owner: ALICE, market: BTC_USDT.id, isHedged: true })).toBe(
      'INVALID_MARKET',
    );
  });

  const exit = (positionSide: PositionSide, stop: ConditionalTerms['stop'], quantity = 0) => {
    const side = positionSide === 'long' ? SELL : BUY;
    return floor.place({ market: MARKET, source: 'mark', side, quantity, quoteTotal: 0n, positionSide, stop });
  };

  it('ends each leg by exits of its own', () => {
    openBoth();
    expect(exit('long', { trigger: 9_800, price: 0 })).toBe('OK');
    expect(exit('short', { trigger: 10_200, price: 0 }, 20)).toBe('OK');
    expect(floor.exchange.untriggeredOrdersOf(ALICE).map(({ reduceOnly }) => reduceOnly)).toEqual([true, true]);
    buy({ owner: CAROL, price: 9_790, quantity: 100 });
    floor.index(9_800, MARKET);
    expect(lots()).toEqual([0, LOTS]);
    sell({ owner: BOB, price: 10_200, quantity: 100 });
    floor.index(10_200, MARKET);
    expect(lots()).toEqual([0, 30]);
  });

  it('liquidates an isolated leg by itself, with the orders that are of it', () => {
    leverage('long', 50, true);
    leverage('short', 10, true);
    openBoth();
    buy({ positionSide: 'long', price: 9_000, quantity: 10 });
    sell({ positionSide: 'short', price: 11_000, quantity: 10 });
    buy({ owner: CAROL, price: 9_830, quantity: 100 });
    floor.index(9_840, MARKET);
    expect(liquidated()).toEqual([[ALICE, LONG]]);
    expect(lots()).toEqual([0, LOTS]);
    expect(floor.exchange.openOrdersOf(ALICE).map(({ positionSide }) => positionSide)).toEqual(['short']);
  });

  it('liquidates cross legs as one account: what one wins backs the other', () => {
    openBoth();
    floor.moveToFutures(ALICE, -89n * USD);
    // One has lost 10 USDT and the other has won them.
    floor.index(8_000, MARKET);
    expect([liquidated(), lots()]).toEqual([[], [LOTS, LOTS]]);
    floor.sell({ market: MARKET, owner: BOB, price: 8_000, quantity: 40 });
    expect(buy({ positionSide: 'short', price: 8_000, quantity: 40 })).toBe('OK');
    floor.index(5_000, MARKET);
    expect(liquidated()).toContainEqual([ALICE, LONG]);
  });

  it('moves margin of the named leg alone', () => {
    for (const side of ['long', 'short'] as const) leverage(side, 10, true);
    openBoth();
    const adjust = (positionSide?: PositionSide) =>
      floor.verdict({ kind: 'adjust-margin', owner: ALICE, market: MARKET, amount: USD, positionSide });
    expect([adjust(), adjust('short')]).toEqual(['POSITION_SIDE_MISMATCH', 'OK']);
    expect([leg(LONG)?.margin, leg(SHORT)?.margin]).toEqual([5n * USD, 6n * USD]);
  });
});

describe('the price of liquidation of two cross legs', () => {
  it('is that at which both are liquidated as one', () => {
    const exchange = createExchange();
    const floor = new TradingFloor(() => exchange);
    for (const owner of [ALICE, BOB]) floor.moveToFutures(owner, 100n * USD);
    floor.index(PRICE, MARKET);
    floor.apply({ kind: 'set-position-mode', owner: ALICE, market: MARKET, isHedged: true });
    const terms = { market: MARKET, price: PRICE };
    floor.sell({ ...terms, owner: BOB, quantity: 50 });
    floor.buy({ ...terms, quantity: 50, positionSide: 'long' });
    floor.buy({ ...terms, owner: BOB, quantity: 20 });
    floor.sell({ ...terms, quantity: 20, positionSide: 'short' });
    floor.moveToFutures(ALICE, -89n * USD);
    const shown = () =>
      exchange.positionsOf(ALICE).flatMap(({ position, liquidationPrice }) => (position ? [liquidationPrice] : []));
    const liquidated = () => floor.events.some(({ kind }) => kind === 'position-liquidated');
    const [long = 0, short] = shown();
    // 30 lots lose the 11 USDT that are there; nothing liquidates as the price rises.
    expect([long > 6_000, long < 7_000, short]).toEqual([true, true, undefined]);
    floor.index(long + 1, MARKET);
    expect([liquidated(), shown()]).toEqual([false, [long, undefined]]);
    floor.index(long, MARKET);
    expect(liquidated()).toBe(true);
  });
});
