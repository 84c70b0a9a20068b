/** What a start makes of a journal that goes on after the tables, and what stays of the journal in its archive. */
import { gunzipSync } from 'node:zlib';
import type { Command } from '@cambist/core/exchange/command.ts';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { digestOf } from '@cambist/core/exchange/digest.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { bothKinds, makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import type { Database } from '../../platform/database.ts';
import { exchangeProjections } from '../projections.ts';
import { KEY_AGE_MS } from './idempotency.ts';
import { decodeEntries, encodeEntries, JOURNAL_VERSION, type JournalRow } from './journal.ts';
import { createJournalStore } from './journal-store.ts';
import { restoreFromTables } from './restore.ts';

const ALICE = 5_001;
const BOB = 5_002;
const PLENTY = 1_000_000_000_000n;
const BTC_USDT = 0;

const place = {
  kind: 'place-order',
  market: BTC_USDT,
  type: 'limit',
  timeInForce: 'GTC',
  quoteTotal: 0n,
  selfTrade: 'CANCEL_NEWEST',
  price: 500_000,
  quantity: 20,
} as const;

/** The same database, open or not, and the connection that a server has to it. */
async function reachable(kind: 'pglite' | 'postgres') {
  const made = await makeTestDatabase(kind, 'migrated');
  let database: Database | undefined;
  const source: TestDatabase = {
    ...made,
    async open() {
      database = await made.open();
      return database;
    },
  };
  return { source, current: () => database! };
}

