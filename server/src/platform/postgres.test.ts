import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { startBlackHole } from '../../test/black-hole.ts';
import { makeTestDatabase } from '../../test/databases.ts';
import { startPostgresServer } from '../../test/postgres-server.ts';
import { DatabaseUnavailable, NotTheWriter } from './database.ts';
import { openPostgres, translateError } from './postgres.ts';

const settings = { connections: 2, connectTimeoutSeconds: 5 };
const PATIENT = { timeout: 10_000 };
const insert = (n: number) => ({
  sql: 'INSERT INTO written (n) SELECT $1::int FROM writer WHERE held RETURNING n',
  parameters: [n],
});
const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** The server has databases of other tests, with writers of their own. */
const WRITERS = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** The same database, of which one statement waits until something else is done. */
async function startGate(databaseUrl: string, text: string, before: () => Promise<void>) {
  const url = new URL(databaseUrl);
  const to = Number(url.port);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    const upstream = connect(to, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy());
    upstream.pipe(client);
    client.on('data', async (chunk: Buffer) => {
      client.pause();
      if (chunk.includes(text)) await before();
      upstream.write(chunk);
      client.resume();
    });
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The same database, behind a network that is cut when a text is sent, and stays so for whatever was connected. */
async function startCut(databaseUrl: string, text: string) {
  const network = await startBlackHole(databaseUrl);
  const gate = await startGate(network.url, text, () => {
    network.swallow();
    return new Promise(() => undefined);
  });
  return {
    url: gate.url,
    carry: network.carry,
    async close() {
      await network.close();
      await gate.close();
    },
  };
}

async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const source = await makeTestDatabase('postgres');
  const url = source.environment.DATABASE_URL ?? '';
  const setUp = openPostgres({ ...settings, url });
  await setUp.query('CREATE TABLE written (n int)');
  await setUp.close();
  try {
    await work(url);
  } finally {
    await source.remove();
  }
}

