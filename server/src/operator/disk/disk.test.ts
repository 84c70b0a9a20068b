/** When an operator is told that the disk fills, and when not. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { createDiskWatch } from './service.ts';

const GIB = 2 ** 30;
const HOUR_MS = 3_600_000;
const TEN_MINUTES_MS = HOUR_MS / 6;

describe('an alarm before the disk is full', () => {
  let told: string[];
  let free: number;
  let total: number;
  let at: number;
  let watch: ReturnType<typeof createDiskWatch>;

  beforeEach(() => {
    told = [];
    [free, total, at] = [100 * GIB, 200 * GIB, 1_000 * HOUR_MS];
    watch = createDiskWatch({
      directory: '/var/exchange',
      room: async () => ({ freeBytes: free, totalBytes: total }),
      alarms: {
        raise: async (kind, detail) => {
          told.push(`${kind}: ${detail}`);
        },
      },
      clock: { now: () => at },
    });
  });

  /** @param perHour what is used up, bytes */
  async function live(hours: number, perHour: number): Promise<void> {
    for (let step = 0; step < hours * 6; step += 1) {
      at += TEN_MINUTES_MS;
      free -= perHour / 6;
      await watch.look();
    }
  }

  it('comes with what is left, once, and again at half of that', async () => {
    free = 2 * GIB;
    await watch.look();
    expect(told).toEqual([]);
    free = 1.9 * GIB;
    await watch.look();
    free = 1.2 * GIB;
    await watch.look();
    expect(told).toEqual(['disk-fills: 1.9 of 200.0 GiB are free below /var/exchange']);
    free = 0.9 * GIB;
    await watch.look();
    expect(told).toHaveLength(2);
  });

  it('comes at a tenth of a small disk', async () => {
    [free, total] = [0.5 * GIB, 4 * GIB];
    await watch.look();
    expect(told).toEqual([]);
    free = 0.3 * GIB;
    await watch.look();
    expect(told).toEqual(['disk-fills: 0.3 of 4.0 GiB are free below /var/exchange']);
  });

  it('comes a day before, by the pace of some hours, and not by that of the first', async () => {
    free = 60 * GIB;
    await watch.look();
    await live(2, 4 * GIB);
    expect(told).toEqual([]);
    await live(1, 4 * GIB);
    expect(told).toEqual([
      'disk-fills: 48.0 of 200.0 GiB are free below /var/exchange; used as in the last 3 hours, they last for 12 hours',
    ]);
  });

  it('does not come where little is used, where room is made, or twice for a disk that goes up and down', async () => {
    await live(48, GIB);
    expect(told).toEqual([]);
    free = 1.9 * GIB;
    await watch.look();
    free = 2.1 * GIB;
    await watch.look();
    free = 1.8 * GIB;
    await watch.look();
    expect(told).toHaveLength(1);
    free = 150 * GIB;
    await live(1, 0);
    free = 1.8 * GIB;
    await watch.look();
    expect(told).toHaveLength(2);
  });

  it('is tried again where it could not be written, and survives a clock that is set back', async () => {
    free = GIB;
    const failing = createDiskWatch({
      directory: '/var/exchange',
      room: async () => ({ freeBytes: free, totalBytes: total }),
      alarms: { raise: () => Promise.reject(new Error('No room')) },
      clock: { now: () => at },
    });
    await expect(failing.look()).rejects.toThrow('No room');
    await expect(failing.look()).rejects.toThrow('No room');
    free = 100 * GIB;
    await live(4, GIB);
    at -= 100 * HOUR_MS;
    await live(2, 30 * GIB);
    expect(told).toEqual([]);
  });
});

describe.each(databaseKinds)('figures of the disk (%s)', (kind) => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp(kind);
  });
  afterAll(() => server.remove());

  it('say what is free and how large the database is', async () => {
    const figure = async (name: string) => {
      const { payload } = await server.app.http.inject({ method: 'GET', url: '/metrics' });
      return Number(new RegExp(`^cambist_${name} (\\S+)$`, 'm').exec(payload)?.[1] ?? 0);
    };
    await expect.poll(() => figure('disk_free_bytes{folder="DATA_DIR"}')).toBeGreaterThan(2 ** 20);
    await expect.poll(() => figure(`database_bytes{database="${kind}"}`)).toBeGreaterThan(2 ** 20);
  });
});
