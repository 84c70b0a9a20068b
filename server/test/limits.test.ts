/** What has a maximum keeps to it when sixty ask at once, and refuses the others as it says. */
import { ALERTS_PER_CLIENT } from '@cambist/contract/alerts.ts';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactorStore } from '../src/identity/factors/service.ts';
import { byExchange } from '../src/platform/authority.ts';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from './app.ts';
import { databaseKinds, makeTestDatabase } from './databases.ts';
import { type HeldDatabase, holdable } from './held-database.ts';

const AT_ONCE = 60;

describe.each(databaseKinds)('sixty at once (%s)', (kind) => {
  let server: TestApp;
  let source: HeldDatabase;
  let names = 0;

  beforeAll(async () => {
    source = holdable(await makeTestDatabase(kind, 'migrated'));
    server = await startTestApp(kind, source);
  });
  afterAll(() => server.remove());

  type Answer = { status: number; body: Record<string, unknown> };
  const post = (url: string, token: string | undefined, payload: object = {}, from: object = {}) =>
    server.call({ method: 'POST', url, payload, ...(token ? { token } : {}), ...from }) as Promise<Answer>;
  const get = (url: string, token?: string) =>
    server.call({ method: 'GET', url, ...(token ? { token } : {}) }) as Promise<Answer>;
  const stepUp = (token: string, purpose: string, more: object = {}) =>
    post('/api/v3/step-up', token, { purpose, transaction_password: TRANSACTION_PASSWORD, ...more });

  async function person(purpose: string): Promise<{ email: string; token: string; id: number }> {
    names += 1;
    const email = `many${names}@example.test`;
    const id = (await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client')) ?? 0;
    const token = String((await post('/api/v3/login', undefined, { username: email, password: PASSWORD })).body.token);
    await stepUp(token, purpose);
    return { email, token, id };
  }

  /** @returns how many were granted; all others were refused in the one way that is documented */
  async function granted(ask: (number: number) => Promise<Answer>, status: number, code: string): Promise<number> {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => ask(number)));
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(new Set(refused.map((answer) => `${answer.status} ${answer.body.code}`))).toEqual(
      new Set([`${status} ${code}`]),
    );
    return answers.length - refused.length;
  }
  const rows = async (table: string, clientId: number) =>
    (await source.database().query(`SELECT 1 AS one FROM ${table} WHERE client_id = $1`, [clientId])).length;

  it('make 20 API keys', async () => {
    const { token, id } = await person('connections');
    const ask = (number: number) =>
      post('/api/v3/api-keys', token, { label: `Bot ${number}`, permissions: ['read'], days: 1 });
    expect(await granted(ask, 409, 'TOO_MANY_KEYS')).toBe(20);
    expect(await rows('api_keys', id)).toBe(20);
  });

  it('fill a list of 100 withdrawal addresses', async () => {
    const { token, id } = await person('whitelist');
    await source.database().query(
      `INSERT INTO whitelist (client_id, label, coin, network, address, created_at, active_at)
       SELECT $1, 'Cold', 'USDT', 'TRC20', 'T' || number, 0, 0 FROM generate_series(1, 90) AS number`,
      [id],
    );
    const ask = (number: number) => {
      const address = `0x${String(number).padStart(40, 'a')}`;
      return post('/api/v3/whitelist', token, { label: 'Cold', coin: 'usdt', network: 'erc20', address });
    };
    expect(await granted(ask, 409, 'TOO_MANY_ADDRESSES')).toBe(10);
    expect(await rows('whitelist', id)).toBe(100);
  });

  it('ask for 5 copies of the data', async () => {
    const { token, id } = await person('privacy');
    expect(await granted(() => post('/api/v3/account/exports', token), 409, 'TOO_MANY_EXPORTS')).toBe(5);
    expect(await rows('data_exports', id)).toBe(5);
  });

  it('have one code sent in a minute, by mail and by SMS', async () => {
    const email = 'code@example.test';
    const code = () => post('/api/v2/send-code', undefined, { email });
    expect(await granted(code, 429, 'CODE_SENT_RECENTLY')).toBe(1);
    expect((await get(`/api/dev/outbox?to=${email}`)).body.messages).toHaveLength(1);
    const known = await person('connections');
    const own = () => get('/api/v2/get-code-for-password', known.token);
    expect(await granted(own, 429, 'CODE_SENT_RECENTLY')).toBe(1);
    const sms = () => get('/api/v3/sendSMSCode?mobile_number=4155550123', known.token);
    expect(await granted(sms, 429, 'CODE_SENT_RECENTLY')).toBe(1);
  });

  it('keep to the alerts of a client', async () => {
    const { token, id } = await person('connections');
    const ask = (number: number) =>
      post('/api/v3/alerts', token, { symbol: 'BTC', direction: 'above', price: String(900_000 + number) });
    expect(await granted(ask, 422, 'TOO_MANY_ALERTS')).toBe(ALERTS_PER_CLIENT);
    expect(await rows('price_alerts', id)).toBe(ALERTS_PER_CLIENT);
  });

  const opening = { subject: 'Where is it?', message: 'I cannot find it.' };

  it('open 5 conversations of a client in an hour', async () => {
    const { token } = await person('connections');
    const ask = () => post('/api/v3/support/conversations', token, opening);
    expect(await granted(ask, 429, 'TOO_MANY_MESSAGES')).toBe(5);
  });

  it('write 10 messages in a minute, the first of the conversation among them', async () => {
    const { token } = await person('connections');
    const { conversation } = (await post('/api/v3/support/conversations', token, opening)).body as {
      conversation: { id: number };
    };
    const ask = () => post(`/api/v3/support/conversations/${conversation.id}/messages`, token, { message: 'Hello?' });
    expect(await granted(ask, 429, 'TOO_MANY_MESSAGES')).toBe(9);
  });

  it('open 15 conversations of visitors at one address, and mail one confirmation', async () => {
    const confirmed: unknown[] = [];
    const ask = async () => {
      const form = { name: 'Vera', email: 'vera@example.test', topic: 'other', message: 'Where is it?' };
      const answer = await post('/api/v3/support/contact', undefined, form);
      if (answer.body.confirmation_sent === true) confirmed.push(answer.body.reference);
      return answer;
    };
    expect(await granted(ask, 429, 'TOO_MANY_MESSAGES')).toBe(15);
    expect(confirmed).toHaveLength(1);
    // It is sent once the answer is there.
    await expect.poll(async () => (await get('/api/dev/outbox?to=vera@example.test')).body.messages).toHaveLength(1);
  });

  it('open 15 conversations of visitors in one network of IPv6, each with an address of its own', async () => {
    const form = { name: 'Vera', email: '', topic: 'other', message: 'Where is it?', subject: 'Hello' };
    const ask = (number: number) =>
      post('/api/v3/support/conversations', undefined, form, { remoteAddress: `2001:db8::${number + 1}` });
    expect(await granted(ask, 429, 'TOO_MANY_MESSAGES')).toBe(15);
  });

  it('leave ten recovery codes, those of one renewal', async () => {
    const { token, id } = await person('factors');
    const { secret } = (await post('/api/v3/totp/enrolment', token)).body as { secret: string };
    const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });
    const { recovery_codes } = (await post('/api/v3/totp', token, { code })).body as { recovery_codes: string[] };
    expect((await stepUp(token, 'factors', { second_factor: recovery_codes[0] })).body.message).toBe('success');
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => post('/api/v3/totp/recovery-codes', token)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 200) expect(['PROOF_OUTDATED', 'STEP_UP_REQUIRED']).toContain(body.code);
    }
    expect(await rows('recovery_codes', id)).toBe(10);
  });

  it('register 20 passkeys', async () => {
    const { id } = await person('factors');
    const store = createFactorStore(source.database());
    const passkey = {
      client_id: id,
      public_key: '',
      counter: 0,
      transports: '',
      backed_up: false,
      label: '',
      created_at: 0,
    };
    const made = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, number) =>
        store.insertPasskey(byExchange(id), { ...passkey, credential_id: `${id}-${number}` }, 20),
      ),
    );
    expect(made.filter((one) => one === 'too-many')).toHaveLength(AT_ONCE - 20);
    expect(await rows('passkeys', id)).toBe(20);
  });
});
