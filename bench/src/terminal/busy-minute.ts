/**
 * A busy market as the public stream would say it: book updates and trades, seeded, so that every run and every
 * contender gets the same.
 */
import { Random } from '@cambist/core/simulation/random.ts';

export const SYMBOL = 'BTC-USDT';
export const PRICE_SCALE = 1;
export const QUANTITY_SCALE = 5;

const LEVELS = 200;
const MIDDLE = 912_000;
/** Levels of a side that an update touches at most. */
const TOUCHED = 4;

type Level = readonly [price: string, size: string, zero: string, orders: string];

const text = (units: number, scale: number) => (units / 10 ** scale).toFixed(scale);

export function createBusyMarket(seed: number) {
  const random = new Random(seed);
  const below = (limit: number) => random.between(0, limit - 1);
  let middle = MIDDLE;
  let sequence = 1;
  let tradeId = 1;
  const size = () => text(1 + below(200_000), QUANTITY_SCALE);
  const level = (ticks: number, amount: string): Level => [text(ticks, PRICE_SCALE), amount, '0', '1'];
  const side = (direction: 1 | -1) =>
    Array.from({ length: LEVELS }, (_, rank) => level(middle + direction * (1 + rank), size()));

  function touch(direction: 1 | -1): Level[] {
    return Array.from({ length: 1 + below(TOUCHED) }, () =>
      level(middle + direction * (1 + below(LEVELS)), below(5) === 0 ? '0' : size()),
    );
  }

  return {
    snapshot() {
      const data = { asks: side(1), bids: side(-1), ts: String(Date.now()), seqId: sequence, prevSeqId: -1 };
      return { arg: { channel: 'books', instId: SYMBOL }, action: 'snapshot', data: [data] };
    },
    /** Some updates as one push, as the hub of the server merges what comes within its 50 ms. */
    updates(count: number) {
      const sides = { asks: new Map<string, Level>(), bids: new Map<string, Level>() };
      const put = (side: keyof typeof sides, levels: readonly Level[]) => {
        for (const entry of levels) sides[side].set(entry[0], entry);
      };
      for (let done = 0; done < count; done += 1) {
        // The market drifts; what it leaves behind is taken out of the book.
        const step = below(3) - 1;
        middle += step;
        if (step !== 0) put(step > 0 ? 'asks' : 'bids', [level(middle, '0')]);
        put('asks', touch(1));
        put('bids', touch(-1));
      }
      const levels = { asks: [...sides.asks.values()], bids: [...sides.bids.values()] };
      const data = { ...levels, ts: String(Date.now()), prevSeqId: sequence, seqId: sequence + 1 };
      sequence += 1;
      return { arg: { channel: 'books', instId: SYMBOL }, action: 'update', data: [data] };
    },
    trades(count: number) {
      const data = Array.from({ length: count }, () => {
        const side = below(2) === 0 ? 'buy' : 'sell';
        const px = text(middle + (side === 'buy' ? 1 : -1), PRICE_SCALE);
        tradeId += 1;
        return { instId: SYMBOL, tradeId: String(tradeId), px, sz: size(), side, ts: String(Date.now()) };
      });
      return { arg: { channel: 'trades', instId: SYMBOL }, data };
    },
  };
}
