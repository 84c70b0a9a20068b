import { describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import type { Connection } from './connection.ts';
import { FanOut } from './fan-out.ts';
import type { Topic } from './topics.ts';

/** A connection that notes what is written to it, and when among all writes. */
function reader(name: string, writes: { name: string; text: string }[], onWrite: () => void = () => {}) {
  let waiting: Buffer[] = [];
  return {
    queue: (frame: Buffer) => waiting.push(frame) === 1,
    writeWaiting(join: (frames: readonly Buffer[]) => Buffer) {
      const text = join(waiting).toString();
      waiting = [];
      writes.push({ name, text: [...text.matchAll(/"data":(\w+)/g)].map(([, said]) => said).join() });
      onWrite();
    },
  } as unknown as Connection;
}

const topicOf = (subscribers: readonly Connection[]) =>
  ({ arg: { channel: 'trades', instId: 'BTC-USDT' }, subscribers: new Set(subscribers) }) as unknown as Topic;

async function until(isOver: () => boolean): Promise<void> {
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** More than one slice, so that there is a pause between the first reader's turn and the last one's. */
const MANY = 1_000;

describe('a fan-out', () => {
  it('sends what is published while it writes to those who still wait, and in the end everything to all in order', async () => {
    const writes: { name: string; text: string }[] = [];
    const fanOut = new FanOut(createLogger('silent'));
    let publishMore: () => void = () => {};
    const readers = Array.from({ length: MANY }, (_, index) =>
      reader(String(index), writes, () => index === MANY / 2 && publishMore()),
    );
    const topic = topicOf(readers);
    publishMore = () => {
      publishMore = () => {};
      fanOut.publish(topic, '"data":second}');
      fanOut.write();
    };
    fanOut.publish(topic, '"data":first}');
    fanOut.write();
    await until(() => writes.length === MANY + MANY / 2 + 1);
    const turns = writes.map(({ name }) => Number(name));
    expect(turns.slice(0, MANY)).toEqual(readers.map((_, index) => index));
    expect(turns.slice(MANY)).toEqual(readers.slice(0, MANY / 2 + 1).map((_, index) => index));
    expect(writes[MANY / 2]!.text).toBe('first');
    expect(new Set(writes.slice(MANY / 2 + 1, MANY).map(({ text }) => text))).toEqual(new Set(['first,second']));
    expect(new Set(writes.slice(MANY).map(({ text }) => text))).toEqual(new Set(['second']));
  });

  it('leaves the process to others between two slices', async () => {
    const writes: { name: string; text: string }[] = [];
    const fanOut = new FanOut(createLogger('silent'));
    fanOut.publish(topicOf(Array.from({ length: MANY }, (_, index) => reader(String(index), writes))), '"data":one}');
    fanOut.write();
    expect(writes.length).toBeLessThan(MANY / 2);
    await until(() => writes.length === MANY);
  });

  it('goes on after a write that failed', async () => {
    const writes: { name: string; text: string }[] = [];
    const fanOut = new FanOut(createLogger('silent'));
    let fails = true;
    const breaking = reader('breaking', writes, () => {
      if (!fails) return;
      fails = false;
      throw new Error('broken');
    });
    const topic = topicOf([breaking, reader('next', writes)]);
    fanOut.publish(topic, '"data":one}');
    fanOut.write();
    await until(() => writes.length === 1);
    fanOut.publish(topic, '"data":two}');
    fanOut.write();
    await until(() => writes.length === 3);
    expect(writes.map(({ name, text }) => [name, text])).toEqual([
      ['breaking', 'one'],
      ['next', 'one,two'],
      ['breaking', 'two'],
    ]);
  });

  it('writes no more to a connection that is forgotten', async () => {
    const writes: { name: string; text: string }[] = [];
    const fanOut = new FanOut(createLogger('silent'));
    const [gone, stays] = [reader('gone', writes), reader('stays', writes)];
    fanOut.publish(topicOf([gone, stays]), '"data":one}');
    fanOut.forget(gone);
    fanOut.write();
    await until(() => writes.length > 0);
    expect(writes).toEqual([{ name: 'stays', text: 'one' }]);
  });
});
