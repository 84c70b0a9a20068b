import { expect, it } from 'vitest';
import { type HashCaller, HashQueue } from './hash-queue.ts';

const LIMITS = { running: 1, waiting: 20, waitingOfClient: 8, waitingOfNetwork: 10 };

/** A queue with one slot that is taken, and the order in which what waits is done. */
function busyQueue() {
  const queue = new HashQueue(LIMITS);
  const done: string[] = [];
  const { promise, resolve: free } = Promise.withResolvers<void>();
  const first = queue.run({ lane: 'order', client: 'first' }, () => promise);
  const ask = (name: string, caller: HashCaller) => queue.run(caller, async () => void done.push(name));
  return { ask, done, free, first };
}

it('alternates between orders and sign-ins', async () => {
  const { ask, done, free } = busyQueue();
  const orders = [1, 2, 3].map((number) => ask(`order ${number}`, { lane: 'order', client: `${number}` }));
  const entries = [1, 2].map((number) => ask(`entry ${number}`, { lane: 'entry' }));
  free();
  await Promise.all([...orders, ...entries]);
  expect(done).toEqual(['entry 1', 'order 1', 'entry 2', 'order 2', 'order 3']);
});

it('runs one hash of a client at a time', async () => {
  const queue = new HashQueue({ ...LIMITS, running: 3 });
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
  };
  await Promise.all([1, 2, 3, 4].map(() => queue.run({ lane: 'order', client: 'one' }, work)));
  expect(most).toBe(1);
  await Promise.all(['one', 'two', 'three', 'four'].map((client) => queue.run({ lane: 'order', client }, work)));
  expect(most).toBe(3);
});

it('lets networks take turns', async () => {
  const { ask, done, free } = busyQueue();
  const office = [1, 2, 3].map((number) => ask(`office ${number}`, { lane: 'entry', network: 'office' }));
  const home = ask('home', { lane: 'entry', network: 'home' });
  free();
  await Promise.all([...office, home]);
  expect(done).toEqual(['office 1', 'home', 'office 2', 'office 3']);
});

it('lets a client without a network take turns with networks', async () => {
  const { ask, done, free } = busyQueue();
  const changes = [1, 2, 3].map((number) => ask(`change ${number}`, { lane: 'entry', client: 'one' }));
  const office = [1, 2].map((number) => ask(`office ${number}`, { lane: 'entry', network: 'office' }));
  free();
  await Promise.all([...changes, ...office]);
  expect(done).toEqual(['change 1', 'office 1', 'change 2', 'office 2', 'change 3']);
});

it('refuses a client or a network that waits too often, and nobody else for it', async () => {
  const { ask, free, first } = busyQueue();
  const client = Array.from({ length: 8 }, () => ask('client', { lane: 'order', client: 'one' }));
  await expect(ask('ninth', { lane: 'order', client: 'one' })).rejects.toThrow('Too many wait');
  const network = Array.from({ length: 10 }, () => ask('network', { lane: 'entry', network: 'office' }));
  await expect(ask('eleventh', { lane: 'entry', network: 'office' })).rejects.toThrow('Too many wait');
  const stranger = ask('stranger', { lane: 'entry', network: 'home' });
  free();
  await Promise.all([first, ...client, ...network, stranger]);
});

it('gives its slot back after a failure', async () => {
  const queue = new HashQueue(LIMITS);
  const failing = queue.run({ lane: 'entry', client: 'one' }, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  expect(await queue.run({ lane: 'entry', client: 'one' }, async () => 'done')).toBe('done');
});
