/** What an operator hears of the engine's time, and the way back from a clock that was ahead. */
import { gunzipSync } from 'node:zlib';
import { issue } from '@cambist/core/ledger/issue.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { bothKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import { createAudit, createAuditStore } from '../../operator/audit/service.ts';
import { acceptClock, type ClockActDeps, listTimesAhead, setClockBack } from '../../operator-clock.ts';
import type { Database } from '../../platform/database.ts';
import { createLogger } from '../../platform/logger.ts';
import { ClockBehindJournal } from '../../platform/steady-clock.ts';
import { createClockWatch } from './clock-slice.ts';
import { createJournalStore } from './journal-store.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;

describe('the watch over the clock', () => {
  let [heldMs, pinned, accepted]: [number | undefined, number, number] = [undefined, 0, 0];
  let told: string[] = [];
  const watch = () => {
    [heldMs, pinned, accepted, told] = [undefined, 0, 4, []];
    return createClockWatch({
      clock: { now: () => 0, heldMs: () => heldMs, accept: () => (heldMs = undefined) },
      sequencer: { pinnedMs: () => pinned },
      store: { acceptances: async () => accepted },
      alarms: {
        async raise(kind) {
          told.push(kind);
          return true;
        },
      },
      logger: createLogger('silent'),
    });
  };

  it('tells once of a time that is held, which keeps nobody from trading, until an operator accepts the clock', async () => {
    const { look, problems } = watch();
    await look();
    expect([told, problems()]).toEqual([[], []]);
    heldMs = YEAR_MS;
    for (let times = 0; times < 3; times += 1) await look();
    expect(told).toEqual(['clock-held']);
    expect(problems()).toMatchObject([{ text: expect.stringContaining('365 days ahead'), standsStill: false }]);
    accepted += 1;
    await look();
    expect([heldMs, problems()]).toEqual([undefined, []]);
    heldMs = MINUTE_MS;
    await look();
    await look();
    expect([heldMs, told]).toEqual([MINUTE_MS, ['clock-held', 'clock-held']]);
  });

  it('tells once of a time that stands still, and again when it does so again', async () => {
    const { look, problems } = watch();
    pinned = 1_500;
    await look();
    expect([told, problems()]).toEqual([[], []]);
    pinned = 3 * MINUTE_MS;
    await look();
    await look();
    expect(problems()).toMatchObject([{ text: expect.stringContaining('3 minutes ahead'), standsStill: true }]);
    pinned = 0;
    await look();
    pinned = MINUTE_MS;
    await look();
    expect(told).toEqual(['clock-pinned', 'clock-pinned']);
  });
});

