/** What people are told is written with what it is about: a process that ends right after that commit has lost none of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { endsAfter } from '../../../test/ended-process.ts';
import { bySession } from '../../platform/authority.ts';

const HOUR_MS = 3_600_000;

describe.each(databaseKinds)('where the process ends after the commit (%s)', (kind) => {
  let server: TestApp;
  let operator: string;

  beforeAll(async () => {
    server = await startTestApp(kind);
    await server.app.accounts.ensure('desk@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
    const payload = { username: 'desk@example.test', password: PASSWORD };
    operator = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
  });
  afterAll(() => server.remove());

  /** Ends it after a commit, and sends what the next process finds in the outbox. */
  async function endAfter(pattern: RegExp, act: () => Promise<unknown>): Promise<void> {
    const begin = endsAfter(server.database, pattern);
    await act().catch(() => undefined);
    begin();
    await server.app.outbox.run();
  }
  const subjects = async (to: string) => {
    const { body } = await server.call({ method: 'GET', url: `/api/dev/outbox?to=${encodeURIComponent(to)}` });
    return (body.messages as unknown as { subject: string }[]).map(({ subject }) => subject);
  };
  const open = async (writer: object, token?: string) => {
    const payload = { subject: 'Deposit', message: 'Where is it?', topic: 'deposit', ...writer };
    const asked = { method: 'POST', url: '/api/v3/support/conversations', payload, ...(token && { token }) } as const;
    const { body } = await server.call(asked);
    return Number((body.conversation as unknown as { id: number }).id);
  };
  const answer = (id: number) =>
    server.call({
      ...{ method: 'POST', url: `/api/v3/admin/support/conversations/${id}/answer`, token: operator },
      payload: { message: 'It is there now' },
    });
  const person = async (name: string) => {
    const token = await server.client(name, {});
    const identity = (await server.app.accounts.sessions.authenticate(token))!;
    return { token, identity, id: identity.clientId, email: `${name}@example.test` };
  };

  it('an answer of support is mailed', async () => {
    const email = `guest-${kind}@example.test`;
    const id = await open({ name: 'Guest', email });
    server.advance(HOUR_MS);
    await endAfter(/INTO support_messages/, () => answer(id));
    expect(await subjects(email)).toEqual([`Cambist support: reply to no. ${id}`]);
  });

  it('an answer of support is among the notifications', async () => {
    const client = await person(`asker-${kind}`);
    const id = await open({}, client.token);
    await endAfter(/INTO support_messages/, () => answer(id));
    const { body } = await server.call({ method: 'GET', url: '/api/v3/notifications', token: client.token });
    expect(body.notifications).toMatchObject([{ type: 'support' }]);
  });

  it('a message of the contact form is confirmed', async () => {
    const email = `form-${kind}@example.test`;
    const payload = { name: 'Eve', topic: 'other', message: 'Hello', email };
    await endAfter(/SET confirmed_to/, () => server.call({ method: 'POST', url: '/api/v3/support/contact', payload }));
    expect(await subjects(email)).toHaveLength(1);
  });

  it('a pause of withdrawals by an operator is mailed', async () => {
    const { id, email } = await person(`held-${kind}`);
    const { restrictions } = server.app.accounts;
    await endAfter(/INTO holds/, () => restrictions.byOperator(id, 'We look into it', null, 1));
    expect(await subjects(email)).toEqual(['Withdrawals are paused']);
  });

  it('a pause of withdrawals that a change has brought is mailed once', async () => {
    const { id, email } = await person(`changed-${kind}`);
    const { restrictions } = server.app.accounts;
    await endAfter(/SET locale/, () =>
      restrictions.around(id, 'password', () =>
        server.database.query(`UPDATE clients SET locale = locale WHERE id = ${id}`),
      ),
    );
    expect(await subjects(email)).toEqual([]);
    await restrictions.tellUntold();
    server.advance(HOUR_MS);
    for (let times = 0; times < 2; times += 1) await restrictions.tellUntold();
    await server.app.outbox.run();
    expect(await subjects(email)).toEqual(['Withdrawals are paused']);
  });

  it('the deletion of an account is mailed', async () => {
    const { identity, email } = await person(`leaver-${kind}`);
    const { privacy } = server.app.security;
    await endAfter(/deletion_at = \$2/, () => privacy.askDeletion(bySession(identity)));
    expect(await subjects(email)).toEqual(['Your account will be deleted']);
  });
});
