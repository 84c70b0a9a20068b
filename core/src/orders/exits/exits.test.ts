import { describe, expect, it } from 'vitest';
import { BTC, BTC_USDT, USDT } from '../../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../../simulation/trading-floor.ts';
import { BUY, SELL } from '../../terms/order-terms.ts';
import { TRIGGERS_ARE_CONFIRMED } from '../../terms/rules.ts';
import type { Leg, TriggerSource } from '../conditional/conditional-order.ts';
import type { ExitTerms } from './exit-plan.ts';

const LOT = 1_000n;

/** What a price of 0 in a leg places is a market order. */
function exits(takeProfit: Leg | undefined, stop: Leg | undefined, source: TriggerSource = 'last'): ExitTerms {
  return { source, takeProfit, stop };
}

const TAKE = { trigger: 641_000, price: 640_900 };
const STOP = { trigger: 639_000, price: 0 };

describe.each(ENGINES)('exits attached to an entry, $engine', ({ create }) => {
  const opened = () => {
    const floor = new TradingFloor(create);
    // What a price leads to that triggers at once; `confirmed-triggers.test.ts` says when it does.
    floor.exchange.rules = TRIGGERS_ARE_CONFIRMED - 1;
    // A first trade, so that there is a last price.
    floor.sell({ owner: BOB, price: 640_000, quantity: 10 });
    floor.buy({ owner: CAROL, price: 640_000, quantity: 10 });
    return floor;
  };
  const exitsOf = (floor: TradingFloor) =>
    floor.exchange
      .untriggeredOrdersOf(ALICE)
      .map(({ orderId, entryId, side, quantity, quoteTotal, takeProfit, stop }) => {
        return { orderId, entryId, side, quantity, quoteTotal, takeProfit, stop };
      });

  it('place nothing before a fill, and end with an entry that never had one', () => {
    const floor = opened();
    expect(floor.buy({ price: 639_500, exits: exits(TAKE, STOP) })).toBe('OK');
    const entry = floor.lastOrderId();
    expect(floor.exchange.exitPlans()).toEqual([
      { orderId: entry, owner: ALICE, market: BTC_USDT.id, ...exits(TAKE, STOP), exitId: 0, taken: 0n },
    ]);
    expect(exitsOf(floor)).toEqual([]);
    expect(floor.cancel(entry, ALICE)).toBe('OK');
    expect([floor.exchange.exitPlans(), exitsOf(floor)]).toEqual([[], []]);
    expect(floor.held(ALICE, USDT.id)).toBe(0n);
  });

  it('cover each fill at once by one exit order that grows, in whole lots of what arrived after fees', () => {
    const floor = opened();
    floor.buy({ price: 639_500, quantity: 100, exits: exits(TAKE, STOP) });
    const entry = floor.lastOrderId();
    floor.sell({ owner: BOB, price: 639_500, quantity: 40 });
    // Of 40 lots the fee takes 0.08 %, rounded up, so that 39 whole lots arrive.
    const exitId = floor.exchange.exitPlans()[0]!.exitId;
    const facts = { orderId: exitId, entryId: entry, side: SELL, quoteTotal: 0n, takeProfit: TAKE, stop: STOP };
    expect(exitsOf(floor)).toEqual([{ ...facts, quantity: 39 }]);
    expect(floor.held(ALICE, BTC.id)).toBe(39n * LOT);
    floor.sell({ owner: BOB, price: 639_500, quantity: 60 });
    expect(exitsOf(floor)).toEqual([{ ...facts, quantity: 99 }]);
    // The entry is done: its exit is an order like any other.
    expect(floor.exchange.exitPlans()).toEqual([]);
    expect(floor.exchange.openOrder(entry)).toBeUndefined();
    floor.sell({ owner: BOB, price: 638_000, quantity: 10 });
    floor.buy({ owner: CAROL, price: 638_000, quantity: 200 });
    expect(floor.triggerings()).toEqual([`#${exitId} stop at 638000`]);
    expect(floor.trades()).toEqual([`638000x10#${exitId + 2}`, `638000x99#${exitId + 3}`]);
    expect(exitsOf(floor)).toEqual([]);
  });

  it('give a later fill an exit of its own when the first was triggered meanwhile', () => {
    const floor = opened();
    floor.buy({ price: 639_500, quantity: 100, exits: exits({ trigger: 641_000, price: 0 }, undefined) });
    floor.sell({ owner: BOB, price: 639_500, quantity: 40 });
    floor.buy({ owner: CAROL, price: 640_500, quantity: 50 });
    floor.sell({ owner: BOB, price: 641_000, quantity: 10 });
    const first = floor.exchange.exitPlans()[0]!.exitId;
    floor.buy({ owner: CAROL, price: 641_000, quantity: 10 });
    expect(floor.triggerings()).toEqual([`#${first} take-profit at 641000`]);
    expect(floor.exchange.exitPlans()[0]).toMatchObject({ exitId: 0, taken: 39n * LOT });
    floor.sell({ owner: BOB, price: 639_500, quantity: 30 });
    const [exit] = exitsOf(floor);
    // 11 of the 30 met Carol's bid. 59 lots less 0.08 % are 58.95, of which the first exit sold 39.
    expect(exit).toMatchObject({ entryId: floor.exchange.exitPlans()[0]!.orderId, quantity: 19 });
    expect(exit!.orderId).toBeGreaterThan(first);
  });

  it('stay with what was filled when the entry is cancelled', () => {
    const floor = opened();
    floor.buy({ price: 639_500, quantity: 100, exits: exits(TAKE, STOP) });
    const entry = floor.lastOrderId();
    floor.sell({ owner: BOB, price: 639_500, quantity: 40 });
    expect(floor.cancel(entry, ALICE)).toBe('OK');
    expect(floor.exchange.exitPlans()).toEqual([]);
    expect(exitsOf(floor)).toMatchObject([{ quantity: 39, entryId: entry }]);
  });

  it('are given up when the owner cancels the exit order, and the entry goes on without', () => {
    const floor = opened();
    floor.buy({ price: 639_500, quantity: 100, exits: exits(TAKE, STOP) });
    floor.sell({ owner: BOB, price: 639_500, quantity: 40 });
    const { exitId } = floor.exchange.exitPlans()[0]!;
    expect(floor.cancel(exitId, ALICE)).toBe('OK');
    expect(floor.exchange.exitPlans()).toEqual([]);
    floor.sell({ owner: BOB, price: 639_500, quantity: 40 });
    expect([exitsOf(floor), floor.held(ALICE, BTC.id)]).toEqual([[], 0n]);
  });

  it('trigger at once where a large order swept past the stop as it filled the entry', () => {
    const floor = opened();
    floor.buy({ price: 639_500, quantity: 50, exits: exits(undefined, STOP) });
    floor.buy({ owner: CAROL, price: 638_900, quantity: 300 });
    floor.sell({ owner: BOB, price: 638_900, quantity: 100 });
    expect(floor.triggerings()).toEqual([expect.stringMatching(/^#\d+ stop at 638900$/)]);
    expect(floor.trades().at(-1)).toMatch(/^638900x49#/);
    expect(floor.held(ALICE, BTC.id)).toBe(0n);
  });

  it('sell a part that is below the smallest order of the pair', () => {
    const floor = opened();
    floor.buy({ price: 639_500, quantity: 100, exits: exits(undefined, STOP) });
    const entry = floor.lastOrderId();
    floor.sell({ owner: BOB, price: 639_500, quantity: 97, timeInForce: 'IOC' });
    floor.cancel(entry, ALICE);
    floor.buy({ price: 639_400, quantity: 12, exits: exits(undefined, STOP) });
    const small = floor.lastOrderId();
    floor.amend(small, ALICE, { quantity: 10 });
    floor.sell({ owner: BOB, price: 639_400, quantity: 10 });
    expect(exitsOf(floor).at(-1)).toMatchObject({ entryId: small, quantity: 9 });
    floor.buy({ owner: CAROL, price: 638_000, quantity: 500 });
    floor.sell({ owner: BOB, price: 638_000, quantity: 10 });
    expect(floor.triggerings()).toHaveLength(2);
    expect(
      floor
        .trades()
        .slice(1)
        .map((trade) => trade.split('#')[0]),
    ).toEqual(['638000x96', '638000x9']);
  });

  it('of a sell buy back with what it brought', () => {
    const floor = opened();
    const below = { trigger: 639_000, price: 639_100 };
    floor.sell({ price: 640_500, quantity: 100, exits: exits(below, { trigger: 641_000, price: 0 }) });
    const entry = floor.lastOrderId();
    floor.buy({ owner: BOB, price: 640_500, quantity: 100 });
    const brought = 64_050_000n - 51_240n;
    expect(exitsOf(floor)).toMatchObject([
      { entryId: entry, side: BUY, quantity: Number(brought / 639_100n), quoteTotal: brought },
    ]);
    expect(floor.held(ALICE, USDT.id)).toBe(brought);
    floor.sell({ owner: CAROL, price: 641_000, quantity: 200 });
    floor.buy({ owner: BOB, price: 641_000, quantity: 10 });
    expect(floor.triggerings()).toHaveLength(1);
    expect(floor.trades().at(-1)).toMatch(/^641000x99#/);
  });

  it('belong to a market order too, measured by the price that they watch', () => {
    const floor = opened();
    floor.sell({ owner: BOB, price: 640_100, quantity: 50 });
    expect(
      floor.market({ quantity: 50, timeInForce: 'IOC', exits: exits({ trigger: 640_000, price: 0 }, undefined) }),
    ).toBe('INVALID_TAKE_PROFIT');
    expect(floor.market({ quantity: 50, timeInForce: 'IOC', exits: exits(TAKE, STOP) })).toBe('OK');
    expect(exitsOf(floor)).toMatchObject([{ quantity: 49 }]);
    expect(floor.exchange.exitPlans()).toEqual([]);
  });

  it('watch the mark price where they are asked to', () => {
    const floor = opened();
    const byMark = exits(undefined, STOP, 'mark');
    expect(floor.buy({ price: 639_500, exits: byMark })).toBe('NO_PRICE');
    expect(floor.exchange.isMarkWatched(BTC_USDT.id)).toBe(false);
    floor.mark(640_000);
    expect(floor.buy({ price: 639_500, exits: byMark })).toBe('OK');
    expect(floor.exchange.isMarkWatched(BTC_USDT.id)).toBe(true);
    floor.sell({ owner: BOB, price: 639_500, quantity: 100 });
    floor.buy({ owner: CAROL, price: 638_000, quantity: 500 });
    floor.sell({ owner: BOB, price: 638_000, quantity: 10 });
    expect(floor.triggerings()).toEqual([]);
    floor.mark(639_000);
    expect(floor.triggerings()).toHaveLength(1);
    expect(floor.exchange.isMarkWatched(BTC_USDT.id)).toBe(false);
  });

  it('go on where they meet the rest of their own entry, which gives way', () => {
    const floor = opened();
    floor.mark(640_000);
    floor.buy({ price: 639_500, quantity: 100, exits: exits(undefined, STOP, 'mark') });
    const entry = floor.lastOrderId();
    floor.buy({ owner: CAROL, price: 639_400, quantity: 100 });
    floor.sell({ owner: BOB, price: 639_500, quantity: 40 });
    floor.mark(639_000);
    expect(floor.changes()).toContain(`#${entry} cancelled SELF_TRADE 60/100`);
    expect(floor.trades()).toEqual([expect.stringMatching(/^639400x39#/)]);
  });

  it.each([
    [
      'a take-profit below the entry of a buy',
      BUY,
      exits({ trigger: 639_500, price: 0 }, undefined),
      'INVALID_TAKE_PROFIT',
    ],
    ['a stop above the entry of a buy', BUY, exits(undefined, { trigger: 639_500, price: 0 }), 'INVALID_STOP_LOSS'],
    [
      'a take-profit above the entry of a sell',
      SELL,
      exits({ trigger: 639_600, price: 0 }, undefined),
      'INVALID_TAKE_PROFIT',
    ],
    ['a stop below the entry of a sell', SELL, exits(undefined, { trigger: 639_400, price: 0 }), 'INVALID_STOP_LOSS'],
    ['no leg', BUY, exits(undefined, undefined), 'INVALID_TRIGGER'],
    ['a trigger of nothing', BUY, exits(undefined, { trigger: 0, price: 0 }), 'INVALID_TRIGGER'],
    ['a limit price that is none', BUY, exits(undefined, { trigger: 639_000, price: 0.5 }), 'INVALID_PRICE'],
  ])('are refused with %s', (_, side, wrong, reason) => {
    const floor = opened();
    const order = { price: 639_500, quantity: 50, timeInForce: 'GTC' as const, exits: wrong };
    expect(side === BUY ? floor.buy(order) : floor.sell(order)).toBe(reason);
  });

  it('are refused where an entry fills at once past its stop, however far its limit is', () => {
    const floor = opened();
    floor.sell({ owner: BOB, price: 640_100, quantity: 50 });
    const far = { price: 650_000, quantity: 50 };
    expect(floor.buy({ ...far, exits: exits(undefined, { trigger: 645_000, price: 0 }) })).toBe('INVALID_STOP_LOSS');
    expect(floor.buy({ ...far, exits: exits(undefined, STOP) })).toBe('OK');
  });

  it('keep an amended entry on their right side', () => {
    const floor = opened();
    floor.buy({ price: 639_500, exits: exits(TAKE, STOP) });
    const entry = floor.lastOrderId();
    expect(floor.amend(entry, ALICE, { price: 639_000 })).toBe('INVALID_STOP_LOSS');
    expect(floor.amend(entry, ALICE, { price: 641_000 })).toBe('INVALID_TAKE_PROFIT');
    expect(floor.amend(entry, ALICE, { price: 639_400, quantity: 50 })).toBe('OK');
    floor.sell({ owner: BOB, price: 639_400, quantity: 50 });
    expect(exitsOf(floor)).toMatchObject([{ quantity: 49 }]);
  });

  it('count as untriggered orders from the placing of their entry', () => {
    const floor = new TradingFloor(create, { maximumUntriggeredOrdersPerOwner: 2 });
    floor.sell({ owner: BOB, price: 640_000, quantity: 10 });
    floor.buy({ owner: CAROL, price: 640_000, quantity: 10 });
    expect(floor.buy({ price: 639_500, exits: exits(TAKE, STOP) })).toBe('OK');
    expect(floor.buy({ price: 639_500, exits: exits(TAKE, STOP) })).toBe('OK');
    expect(floor.buy({ price: 639_500, exits: exits(TAKE, STOP) })).toBe('UNTRIGGERED_LIMIT');
    expect(floor.buy({ price: 639_500 })).toBe('OK');
  });
});
