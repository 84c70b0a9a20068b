/** What clients are told of each interval of funding: once, with its figures, and only who wants it. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { BTC_SWAP, FuturesStage } from '../../../test/futures-stage.ts';
import { createLogger } from '../../platform/logger.ts';
import { createWorkReport } from '../../platform/work-report.ts';
import { createFundingNotices } from './funding-notices.ts';
import { createNotices } from './notices.ts';
import type { FundingRow } from './store.ts';

const CHOICES = '/api/v3/notifications/choices';
const ETH_SWAP = 'ETH-USDT-SWAP';
type Notice = { type: string; title: string; body: string; path: string; status: number };

describe.each(databaseKinds)('funding is told (%s)', (kind) => {
  let stage: FuturesStage;

  beforeAll(async () => {
    stage = await FuturesStage.start(kind, await makeTestDatabase(kind, 'migrated'));
    for (const name of ['alice', 'bob', 'carol']) await stage.trader(name, 10_000);
    await stage.trader('idle', 100);
    await index(90_000, 3_000);
    await stage.trade('alice', 'bob', '0.1', '90000');
  });
  afterAll(async () => {
    await stage.server.remove();
  });

  const eth = () => stage.server.app.engine.exchange.markets().find(({ symbol }) => symbol === ETH_SWAP)!;
  async function index(bitcoin: number, ether: number): Promise<void> {
    await stage.index(bitcoin);
    const { id, tickScale } = eth();
    await stage.submit({ kind: 'set-index-price', market: id, price: ether * 10 ** tickScale });
  }
  /** Ends an interval in both markets, and lets what belongs together gather. */
  async function settle(): Promise<void> {
    const { nextFundingAt } = stage.server.app.engine.exchange.perpetualState(stage.market);
    stage.server.advance(nextFundingAt - stage.server.now() + 10);
    await index(90_000, 3_000);
    stage.server.advance(15_000);
  }
  async function told(name: string, language = 'en'): Promise<Notice[]> {
    const url = '/api/v3/notifications';
    const headers = { 'accept-language': language };
    const { body } = await stage.server.call({ method: 'GET', url, token: stage.token(name), headers });
    return (body.notifications as unknown as Notice[]).filter(({ type }) => type === 'funding');
  }
  const becomes = (name: string, count: number) =>
    expect.poll(() => told(name), { timeout: 20_000, interval: 100 }).toHaveLength(count);
  const mails = async (name: string) =>
    (await stage.server.database.query(`SELECT 1 FROM outbox WHERE recipient LIKE '${name}@%' AND kind = 'futures'`))
      .length;

  it('to who had a position, with what was paid or received, at which rate and where', async () => {
    await settle();
    await becomes('bob', 1);
    expect(await told('alice')).toMatchObject([
      {
        title: 'Funding paid: 0.9 USDT',
        body: `${BTC_SWAP}: paid 0.9 USDT at a rate of 0.01%`,
        path: '/trades/futures/BTC',
        status: 0,
      },
    ]);
    expect(await told('bob', 'de')).toMatchObject([
      { title: 'Funding erhalten: 0,9 USDT', body: `${BTC_SWAP}: 0,9 USDT erhalten, Satz 0,01\u00a0%` },
    ]);
    expect(await told('idle')).toEqual([]);
  });

  it('in one notice for all markets, a line each, and to open pages at once', async () => {
    for (const [name, side] of [
      ['bob', 'SELL'],
      ['alice', 'BUY'],
    ] as const) {
      const order = { symbol: ETH_SWAP, side, type: 'limit', price: '3000', quantity: '1' };
      const payload = { ...order, transaction_password: 'order-it' };
      expect((await stage.ask(name, 'POST', '/api/v3/orders', payload)).body).toMatchObject({ message: 'success' });
    }
    const { http } = stage.server.app;
    await http.listen({ port: 0, host: '127.0.0.1' });
    const socket = new WebSocket(`${http.listeningOrigin.replace('http', 'ws')}/ws/v5/private`);
    const heard: { arg?: { channel: string }; event?: string; data?: { type: string }[] }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ op: 'login', args: [{ token: stage.token('alice') }] }));
    await expect.poll(() => heard.length).toBe(1);
    socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'notifications' }] }));
    await expect.poll(() => heard.length).toBe(2);
    await settle();
    await becomes('alice', 2);
    expect((await told('alice'))[0]).toMatchObject({
      title: 'Funding paid: 1.2 USDT',
      body: `${BTC_SWAP}: paid 0.9 USDT at a rate of 0.01%\n${ETH_SWAP}: paid 0.3 USDT at a rate of 0.01%`,
      path: '/wallet?tab=future',
    });
    await expect.poll(() => heard.at(-1)?.data, { timeout: 5_000 }).toMatchObject([{ type: 'funding' }]);
    socket.close();
    await becomes('bob', 2);
  });

  it('not to who has switched it off, and again from the next interval on when it is on', async () => {
    const choose = async (name: string, funding: boolean) =>
      expect((await stage.ask(name, 'POST', CHOICES, { funding })).body).toEqual({
        message: 'success',
        choices: { funding },
      });
    expect((await stage.ask('alice', 'GET', CHOICES)).body).toEqual({ choices: { funding: true } });
    for (const _ of [1, 2]) await choose('alice', false);
    await settle();
    await becomes('bob', 3);
    expect(await told('alice')).toHaveLength(2);
    expect((await stage.ask('alice', 'GET', CHOICES)).body).toEqual({ choices: { funding: false } });
    for (const _ of [1, 2]) await choose('alice', true);
    await settle();
    await becomes('bob', 4);
    await becomes('alice', 3);
  });

  it('by what was open at the settlement, not by what is open when it is told', async () => {
    const { nextFundingAt } = stage.server.app.engine.exchange.perpetualState(stage.market);
    stage.server.advance(nextFundingAt - stage.server.now() + 10);
    await index(90_000, 3_000);
    await stage.trade('carol', 'alice', '0.1', '90000');
    stage.server.advance(15_000);
    await becomes('bob', 5);
    await becomes('alice', 4);
    expect((await told('alice'))[0]!.title).toBe('Funding paid: 1.2 USDT');
    expect(await told('carol')).toEqual([]);
  });

  it('once, also after a new start, and without mails', async () => {
    const { body } = await stage.ask('alice', 'GET', '/api/v3/futures/history/funding');
    expect((body.funding as unknown as unknown[]).length).toBe(9);
    expect(await mails('alice')).toBe(0);
    const tokens = await Promise.all(['alice', 'bob'].map(async (name) => [name, await stage.owner(name)] as const));
    stage = await stage.restart(kind);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const rows = await stage.server.database.query<{ client_id: number; count: number }>(
      `SELECT client_id, count(*)::int4 AS count FROM notifications WHERE type = 'funding'
       GROUP BY client_id ORDER BY client_id`,
    );
    expect(rows).toEqual([
      { client_id: tokens[0]![1], count: 4 },
      { client_id: tokens[1]![1], count: 5 },
    ]);
  });
});

