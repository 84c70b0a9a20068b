/** Price alerts from the call to the mail, on both databases and over a restart. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { DatabaseUnavailable } from '../../platform/database.ts';

interface Alert {
  readonly id: string;
  readonly state: string;
  readonly times_triggered: number;
  readonly triggered_price: string;
  readonly triggered_at: number | null;
}

const MINUTE_MS = 60_000;

describe.each(databaseKinds)('price alerts (%s)', (kind) => {
  let server: TestApp;
  let alice: string;
  let bob: string;

  const create = (payload: object, token = alice) =>
    server.call({
      method: 'POST',
      url: '/api/v3/alerts',
      token,
      payload: { symbol: 'BTC', direction: 'above', price: '51000', ...payload },
    });
  const created = async (payload: object = {}) => (await create(payload)).body.alert as unknown as Alert;
  const read = async (url: string, token = alice) => (await server.call({ method: 'GET', url, token })).body;
  const list = async (token = alice) => (await read('/api/v3/alerts', token)).alerts as unknown as Alert[];
  const find = async (id: string) => (await list()).find((alert) => alert.id === id);
  const triggeringsOf = async (id: string) =>
    ((await read('/api/v3/alerts/triggered')).triggerings as unknown as { alert_id: string; triggered_price: string }[])
      .filter(({ alert_id }) => alert_id === id)
      .map(({ triggered_price }) => triggered_price);
  const remove = (id: string, token = alice) => server.call({ method: 'DELETE', url: `/api/v3/alerts/${id}`, token });
  const mails = async () =>
    (await read('/api/dev/outbox?to=alice@example.test')).messages as unknown as Record<string, string>[];

  async function tradeAt(price: string): Promise<void> {
    const order = { symbol: 'BTC', type: 'limit', price, quantity: '0.01' };
    for (const side of ['SELL', 'BUY']) {
      const payload = { ...order, side, self_trade: 'CANCEL_OLDEST' };
      const token = side === 'SELL' ? bob : alice;
      expect((await server.call({ method: 'POST', url: '/api/v3/orders', token, payload })).status).toBe(200);
    }
  }

  beforeAll(async () => {
    server = await startTestApp(kind);
    alice = await server.trader('alice', { USDT: '1000000' });
    bob = await server.trader('bob', { BTC: '100' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
    await tradeAt('50000');
  });
  afterAll(() => server.remove());

  it('trigger once, at their price or beyond it, with price and time', async () => {
    const [above, below, far] = [
      await created({ note: ' <b>sell</b> ' }),
      await created({ direction: 'below', price: '49000' }),
      await created({ price: '60000' }),
    ];
    expect(above).toMatchObject({ state: 'active', times_triggered: 0, triggered_price: '', triggered_at: null });
    expect(await list()).toEqual([far, below, above].map((alert) => expect.objectContaining({ id: alert?.id })));
    await tradeAt('50999.9');
    expect((await find(above.id))?.state).toBe('active');
    await tradeAt('51500');
    const triggered = await find(above.id);
    expect(triggered).toMatchObject({
      state: 'done',
      times_triggered: 1,
      triggered_price: '51500.0',
      note: '<b>sell</b>',
    });
    expect(Date.now() - (triggered?.triggered_at ?? 0)).toBeLessThan(60_000);
    await tradeAt('52000');
    await tradeAt('49000');
    expect(await triggeringsOf(above.id)).toEqual(['51500.0']);
    expect(await triggeringsOf(below.id)).toEqual(['49000.0']);
    expect(await triggeringsOf(far.id)).toEqual([]);
  });

  it('are told on the private stream and by mail, in the language of the client', async () => {
    await tradeAt('50000');
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
    const address = server.app.http.server.address();
    const socket = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ws/v5/private`);
    const heard: { event?: string; data?: object[] }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ op: 'login', args: [{ token: alice }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'login')).toBe(true);
    socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'alerts' }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'subscribe')).toBe(true);
    const silent = await created();
    const { id } = await created({ channels: ['browser', 'mail', 'mail'], note: '<i>now</i>', locale: 'german' });
    await tradeAt('51000');
    await expect.poll(() => heard.flatMap(({ data = [] }) => data)).toHaveLength(2);
    const told = { instId: 'BTC-USDT', direction: 'above', px: '51000.0', triggeredPx: '51000.0' };
    expect(heard.flatMap(({ data = [] }) => data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...told, alertId: silent.id, channels: ['page'], note: '' }),
        expect.objectContaining({ ...told, alertId: id, channels: ['browser', 'mail'], note: '<i>now</i>' }),
      ]),
    );
    socket.close();
    await expect.poll(async () => (await mails()).length).toBe(1);
    const [mail] = await mails();
    expect(mail?.subject).toBe('BTC-USDT bei 51.000,0');
    expect(mail?.text).toContain('<i>now</i>');
    expect(mail?.html).toContain('&lt;i&gt;now&lt;/i&gt;');
    await server.app.outbox.run();
    expect(await mails()).toHaveLength(1);
  });

  /** The database does what it is asked, and is away before it has said so. @returns how to end that */
  function loseAnswerOf(part: string): () => void {
    const query = server.database.query.bind(server.database);
    const lost = vi.spyOn(server.database, 'query').mockImplementation(async (sql, parameters) => {
      const rows = await query(sql, parameters);
      if (sql.includes(part)) throw new DatabaseUnavailable('away');
      return rows as never;
    });
    return () => lost.mockRestore();
  }

  it('trigger where the database took them without an answer: they are in the list, as active', async () => {
    await tradeAt('50000');
    const found = loseAnswerOf('INTO price_alerts');
    const answer = await create({ price: '50700' });
    found();
    expect(answer).toMatchObject({ status: 503, body: { code: 'OUTCOME_UNKNOWN' } });
    const [{ id, state } = { id: '', state: '' }] = await list();
    expect(state).toBe('active');
    await expect
      .poll(() => tradeAt('50700').then(() => find(id)), { timeout: 15_000, interval: 500 })
      .toMatchObject({
        ...{ state: 'done', times_triggered: 1, triggered_price: '50700.0' },
      });
  }, 30_000);

  it('end where the database deleted them without an answer, or with the account, and mail nothing after that', async () => {
    await tradeAt('50000');
    const carol = await server.trader('carol', {});
    const make = async (price: string) => {
      const wish = { price, channels: ['page', 'mail'], repeat: 'repeating', pause_minutes: 1 };
      return ((await create(wish, carol)).body.alert as unknown as Alert).id;
    };
    const lost = await make('50400');
    const found = loseAnswerOf('DELETE FROM price_alerts');
    expect((await remove(lost, carol)).status).toBe(503);
    found();
    const erased = await make('50500');
    await server.database.query('DELETE FROM price_alerts WHERE id = $1', [Number(erased)]);
    expect(await list(carol)).toEqual([]);
    await tradeAt('50600');
    await list(carol);
    await server.app.outbox.run();
    expect((await read('/api/dev/outbox?to=carol@example.test')).messages).toEqual([]);
  });

  it('repeat, but not within their pause', async () => {
    await tradeAt('50000');
    const { id } = await created({ repeat: 'repeating', pause_minutes: 5 });
    await tradeAt('51000');
    await tradeAt('50000');
    await tradeAt('51100');
    expect(await find(id)).toMatchObject({ state: 'paused', times_triggered: 1, paused_until: expect.any(Number) });
    server.advance(5 * MINUTE_MS);
    expect(await find(id)).toMatchObject({ state: 'active', paused_until: null });
    await tradeAt('50900');
    await tradeAt('51200');
    expect(await triggeringsOf(id)).toEqual(['51200.0', '51000.0']);
    expect((await remove(id)).status).toBe(200);
    server.advance(5 * MINUTE_MS);
    await tradeAt('51300');
    expect(await triggeringsOf(id)).toHaveLength(2);
    expect(await find(id)).toBeUndefined();
  });

  it.each([
    [{ symbol: 'NOPE' }, 404, 'UNKNOWN_PAIR'],
    [{ price: '0' }, 422, 'INVALID_PRICE'],
    [{ price: '51000.123' }, 422, 'INVALID_PRICE'],
    [{ price: '-5' }, 422, 'INVALID_INPUT'],
    [{ price: '50000' }, 422, 'PRICE_REACHED'],
    [{ direction: 'below', price: '50000' }, 422, 'PRICE_REACHED'],
    [{ direction: 'across' }, 422, 'INVALID_INPUT'],
    [{ repeat: 'repeating', pause_minutes: 0 }, 422, 'INVALID_INPUT'],
    [{ channels: [] }, 422, 'INVALID_INPUT'],
    [{ note: 'n'.repeat(81) }, 422, 'INVALID_INPUT'],
  ])('refuses %j', async (change, status, code) => {
    await tradeAt('50000');
    expect(await create(change)).toMatchObject({ status, body: { code } });
  });

  it("belong to their client, who has a limited number, and nobody else's count", async () => {
    expect((await server.call({ method: 'GET', url: '/api/v3/alerts' })).status).toBe(401);
    const own = (await list()).filter(({ state }) => state !== 'done').length;
    const answers = await Promise.all(Array.from({ length: 52 - own }, () => create({ price: '70000' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50 - own);
    expect(answers.find(({ status }) => status !== 200)?.body).toMatchObject({ code: 'TOO_MANY_ALERTS' });
    expect((await create({}, bob)).status).toBe(200);
    const [theirs] = await list(bob);
    expect((await remove(String(theirs?.id))).body).toMatchObject({ code: 'ALERT_NOT_FOUND' });
    for (const { id } of await list()) await remove(id);
    expect((await create({})).status).toBe(200);
  });

  it('trigger exactly once over a restart, also by trades that nobody had looked at', async () => {
    await tradeAt('50000');
    for (const { id } of await list()) await remove(id);
    const [looked, missed, later] = [
      await created(),
      await created({ price: '52000' }),
      await created({ price: '53000' }),
    ];
    await tradeAt('51000');
    expect(await triggeringsOf(looked.id)).toHaveLength(1);
    // As if the process had died right after the trade's commit.
    await server.app.alerts.consumer.close();
    await tradeAt('52000');
    expect(await triggeringsOf(missed.id)).toEqual([]);
    await server.stop();
    for (let restart = 0; restart < 2; restart += 1) {
      server = await startTestApp(kind, server.source);
      expect(await triggeringsOf(looked.id)).toEqual(['51000.0']);
      expect(await triggeringsOf(missed.id)).toEqual(['52000.0']);
      expect(await find(missed.id)).toMatchObject({ state: 'done', times_triggered: 1 });
      expect(await find(later.id)).toMatchObject({ state: 'active' });
      if (restart === 0) await server.stop();
    }
    await tradeAt('53000');
    expect(await triggeringsOf(later.id)).toEqual(['53000.0']);
  });
});