describe.concurrent('the writer of a database', () => {
  it('is one: a second gives up, and becomes it once the first is gone', ({ expect }) =>
    withDatabase(async (url) => {
      const [first, second] = [openPostgres({ ...settings, url }), openPostgres({ ...settings, url })];
      expect(await first.becomeWriter(1000)).toBe(true);
      expect(await second.becomeWriter(300)).toBe(false);
      await expect(second.writeAlone(insert(2))).rejects.toThrow(NotTheWriter);
      expect(await first.writeAlone(insert(1))).toBe(1);
      await first.close();
      expect(await second.becomeWriter(3000)).toBe(true);
      expect(await second.query('SELECT n FROM written')).toEqual([{ n: 1 }]);
      await second.close();
    }));

  it('is the next one where the lock was let go between two looks at it, and does not take that for another writer', ({
    expect,
  }) =>
    withDatabase(async (url) => {
      const [first, besides] = [openPostgres({ ...settings, url }), openPostgres({ ...settings, url })];
      await first.becomeWriter(1000);
      const gate = await startGate(url, 'FROM pg_locks', async () => {
        await first.close();
        await expect.poll(async () => (await besides.query(WRITERS)).length, PATIENT).toBe(0);
      });
      const second = openPostgres({ ...settings, url: gate.url });
      await expect(second.writeAlone(insert(1))).rejects.toThrow(DatabaseUnavailable);
      await expect.poll(() => second.writeAlone(insert(2)).catch(() => 0), PATIENT).toBe(1);
      await Promise.all([second.close(), besides.close()]);
      await gate.close();
    }));

  it('waits for a database that is starting, and says so once', ({ expect }) =>
    withDatabase(async (url) => {
      const network = await startBlackHole(url);
      const port = new URL(network.url).port;
      await network.close();
      const database = openPostgres({ ...settings, url: network.url });
      const onAway = vi.fn<(error: Error) => void>();
      const becoming = database.becomeWriter(30_000, onAway);
      await expect.poll(() => onAway.mock.calls.length, PATIENT).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const started = await startBlackHole(url, Number(port));
      expect(await becoming).toBe(true);
      expect(onAway).toHaveBeenCalledOnce();
      await database.close();
      await started.close();
    }));

  it('is asked for at the next of several hosts where one is away', ({ expect }) =>
    withDatabase(async (url) => {
      const database = openPostgres({ ...settings, url: url.replace('@', '@127.0.0.1:1,') });
      expect(await database.becomeWriter(5_000)).toBe(true);
      expect(await database.writeAlone(insert(1))).toBe(1);
      await database.close();
    }));

  it('says why a database that is slow does not let it in, and not that it is away', ({ expect }) =>
    withDatabase(async (url) => {
      let tries = 0;
      const gate = await startGate(url, 'not_there', async () => {
        tries += 1;
        if (tries === 1) await new Promise((resolve) => setTimeout(resolve, 4_000));
      });
      const address = new URL(gate.url);
      address.pathname = '/not_there';
      const database = openPostgres({ ...settings, url: address.href });
      await expect(database.becomeWriter(3_000)).rejects.toThrow('database "not_there" does not exist');
      await database.close();
      await gate.close();
    }));

  it('says at the end of its patience why the database did not answer', async ({ expect }) => {
    const database = openPostgres({ ...settings, url: 'postgres://cambist@127.0.0.1:1/none' });
    await expect(database.becomeWriter(1_000)).rejects.toThrow(/ECONNREFUSED/);
    await database.close();
  });

  it('takes the lock again when its connection is lost, though nothing is to be written', ({ expect }) =>
    withDatabase(async (url) => {
      const onWriterLost = vi.fn<(error: Error) => void>();
      const [first, second] = [openPostgres({ ...settings, url, onWriterLost }), openPostgres({ ...settings, url })];
      await first.becomeWriter(1000);
      const holder = async () => {
        return (await second.query<{ pid: number }>(WRITERS))[0]?.pid ?? 0;
      };
      const before = await holder();
      await second.query(TERMINATE);
      await expect.poll(async () => [0, before].includes(await holder()), PATIENT).toBe(false);
      expect(await second.becomeWriter(300)).toBe(false);
      await expect.poll(() => first.writeAlone(insert(1)).catch(() => 0), PATIENT).toBe(1);
      expect(onWriterLost).not.toHaveBeenCalled();
      await first.close();
      await second.close();
    }));

  it('stops without writing when another process has become it while the database was away', ({ expect }) =>
    withDatabase(async (url) => {
      const onWriterLost = vi.fn<(error: Error) => void>();
      const network = await startBlackHole(url);
      const first = openPostgres({ ...settings, url: network.url, onWriterLost });
      const second = openPostgres({ ...settings, url });
      await first.becomeWriter(1000);
      network.swallow();
      await expect(first.writeAlone(insert(1))).rejects.toThrow(DatabaseUnavailable);
      await second.query(TERMINATE);
      expect(await second.becomeWriter(3000)).toBe(true);
      network.carry();
      await expect.poll(() => onWriterLost.mock.calls.length, PATIENT).toBe(1);
      await expect(first.writeAlone(insert(2))).rejects.toThrow(NotTheWriter);
      expect(await second.query('SELECT n FROM written')).toEqual([]);
      await first.close();
      await second.close();
      await network.close();
    }));

  it('gets past an earlier connection of its own that the server takes for alive', ({ expect }) =>
    withDatabase(async (url) => {
      const onWriterLost = vi.fn<(error: Error) => void>();
      const network = await startBlackHole(url);
      const database = openPostgres({ ...settings, url: network.url, onWriterLost });
      await database.becomeWriter(1000);
      network.swallow();
      await expect(database.query('SELECT 1')).rejects.toThrow(DatabaseUnavailable);
      network.carry();
      await expect.poll(() => database.writeAlone(insert(1)).catch(() => 0), PATIENT).toBe(1);
      expect(onWriterLost).not.toHaveBeenCalled();
      await database.close();
      await network.close();
    }));
});

describe('an error of the database', () => {
  const translated = (code: string, message: string) => translateError(Object.assign(new Error(message), { code }));

  it.each(['File too large', 'Disk quota exceeded'])('passes where a file may not grow: %s', (reason) => {
    const message = `could not extend file "base/5/t0_18535": ${reason}`;
    expect(translated('XX000', message)).toBeInstanceOf(DatabaseUnavailable);
  });

  it('does not pass where it is of the database itself', () => {
    const message = 'could not read blocks 0..0 in file "base/5/18535": read only 0 of 8192 bytes';
    expect(translated('XX000', message)).not.toBeInstanceOf(DatabaseUnavailable);
  });
});

describe('a statement of a request', () => {
  it('waits no longer than its limit for a lock, and leaves the database usable', () =>
    withDatabase(async (url) => {
      const database = openPostgres({ ...settings, url, statementMs: 1_000 });
      const other = openPostgres({ ...settings, url });
      const holding = other.patient.transaction([
        { sql: 'LOCK TABLE written IN ACCESS EXCLUSIVE MODE' },
        { sql: 'SELECT pg_sleep(3)' },
      ]);
      const locked =
        "SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'written'::regclass AND granted";
      await expect.poll(async () => (await database.query(locked)).length).toBe(1);
      const begun = performance.now();
      const asked = Array.from({ length: 4 }, () => database.query('SELECT n FROM written'));
      for (const answer of await Promise.allSettled(asked)) expect(answer.status).toBe('rejected');
      expect(performance.now() - begun).toBeLessThan(2_500);
      expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await holding;
      await database.close();
      await other.close();
    }));
});

