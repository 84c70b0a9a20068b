/** Orders that were large enough when they were placed, in a market that asks for more by then or pays less; and what counts as one. */
import { beforeEach, describe, expect, it } from 'vitest';
import { BTC, BTC_PERPETUAL, BTC_USDT } from '../../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../../simulation/trading-floor.ts';
import { BUY, SELL } from '../../terms/order-terms.ts';
import { TRIGGERS_ANY_SIZE, TRIGGERS_ARE_CONFIRMED } from '../../terms/rules.ts';

const PRICE = 640_000;

describe.each(ENGINES)('a triggered order, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    // What a price leads to that triggers at once; `confirmed-triggers.test.ts` says when it does.
    floor.exchange.rules = TRIGGERS_ARE_CONFIRMED - 1;
    floor.sell({ owner: BOB, price: PRICE, quantity: 10 });
    floor.buy({ owner: CAROL, price: PRICE, quantity: 10 });
  });

  /** Of the spot market. */
  function ask(limits: { minimumLots?: number; minimumNotional?: bigint }): void {
    const { id: market, minimumLots, maximumLots, minimumNotional, priceBandPpm } = BTC_USDT;
    const known = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    expect(floor.verdict({ kind: 'change-market', market, ...known, ...limits })).toBe('OK');
  }
  /** Trades at a price, which is the last one then. */
  function trade(price: number): void {
    floor.buy({ owner: CAROL, price, quantity: 500 });
    floor.sell({ owner: BOB, price, quantity: 300 });
  }
  const stop = (price: number) => floor.place({ side: SELL, quantity: 12, stop: { trigger: 639_000, price } });

  it('sells at a limit though the market asks for more lots by then', () => {
    expect(stop(638_000)).toBe('OK');
    const id = floor.lastOrderId();
    ask({ minimumLots: 100 });
    trade(638_500);
    expect(floor.triggerings()).toEqual([`#${id} stop at 638500`]);
    expect(floor.trades().at(-1)).toMatch(/^638500x12#/);
    expect(floor.held(ALICE, BTC.id)).toBe(0n);
  });

  it('sells what is worth less than the smallest order by then', () => {
    ask({ minimumNotional: 12n * 639_000n });
    expect(stop(0)).toBe('OK');
    trade(638_500);
    expect(floor.trades().at(-1)).toMatch(/^638500x12#/);
  });

  it('buys for a total that is below the smallest order by then', () => {
    const size = { quantity: 0, quoteTotal: 12n * 641_000n };
    expect(floor.place({ side: BUY, ...size, stop: { trigger: 641_000, price: 0 } })).toBe('OK');
    ask({ minimumNotional: 100_000_000n });
    floor.sell({ owner: BOB, price: 641_000, quantity: 500 });
    floor.buy({ owner: CAROL, price: 641_000, quantity: 300 });
    expect(floor.trades().at(-1)).toMatch(/^641000x12#/);
  });

  it('opens a position though its market asks for more by then', () => {
    const { id: market, maximumLots, minimumNotional, priceBandPpm } = BTC_PERPETUAL;
    for (const owner of [ALICE, BOB]) floor.moveToFutures(owner, 100_000_000n);
    floor.index(10_000, market);
    const terms = { market, side: BUY, source: 'mark', quantity: 2, quoteTotal: 0n } as const;
    expect(floor.place({ ...terms, stop: { trigger: 10_100, price: 0 } })).toBe('OK');
    floor.verdict({ kind: 'change-market', market, minimumLots: 50, maximumLots, minimumNotional, priceBandPpm });
    floor.sell({ market, owner: BOB, price: 10_100, quantity: 60 });
    floor.index(10_100, market);
    expect(floor.position(ALICE, market)?.position?.lots).toBe(2);
  });

  it('that is an exit is moved however small it is, but not past the price', () => {
    const legs = { takeProfit: undefined, stop: { trigger: 639_000, price: 0 } };
    floor.buy({ price: 639_500, quantity: 12, exits: { source: 'last', ...legs } });
    const entry = floor.lastOrderId();
    floor.amend(entry, ALICE, { quantity: 10 });
    floor.sell({ owner: BOB, price: 639_500, quantity: 10 });
    const [exit] = floor.exchange.untriggeredOrdersOf(ALICE);
    expect(exit?.quantity).toBe(9);
    const move = (trigger: number) =>
      floor.verdict({
        ...{ kind: 'amend-conditional-order', orderId: exit!.orderId, owner: ALICE },
        ...{ takeProfit: undefined, stop: { trigger } },
      });
    expect(move(639_200)).toBe('OK');
    expect(move(639_600)).toBe('WOULD_TRIGGER');
    floor.exchange.rules = TRIGGERS_ANY_SIZE - 1;
    expect(move(639_100)).toBe('BELOW_MINIMUM_SIZE');
  });
});

describe.each(ENGINES)('what counts as untriggered, $engine', ({ create }) => {
  /** An entry that waits with its exits, in a market where an owner may have two and all together four. */
  function opened() {
    const limits = { maximumUntriggeredOrdersPerOwner: 2, maximumUntriggeredOrdersPerMarket: 4 };
    const floor = new TradingFloor(create, limits);
    floor.sell({ owner: BOB, price: PRICE, quantity: 10 });
    floor.buy({ owner: CAROL, price: PRICE, quantity: 10 });
    const legs = { takeProfit: undefined, stop: { trigger: 630_000, price: 0 } };
    const enter = (owner: number) => floor.buy({ owner, price: 639_500, exits: { source: 'last', ...legs } });
    const stop = (owner: number) => floor.place({ owner, stop: { trigger: 630_000, price: 0 } });
    const twap = (owner: number) => floor.twap({ owner });
    return { floor, enter, stop, twap };
  }

  it('is an entry with exits too, for whatever its owner places', () => {
    const { floor, enter, stop, twap } = opened();
    for (let times = 0; times < 2; times += 1) expect(enter(ALICE)).toBe('OK');
    expect([enter(ALICE), stop(ALICE), twap(ALICE)]).toEqual(Array(3).fill('UNTRIGGERED_LIMIT'));
    floor.exchange.rules = TRIGGERS_ANY_SIZE - 1;
    expect([enter(ALICE), stop(ALICE), twap(ALICE)]).toEqual(['UNTRIGGERED_LIMIT', 'OK', 'OK']);
  });

  it('is that in the market as well', () => {
    const { enter, stop, twap } = opened();
    expect([enter(ALICE), stop(ALICE), enter(BOB), twap(BOB)]).toEqual(Array(4).fill('OK'));
    expect([enter(CAROL), stop(CAROL), twap(CAROL)]).toEqual(Array(3).fill('UNTRIGGERED_LIMIT'));
  });
});