describe('notices of funding', () => {
  it('goes through all owners a page at a time, and after a failure on from the page that was written', async () => {
    const settlements = [{ id: 10, market: 7, time: 0, rate: 100_000, mark: 900_000 }];
    const owners = Array.from({ length: 1_200 }, (_, at) => at + 1);
    const kept = { position: 0, told: { settlement: 0, owner: 0 } };
    const seen: number[] = [];
    let failures = 1;
    const store = {
      settlementsAfter: async (id: number) => settlements.filter((one) => one.id > id),
      ownersAfter: async (owner: number, _markets: readonly number[], limit: number) =>
        owners.filter((one) => one > owner).slice(0, limit),
      fundingOf: async (asked: readonly number[]) =>
        asked.map((owner) => ({ ...settlements[0]!, owner, leg: 0, direction: 1, lots: 1 })),
      fundingTold: async () => kept.told,
      tellFunding: (told: typeof kept.told) => ({ sql: '', parameters: [told.settlement, told.owner] }),
    };
    const logger = createLogger('silent');
    const running = createFundingNotices({
      store,
      consumers: {
        position: async () => kept.position,
        write: async (_name, position, statements) => {
          if (kept.told.owner === 500 && failures-- > 0) throw new Error('away');
          const [notices, [settlement, owner]] = statements.map(({ parameters = [] }) => parameters) as [
            number[],
            number[],
          ];
          seen.push(...notices);
          kept.told = { settlement: settlement!, owner: owner! };
          kept.position = position;
        },
      },
      notices: { ofFunding: (all) => [{ sql: '', parameters: all.map(({ owner }) => owner) }] },
      markets: { byId: () => ({}) as never },
      streams: { note: () => false },
      projected: () => 1,
      announce: async () => undefined,
      clock: { now: () => 20_000 },
      ...{ logger, work: createWorkReport(logger) },
    });
    await running.start();
    await expect.poll(() => kept.position, { timeout: 10_000 }).toBe(10);
    await running.close();
    expect(seen).toEqual(owners);
  });

  it('have a limited number of lines, and none where nothing was paid', () => {
    const noticeStatement = vi.fn(() => ({ sql: '', parameters: [] }));
    const notices = createNotices({ outbox: {} as never }, { noticeStatement, announce: async () => undefined });
    const quote = { id: 0, code: 'USDT', scale: 8 };
    const perpetual = { contractScale: 0 };
    const market = (at: number) =>
      ({
        id: at,
        symbol: `C${at}-USDT-SWAP`,
        tickScale: 1,
        lotScale: 5,
        base: { ...quote, id: 1 },
        quote,
        perpetual,
      }) as never;
    const row = (rate: number): FundingRow => ({
      ...{ id: 1, market: 1, time: 0, rate, mark: 900_000, leg: 0, direction: 1, lots: 10_000 },
    });
    const rows = Array.from({ length: 15 }, (_, at) => ({ row: row(100_000), market: market(at) }));
    expect(notices.ofFunding([{ owner: 1, rows: [{ row: row(0), market: market(0) }] }])).toEqual([]);
    expect(notices.ofFunding([{ owner: 1, rows }])).toHaveLength(1);
    const [[{ body }]] = noticeStatement.mock.calls[0] as never as [
      [{ body: { lines: { text: string; values: object }[] } }],
    ];
    expect(body.lines).toHaveLength(12);
    expect(body.lines.at(-1)).toEqual({ text: '… and {{number}} more', values: { number: 3 } });
  });
});