describe.each(bothKinds)('a start on a journal that goes on (%s)', (kind) => {
  let server: TestApp | undefined;
  let source: TestDatabase;
  let current: () => Database;

  async function start(): Promise<TestApp> {
    server = await startTestApp(kind, source, { RECONCILE_SECONDS: '3600' });
    return server;
  }
  /** A server with two clients who have both assets of every market. */
  async function startFunded(): Promise<TestApp> {
    ({ source, current } = await reachable(kind));
    const started = await start();
    await submit(started, { kind: 'set-reference-price', market: BTC_USDT, price: 500_000 });
    for (const owner of [ALICE, BOB]) {
      for (const asset of [0, 1]) await submit(started, issue('development-credit', owner, asset, PLENTY));
    }
    return started;
  }
  async function submit(to: TestApp, command: Parameters<TestApp['app']['engine']['sequencer']['submit']>[0]) {
    const submitted = await to.app.engine.sequencer.submit(command);
    expect(submitted.outcome).toEqual({ ok: true });
    return submitted;
  }
  /** Ends the server and writes batches that its tables do not have, as the sequencer writes them. */
  async function stopWithTail(batches: readonly (readonly Command[])[], spoil?: number): Promise<void> {
    const { lastBatch } = server!.app.engine.sequencer.statistics();
    await server!.stop();
    const database = await source.open();
    const { exchange } = await restoreFromTables(database, exchangeProjections);
    const time = Date.now();
    for (const [index, commands] of batches.entries()) {
      const outcomes = commands.map((command) => exchange.apply(time, command));
      const events = exchange.takeBatch();
      const digest = digestOf(outcomes, events, exchange.counters());
      exchange.recycle(events);
      const rows = encodeEntries(commands.map((command) => ({ command, key: undefined })));
      await database.query(
        'INSERT INTO journal (batch, writer, time, version, commands, digest) VALUES ($1, $2, $3, $4, $5, $6)',
        [lastBatch + 1 + index, 'a process that died', time, JOURNAL_VERSION, rows, index === spoil ? 'x' : digest],
      );
    }
    await database.close();
  }
  const nextOrder = () => server!.app.engine.exchange.counters().lastOrderId + 1;

  /** Everything that the exchange keeps, as text. */
  async function contents(database: Database): Promise<string[]> {
    const tables = ['journal', 'projection', ...exchangeProjections.flatMap((part) => part.tables)];
    const rows = await Promise.all(
      tables.map((table) =>
        database.query<{ all: string }>(
          `SELECT coalesce(string_agg(t::text, chr(10) ORDER BY t::text), '') AS all FROM ${table} AS t`,
        ),
      ),
    );
    return rows.map(([row], index) => `${tables[index]}\n${row?.all}`);
  }

  afterEach(async () => {
    await server?.stop();
    await source.remove();
  });

  it('stops with a clear message where a batch leads to something else, and changes nothing', async () => {
    await startFunded();
    const orderId = nextOrder();
    const orders = [0, 1, 2].map((more): Command[] => [{ ...place, orderId: orderId + more, owner: ALICE, side: BUY }]);
    await stopWithTail(orders, 1);
    const { lastBatch } = server!.app.engine.sequencer.statistics();
    server = undefined;
    const before = await source.open();
    const was = await contents(before);
    await before.close();
    await expect(start()).rejects.toThrow(`Batch ${lastBatch + 2} of the journal led to x when it was written`);
    // Longer than the projector gathers.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await contents(current())).toEqual(was);
    await current().close();
  });

  it('replays under the limits that were changed before the end, not under those of the code', async () => {
    const first = await startFunded();
    const { minimumLots, maximumLots, minimumNotional } = first.app.engine.exchange.markets()[0]!;
    const limits = { minimumLots, maximumLots: maximumLots * 2, minimumNotional };
    await submit(first, { kind: 'change-market', market: BTC_USDT, ...limits, priceBandPpm: 0 });
    await submit(first, { ...place, owner: BOB, side: SELL, price: 2_000_000 });
    const orderId = nextOrder();
    // Four times the reference price: beyond any band of the code.
    await stopWithTail([
      [{ ...place, orderId, owner: ALICE, side: BUY, price: 2_000_000, quantity: 10 }],
      [{ kind: 'change-market', market: BTC_USDT, ...limits, minimumLots: 7, priceBandPpm: 0 }],
      [{ ...place, orderId: orderId + 1, owner: ALICE, side: BUY, price: 400_000, quantity: 6 }],
      [{ ...place, orderId: orderId + 2, owner: ALICE, side: BUY, price: 400_000, quantity: 7 }],
    ]);
    for (const round of ['replayed', 'from the tables']) {
      const { exchange } = (await start()).app.engine;
      expect([round, exchange.counters().lastTradeId]).toEqual([round, 1]);
      expect(exchange.openOrdersOf(ALICE).map((order) => order.orderId)).toEqual([orderId + 2]);
      expect(exchange.markets()[0]).toMatchObject({ maximumLots: maximumLots * 2, minimumLots: 7, priceBandPpm: 0 });
      await server!.stop();
    }
    server = undefined;
  });

  it('starts with a market that was delisted, in the tables or in the tail', async () => {
    const first = await startFunded();
    const [, second, third] = first.app.engine.exchange.markets();
    await submit(first, { kind: 'halt-market', market: second!.id, halted: true });
    await submit(first, { kind: 'delist-market', market: second!.id });
    await stopWithTail([
      [{ kind: 'halt-market', market: third!.id, halted: true }],
      [{ kind: 'delist-market', market: third!.id }],
    ]);
    const next = await start();
    for (const { id, symbol } of [second!, third!]) {
      expect(next.app.engine.exchange.marketState(id).delisted).toBe(true);
      const token = await next.client('somebody', {});
      const payload = { symbol, side: 'BUY', type: 'limit', price: '1', quantity: '1' };
      const refused = await next.call({ method: 'POST', url: '/api/v3/orders', token, payload });
      expect(refused).toMatchObject({ status: 404, body: { code: 'UNKNOWN_PAIR' } });
    }
    await submit(next, { ...place, owner: ALICE, side: BUY });
  });

  it('trades, restarts, streams and charts a market whose id leaves a gap', async () => {
    const first = await startFunded();
    const limits = { minimumLots: 1, maximumLots: 1_000_000, minimumNotional: 0n, priceBandPpm: 0 };
    await submit(first, { kind: 'list-asset', asset: 700, code: 'GAP', scale: 8 });
    const market = { kind: 'list-market', market: 500, symbol: 'GAP-USDT', base: 700, quote: 0 } as const;
    await submit(first, { ...market, tickScale: 1, lotScale: 5, ...limits });
    await submit(first, issue('development-credit', BOB, 700, PLENTY));
    await submit(first, { ...place, market: 500, owner: BOB, side: SELL, price: 600_000 });
    await submit(first, { ...place, market: 500, owner: ALICE, side: BUY, price: 600_000, quantity: 5 });
    const hash = first.app.engine.exchange.stateHash();
    await first.stop();

    const next = await start();
    expect(next.app.engine.exchange.stateHash()).toBe(hash);
    await next.app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = next.app.http.server.address() as { port: number };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/v5/public`);
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(String(data)));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'trades', instId: 'GAP-USDT' }] }));
    await expect.poll(() => heard.some((text) => text.includes('"subscribe"'))).toBe(true);
    await submit(next, { ...place, market: 500, owner: ALICE, side: BUY, price: 600_000, quantity: 6 });
    await expect.poll(() => heard.filter((text) => text.includes('"sz":"0.00006"')).length).toBe(1);
    socket.close();
    const to = Math.floor(Date.now() / 1000) + 120;
    const url = `/api/v3/history?symbol=GAPUSDT&resolution=1&from=${to - 600}&to=${to}`;
    const bars = (await next.call({ method: 'GET', url })).body as unknown as { s: string; v: number[] };
    expect(bars).toMatchObject({ s: 'ok' });
    expect(bars.v.reduce((sum, volume) => sum + volume, 0)).toBeCloseTo(0.00011, 8);
    expect(await next.app.reconciler.check()).toEqual([]);
  });

  it('forgets an idempotency key that is older than a day, in memory and in the store', async () => {
    const first = await startFunded();
    const run = (to: TestApp, name: string, fingerprint: string) => {
      const key = { owner: ALICE, key: name, fingerprint };
      const { sequencer, idempotency } = to.app.engine;
      return idempotency.run(ALICE, name, fingerprint, () =>
        sequencer.submit({ ...place, owner: ALICE, side: BUY }, key),
      );
    };
    const stored = async () => {
      await server!.app.engine.projector.caughtUp();
      const rows = await current().query<{ key: string }>('SELECT key FROM idempotency_keys ORDER BY key');
      return rows.map((row) => row.key);
    };
    for (const name of ['one', 'two']) expect(await run(first, name, 'a')).toMatchObject({ repeated: false });
    expect(await run(first, 'one', 'a')).toMatchObject({ repeated: true });
    expect(await run(first, 'one', 'b')).toEqual({ kind: 'key-reused' });
    first.advance(KEY_AGE_MS + 1_000);
    // Still in memory and in the store, but too old: it stands for another command now.
    expect(await run(first, 'one', 'b')).toMatchObject({ kind: 'done', repeated: false });
    expect(await run(first, 'one', 'b')).toMatchObject({ repeated: true });
    expect(await stored()).toEqual(['one', 'two']);
    await first.stop();
    const next = await start();
    next.advance(KEY_AGE_MS + 2_000);
    expect(await run(next, 'two', 'b')).toMatchObject({ kind: 'done', repeated: false });
    expect(await stored()).toEqual(['one', 'two']);
    next.advance(KEY_AGE_MS + 1_000);
    await next.app.engine.idempotency.forgetOld();
    expect(await stored()).toEqual([]);
  });

  it('archives what the tables hold, in segments without a gap, and keeps what they lack', async () => {
    const first = await startFunded();
    for (const round of [1, 2]) {
      for (let more = 0; more < 5; more += 1) {
        await submit(first, { ...place, owner: ALICE, side: BUY, price: 490_000 + round * 10 + more });
      }
      await first.app.engine.projector.caughtUp();
      await first.app.engine.journal.archive(Date.now() + 1_000);
    }
    const orderId = nextOrder();
    const { lastBatch } = first.app.engine.sequencer.statistics();
    await stopWithTail([
      [{ ...place, orderId, owner: BOB, side: SELL }],
      [{ ...place, orderId: orderId + 1, owner: ALICE, side: BUY }],
    ]);
    const database = await source.open();
    await createJournalStore(database, 'archivist').archive(Date.now() + 1_000);
    const kept = await createJournalStore(database, 'reader').readAfter(0, 1_000);
    // The newest row that the tables hold stays too.
    expect(kept.map(({ batch }) => batch)).toEqual([lastBatch, lastBatch + 1, lastBatch + 2]);

    const segments = await database.query<{ first_batch: number; last_batch: number; segment: Uint8Array }>(
      'SELECT first_batch, last_batch, segment FROM journal_archive ORDER BY first_batch',
    );
    expect(segments.length).toBeGreaterThanOrEqual(2);
    const rows = segments.flatMap(({ first_batch, last_batch, segment }) => {
      const lines = gunzipSync(segment).toString().split('\n');
      const inside = lines.map((line) => JSON.parse(line) as JournalRow);
      expect([inside.at(0)?.batch, inside.at(-1)?.batch]).toEqual([first_batch, last_batch]);
      return inside;
    });
    await database.close();
    const all = [...rows, ...kept];
    expect(all.map(({ batch }) => batch)).toEqual(all.map((_, index) => index + 1));
    const replayed = createExchange();
    for (const row of all) for (const { command } of decodeEntries(row)) replayed.apply(row.time, command);
    const next = await start();
    expect(next.app.engine.exchange.stateHash()).toBe(replayed.stateHash());
  });
});
