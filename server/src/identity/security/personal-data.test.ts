/** What is kept about a person, gathered from every slice and erased from every slice, in one transaction. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { makeTestDatabase, type TestDatabase } from '../../../test/databases.ts';
import { mailMessage } from '../../platform/mail-template.ts';
import { say } from '../../platform/texts.ts';

let source: TestDatabase;
let server: TestApp;
beforeAll(async () => {
  source = await makeTestDatabase('postgres');
  server = await startTestApp('postgres', source);
});
afterAll(() => server.remove());

async function rowsOf(clientId: number): Promise<Record<string, number>> {
  const database = await source.open();
  const counts: Record<string, number> = {};
  const tables = ['sessions', 'sign_ins', 'price_alerts', 'triggered_alerts', 'notifications', 'favorites'];
  for (const table of [...tables, 'muted_notifications']) {
    const rows = await database.query(`SELECT 1 FROM ${table} WHERE client_id = $1`, [clientId]);
    counts[table] = rows.length;
  }
  const names = await database.query(`SELECT 1 FROM support_customers WHERE client_id = $1 AND email <> ''`, [
    clientId,
  ]);
  const messages = await database.query('SELECT 1 FROM outbox WHERE recipient = $1', [`client:${clientId}`]);
  await database.close();
  return { ...counts, support: names.length, outbox: messages.length };
}

it('is gathered from every slice, and erased from every slice or from none', async () => {
  const token = await server.client('ann', { USDT: '5' });
  const post = (url: string, payload: object) => server.call({ method: 'POST', url, token, payload });
  const clientId = Number((await server.app.accounts.clients.clientByEmail('ann@example.test'))?.id);
  await post('/api/v3/add-favorite', { coin_id: 1 });
  await post('/api/v3/notifications/choices', { funding: false });
  await post('/api/v3/alerts', { symbol: 'BTC-USDT', direction: 'above', price: '99000', channels: ['page'] });
  const asked = { topic: 'other', subject: 'Help', message: 'Where is it?', name: 'Ann', email: 'ann@example.test' };
  await post('/api/v3/support/conversations', asked);
  const template = { to: { clientId }, subject: say('Hello'), paragraphs: [] };
  await server.app.outbox.put(mailMessage(template, { kind: 'account', lifetimeMs: 60_000 }));
  const before = await rowsOf(clientId);
  expect(before).toMatchObject({ sessions: 1, price_alerts: 1, notifications: 1, favorites: 1, support: 1, outbox: 1 });
  expect(before.muted_notifications).toBe(1);

  const { privacy } = server.app.security;
  const by = { clientId, sessionId: null, epoch: null };
  const id = Number(await privacy.ask(by));
  await privacy.gatherWaiting();
  const copy = (await privacy.fetch(clientId, id)) ?? {};
  expect(Object.keys(copy).sort()).toEqual([
    ...[
      'account',
      'acts',
      'api_keys',
      'balances',
      'client_order_ids',
      'closings',
      'connected_accounts',
      'cost_basis',
      'daily_balances',
      'deposit_addresses',
      'deposits',
      'exit_plans',
      'favorites',
      'icebergs',
      'internal_receipts',
      'known_devices',
      'ledger',
    ],
    ...[
      'margin_calls',
      'muted_notifications',
      'notifications',
      'orders',
      'passkeys',
      'position_changes',
      'position_liquidations',
      'positions',
    ],
    ...['price_alerts', 'read_marks', 'sessions', 'sign_ins'],
    ...['support', 'trades', 'transfers', 'triggered_alerts', 'twaps'],
    ...[
      'unlisted_deposits',
      'unplaced_orders',
      'withdrawal_addresses',
      'withdrawal_events',
      'withdrawal_holds',
      'withdrawals',
    ],
  ]);
  for (const part of ['account', 'balances', 'price_alerts', 'support']) expect(copy[part], part).toHaveLength(1);

  // The deletion was never asked for, or was taken back: nothing goes.
  expect(await privacy.erase(clientId)).toBe(false);
  expect(await rowsOf(clientId)).toEqual(before);

  await server.app.accounts.clients.beginDeletion(by, server.now() - 1);
  expect(await privacy.erase(clientId)).toBe(true);
  expect(Object.values(await rowsOf(clientId)).every((count) => count === 0)).toBe(true);
  expect(await server.app.accounts.person(clientId)).toEqual({ email: '', role: 'client' });
});

it('leaves the address of who wrote to support in no table: not where a confirmation went, nor where an answer did', async () => {
  const token = await server.client('writer', {});
  const clientId = Number((await server.app.accounts.clients.clientByEmail('writer@example.test'))?.id);
  await server.app.accounts.ensure('desk@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
  const post = (url: string, payload: object, by?: string) =>
    server.call({ method: 'POST', url, payload, ...(by ? { token: by } : {}) });
  const desk = String((await post('/api/v3/login', { username: 'desk@example.test', password: PASSWORD })).body.token);
  const form = { name: 'Writer', email: 'writer@example.test', topic: 'other', message: 'Please close my account' };
  const asked = await post('/api/v3/support/contact', form, token);
  expect(asked.body).toMatchObject({ confirmation_sent: true });
  server.advance(3 * 60_000);
  const answer = `/api/v3/admin/support/conversations/${asked.body.reference}/answer`;
  expect((await post(answer, { message: 'It ends in 14 days' }, desk)).body).toMatchObject({
    message: { mail: 'sent' },
  });

  const by = { clientId, sessionId: null, epoch: null };
  await server.app.accounts.clients.beginDeletion(by, server.now() - 1);
  expect(await server.app.security.privacy.erase(clientId)).toBe(true);
  const database = await source.open();
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`SELECT 1 FROM ${name} AS kept WHERE kept::text ILIKE '%writer%'`);
    if (rows.length > 0) found.push(name);
  }
  expect(tables.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
  await database.close();
});
