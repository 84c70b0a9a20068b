/** One busy market without an exchange behind it: seeded changes of a book and trades, at a pace that the bench sets. */

import type { MarketSpec } from '@cambist/core/money/market.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { BUY, SELL, type Side } from '@cambist/core/terms/order-terms.ts';
import { Book, type Level } from '@cambist/server/exchange/market-data/book.ts';
import { levelRow, tradeRow } from '@cambist/server/exchange/market-data/okx-format.ts';
import type { MarketChange, MarketData, Trade } from '@cambist/server/exchange/market-data/service.ts';

const LEVELS = 200;
const MIDDLE = 640_000;
const TRADE_PERCENT = 25;

/** What a naive server would send for one change, as an object of its own. */
export interface PlainMessage {
  readonly arg: { readonly channel: string; readonly instId: string };
  readonly data: readonly unknown[];
}

export function createBusyMarket(spec: MarketSpec, seed: number) {
  const random = new Random(seed);
  const lots = [new Map<number, number>(), new Map<number, number>()] as const;
  const listeners = new Set<(change: MarketChange) => void>();
  for (let level = 1; level <= LEVELS; level += 1) {
    lots[BUY].set(MIDDLE - level, random.between(1_000, 90_000));
    lots[SELL].set(MIDDLE + level, random.between(1_000, 90_000));
  }
  const book = new Book(0);
  for (const side of [BUY, SELL] as const) {
    book.load(
      side,
      [...lots[side]].flatMap(([price, quantity]) => [price, quantity, 3]),
    );
  }
  book.step(Date.now());
  let tradeId = 0;

  const marketData = {
    subscribe(listener: (change: MarketChange) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    takeBookUpdate: () => book.takeUpdate(),
    book: (_market: number, levels: number) => book.snapshot(levels),
  } as unknown as MarketData;

  function changeLevel(): { side: Side; level: Level } {
    const side = random.between(0, 1) as Side;
    const price = side === BUY ? MIDDLE - random.between(1, LEVELS) : MIDDLE + random.between(1, LEVELS);
    const quantity = random.between(1_000, 90_000);
    book.change(side, price, quantity - (lots[side].get(price) ?? 0), 0);
    lots[side].set(price, quantity);
    book.step(Date.now());
    return { side, level: [price, quantity, 3] };
  }

  function makeTrade(): Trade {
    tradeId += 1;
    const takerSide = random.between(0, 1);
    return { id: tradeId, price: MIDDLE, quantity: random.between(1, 9_000), takerSide, time: Date.now() };
  }

  return {
    marketData,

    /** One change: three times of four a level, else a trade. @returns it as a message of its own */
    change(): PlainMessage {
      if (random.chance(TRADE_PERCENT)) {
        const trade = makeTrade();
        for (const listener of listeners)
          listener({ market: spec.id, bookChanged: false, trades: [trade], told: [], liquidations: [] });
        return { arg: { channel: 'trades', instId: spec.symbol }, data: [tradeRow(spec, trade)] };
      }
      const { side, level } = changeLevel();
      for (const listener of listeners)
        listener({ market: spec.id, bookChanged: true, trades: [], told: [], liquidations: [] });
      const rows = [levelRow(spec, level)];
      const data = { asks: side === SELL ? rows : [], bids: side === BUY ? rows : [], ts: String(Date.now()) };
      return { arg: { channel: 'books', instId: spec.symbol }, data: [data] };
    },
  };
}

export type BusyMarket = ReturnType<typeof createBusyMarket>;
