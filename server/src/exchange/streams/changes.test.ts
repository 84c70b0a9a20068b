import type { PrivateChannel } from '@cambist/contract/stream.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { expect, it } from 'vitest';
import { Moments } from '../../platform/moments.ts';
import { Changes } from './changes.ts';

const CHANNELS: readonly PrivateChannel[] = ['orders', 'fills', 'account'];

it('of who is forgotten a change may be said to be later than it was, and never earlier; of the last ones it is exact', () => {
  const random = new Random(7);
  const moments = new Moments();
  const limit = 40;
  const changes = new Changes(moments, limit);
  const last = new Map<string, number>();
  const order: string[] = [];
  for (let step = 0; step < 5_000; step += 1) {
    const [owner, channel] = [random.between(1, 200), random.pick(CHANNELS)];
    const key = `${owner} ${channel}`;
    last.set(key, changes.note(owner, channel));
    order.push(key);
    const [asked, of] = [random.between(1, 200), random.pick(CHANNELS)];
    const [said, exact] = [changes.lastOf(asked, of), last.get(`${asked} ${of}`) ?? 0];
    expect(said).toBeGreaterThanOrEqual(exact);
    expect(said).toBeLessThanOrEqual(moments.now());
    if (order.slice(-limit).includes(`${asked} ${of}`)) expect(said).toBe(exact);
  }
});

it('one who never changed anything is said to have changed nothing since long ago, whatever others do', () => {
  const changes = new Changes(new Moments(), 1_000);
  expect(changes.lastOf(1, 'orders')).toBe(0);
  for (let owner = 2; owner < 900; owner += 1) changes.note(owner, 'orders');
  expect(changes.lastOf(1, 'orders')).toBe(0);
});

it('a change is after all that was asked at before it, and not after what is asked at from then on', () => {
  const moments = new Moments();
  for (let step = 0; step < 10_000; step += 1) {
    const before = moments.now();
    const change = moments.next();
    expect(change).toBeGreaterThan(before);
    expect(moments.now()).toBeGreaterThanOrEqual(change);
  }
  expect(moments.textOf(12)).toMatch(/^[0-9A-Za-z]{8}-12$/);
  expect(new Moments().textOf(12)).not.toBe(moments.textOf(12));
});
