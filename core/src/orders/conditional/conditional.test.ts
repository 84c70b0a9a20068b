import { beforeEach, describe, expect, it } from 'vitest';
import { BTC, BTC_USDT, ETH_BTC, ETH_USDT, USDT } from '../../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../../simulation/trading-floor.ts';
import { BUY, SELL } from '../../terms/order-terms.ts';
import { LAST_PRICE_IS_TOLD, TRIGGERS_ARE_CONFIRMED } from '../../terms/rules.ts';

const PLENTY = 1_000_000_000_000n;
const market = (trigger: number) => ({ trigger, price: 0 });
const limit = (trigger: number, price: number) => ({ trigger, price });

describe.each(ENGINES)('conditional orders, $engine', ({ create }) => {
  let floor: TradingFloor;

  /** Bob and Carol trade one lot of the smallest size at a price. */
  function tradeAt(price: number): void {
    expect(floor.sell({ owner: BOB, price, quantity: 20 })).toBe('OK');
    expect(floor.buy({ owner: CAROL, price, quantity: 20 })).toBe('OK');
  }

  beforeEach(() => {
    floor = new TradingFloor(create, { maximumUntriggeredOrdersPerOwner: 4, maximumUntriggeredOrdersPerMarket: 6 });
    // What a price leads to that triggers at once; `confirmed-triggers.test.ts` says when it does.
    floor.exchange.rules = TRIGGERS_ARE_CONFIRMED - 1;
    tradeAt(640_000);
  });

  describe('untriggered', () => {
    it.each([
      ['a sell by quantity', { stop: limit(630_000, 629_000) }, BTC.id, 100_000n],
      [
        'a buy at its limit',
        { side: BUY, stop: limit(650_000, 651_000), quantity: 100, quoteTotal: 0n },
        USDT.id,
        65_100_000n,
      ],
      ['a buy at market by its total', { side: BUY, stop: market(650_000) }, USDT.id, 64_000_000n],
      [
        'both legs of a buy by the dearer one',
        {
          side: BUY,
          takeProfit: limit(630_000, 630_000),
          stop: limit(650_000, 655_000),
          quantity: 100,
          quoteTotal: 0n,
        },
        USDT.id,
        65_500_000n,
      ],
      [
        'a total beside a limit by the larger one',
        {
          side: BUY,
          takeProfit: limit(630_000, 630_000),
          stop: market(650_000),
          quantity: 100,
          quoteTotal: 70_000_000n,
        },
        USDT.id,
        70_000_000n,
      ],
      [
        'a trailing buy by its total',
        { side: BUY, trailing: { callbackPpm: 10_000, callbackTicks: 0, activation: 0 } },
        USDT.id,
        64_000_000n,
      ],
    ] as const)('holds for %s, and gives it back when it is cancelled', (_, terms, asset, held) => {
      const before = floor.available(ALICE, asset);
      expect(floor.place(terms)).toBe('OK');
      expect([floor.held(ALICE, asset), floor.available(ALICE, asset)]).toEqual([held, before - held]);
      expect(floor.events.map((event) => 'held' in event && event.held)).toEqual([held]);
      expect(floor.exchange.untriggeredOrdersOf(ALICE)).toHaveLength(1);
      expect(floor.cancel(floor.lastOrderId(), BOB)).toBe('ORDER_NOT_FOUND');
      expect(floor.cancel(floor.lastOrderId(), ALICE)).toBe('OK');
      expect(floor.triggerings()).toEqual([`#${floor.lastOrderId()} BY_OWNER`]);
      expect([floor.held(ALICE, asset), floor.available(ALICE, asset)]).toEqual([0n, before]);
      expect(floor.exchange.untriggeredOrderCount()).toBe(0);
    });

    it.each([
      [{ orderId: 1, stop: market(630_000) }, 'DUPLICATE_ID'],
      [{ market: 99, stop: market(630_000) }, 'UNKNOWN_MARKET'],
      [{ owner: 7, stop: market(630_000) }, 'ACCOUNT_LIMIT'],
      [{}, 'INVALID_TRIGGER'],
      [{ stop: market(0) }, 'INVALID_TRIGGER'],
      [{ stop: market(0.5) }, 'INVALID_TRIGGER'],
      [{ stop: limit(630_000, Number.NaN) }, 'INVALID_PRICE'],
      [{ stop: market(630_000), trailing: { callbackPpm: 1_000, callbackTicks: 0, activation: 0 } }, 'INVALID_TRIGGER'],
      [{ trailing: { callbackPpm: 1_000, callbackTicks: 5, activation: 0 } }, 'INVALID_TRIGGER'],
      [{ trailing: { callbackPpm: 99, callbackTicks: 0, activation: 0 } }, 'INVALID_TRIGGER'],
      [{ trailing: { callbackPpm: 500_001, callbackTicks: 0, activation: 0 } }, 'INVALID_TRIGGER'],
      [{ trailing: { callbackPpm: 0, callbackTicks: 5, activation: -1 } }, 'INVALID_TRIGGER'],
      [{ stop: market(640_000) }, 'WOULD_TRIGGER'],
      [{ takeProfit: market(640_000) }, 'WOULD_TRIGGER'],
      [{ side: BUY, stop: market(639_999) }, 'WOULD_TRIGGER'],
      [{ side: BUY, takeProfit: market(640_001) }, 'WOULD_TRIGGER'],
      [{ takeProfit: market(650_000), stop: market(640_001) }, 'WOULD_TRIGGER'],
      [{ source: 'mark', stop: market(630_000) }, 'NO_PRICE'],
      [{ market: ETH_BTC.id, stop: market(5) }, 'NO_PRICE'],
      [{ stop: market(630_000), quantity: 9 }, 'BELOW_MINIMUM_SIZE'],
      [{ stop: market(630_000), quantity: 10.5 }, 'INVALID_QUANTITY'],
      [{ stop: market(630_000), quoteTotal: 5n }, 'INVALID_QUANTITY'],
      [{ side: BUY, stop: market(650_000), quantity: 100 }, 'INVALID_QUANTITY'],
      [{ side: BUY, stop: market(650_000), quoteTotal: 999_999n }, 'BELOW_MINIMUM_NOTIONAL'],
      [{ stop: limit(630_000, 1_000), quantity: 999 }, 'BELOW_MINIMUM_NOTIONAL'],
      [{ owner: 300, stop: market(630_000) }, 'INSUFFICIENT_FUNDS'],
    ] as const)('refuses %o with %s', (terms, reason) => {
      expect(floor.place(terms)).toBe(reason);
    });

    it('has limits for an owner in a market, and for a market', () => {
      for (let count = 0; count < 4; count += 1) expect(floor.place({ stop: market(630_000) })).toBe('OK');
      expect(floor.place({ stop: market(630_000) })).toBe('UNTRIGGERED_LIMIT');
      for (let count = 0; count < 2; count += 1) expect(floor.place({ owner: BOB, stop: market(630_000) })).toBe('OK');
      expect(floor.place({ owner: BOB, stop: market(630_000) })).toBe('UNTRIGGERED_LIMIT');
      floor.apply({ kind: 'set-reference-price', market: ETH_USDT.id, price: 300_000 });
      expect(floor.place({ market: ETH_USDT.id, stop: market(290_000) })).toBe('OK');
    });

    it('is refused while the market is halted, and may be cancelled then', () => {
      floor.place({ stop: market(630_000) });
      const untriggered = floor.lastOrderId();
      floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
      expect(floor.place({ stop: market(630_000) })).toBe('MARKET_HALTED');
      expect(floor.cancel(untriggered, ALICE)).toBe('OK');
    });
  });

  describe('triggering', () => {
    it('happens by a price that is told, and by none under older rules', () => {
      floor.buy({ owner: CAROL, price: 620_000, quantity: 100 });
      floor.sell({ owner: BOB, price: 640_500, quantity: 200 });
      floor.place({ stop: market(630_000) });
      const stop = floor.lastOrderId();
      floor.place({ side: BUY, trailing: { callbackPpm: 10_000, callbackTicks: 0, activation: 0 } });
      const trailing = floor.lastOrderId();
      const tell = (price: number) => floor.apply({ kind: 'set-reference-price', market: BTC_USDT.id, price });
      floor.exchange.rules = LAST_PRICE_IS_TOLD - 1;
      tell(600_000);
      expect([floor.triggerings(), floor.exchange.untriggeredOrderCount()]).toEqual([[], 2]);
      floor.exchange.rules = LAST_PRICE_IS_TOLD;
      tell(630_001);
      expect(floor.triggerings()).toEqual([]);
      const terms = { kind: 'set-reference-price', market: BTC_USDT.id, triggersNothing: true } as const;
      floor.apply({ ...terms, price: 629_000 });
      expect([floor.triggerings(), floor.exchange.marketState(BTC_USDT.id).lastPrice]).toEqual([[], 629_000]);
      tell(630_000);
      expect(floor.triggerings()).toEqual([`#${stop} stop at 630000`]);
      expect(floor.changes().at(-1)).toBe(`#${stop} filled 0/100`);
      // The trade at 620,000 was lower still, and what trails follows both.
      tell(626_200);
      expect(floor.triggerings()).toEqual([`#${trailing} trailing at 626200`]);
    });

    it('happens in the command whose trade reached the trigger, and keeps the id', () => {
      floor.buy({ owner: CAROL, price: 638_000, quantity: 100 });
      floor.place({ stop: market(639_000) });
      const untriggered = floor.lastOrderId();
      tradeAt(639_001);
      expect(floor.triggerings()).toEqual([]);
      floor.buy({ owner: CAROL, price: 639_000, quantity: 20 });
      floor.sell({ owner: BOB, price: 639_000, quantity: 20 });
      expect(floor.triggerings()).toEqual([`#${untriggered} stop at 639000`]);
      expect(floor.changes().at(-1)).toBe(`#${untriggered} filled 0/100`);
      expect(floor.exchange.counters().lastOrderId).toBe(floor.lastOrderId());
      expect([floor.held(ALICE, BTC.id), floor.exchange.untriggeredOrderCount()]).toEqual([0n, 0]);
    });

    it('goes by the triggers in the order in which the price crosses them, then by age', () => {
      floor.buy({ owner: CAROL, price: 630_000, quantity: 1_000 });
      const place = (trigger: number) => {
        floor.place({ stop: limit(trigger, 640_000), quantity: 20 });
        return floor.lastOrderId();
      };
      const [low, older, high, younger] = [place(635_000), place(636_000), place(637_000), place(636_000)];
      floor.sell({ owner: BOB, price: 630_000, quantity: 20 });
      expect(floor.triggerings()).toEqual([high, older, younger, low].map((id) => `#${id} stop at 630000`));
      floor.apply({ kind: 'cancel-all-orders', owner: ALICE, market: undefined });
      const rising = [place(620_000)];
      for (const trigger of [650_000, 645_000]) {
        floor.place({ owner: BOB, takeProfit: limit(trigger, 690_000), quantity: 20 });
        rising.push(floor.lastOrderId());
      }
      tradeAt(655_000);
      expect(floor.triggerings()).toEqual([
        `#${rising[2]} take-profit at 655000`,
        `#${rising[1]} take-profit at 655000`,
      ]);
    });

    it('goes on with what the triggered orders reach, even where the price comes back from', () => {
      floor.buy({ owner: CAROL, price: 639_000, quantity: 20 });
      floor.buy({ owner: CAROL, price: 638_000, quantity: 20 });
      floor.buy({ owner: CAROL, price: 637_000, quantity: 20 });
      floor.sell({ owner: BOB, price: 641_000, quantity: 20 });
      const place = (terms: Parameters<typeof floor.place>[0]) => {
        expect(floor.place({ quantity: 20, ...terms })).toBe('OK');
        return floor.lastOrderId();
      };
      const first = place({ stop: market(639_000) });
      // Reached when the first sells at 638,000; buys the ask at 641,000, so the price is far away when it ends.
      const bounce = place({ owner: CAROL, side: BUY, takeProfit: limit(638_000, 642_000), quoteTotal: 0n });
      const last = place({ owner: BOB, stop: market(637_999) });
      floor.sell({ owner: BOB, price: 639_000, quantity: 20 });
      expect(floor.triggerings()).toEqual([`#${first} stop at 639000`, `#${bounce} take-profit at 638000`]);
      expect(floor.exchange.marketState(BTC_USDT.id).lastPrice).toBe(641_000);
      expect(floor.exchange.untriggeredOrdersOf(BOB).map(({ orderId }) => orderId)).toEqual([last]);
    });

    it('is triggered by every price of a sweep, not only by the last', () => {
      floor.sell({ owner: BOB, price: 630_000, quantity: 20 });
      floor.sell({ owner: BOB, price: 660_000, quantity: 20 });
      floor.place({ stop: limit(635_000, 690_000) });
      floor.buy({ owner: CAROL, price: 660_000, quantity: 40 });
      expect(floor.trades()).toHaveLength(2);
      expect(floor.triggerings()).toEqual([`#${floor.exchange.openOrdersOf(ALICE)[0]?.orderId} stop at 630000`]);
    });

    it('places a limit order that rests, with its own hold', () => {
      floor.place({ side: BUY, stop: limit(645_000, 630_000), quantity: 100, quoteTotal: 0n });
      const untriggered = floor.lastOrderId();
      tradeAt(645_000);
      expect(floor.exchange.openOrder(untriggered)).toMatchObject({ price: 630_000, quantity: 100, remaining: 100 });
      expect(floor.held(ALICE, USDT.id)).toBe(63_000_000n);
      expect(floor.cancel(untriggered, ALICE)).toBe('OK');
    });

    it('never wants for balance: all of it may wait', () => {
      expect(
        floor.place({ owner: BOB, side: BUY, stop: market(641_000), quoteTotal: floor.available(BOB, USDT.id) }),
      ).toBe('OK');
      const untriggered = floor.lastOrderId();
      expect(floor.buy({ owner: BOB, quantity: 20 })).toBe('INSUFFICIENT_FUNDS');
      floor.sell({ owner: CAROL, price: 641_000, quantity: 1_000 });
      floor.buy({ owner: ALICE, price: 641_000, quantity: 20 });
      expect(floor.triggerings()).toEqual([`#${untriggered} stop at 641000`]);
      expect(floor.changes().at(-1)).toBe(`#${untriggered} cancelled UNFILLED_REMAINDER 0/980`);
      expect(floor.held(BOB, USDT.id)).toBe(0n);
    });

    it('does not trade with its own owner', () => {
      floor.buy({ owner: ALICE, price: 639_000, quantity: 100 });
      floor.buy({ owner: CAROL, price: 639_500, quantity: 20 });
      floor.place({ stop: market(639_500) });
      const untriggered = floor.lastOrderId();
      floor.sell({ owner: BOB, price: 639_500, quantity: 20 });
      expect(floor.triggerings()).toEqual([`#${untriggered} stop at 639500`, `#${untriggered} ONLY_OWN_ORDERS`]);
    });
  });

  describe('an order that is refused when it triggers ends with the reason, and its hold is released', () => {
    it.each([
      ['no other side', { stop: market(639_000) }, 'NO_LIQUIDITY'],
      ['outside the band', { stop: limit(639_000, 800_000) }, 'PRICE_OUTSIDE_BAND'],
      ['post-only that would take', { timeInForce: 'POST_ONLY', stop: limit(639_000, 620_000) }, 'WOULD_TAKE'],
      ['fill or kill that is not filled', { timeInForce: 'FOK', stop: limit(639_000, 620_000) }, 'NOT_FILLABLE'],
    ] as const)('%s', (_, terms, reason) => {
      floor.place(terms);
      const untriggered = floor.lastOrderId();
      if (reason === 'WOULD_TAKE') floor.buy({ owner: CAROL, price: 630_000, quantity: 20 });
      tradeAt(639_000);
      expect(floor.triggerings()).toEqual([`#${untriggered} stop at 639000`, `#${untriggered} ${reason}`]);
      expect([floor.held(ALICE, BTC.id), floor.available(ALICE, BTC.id)]).toEqual([0n, PLENTY]);
      expect(floor.exchange.openOrdersOf(ALICE)).toEqual([]);
    });

    it('a halted market, by a journal of before it could wait there', () => {
      floor.mark(640_000);
      floor.place({ source: 'mark', stop: market(639_000) });
      floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
      floor.verdict({ kind: 'set-mark-price', market: BTC_USDT.id, price: 639_000 });
      expect(floor.triggerings()).toEqual([
        `#${floor.lastOrderId()} stop at 639000`,
        `#${floor.lastOrderId()} MARKET_HALTED`,
      ]);
      expect(floor.held(ALICE, BTC.id)).toBe(0n);
    });
  });

  it('waits while its market is halted, and is triggered by the first mark price after that', () => {
    floor.buy({ owner: CAROL, price: 638_000, quantity: 1_000 });
    floor.mark(640_000);
    floor.place({ source: 'mark', stop: market(639_000) });
    const stop = floor.lastOrderId();
    floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
    expect([floor.mark(639_000), floor.triggerings()]).toEqual(['OK', []]);
    expect(floor.exchange.untriggeredOrdersOf(ALICE).map(({ orderId }) => orderId)).toEqual([stop]);
    floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: false });
    floor.mark(638_500);
    expect(floor.triggerings()).toEqual([`#${stop} stop at 638500`]);
    expect(floor.changes()).toContainEqual(expect.stringContaining(`#${stop} filled`));
  });

  it('the mark price triggers what waits for it, and the last price what waits for that', () => {
    floor.buy({ owner: CAROL, price: 600_000, quantity: 1_000 });
    expect(floor.mark(0)).toBe('INVALID_PRICE');
    expect(floor.mark(640_000, 99)).toBe('UNKNOWN_MARKET');
    expect(floor.mark(640_000)).toBe('OK');
    floor.place({ source: 'mark', stop: market(635_000) });
    const onMark = floor.lastOrderId();
    floor.place({ stop: market(635_000) });
    const onLast = floor.lastOrderId();
    expect(floor.exchange.isMarkWatched(BTC_USDT.id)).toBe(true);
    tradeAt(634_000);
    expect(floor.triggerings()).toEqual([`#${onLast} stop at 634000`]);
    floor.mark(635_000);
    expect(floor.triggerings()).toEqual([`#${onMark} stop at 635000`]);
    expect(floor.exchange.isMarkWatched(BTC_USDT.id)).toBe(false);
    expect(floor.exchange.marketState(BTC_USDT.id)).toMatchObject({ markPrice: 635_000 });
  });

  describe('one cancels the other', () => {
    it.each([
      ['take-profit', 650_000, { price: 651_000, quantity: 100 }],
      ['stop', 630_000, { price: 640_000, quantity: 100 }],
    ] as const)('by its %s', (leg, price, placed) => {
      floor.place({ takeProfit: limit(650_000, 651_000), stop: limit(630_000, 640_000) });
      const both = floor.lastOrderId();
      expect(floor.held(ALICE, BTC.id)).toBe(100_000n);
      tradeAt(price);
      expect(floor.triggerings()).toEqual([`#${both} ${leg} at ${price}`]);
      expect(floor.exchange.openOrder(both)).toMatchObject(placed);
      expect(floor.held(ALICE, BTC.id)).toBe(100_000n);
      tradeAt(leg === 'stop' ? 650_000 : 635_000);
      tradeAt(leg === 'stop' ? 655_000 : 630_000);
      expect(floor.triggerings()).toEqual([]);
    });
  });

  describe('trailing', () => {
    const byTicks = { callbackPpm: 0, callbackTicks: 1_000, activation: 0 };

    it('follows the best price and triggers when the price comes back by a distance', () => {
      floor.buy({ owner: CAROL, price: 600_000, quantity: 1_000 });
      floor.place({ trailing: byTicks });
      const untriggered = floor.lastOrderId();
      tradeAt(645_000);
      tradeAt(644_001);
      expect(floor.triggerings()).toEqual([]);
      expect(floor.exchange.untriggeredOrder(untriggered)).toMatchObject({ best: 645_000 });
      tradeAt(644_000);
      expect(floor.triggerings()).toEqual([`#${untriggered} trailing at 644000`]);
    });

    it('or by a rate, rounded away from the best price', () => {
      floor.buy({ owner: CAROL, price: 600_000, quantity: 1_000 });
      floor.place({ trailing: { callbackPpm: 1_234, callbackTicks: 0, activation: 0 } });
      // 645,001 × 0.998766 is 644,205.06.
      tradeAt(645_001);
      tradeAt(644_206);
      expect(floor.triggerings()).toEqual([]);
      tradeAt(644_205);
      expect(floor.triggerings()).toHaveLength(1);
    });

    it('begins at its activation', () => {
      floor.place({ side: BUY, trailing: { ...byTicks, activation: 630_000 } });
      const untriggered = floor.lastOrderId();
      tradeAt(635_000);
      tradeAt(639_000);
      expect(floor.exchange.untriggeredOrder(untriggered)).toMatchObject({ best: 0 });
      tradeAt(629_000);
      expect(floor.exchange.untriggeredOrder(untriggered)).toMatchObject({ best: 629_000 });
      floor.sell({ owner: BOB, price: 650_000, quantity: 1_000 });
      tradeAt(630_000);
      expect(floor.triggerings()).toEqual([`#${untriggered} trailing at 630000`]);
      floor.place({ trailing: { ...byTicks, activation: 600_000 } });
      expect(floor.exchange.untriggeredOrder(floor.lastOrderId())?.best).toBeGreaterThan(0);
    });

    it('moves any number of orders by one event', () => {
      for (const callbackTicks of [900, 1_000, 1_100]) floor.place({ trailing: { ...byTicks, callbackTicks } });
      tradeAt(645_000);
      floor.place({ trailing: byTicks });
      tradeAt(650_000);
      expect(floor.events.filter(({ kind }) => kind === 'trailing-moved')).toMatchObject([
        { best: 650_000, side: SELL },
      ]);
      expect(floor.exchange.untriggeredOrdersOf(ALICE).map(({ best }) => best)).toEqual([
        650_000, 650_000, 650_000, 650_000,
      ]);
    });
  });

  describe('amending', () => {
    it('changes triggers and limit prices, and what is held with them', () => {
      floor.place({ side: BUY, stop: limit(650_000, 651_000), quantity: 100, quoteTotal: 0n });
      const orderId = floor.lastOrderId();
      const amend = (stop: { trigger: number; price: number } | undefined, owner = ALICE) =>
        floor.verdict({ kind: 'amend-conditional-order', orderId, owner, takeProfit: undefined, stop });
      expect(amend(limit(652_000, 653_000))).toBe('OK');
      expect(floor.held(ALICE, USDT.id)).toBe(65_300_000n);
      expect(floor.exchange.untriggeredOrder(orderId)).toMatchObject({ stop: { trigger: 652_000, price: 653_000 } });
      tradeAt(651_000);
      expect(floor.triggerings()).toEqual([]);
      expect(amend(limit(652_000, 653_000))).toBe('NOTHING_TO_AMEND');
      expect(amend(undefined)).toBe('NOTHING_TO_AMEND');
      expect(amend(market(652_000))).toBe('INVALID_TRIGGER');
      expect(amend(limit(650_000, 653_000))).toBe('WOULD_TRIGGER');
      expect(amend(limit(652_000, 1_500_000), BOB)).toBe('ORDER_NOT_FOUND');
      tradeAt(652_000);
      expect(floor.triggerings()).toEqual([`#${orderId} stop at 652000`]);
      expect(amend(limit(660_000, 660_000))).toBe('ORDER_NOT_FOUND');
    });

    it('is refused when the funds do not cover it', () => {
      floor.place({ owner: BOB, side: BUY, stop: limit(650_000, 650_000), quantity: 1_000_000, quoteTotal: 0n });
      const orderId = floor.lastOrderId();
      floor.buy({ owner: BOB, price: 600_000, quantity: 580_000 });
      const stop = limit(650_000, 655_000);
      const command = { kind: 'amend-conditional-order', orderId, owner: BOB, takeProfit: undefined, stop } as const;
      expect(floor.verdict(command)).toBe('INSUFFICIENT_FUNDS');
      expect(floor.held(BOB, USDT.id)).toBe(650_000_000_000n + 348_000_000_000n);
    });
  });

  it('cancel-all ends what is open and what waits, in one market or in all', () => {
    floor.apply({ kind: 'set-reference-price', market: ETH_USDT.id, price: 300_000 });
    floor.buy({ price: 600_000 });
    floor.place({ stop: market(630_000) });
    floor.buy({ market: ETH_USDT.id, price: 290_000, quantity: 10 });
    floor.place({ market: ETH_USDT.id, stop: market(290_000), quantity: 10 });
    floor.buy({ owner: BOB, price: 600_000 });
    const cancelAll = (id: number | undefined) =>
      floor.verdict({ kind: 'cancel-all-orders', owner: ALICE, market: id });
    const left = () => [floor.exchange.openOrdersOf(ALICE).length, floor.exchange.untriggeredOrdersOf(ALICE).length];
    expect(cancelAll(99)).toBe('UNKNOWN_MARKET');
    expect(cancelAll(BTC_USDT.id)).toBe('OK');
    expect(left()).toEqual([1, 1]);
    expect(cancelAll(undefined)).toBe('OK');
    expect(left()).toEqual([0, 0]);
    expect([floor.held(ALICE, USDT.id), floor.held(ALICE, BTC.id)]).toEqual([0n, 0n]);
    expect(cancelAll(undefined)).toBe('OK');
    expect(floor.events).toEqual([]);
    expect(floor.exchange.openOrdersOf(BOB)).toHaveLength(1);
  });
});
