import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { say } from '../../platform/texts.ts';

interface Told {
  readonly notification: { id: number; status: number; type: string; title: string; body: string } | null;
  readonly unread: number;
}

describe.each(databaseKinds)('notifications on %s', (kind) => {
  let app: TestApp;
  let token: string;
  let other: string;

  beforeAll(async () => {
    app = await startTestApp(kind);
    token = await app.client('told', {});
    other = await app.client('not-told', {});
  });
  afterAll(async () => {
    await app.stop();
    await app.remove();
  });

  async function get<Answer>(url: string, as = token, language = 'en'): Promise<Answer> {
    const { body } = await app.call({ method: 'GET', url, token: as, headers: { 'accept-language': language } });
    return body as unknown as Answer;
  }
  const check = (language = 'en') => get<Told>('/api/v3/check-notification', token, language);

  it('there is none at first', async () => {
    expect(await check()).toEqual({ notification: null, unread: 0 });
  });

  it('a deposit is told with status 0 and a body, in the language of the reader (A-calls-07, A-notifications-08, A-notifications-09)', async () => {
    await app.call({ method: 'POST', url: '/api/dev/faucet', token, payload: { coin: 'USDT', amount: '25' } });
    const told = await check();
    expect(told.unread).toBe(1);
    expect(told.notification).toMatchObject({ status: 0, type: 'deposit', title: 'Deposit Success' });
    expect(told.notification?.body).toBe('25 USDT has arrived in your spot wallet.');
    expect((await check('de')).notification?.title).toBe('Einzahlung erfolgreich');
    expect(await get<Told>('/api/v3/check-notification', other)).toEqual({ notification: null, unread: 0 });
  });

  it('update-notification marks the newest unread one, or the one that is named (A-calls-08)', async () => {
    const first = (await check()).notification?.id ?? 0;
    await app.call({ method: 'POST', url: '/api/dev/faucet', token, payload: { coin: 'BTC', amount: '1' } });
    const second = (await check()).notification?.id ?? 0;
    expect(second).toBeGreaterThan(first);
    expect(await get('/api/v3/update-notification')).toEqual({ message: 'success', unread: 1 });
    expect((await check()).notification).toMatchObject({ id: first, status: 0 });
    const named = await app.call({ method: 'POST', url: '/api/v3/update-notification', token, payload: { id: first } });
    expect(named.body).toEqual({ message: 'success', unread: 0 });
    expect((await check()).notification).toMatchObject({ id: second, status: 1 });
  });

  it('nobody marks what is not theirs', async () => {
    await app.call({ method: 'POST', url: '/api/dev/faucet', token, payload: { coin: 'ETH', amount: '1' } });
    const id = (await check()).notification?.id;
    await app.call({ method: 'POST', url: '/api/v3/update-notification', token: other, payload: { id } });
    expect(await check()).toMatchObject({ unread: 1, notification: { id, status: 0 } });
    await app.call({ method: 'POST', url: '/api/v3/notifications/read-all', token, payload: {} });
    expect((await check()).unread).toBe(0);
  });

  it('lists them newest first, a page at a time', async () => {
    type List = { notifications: { id: number }[]; unread: number };
    const page = await get<List>('/api/v3/notifications?limit=2');
    expect(page.notifications).toHaveLength(2);
    const rest = await get<List>(`/api/v3/notifications?limit=2&before=${page.notifications.at(-1)?.id}`);
    const ids = [...page.notifications, ...rest.notifications].map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(rest.notifications).toHaveLength(1);
  });

  it('leaves unread what has come after the newest that was seen', async () => {
    const url = '/api/v3/notifications/read-all';
    const deposit = () =>
      app.call({ method: 'POST', url: '/api/dev/faucet', token, payload: { coin: 'ETH', amount: '1' } });
    await deposit();
    const seen = (await check()).notification?.id ?? 0;
    await deposit();
    await app.call({ method: 'POST', url: `${url}?until=${seen}`, token, payload: {} });
    const left = await check();
    expect(left).toMatchObject({ unread: 1, notification: { status: 0 } });
    expect(left.notification?.id).toBeGreaterThan(seen);
    await app.call({ method: 'POST', url: `${url}?until=${left.notification?.id}`, token: other, payload: {} });
    expect((await check()).unread).toBe(1);
    expect((await app.call({ method: 'POST', url: `${url}?until=0`, token, payload: {} })).status).toBe(422);
    await app.call({ method: 'POST', url, token, payload: {} });
  });

  it('keeps how far the lists of fills and alerts were read, which never goes back', async () => {
    const url = '/api/v3/notifications/marks';
    const mark = async (list: string, id: string, as = token) =>
      (await app.call({ method: 'POST', url, token: as, payload: { list, id } })).body;
    expect(await get(url)).toEqual({ marks: { fills: '0', alerts: '0' } });
    expect(await mark('fills', '70')).toEqual({ message: 'success', marks: { fills: '70', alerts: '0' } });
    expect(await mark('fills', '60')).toMatchObject({ marks: { fills: '70' } });
    expect(await mark('alerts', '3')).toMatchObject({ marks: { fills: '70', alerts: '3' } });
    expect(await get(url, other)).toEqual({ marks: { fills: '0', alerts: '0' } });
    // What no id is would be read back as another one, or not at all.
    expect(await mark('fills', '9007199254740993')).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await get(url)).toEqual({ marks: { fills: '70', alerts: '3' } });
    expect(await mark('orders', '3')).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('keeps them half a year', async () => {
    await app.app.notifications.tell(1000, { type: 'security', title: say('Support has answered'), body: say('') });
    app.advance(181 * 86_400_000);
    await app.app.notifications.forgetOld();
    expect(await app.app.notifications.list(1000, 10)).toEqual([]);
  });
});
