/** When an operator is told that work of the server stands still, and when not. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Standing } from '../../platform/work-report.ts';
import { createStandstillWatch } from './service.ts';

describe('an alarm about what stands still', () => {
  const MINUTE_MS = 60_000;
  const crediting: Standing = { kind: 'job', name: 'credit deposits', forMs: 16 * MINUTE_MS, cause: undefined };
  const notices: Standing = { kind: 'consumer', name: 'funding notices', forMs: 20 * MINUTE_MS, cause: 'no room' };
  let standing: Standing[];
  let told: string[];
  let isAway: boolean;
  let watch: ReturnType<typeof createStandstillWatch>;

  beforeEach(() => {
    [standing, told, isAway] = [[], [], false];
    const ask = async () => {
      if (isAway) throw new Error('away');
      return 0;
    };
    const raise = async (kind: string, detail: string) => {
      await ask();
      told.push(`${kind}: ${detail}`);
    };
    const alarms = { raise, openAlarms: ask };
    watch = createStandstillWatch({ work: { standing: () => standing }, alarms, clock: { now: () => 0 } });
  });

  it('comes with the second look at it, once, and again only where it was done in between', async () => {
    standing = [crediting];
    await watch.look();
    expect(told).toEqual([]);
    standing = [crediting, notices];
    await watch.look();
    await watch.look();
    await watch.look();
    const first =
      'work-stands-still: The job credit deposits has not been done for 16 minutes: it does not come to its end';
    expect(told).toEqual([
      first,
      'work-stands-still: The consumer funding notices has not been done for 20 minutes: it fails (no room)',
    ]);
    standing = [notices];
    await watch.look();
    standing = [crediting, notices];
    await watch.look();
    await watch.look();
    expect(told.slice(2)).toEqual([first]);
  });

  it('does not come for what a database that is away has held up', async () => {
    standing = [crediting, notices];
    isAway = true;
    await expect(watch.look()).rejects.toThrow('away');
    await expect(watch.look()).rejects.toThrow('away');
    isAway = false;
    await watch.look();
    standing = [];
    await watch.look();
    expect(told).toEqual([]);
  });

  it('is tried again where it could not be written', async () => {
    standing = [crediting];
    let failures = 1;
    const flaky = createStandstillWatch({
      work: { standing: () => standing },
      alarms: {
        openAlarms: async () => 0,
        async raise(kind) {
          failures -= 1;
          if (failures >= 0) throw new Error('No room');
          told.push(kind);
        },
      },
      clock: { now: () => 0 },
    });
    await flaky.look();
    await expect(flaky.look()).rejects.toThrow('No room');
    await flaky.look();
    expect(told).toEqual(['work-stands-still']);
  });
});
