/** When the last price triggers what waits for it, by example, in both engines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { PAUSE_MS } from '../../instruments/market-state.ts';
import { BTC_PERPETUAL, BTC_USDT } from '../../simulation/markets.ts';
import { ALICE, BOB, CAROL, ENGINES, TradingFloor } from '../../simulation/trading-floor.ts';
import { BUY, SELL } from '../../terms/order-terms.ts';
import { TRIGGERS_ARE_CONFIRMED } from '../../terms/rules.ts';
import { HOLD_MS } from './passed-prices.ts';

const PRICE = 600_000;
const PERPETUAL = BTC_PERPETUAL.id;
const tell = (price: number, isReferenceOnly = true) =>
  ({ kind: 'set-reference-price', market: BTC_USDT.id, price, isReferenceOnly }) as const;
const at = (trigger: number) => ({ trigger, price: 0 });

describe.each(ENGINES)('what waits for the last price, $engine', ({ create }) => {
  let floor: TradingFloor;
  beforeEach(() => {
    floor = new TradingFloor(create);
    trade(PRICE);
    floor.time += 60_000;
  });

  /** The smallest trade of Bob's with Carol. */
  function trade(price: number, market = BTC_USDT.id): void {
    expect(floor.sell({ owner: BOB, price, quantity: 10, market })).toBe('OK');
    expect(floor.buy({ owner: CAROL, price, quantity: 10, market })).toBe('OK');
  }

  function stop(trigger: number): number {
    expect(floor.place({ stop: at(trigger) })).toBe('OK');
    return floor.lastOrderId();
  }

  /** Ids of what was triggered in the last command, with the price. */
  const triggered = () =>
    floor.events.flatMap((event) =>
      event.kind === 'order-triggered' ? [[event.order.orderId, event.price] as const] : [],
    );
  const passed = () => floor.exchange.marketState(BTC_USDT.id).passed;

  it('is not triggered by a trade, and is by ten seconds beyond its trigger', () => {
    const id = stop(590_000);
    trade(589_000);
    const since = floor.time;
    expect([triggered(), passed()]).toEqual([[], [[{ price: 589_000, since }], []]]);
    expect(floor.exchange.nextDueAt()).toBe(since + HOLD_MS);
    floor.runAt(since + HOLD_MS - 1);
    expect(triggered()).toEqual([]);
    floor.runAt(since + HOLD_MS);
    expect([triggered(), passed(), floor.exchange.nextDueAt()]).toEqual([[[id, 589_000]], undefined, undefined]);
  });

  it('is not triggered where the price comes back before that, however often it was beyond', () => {
    const id = stop(590_000);
    for (let round = 0; round < 5; round += 1) {
      trade(589_000);
      floor.time += HOLD_MS - 100;
      trade(591_000);
      expect([triggered(), passed()]).toEqual([[], undefined]);
    }
    trade(589_000);
    floor.time += HOLD_MS;
    // The next trade is as good as the timer: the price was held until it.
    trade(595_000);
    expect(floor.exchange.untriggeredOrder(id)).toBeUndefined();
  });

  it('counts each trigger from when the price passed that one', () => {
    const [near, far] = [stop(590_000), stop(580_000)];
    trade(589_000);
    const since = floor.time;
    floor.time = since + 5_000;
    trade(579_000);
    const later = floor.time;
    floor.time += 1_000;
    trade(585_000);
    // Back from the farther one, and still beyond the nearer.
    floor.runAt(since + HOLD_MS);
    expect(triggered()).toEqual([[near, 589_000]]);
    floor.runAt(later + HOLD_MS);
    expect([triggered(), floor.exchange.untriggeredOrder(far)]).toEqual([
      [],
      expect.objectContaining({ orderId: far }),
    ]);
  });

  it('keeps no more than a dozen prices, however many were passed', () => {
    stop(595_000);
    for (let price = 594_000; price > 591_600; price -= 50) {
      trade(price);
      floor.time += 180;
    }
    expect(passed()![0].length).toBeLessThanOrEqual(12);
  });

  it('is triggered at once where a fresh price from outside has passed it too, whichever comes first', () => {
    const id = stop(590_000);
    trade(585_000);
    floor.verdict(tell(592_000));
    expect(triggered()).toEqual([]);
    floor.verdict(tell(588_000));
    expect(triggered()).toEqual([[id, 588_000]]);
    const second = stop(580_000);
    floor.verdict(tell(579_000));
    expect(triggered()).toEqual([]);
    trade(578_000);
    expect([...triggered(), second]).toEqual([[second, 579_000], second]);
  });

  it('is triggered by a last price that is told, as that is the price outside', () => {
    const id = stop(590_000);
    floor.verdict(tell(589_500, false));
    expect(triggered()).toEqual([[id, 589_500]]);
  });

  it('is held again where the price from outside is no longer fresh', () => {
    floor.verdict(tell(580_000));
    const id = stop(590_000);
    floor.time += 30_000;
    trade(589_000);
    expect([triggered(), floor.exchange.untriggeredOrder(id)?.orderId]).toEqual([[], id]);
  });

  it('goes for take-profits, both legs and exits as well', () => {
    const legs = { takeProfit: at(610_000), stop: at(590_000) };
    floor.place(legs);
    const both = floor.lastOrderId();
    const takeProfit = { takeProfit: { trigger: 611_000, price: 612_000 }, stop: undefined };
    floor.sell({ owner: BOB, price: 605_000, quantity: 50 });
    floor.buy({ price: 605_000, quantity: 50, exits: { source: 'last', ...takeProfit } });
    trade(615_000);
    const since = floor.time;
    expect(triggered()).toEqual([]);
    floor.time = since + 4_000;
    trade(589_000);
    expect([triggered(), passed()![1]]).toEqual([[], []]);
    floor.time += 4_000;
    trade(616_000);
    const again = floor.time;
    floor.runAt(again + HOLD_MS);
    expect(triggered().map(([id]) => id)).toEqual([both, expect.any(Number)]);
    expect(floor.exchange.untriggeredOrdersOf(ALICE)).toEqual([]);
  });

  it('trails what is confirmed alone: a spike moves no stop', () => {
    floor.place({ side: SELL, trailing: { callbackPpm: 10_000, callbackTicks: 0, activation: 0 } });
    const id = floor.lastOrderId();
    const best = () => floor.exchange.untriggeredOrder(id)?.best;
    trade(640_000);
    trade(601_000);
    expect([triggered(), best()]).toEqual([[], PRICE]);
    floor.runAt(floor.time + HOLD_MS);
    expect(best()).toBe(601_000);
    floor.verdict(tell(620_000));
    trade(630_000);
    expect(best()).toBe(620_000);
    trade(612_000);
    expect(triggered()).toEqual([]);
    floor.verdict(tell(613_000));
    expect(triggered()).toEqual([[id, 613_000]]);
  });

  it('goes by the mark of a perpetual, and by a price that stays', () => {
    for (const owner of [ALICE, BOB, CAROL]) floor.moveToFutures(owner, 1_000_000_000n);
    floor.index(10_000, PERPETUAL);
    trade(10_000, PERPETUAL);
    const terms = { market: PERPETUAL, side: SELL, quantity: 10 } as const;
    const place = (trigger: number) => {
      expect(floor.place({ ...terms, stop: at(trigger) })).toBe('OK');
      return floor.lastOrderId();
    };
    const [near, far] = [place(9_950), place(9_925)];
    trade(9_920, PERPETUAL);
    expect(triggered()).toEqual([]);
    floor.index(9_940, PERPETUAL);
    expect(triggered()).toEqual([[near, 9_940]]);
    floor.runAt(floor.time + HOLD_MS);
    expect(triggered().map(([id]) => id)).toEqual([far]);
  });

  it('does not count the time of a halt or of a pause, in which nobody could trade', () => {
    const id = stop(590_000);
    trade(589_000);
    floor.time += HOLD_MS / 2;
    floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: true });
    expect(floor.exchange.nextDueAt()).toBeUndefined();
    floor.runAt(floor.time + 100_000);
    expect(triggered()).toEqual([]);
    floor.apply({ kind: 'halt-market', market: BTC_USDT.id, halted: false });
    const since = floor.time;
    expect([triggered(), floor.exchange.nextDueAt()]).toEqual([[], since + HOLD_MS]);
    // Then a sweep to the end of the band.
    floor.verdict(tell(PRICE));
    floor.buy({ owner: CAROL, price: 545_000, quantity: 200 });
    floor.market({ owner: BOB, side: SELL, quantity: 10_000 });
    const { until } = floor.exchange.marketState(BTC_USDT.id).pause!;
    expect(until).toBe(floor.time + PAUSE_MS);
    floor.runAt(until);
    expect(triggered()).toEqual([]);
    floor.runAt(until + HOLD_MS + 1);
    expect(triggered()).toEqual([[id, 545_000]]);
  });

  it('forgets what was passed with the last order that waits', () => {
    const id = stop(590_000);
    trade(589_000);
    floor.cancel(id, ALICE);
    expect(floor.events.map(({ kind }) => kind)).toEqual(['triggers-passed', 'untriggered-ended']);
    expect([passed(), floor.exchange.nextDueAt()]).toEqual([undefined, undefined]);
    expect(floor.place({ side: BUY, stop: at(595_000) })).toBe('OK');
    expect(passed()).toBeUndefined();
  });

  it('was triggered by any trade under older rules', () => {
    floor.exchange.rules = TRIGGERS_ARE_CONFIRMED - 1;
    const id = stop(590_000);
    trade(589_000);
    expect(triggered()).toEqual([[id, 589_000]]);
  });
});