describe('a transaction among many statements', () => {
  it('is begun and ended on a connection of its own, so that what was answered is committed', () =>
    withDatabase(async (url) => {
      const [database, other] = [openPostgres({ ...settings, url }), openPostgres({ ...settings, url })];
      const add = (n: number) => ({ sql: 'INSERT INTO written (n) VALUES ($1::int)', parameters: [n] });
      const both = [add(-1), add(-1)];
      await Promise.all(both.map(({ sql, parameters }) => database.query(sql, parameters)));
      // Around the number that the driver sends over one connection without waiting for an answer.
      for (let many = 190; many < 210; many += 1) {
        await database.query('DELETE FROM written');
        const slow = both.map(() => database.query('SELECT pg_sleep(0.03)'));
        const before = Array.from({ length: many }, (_, n) => database.query(add(n).sql, [n]));
        await new Promise((resolve) => setTimeout(resolve, 10));
        const transaction = database.transaction([add(1000), add(2000)]);
        await Promise.all([...slow, ...before, transaction]);
        const [row] = await other.query('SELECT count(*)::int AS rows FROM written');
        expect(row).toEqual({ rows: many + 2 });
      }
      await database.close();
      await other.close();
    }));

  it('is taken back, and leaves its connection to others, where it is cancelled', () =>
    withDatabase(async (url) => {
      const database = openPostgres({ ...settings, url });
      const cancelled = [
        { sql: 'INSERT INTO written (n) VALUES (1)' },
        { sql: `SELECT set_config('statement_timeout', '50', true)` },
        { sql: 'SELECT pg_sleep(2)' },
      ];
      for (let time = 0; time < 4; time += 1)
        await expect(database.transaction(cancelled)).rejects.toThrow(DatabaseUnavailable);
      expect(await database.transaction([{ sql: 'SELECT n FROM written' }])).toEqual([[]]);
      await database.close();
    }));

  it('does not wait for a copy that nobody reads on', () =>
    withDatabase(async (url) => {
      const database = openPostgres({ ...settings, url });
      const copies = Array.from({ length: 4 }, () =>
        database.copyOut(`SELECT repeat('x', 1000) FROM generate_series(1, 20000)`)[Symbol.asyncIterator](),
      );
      await Promise.all(copies.map((copy) => copy.next()));
      const statements = Array.from({ length: 8 }, () => database.query('SELECT 1 AS one'));
      const transactions = Array.from({ length: 8 }, () => database.transaction([{ sql: 'SELECT 1 AS one' }]));
      for (const rows of await Promise.all(statements)) expect(rows).toEqual([{ one: 1 }]);
      for (const rows of await Promise.all(transactions)) expect(rows).toEqual([[{ one: 1 }]]);
      for (const copy of copies) await copy.return?.(undefined);
      await database.close();
    }));

  it('reads copies one after the other over one connection, and the next after one that was left or failed', ({
    expect,
  }) =>
    withDatabase(async (url) => {
      const database = openPostgres({ ...settings, url });
      const read = async (select: string) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of database.copyOut(select)) chunks.push(chunk);
        return Buffer.concat(chunks).toString('latin1');
      };
      const backend = () => read('SELECT pg_backend_pid()::text');
      const first = await backend();
      for (let time = 0; time < 20; time += 1) expect(await backend()).toBe(first);
      for await (const _ of database.copyOut(`SELECT repeat('x', 1000) FROM generate_series(1, 20000)`)) break;
      const second = await backend();
      expect(second).not.toBe(first);
      await expect(read('SELECT 1 / 0')).rejects.toThrow('division by zero');
      expect(await backend()).not.toBe(second);
      await database.close();
    }));
});