describe.each(bothKinds)('a journal that a clock ahead has written (%s)', (kind) => {
  let server: TestApp | undefined;
  let source: TestDatabase;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await source.remove();
  });

  const credit = async (amount: bigint) =>
    (await server!.app.engine.sequencer.submit(issue('development-credit', 5_001, 0, amount))).time;
  /** A start by a clock that is right: another source has no memory of the first one's. */
  const restart = async () => {
    let opened: Database | undefined;
    const open = async () => {
      opened = await source.open();
      return opened;
    };
    server = await startTestApp(kind, { ...source, open }).catch(async (error: unknown) => {
      await opened?.close();
      throw error;
    });
  };
  async function withDatabase<Result>(work: (deps: ClockActDeps) => Promise<Result>): Promise<Result> {
    const database = await source.open();
    const audit = createAudit({ store: createAuditStore(database), clock: Date });
    try {
      return await work({ database, audit, clock: Date, isServed: false });
    } finally {
      await database.close();
    }
  }
  /** A server whose clock was a year ahead, with an app whose code was used then. */
  async function runAhead(): Promise<void> {
    source = await makeTestDatabase(kind, 'migrated');
    server = await startTestApp(kind, source);
    await credit(1n);
    server.advance(YEAR_MS);
    await server.client('alice', { USDT: '1000' });
    const ahead = server.now();
    await server.database.query(
      "INSERT INTO totp (client_id, secret, enabled_at, last_step) SELECT id, 'x', 1, $1 FROM clients LIMIT 1",
      [Math.floor(ahead / 30_000)],
    );
    await server.stop();
    server = undefined;
  }

  it('is refused at the start with the way back, which an operator goes with the date of today', async () => {
    await runAhead();
    await expect(restart()).rejects.toThrow(ClockBehindJournal);
    await withDatabase(async (deps) => {
      await expect(setClockBack(deps, '')).rejects.toThrow('set it right first');
      await expect(setClockBack({ ...deps, isServed: true }, '')).rejects.toThrow('Stop the server');
      const found = await listTimesAhead(deps);
      for (const name of ['The journal ends at', 'used steps', 'sessions', 'sign-ins']) expect(found).toContain(name);
      const today = new Date().toISOString().slice(0, 10);
      expect(await setClockBack(deps, today)).toContain('used steps of authenticator apps');
      expect(await listTimesAhead(deps)).toBe('No table has times of the future that matter.');
      expect(await setClockBack(deps, today)).toBe('Nothing is ahead of the clock.');
      const acts = await deps.database.query('SELECT act FROM audit ORDER BY id DESC LIMIT 1');
      expect(acts).toEqual([{ act: 'set-clock-back' }]);
    });
    await restart();
    const time = await credit(2n);
    expect(Math.abs(time - Date.now())).toBeLessThan(MINUTE_MS);
    expect(server!.app.engine.sequencer.pinnedMs()).toBe(0);
    expect((await server!.app.http.inject('/readyz')).json()).toEqual({ status: 'ready', problems: [] });
    expect(await server!.app.reconciler.check()).toEqual([]);
    const hash = server!.app.engine.exchange.stateHash();
    await server!.stop();
    await restart();
    expect(server!.app.engine.exchange.stateHash()).toBe(hash);
    expect(await credit(3n)).toBeGreaterThanOrEqual(time);
  });

  it('stands still and says so where the clock is set right while it runs', async () => {
    source = await makeTestDatabase(kind, 'migrated');
    server = await startTestApp(kind, source);
    server.advance(10 * MINUTE_MS);
    const time = await credit(1n);
    server.advance(-10 * MINUTE_MS);
    expect(await credit(2n)).toBe(time);
    const ready = await server.app.http.inject('/readyz');
    expect([ready.statusCode, ready.json().status]).toEqual([503, 'not-ready']);
    expect(ready.json().problems[0]).toContain('set-clock-back');
    await expect
      .poll(async () => (await server!.database.query("SELECT FROM alarms WHERE kind = 'clock-pinned'")).length, {
        timeout: 20_000,
      })
      .toBe(1);
    server.advance(10 * MINUTE_MS);
    expect((await server.app.http.inject('/readyz')).statusCode).toBe(200);
  });

  it('is archived without what came between older rows being lost', async () => {
    source = await makeTestDatabase(kind, 'migrated');
    const database: Database = await source.open();
    const journal = createJournalStore(database, 'test');
    const times = [100, 110, 9_000, 9_100, 120, 130];
    await database.query(
      `INSERT INTO journal (batch, writer, time, version, commands, digest)
       SELECT place, 'x', time, 1, '[]', 'x' FROM unnest($1::int8[]) WITH ORDINALITY AS row (time, place)`,
      [times],
    );
    await database.query('UPDATE projection SET batch = 100');
    await journal.archive(1_000);
    const rows = await database.query('SELECT FROM journal');
    expect(rows).toEqual([]);
    const [archived] = await database.query('SELECT first_batch, last_batch, segment FROM journal_archive');
    expect(archived).toMatchObject({ first_batch: 1, last_batch: 6 });
    expect(
      gunzipSync(archived!.segment as Uint8Array)
        .toString()
        .split('\n'),
    ).toHaveLength(6);
    await database.close();
  });

  it('takes an accepted clock to the server that runs, with a record of who did it', async () => {
    source = await makeTestDatabase(kind, 'migrated');
    await withDatabase(async (deps) => {
      expect(await acceptClock(deps)).toContain('No server runs');
      expect(await acceptClock({ ...deps, isServed: true })).toContain('within two seconds');
      expect(await deps.database.query('SELECT accepted, act FROM clock, audit')).toEqual([
        { accepted: 1, act: 'accept-clock' },
      ]);
    });
  });
});
