/** A market whose end is announced: until then it trades, then clients can only reduce what they have. In both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUSE_MAKER } from '../ledger/account.ts';
import { BTC_PERPETUAL, BTC_USDT } from '../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../simulation/trading-floor.ts';
import { BUY, SELL } from '../terms/order-terms.ts';

const USD = 1_000_000n;
const SPOT = BTC_USDT.id;
const SWAP = BTC_PERPETUAL.id;
const PRICE = 640_000;

describe.each(ENGINES)('a market whose end is announced, $engine', ({ create }) => {
  let floor: TradingFloor;
  const at = (ms: number) => floor.time + ms;
  const announce = (market: number, closeOnlyAt: number, endsAt: number) =>
    floor.verdict({ kind: 'announce-delisting', market, delisting: { closeOnlyAt, endsAt } });

  beforeEach(() => {
    floor = new TradingFloor(create);
  });

  it('has the announcement in its state until it is withdrawn', () => {
    const delisting = { closeOnlyAt: at(10), endsAt: at(20) };
    expect(announce(SPOT, delisting.closeOnlyAt, delisting.endsAt)).toBe('OK');
    expect(floor.exchange.marketState(SPOT).delisting).toEqual(delisting);
    expect(floor.verdict({ kind: 'announce-delisting', market: SPOT })).toBe('OK');
    expect(floor.exchange.marketState(SPOT)).not.toHaveProperty('delisting');
  });

  it('ends in time to come, and is not closed after its end', () => {
    expect(announce(SPOT, at(0), at(0))).toBe('INVALID_SCHEDULE');
    expect(announce(SPOT, at(11), at(10))).toBe('INVALID_SCHEDULE');
    expect(announce(99, at(5), at(10))).toBe('UNKNOWN_MARKET');
  });

  it('takes only sells of clients in a spot market, and all of the market maker', () => {
    const order = { market: SPOT, price: PRICE } as const;
    expect(floor.buy({ ...order, owner: ALICE })).toBe('OK');
    const bid = floor.lastOrderId();
    announce(SPOT, at(1_000), at(2_000));
    expect(floor.buy({ ...order, owner: BOB })).toBe('OK');
    floor.time += 1_000;
    expect(floor.buy({ ...order, owner: BOB })).toBe('MARKET_CLOSE_ONLY');
    expect(floor.buy({ ...order, owner: HOUSE_MAKER })).not.toBe('MARKET_CLOSE_ONLY');
    expect(floor.amend(bid, ALICE, { price: PRICE - 10 })).toBe('MARKET_CLOSE_ONLY');
    expect(floor.sell({ ...order, owner: CAROL })).toBe('OK');
    // What rested before is what holders sell to.
    expect(floor.trades()).toHaveLength(1);
  });

  it('takes only what reduces in a perpetual, and gives slices and triggers that open nothing', () => {
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 100n * USD);
    floor.index(10_000, SWAP);
    const order = { market: SWAP, price: 10_000, quantity: 50 } as const;
    floor.sell({ ...order, owner: BOB });
    floor.buy({ ...order, owner: ALICE });
    const entry = { market: SWAP, owner: CAROL, side: BUY, source: 'mark', quantity: 5, quoteTotal: 0n } as const;
    expect(floor.place({ ...entry, stop: { trigger: 10_050, price: 0 } })).toBe('OK');
    announce(SWAP, at(0), at(60_000));
    expect(floor.buy({ ...order, owner: CAROL, quantity: 5 })).toBe('MARKET_CLOSE_ONLY');
    expect(floor.place({ ...entry, stop: { trigger: 10_060, price: 0 } })).toBe('MARKET_CLOSE_ONLY');
    expect(floor.sell({ ...order, owner: ALICE, reduceOnly: true })).toBe('OK');
    floor.index(10_060, SWAP);
    expect(floor.triggerings().at(-1)).toMatch(/MARKET_CLOSE_ONLY/);
    const closing = { kind: 'close-position', owner: BOB, market: SWAP, side: BUY, type: 'market', price: 0 } as const;
    const terms = { timeInForce: 'IOC', selfTrade: 'CANCEL_NEWEST', quantity: undefined, sharePercent: 100 } as const;
    const orderId = () => floor.exchange.counters().lastOrderId + 1;
    expect(floor.verdict({ ...closing, ...terms, orderId: orderId(), reverses: true })).toBe('MARKET_CLOSE_ONLY');
    expect(floor.verdict({ ...closing, ...terms, orderId: orderId(), reverses: false })).toBe('OK');
    expect(floor.position(ALICE, SWAP)?.position).toBeUndefined();
    expect(floor.verdict({ ...closing, ...terms, side: SELL, orderId: orderId(), reverses: false })).toBe(
      'NOTHING_TO_CLOSE',
    );
  });
});