describe.concurrent('work on connections that end', () => {
  it('fails, where the network is cut between the last row of a copy and its end', ({ expect }) =>
    withDatabase(async (url) => {
      const cut = await startCut(url, 'the-last-row');
      const database = openPostgres({ ...settings, url: cut.url });
      await database.query('ALTER TABLE written ADD COLUMN said text');
      const copying = database.patient.transaction([
        { sql: 'COPY written (said) FROM STDIN', copy: Buffer.from('the-last-row\n') },
      ]);
      await expect(copying).rejects.toThrow(DatabaseUnavailable);
      cut.carry();
      await expect.poll(() => database.query('SELECT n FROM written').catch(String), PATIENT).toEqual([]);
      await database.close();
      await cut.close();
    }));

  it.for<[string, string, string[]]>([
    ['between two statements', `SELECT 'the-mark'`, []],
    ['in the middle of a statement', 'SELECT $1::text', ['the-mark']],
  ])('keeps no lock of a row, where the network is cut %s of a transaction', ([, sql, parameters], { expect }) =>
    withDatabase(async (url) => {
      const cut = await startCut(url, 'the-mark');
      const database = openPostgres({ ...settings, url: cut.url });
      await database.query('INSERT INTO written (n) VALUES (1)');
      const change = { sql: 'UPDATE written SET n = n + 1' };
      // A copy waits for what is before it.
      const underWay = [change, { sql: 'COPY written FROM STDIN', copy: Buffer.from('1\n') }, { sql, parameters }];
      await expect(database.patient.transaction(underWay)).rejects.toThrow(DatabaseUnavailable);
      cut.carry();
      await expect.poll(() => database.query('SELECT n FROM written').catch(String), PATIENT).toEqual([{ n: 1 }]);
      await database.patient.transaction([change]);
      expect(await database.query('SELECT n FROM written')).toEqual([{ n: 2 }]);
      await database.close();
      await cut.close();
    }),
  );

  it('ends by the server where its machine does not answer any more, or a transaction does not go on', ({ expect }) =>
    withDatabase(async (url) => {
      const database = openPostgres({ ...settings, url });
      const settingsOf = `SELECT name, setting::int AS value FROM pg_settings WHERE name ~ '^tcp_|^idle_in' ORDER BY name`;
      expect(await database.query(settingsOf)).toEqual([
        { name: 'idle_in_transaction_session_timeout', value: 10_000 },
        { name: 'tcp_keepalives_count', value: 3 },
        { name: 'tcp_keepalives_idle', value: 10 },
        { name: 'tcp_keepalives_interval', value: 5 },
        { name: 'tcp_user_timeout', value: 25_000 },
      ]);
      await database.close();
    }));

  it('fails, where a transaction waits for a connection that ends after the one before', ({ expect }) =>
    withDatabase(async (url) => {
      const database = openPostgres({ ...settings, url, statementMs: 2_000 });
      const inHand = database.patient.transaction([{ sql: 'SELECT pg_sleep(4)' }]);
      const behind = database.patient.transaction([{ sql: 'SELECT 1' }]);
      await expect(database.query('SELECT pg_sleep(3)')).rejects.toThrow(DatabaseUnavailable);
      await inHand;
      await expect(behind).rejects.toThrow(DatabaseUnavailable);
      await database.close();
    }));

  it('goes on over the connections that there are, where the server refuses another', async ({ expect }) => {
    const postgres = await startPostgresServer(['-c', 'max_connections=6', '-c', 'superuser_reserved_connections=0']);
    const url = await postgres.createDatabase();
    const database = openPostgres({ ...settings, url, connections: 5 });
    const pid = async () => (await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
    const first = await pid();
    const others = Array.from({ length: 6 }, () => openPostgres({ ...settings, url, connections: 1 }));
    await Promise.allSettled(others.map((other) => other.query('SELECT 1')));
    const asked = Array.from({ length: 3 }, () => database.query('SELECT pg_sleep(0.2)'));
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toContain('rejected');
    expect(await pid()).toBe(first);
    for (const one of [database, ...others]) await one.close();
    await postgres.remove();
  });
});

describe('statements on connections that end', () => {
  it('fails at once, and no other after it, where connections are lost among many statements', () =>
    withDatabase(async (url) => {
      // Limits that a busy machine does not reach: one that was waited for is a failure.
      const database = openPostgres({
        ...settings,
        url,
        connections: 4,
        connectTimeoutSeconds: 20,
        statementMs: 20_000,
      });
      const other = openPostgres({ ...settings, url });
      const failures = new Set<string>();
      const underWay = new Set<Promise<unknown>>();
      let isOver = false;
      const asking = (async () => {
        for (let number = 0; !isOver; number += 1) {
          await turn();
          if (underWay.size > 6) continue;
          const asked = database.query('SELECT $1::int AS number', [number]).then(
            (rows) => expect(rows).toEqual([{ number }]),
            (error: Error) => failures.add(error.message),
          );
          underWay.add(asked);
          void asked.finally(() => underWay.delete(asked));
        }
      })();
      for (let time = 0; time < 30; time += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        await other.query(TERMINATE);
      }
      isOver = true;
      await asking;
      await Promise.all(underWay);
      expect(failures.size).toBeGreaterThan(0);
      expect([...failures].filter((message) => /CONNECT_TIMEOUT|did not answer/.test(message))).toEqual([]);
      await database.close();
      await other.close();
    }));
});
