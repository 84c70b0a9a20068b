/** What one moment of a book can do to mark and funding: no more than its share of what the book says all the time. Both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { BTC_PERPETUAL } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { SAMPLES_ARE_BOUNDED } from '../terms/rules.ts';

const USD = 1_000_000n;
const MARKET = BTC_PERPETUAL.id;
const HOUR = 3_600_000;
const PRICE = 10_000;
const FUNDING = { intervalMs: HOUR, interestPpb: 100_000, dampPpb: 500_000, capPpb: 30_000_000, impactValue: 4n * USD };

describe.each(ENGINES)('a moment of a book, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 1_000n * USD);
    change(FUNDING);
  });

  const change = (funding: typeof FUNDING) => {
    const { minimumLots, maximumLots, minimumNotional, priceBandPpm, perpetual } = BTC_PERPETUAL;
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    const terms = { ...perpetual!, markClampPpm: 20_000, funding };
    expect(floor.verdict({ kind: 'change-market', market: MARKET, ...limits, perpetual: terms })).toBe('OK');
  };

  /** An index at so many ms after the beginning, which is a whole number of hours since 1970. */
  const indexAt = (ms: number, price = PRICE) => {
    floor.time = 1_000 * HOUR + ms - 1;
    expect(floor.index(price, MARKET)).toBe('OK');
  };
  const place = (side: 'buy' | 'sell', owner: number, price: number, quantity = 5) => {
    expect(floor[side]({ market: MARKET, owner, price, quantity })).toBe('OK');
    return floor.lastOrderId();
  };
  const mark = () => floor.exchange.marketState(MARKET).markPrice;
  const rate = () => floor.events.flatMap((event) => (event.kind === 'perpetual-priced' ? event.ratePpb : []))[0];
  const settled = () => floor.events.flatMap((event) => (event.kind === 'funding-settled' ? event.ratePpb : []));

  /** Of thirty seconds one in which the asks are gone but for one far away, and a trade between two of one person. */
  const sweep = () => {
    indexAt(0);
    place('buy', BOB, 9_990);
    const ask = place('sell', BOB, 10_010);
    for (let second = 1; second < 30; second += 1) indexAt(second * 1_000);
    floor.cancel(ask, BOB);
    place('sell', CAROL, 10_200);
    place('buy', ALICE, 10_200);
    place('sell', CAROL, 12_990);
    indexAt(30_000);
  };

  it('moves the mark by its share of what the mark may be from the index', () => {
    sweep();
    // A thirtieth of 2 %; the book’s middle is 15 % away.
    expect(mark()).toBe(10_006);
  });

  it('moved it by much more under older rules', () => {
    floor.exchange.rules = SAMPLES_ARE_BOUNDED - 1;
    sweep();
    expect(mark()).toBe(10_049);
  });

  it('moves the mark as far as it may go where it lasts', () => {
    sweep();
    for (let second = 31; second < 62; second += 1) indexAt(second * 1_000);
    expect(mark()).toBe(10_200);
  });

  /** The premium of the second minute is 1 %, which bids for the smallest value make. */
  const bid = () => {
    indexAt(0);
    place('buy', ALICE, 10_100);
    indexAt(60_000);
  };

  it('is not the rate of an interval of which it is the first minute', () => {
    bid();
    expect(rate()).toBe(100_000);
  });

  it('was that under older rules, and moved the mark with one trade beside it', () => {
    floor.exchange.rules = SAMPLES_ARE_BOUNDED - 1;
    bid();
    expect(rate()).toBe(4_500_000);
    place('sell', BOB, 10_100, 2);
    indexAt(61_000);
    expect(mark()).toBe(10_044);
  });

  it('is not what an interval is paid by of which no more was seen', () => {
    indexAt(0);
    indexAt(HOUR);
    place('buy', ALICE, 10_100);
    indexAt(2 * HOUR);
    expect(settled()).toEqual([100_000]);
  });

  it('is no larger premium than what lasts would be paid at most', () => {
    change({ ...FUNDING, capPpb: 5_000_000 });
    bid();
    // The premium is 1 %, the cap 0.5 % and the damp 0.05 %.
    expect(floor.exchange.perpetualState(MARKET).premiumSum).toBe(5_500_000n);
    for (let minute = 2; minute < 61; minute += 1) indexAt(minute * 60_000);
    expect(settled()[0]).toBeGreaterThan(4_900_000);
  });
});
