/** What operators read of clients, and write to them, is on record. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

interface Entry {
  readonly act: string;
  readonly actor: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

describe.each(databaseKinds)('what operators read (%s)', (kind) => {
  let server: TestApp;
  let operator = '';

  const ask = (method: 'GET' | 'POST', path: string, payload?: object, token = operator) =>
    server.call({ method, url: `/api/v3/${path}`, token, ...(payload ? { payload } : {}) });
  const recorded = async (act: string) =>
    ((await ask('GET', `admin/audit?act=${act}`)).body as unknown as { entries: Entry[] }).entries;

  beforeAll(async () => {
    server = await startTestApp(kind);
    await server.app.accounts.ensure('op@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    const payload = { username: 'op@example.test', password: PASSWORD };
    operator = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
  });
  afterAll(() => server.remove());

  it('is in the audit log with the search, one row for the same search in ten minutes', async () => {
    const search = () => ask('GET', 'admin/clients?search=ann%40example');
    expect((await search()).status).toBe(200);
    expect(await recorded('search-clients')).toMatchObject([
      { act: 'search-clients', actor: 'op@example.test', detail: { search: 'ann@example' } },
    ]);
    await search();
    expect(await recorded('search-clients')).toHaveLength(1);
    await ask('GET', 'admin/clients?search=bob');
    expect(await recorded('search-clients')).toHaveLength(2);
    server.advance(600_001);
    await search();
    expect(await recorded('search-clients')).toHaveLength(3);
  });

  it.each([
    ['admin/withdrawals?stage=APPROVAL', 'read-withdrawals', { stage: 'APPROVAL' }],
    ['admin/outbox', 'read-outbox', {}],
    ['admin/support/conversations?search=lost&unread=true', 'read-conversations', { search: 'lost', unread: 'true' }],
    ['admin/unlisted-deposits', 'read-deposits', {}],
    ['admin/futures/risk', 'read-positions', {}],
    ['admin/chains', 'read-payouts', {}],
    ['admin/hot-and-cold', 'read-sweeps', {}],
  ])('as %s is', async (path, act, detail) => {
    expect((await ask('GET', path)).status).toBe(200);
    expect((await recorded(act))[0]).toMatchObject({ act, detail });
  });

  it('of a conversation, and what they answer, without the words', async () => {
    const ann = await server.client('ann', {});
    const opened = await ask(
      'POST',
      'support/conversations',
      { subject: 'Lost', topic: 'other', message: 'My secret' },
      ann,
    );
    const { id } = (opened.body as unknown as { conversation: { id: number } }).conversation;
    await ask('GET', `admin/support/conversations/${id}?seen=true`);
    expect((await recorded('read-conversation'))[0]).toMatchObject({ detail: { id } });
    const answered = await ask('POST', `admin/support/conversations/${id}/answer`, { message: 'Our words' });
    expect(answered.status).toBe(200);
    await ask('POST', `admin/support/conversations/${id}/assign`, { operator_id: null });
    await ask('POST', `admin/support/conversations/${id}/state`, { state: 'closed' });
    await ask('POST', `admin/support/conversations/${id}/state`, { state: 'open' });
    for (const act of ['answer-conversation', 'assign-conversation', 'close-conversation', 'reopen-conversation']) {
      const [entry] = await recorded(act);
      expect(entry).toMatchObject({ act, detail: { conversation: id } });
      expect(JSON.stringify(entry)).not.toContain('words');
    }
  });

  it('and what they save of the content', async () => {
    const { body } = await ask('GET', 'admin/content/claims');
    const { content, version } = body as unknown as { content: object; version: number };
    const saved = await ask('POST', 'admin/content/claims', { based_on: version, note: '', content });
    expect(saved.status).toBe(200);
    expect((await recorded('save-content'))[0]).toMatchObject({ detail: { section: 'claims', based_on: version } });
    const restored = await ask('POST', 'admin/content/claims/restore', { version, based_on: version + 1 });
    expect(restored.status).toBe(200);
    expect((await recorded('restore-content'))[0]).toMatchObject({ detail: { section: 'claims', version } });
  });

  it('and an operator who cannot be put on record reads nothing', async () => {
    const query = server.database.query.bind(server.database);
    server.database.query = (async (sql: string, ...given: never[]) => {
      if (sql.includes('INSERT INTO audit')) throw new Error('The log is away');
      return query(sql, ...given);
    }) as typeof server.database.query;
    try {
      expect((await ask('GET', 'admin/clients?search=unrecorded')).status).toBeGreaterThanOrEqual(500);
    } finally {
      server.database.query = query;
    }
  });
});
