import { describe, expect, it } from 'vitest';
import { createExchange, type FastExchange } from '../exchange/create-exchange.ts';
import { listing, TEST_PERPETUALS } from '../simulation/markets.ts';
import { PerpetualWorkload } from '../simulation/perpetual-workload.ts';
import { Random } from '../simulation/random.ts';
import type { EventBatch } from './event-batch.ts';

const STEPS = 4_000;
const STEPS_OF_A_BATCH = 25;

/** What a reader is told of positions and objects, with the trades before each. */
function rareOf(batch: EventBatch): readonly unknown[] {
  const all: unknown[] = [];
  batch.readRare({
    position: (records, at) => all.push([records.event(at), records.tradesBefore(at)]),
    object: (event, tradesBefore) => all.push([event, tradesBefore]),
  });
  return all;
}

function run(exchange: FastExchange, seed: number, each: (batch: EventBatch) => void): void {
  for (const command of listing(TEST_PERPETUALS)) exchange.apply(0, command);
  exchange.takeEvents();
  const workload = new PerpetualWorkload(new Random(seed), TEST_PERPETUALS, 6);
  for (let step = 1; step <= STEPS; step += 1) {
    const { time, command } = workload.next();
    exchange.apply(time, command);
    if (step % STEPS_OF_A_BATCH > 0) continue;
    const batch = exchange.takeBatch();
    each(batch);
    exchange.recycle(batch);
  }
}

describe('changes of positions as records', () => {
  it('are told among the objects in the order in which they came, with the trades before them', () => {
    let [changes, objects] = [0, 0];
    run(createExchange(), 3, (batch) => {
      let trades = 0;
      const expected: unknown[] = [];
      batch.read({
        trade: () => {
          trades += 1;
        },
        position: (records, at) => expected.push([records.event(at), trades]),
        object: (event) => expected.push([event, trades]),
      });
      expect(rareOf(batch)).toEqual(expected);
      expect(batch.trades).toBe(trades);
      changes += batch.positions.count;
      objects += batch.objects.length;
    });
    expect(Math.min(changes, objects)).toBeGreaterThan(100);
  });

  it('add up to the lots that are open, change by change', () => {
    const exchange = createExchange();
    const lots = new Map<string, number>();
    const places = new Map<string, number>();
    run(exchange, 4, (batch) => {
      batch.readRare({
        position(records, at) {
          const key = [records.owner(at), records.market(at), records.leg(at)].join(' ');
          const after = (lots.get(key) ?? 0) + records.lotsChange(at);
          expect(records.lots(at)).toBe(after);
          lots.set(key, after);
          expect(places.get(key) ?? records.place(at)).toBe(records.place(at));
          places.set(key, records.place(at));
        },
      });
    });
    const open = exchange.holdings().filter(({ position }) => position !== undefined);
    expect([...lots.values()].filter((one) => one !== 0)).toHaveLength(open.length);
    expect(new Set(places.values()).size).toBe(places.size);
    expect(open.length).toBeGreaterThan(2);
  });
});
