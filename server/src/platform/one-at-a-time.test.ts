import { expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

it('work is never done twice at once, also when it is asked for as it ends, and each call sees a run that began after it', async () => {
  let [begun, running, most] = [0, 0, 0];
  const run = oneAtATime(async () => {
    begun += 1;
    running += 1;
    most = Math.max(most, running);
    for (let tick = 0; tick < begun % 4; tick += 1) await Promise.resolve();
    running -= 1;
    if (begun % 3 === 0) throw new Error('This run fails');
  });
  const ask = async () => {
    for (let asked = 0; asked < 50; asked += 1) {
      const before = begun;
      await run().catch(() => undefined);
      expect(begun).toBeGreaterThan(before);
    }
  };
  await Promise.all(Array.from({ length: 5 }, ask));
  expect([most, running]).toEqual([1, 0]);
});
