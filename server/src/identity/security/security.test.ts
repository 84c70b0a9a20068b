/** The security centre through its calls: passwords, codes, second factors, step-up, holds, addresses, sessions, privacy. */
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

const HOUR_MS = 3_600_000;

describe.each(databaseKinds)('the security centre (%s)', (kind) => {
  let server: TestApp;
  let names = 0;

  beforeAll(async () => {
    server = await startTestApp(kind);
  });
  afterAll(() => server.remove());

  type Answer = { status: number; body: Record<string, unknown> };
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, token: string, payload?: object) =>
    server.call({ method, url, token, ...(payload ? { payload } : {}) }) as Promise<Answer>;
  const get = (url: string, token: string) => ask('GET', url, token);
  const post = (url: string, token: string, payload: object = {}) => ask('POST', url, token, payload);

  async function mails(email: string): Promise<{ subject: string; text: string; html: string }[]> {
    const { body } = await server.call({ method: 'GET', url: `/api/dev/outbox?to=${encodeURIComponent(email)}` });
    return body.messages as unknown as { subject: string; text: string; html: string }[];
  }
  const codeFor = async (email: string) => (await mails(email))[0]?.subject.slice(0, 6) ?? '';
  const login = (username: string, more: object = {}) =>
    server.call({
      method: 'POST',
      url: '/api/v3/login',
      payload: { username, password: PASSWORD, ...more },
    }) as Promise<Answer>;
  const signIn = async (username: string, more: object = {}) => String((await login(username, more)).body.token);

  async function person() {
    names += 1;
    const email = `person${names}@example.test`;
    await server.trader(`person${names}`, {});
    const token = await signIn(email);
    return { email, token };
  }
  const stepUp = (token: string, purpose: string, more: object = {}) =>
    post('/api/v3/step-up', token, { purpose, transaction_password: TRANSACTION_PASSWORD, ...more });
  const state = async (token: string) =>
    (await get('/api/v3/account-client', token)).body.client as Record<string, unknown>;
  const overview = async (token: string) => (await get('/api/v3/security', token)).body as Record<string, never>;

  /** Connects an app. @returns its secret and the recovery codes */
  async function connectApp(token: string) {
    await stepUp(token, 'factors');
    const { body } = await post('/api/v3/totp/enrolment', token);
    const secret = String(body.secret);
    const enabled = await post('/api/v3/totp', token, { code: codeNow(secret) });
    return { secret, recoveryCodes: enabled.body.recovery_codes as string[], uri: String(body.uri) };
  }
  let ahead = 0;
  const advance = (ms: number) => {
    ahead += ms;
    server.advance(ms);
  };
  const codeNow = (secret: string) => generateSync({ secret, epoch: Math.floor((Date.now() + ahead) / 1000) });

  it('is for who is signed in (A-security-49)', async () => {
    const { token } = await person();
    expect((await get('/api/v3/security', token)).status).toBe(200);
    expect((await server.call({ method: 'GET', url: '/api/v3/security' })).status).toBe(401);
  });

  it('changes the password with the mailed code (A-calls-46, A-calls-47, A-calls-49, A-security-37, A-security-39)', async () => {
    const { email, token } = await person();
    const other = await signIn(email);
    expect((await get('/api/v2/get-code-for-password', token)).body).toMatchObject({ message: 'success' });
    const change = (code: string, oldLoginPassword = PASSWORD, password = 'a-newer-password') =>
      post('/api/v2/update-password', token, { oldLoginPassword, password, verification_code: code });
    expect((await change('000000x')).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    expect((await change(await codeFor(email), PASSWORD, 'short')).status).toBe(422);
    expect((await change(await codeFor(email))).body).toEqual({ message: 'saved' });
    expect((await get('/api/v3/security', other)).status).toBe(401);
    expect((await get('/api/v3/security', token)).status).toBe(200);
    expect((await login(email)).status).toBe(401);
    expect((await login(email, { password: 'a-newer-password' })).status).toBe(200);
  });

  it('without a code it asks for a step-up, and answers saved, dont_match, same_previous_password (A-calls-50, A-security-50, A-security-51)', async () => {
    const { token } = await person();
    const change = (oldLoginPassword: string, password: string) =>
      get(`/api/v3/update-password?${new URLSearchParams({ oldLoginPassword, password })}`, token);
    const refused = await change(PASSWORD, 'another-password-1');
    expect(refused).toMatchObject({
      status: 403,
      body: {
        code: 'STEP_UP_REQUIRED',
        step_up: { purpose: 'password', needs: ['transaction_password'], second_factors: [] },
      },
    });
    await stepUp(token, 'password');
    expect((await change('not the old one', 'another-password-1')).body).toEqual({ message: 'dont_match' });
    expect((await change(PASSWORD, PASSWORD)).body).toEqual({ message: 'same_previous_password' });
    expect((await change(PASSWORD, TRANSACTION_PASSWORD)).body).toEqual({ message: 'same_as_transaction_password' });
    expect((await change(PASSWORD, 'another-password-1')).body).toEqual({ message: 'saved' });
    expect((await change('another-password-1', PASSWORD)).body).toEqual({ message: 'same_previous_password' });
  });

  it('takes a new password of six characters and none of five, for either of them (A-security-42, A-security-43)', async () => {
    const { token } = await person();
    const change = (password: string) =>
      post('/api/v3/update-password', token, { oldLoginPassword: PASSWORD, password });
    const changeOther = (transactionPassword: string) =>
      post('/api/v3/update-transaction-password', token, {
        oldTransactionPassword: TRANSACTION_PASSWORD,
        transactionPassword,
      });
    for (const [purpose, set] of [
      ['password', change],
      ['transaction-password', changeOther],
    ] as const) {
      await stepUp(token, purpose);
      const refused = await set('q7!wz');
      expect(refused.status).toBe(422);
      expect(refused.body.message).toContain('Password must be at least 6 characters');
      expect((await set(`${purpose.charAt(0)}7!wz2`)).body).toEqual({ message: 'saved' });
    }
  });

  it('refuses passwords that are in lists of stolen ones', async () => {
    const { token } = await person();
    await stepUp(token, 'password');
    const stolen = await post('/api/v3/update-password', token, {
      oldLoginPassword: PASSWORD,
      password: 'Password123',
    });
    expect(stolen).toMatchObject({ status: 422, body: { code: 'STOLEN_PASSWORD' } });
  });

  it('changes the transaction password by code or step-up, and locks what it had unlocked (A-calls-52, A-security-41)', async () => {
    const { email, token } = await person();
    const url = '/api/v3/update-transaction-password';
    const wish = { oldTransactionPassword: TRANSACTION_PASSWORD, transactionPassword: 'order-that' };
    expect((await post(url, token, wish)).body.code).toBe('STEP_UP_REQUIRED');
    await get('/api/v2/get-code-for-password', token);
    const verification_code = await codeFor(email);
    await post('/api/v3/trading-unlock', token, { transaction_password: TRANSACTION_PASSWORD });
    expect((await post(url, token, { ...wish, verification_code })).body).toEqual({ message: 'saved' });
    expect((await get('/api/v3/trading-unlock', token)).body).toEqual({ unlocked_until: null });
    await stepUp(token, 'transaction-password', { transaction_password: 'order-that' });
    expect((await post(url, token, { ...wish, transactionPassword: 'order-more' })).body).toEqual({
      message: 'dont_match',
    });
    const same = { oldTransactionPassword: 'order-that', transactionPassword: 'order-that', id: '7' };
    expect((await post(url, token, same)).body).toEqual({ message: 'same_previous_password' });
    expect((await post(url, token, { ...same, transactionPassword: PASSWORD })).body).toEqual({
      message: 'same_as_password',
    });
  });

  it.each<[string, Record<string, string>, object, string]>([
    [
      '/api/v2/update-password',
      { oldLoginPassword: PASSWORD, password: 'changed-by-get' },
      { password: 'changed-by-get' },
      '(A-calls-48)',
    ],
    [
      '/api/v3/update-transaction-password',
      { oldTransactionPassword: TRANSACTION_PASSWORD, transactionPassword: 'got-it-now', id: '7' },
      {},
      '',
    ],
  ])('%s answers an old client by GET, with the code in the query and nothing cached %s', async (path, wish, next) => {
    const { email, token } = await person();
    await get('/api/v2/get-code-for-password', token);
    const ask = (verification_code: string) =>
      server.call({ method: 'GET', url: `${path}?${new URLSearchParams({ ...wish, verification_code })}`, token });
    expect((await ask('000000x')).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    const saved = await ask(await codeFor(email));
    expect(saved).toMatchObject({ status: 200, body: { message: 'saved' } });
    expect(saved.headers['cache-control']).toBe('no-store');
    const fresh = await signIn(email, next);
    const unlock = (transaction_password: string) =>
      post('/api/v3/trading-unlock', fresh, { transaction_password }).then(({ body }) => body.message);
    expect(await unlock(wish.transactionPassword ?? TRANSACTION_PASSWORD)).toBe('success');
    expect((await login(email)).status).toBe('password' in wish ? 401 : 200);
  });

  it('a changed password holds withdrawals for 24 h, says so with its end, and by mail (T-account-state-08, T-account-state-09)', async () => {
    const { email, token } = await person();
    expect(await state(token)).toMatchObject({ withdraw_transfer_status: 'ALLOWED', withdraw_restriction: '' });
    await stepUp(token, 'password');
    await post('/api/v3/update-password', token, { oldLoginPassword: PASSWORD, password: 'held-password-1' });
    const held = await state(token);
    expect(held.withdraw_transfer_status).toBe('NOT_ALLOWED');
    expect(held.withdraw_restriction).toMatch(/^1 day|^23 hours 59 minutes/);
    expect(Number(held.withdraw_restricted_until) - (Date.now() + ahead)).toBeGreaterThan(23 * HOUR_MS);
    // No answer waits for a mail.
    await expect
      .poll(async () => (await mails(email))[0]?.text)
      .toMatch(/Your password was changed\.\n\nWithdrawals are paused until \d{4}-/);
    const { clientId } = { clientId: Number(held.id) };
    expect((await server.app.security.withdrawalRules(clientId)).restrictions).toHaveLength(1);
    advance(24 * HOUR_MS + 1);
    expect((await state(token)).withdraw_transfer_status).toBe('ALLOWED');
  });

  it('sets the anti-phishing code by mailed code; every mail carries it from then on (A-calls-62..65, A-security-46)', async () => {
    const { email, token } = await person();
    expect((await get('/api/v3/get-code/anti-phishing', token)).status).toBe(200);
    const set = (anti_phishing_code: string, verification_code: string) =>
      get(`/api/v3/anti-phishing?${new URLSearchParams({ anti_phishing_code, verification_code })}`, token);
    for (const wrong of ['abc', 'a'.repeat(21), 'no spaces', 'semi;colon']) {
      const answer = await set(wrong, '123456');
      expect(answer.status).toBe(422);
      expect(answer.body.message).toContain('Please enter 4-20 characters, excluding special symbols');
    }
    for (const right of ['bird', 'a'.repeat(20), 'bluebird']) {
      expect((await set(right, 'wrong1')).body).toEqual({ message: 'CODE_DOES_NOT_MATCH' });
    }
    expect((await set('bluebird', await codeFor(email))).body).toEqual({ message: 'success' });
    await get('/api/v2/get-code-for-password', token);
    const [mail] = await mails(email);
    expect(mail?.text).toContain('Your anti-phishing code: bluebird');
    expect(mail?.html).toContain('bluebird');
  });

  it('takes 500, 1000 and 1500 as withdraw limit, 500 by default, and asks before it is raised (A-calls-44, A-calls-45, A-security-47, A-security-48)', async () => {
    const { token } = await person();
    const limit = (query: string) => get(`/api/v3/update-withdraw-limit${query}`, token);
    expect((await overview(token)).withdraw_limit).toBeNull();
    expect((await limit('')).body).toEqual({ message: 'success', withdraw_limit: 500 });
    expect((await limit('?withdraw_limit=700')).status).toBe(422);
    expect((await limit('?withdraw_limit=1500')).body.code).toBe('STEP_UP_REQUIRED');
    await stepUp(token, 'withdrawal-settings');
    expect((await limit('?withdraw_limit=1500')).body.withdraw_limit).toBe(1500);
    expect((await limit('?withdraw_limit=1000')).body.withdraw_limit).toBe(1000);
  });

  it('one-step withdrawal up to 10000 USDT a day and whitelist-only are real settings; loosening asks (A-security-21, A-security-22)', async () => {
    const { token } = await person();
    const set = (payload: object) => ask('PATCH', '/api/v3/security/withdrawal', token, payload);
    expect((await set({ one_step: true })).body.code).toBe('STEP_UP_REQUIRED');
    expect((await set({ whitelist_only: true })).body).toMatchObject({ whitelist_only: true, one_step: false });
    expect((await state(token)).withdraw_transfer_status).toBe('ALLOWED');
    expect((await set({ whitelist_only: false })).body.code).toBe('STEP_UP_REQUIRED');
    await stepUp(token, 'withdrawal-settings');
    expect((await set({ one_step: true })).body).toMatchObject({ one_step: true, whitelist_only: true });
    expect((await overview(token)).one_step).toEqual({ enabled: true, limit_usdt: '10000', used_usdt: '0.00000000' });
    const { id } = await state(token);
    const rules = await server.app.security.withdrawalRules(Number(id));
    expect(rules).toMatchObject({ oneStepUsdt: 10_000, isWhitelistOnly: true, limitUsdt: null });
  });

  it('an address of the whitelist is good after 24 hours, and adding one holds withdrawals', async () => {
    const { token } = await person();
    const id = Number((await state(token)).id);
    const entry = { label: 'Cold', coin: 'usdt', network: 'trc20', address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' };
    expect((await post('/api/v3/whitelist', token, entry)).body.code).toBe('STEP_UP_REQUIRED');
    await stepUp(token, 'whitelist');
    const added = await post('/api/v3/whitelist', token, entry);
    expect(added.body).toMatchObject({ message: 'success', address: { coin: 'USDT', network: 'TRC20' } });
    expect((await post('/api/v3/whitelist', token, entry)).body.message).toBe('exist');
    const isGood = () => server.app.security.isWhitelisted(id, 'USDT', 'TRC20', entry.address);
    expect(await isGood()).toBe(false);
    expect((await state(token)).withdraw_transfer_status).toBe('NOT_ALLOWED');
    advance(24 * HOUR_MS + 1);
    expect(await isGood()).toBe(true);
    const { address } = added.body as { address: { id: number } };
    const stranger = await person();
    expect((await ask('DELETE', `/api/v3/whitelist/${address.id}`, stranger.token)).status).toBe(404);
    expect((await ask('DELETE', `/api/v3/whitelist/${address.id}`, token)).status).toBe(200);
    expect(await isGood()).toBe(false);
  });

  it.each([
    ['a coin that does not exist', { coin: 'XYZ' }, 'network', 'XYZ cannot be withdrawn by TRC20.'],
    ['a network that does not exist', { network: 'FOO' }, 'network', 'USDT cannot be withdrawn by FOO.'],
    ['a network that the coin does not travel by', { coin: 'BTC' }, 'network', 'BTC cannot be withdrawn by TRC20.'],
    [
      'an address of another network',
      { address: '0x52908400098527886E0F7030069857D2E4169EE7' },
      'address',
      'This address does not match the currently selected primary network.',
    ],
    [
      'a wrong checksum',
      { address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSF' },
      'address',
      /^The withdrawal address format is wrong/,
    ],
  ])('%s is not taken into the whitelist, and holds no withdrawals', async (_, wrong, name, message) => {
    const { token } = await person();
    await stepUp(token, 'whitelist');
    const entry = { label: 'Cold', coin: 'USDT', network: 'TRC20', address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' };
    const refused = await post('/api/v3/whitelist', token, { ...entry, ...wrong });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([
      { field: name, message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ]);
    expect((await get('/api/v3/whitelist', token)).body.addresses).toEqual([]);
    expect((await state(token)).withdraw_transfer_status).toBe('ALLOWED');
  });

  it('an authenticator app is asked for at sign-in and step-up; each code and recovery code is good once (A-security-20)', async () => {
    const { email, token } = await person();
    expect((await post('/api/v3/totp/enrolment', token)).body.code).toBe('STEP_UP_REQUIRED');
    const { secret, recoveryCodes, uri } = await connectApp(token);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Cambist/);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await state(token)).withdraw_transfer_status).toBe('NOT_ALLOWED');
    expect((await login(email)).body.code).toBe('SECOND_FACTOR_REQUIRED');
    // The code that connected the app is used up.
    expect((await login(email, { second_factor: codeNow(secret) })).body.code).toBe('SECOND_FACTOR_WRONG');
    advance(31_000);
    const code = codeNow(secret);
    expect((await login(email, { second_factor: code })).status).toBe(200);
    expect((await login(email, { second_factor: code })).body.code).toBe('SECOND_FACTOR_WRONG');
    expect((await login(email, { second_factor: recoveryCodes[0] })).status).toBe(200);
    expect((await login(email, { second_factor: recoveryCodes[0] })).body.code).toBe('SECOND_FACTOR_WRONG');
    expect((await overview(token)).totp).toMatchObject({ enabled: true, recovery_codes_left: 9 });
    const fresh = await signIn(email, { second_factor: recoveryCodes[1] });
    const { act } = (await post('/api/v3/account/exports', fresh)).body.step_up as { act: string };
    const confirm = (more: object) => stepUp(fresh, 'privacy', { act, ...more });
    expect((await confirm({})).body.message).toBe('second_factor_required');
    expect((await confirm({ second_factor: '000000' })).body.message).toBe('wrong_second_factor');
    // It is right, and was used at the sign-in: who is signed in is told to wait for the next one.
    expect((await confirm({ second_factor: code })).body.message).toBe('used_second_factor');
    expect((await confirm({ second_factor: recoveryCodes[0] })).body.message).toBe('wrong_second_factor');
    expect((await confirm({ second_factor: recoveryCodes[2] })).body.message).toBe('success');
    expect((await ask('DELETE', '/api/v3/totp', fresh)).body).toMatchObject({
      code: 'STEP_UP_REQUIRED',
      step_up: {
        purpose: 'factors',
        needs: ['transaction_password', 'second_factor'],
        second_factors: ['totp', 'recovery_code'],
      },
    });
    await stepUp(fresh, 'factors', { second_factor: recoveryCodes[3] });
    expect((await ask('DELETE', '/api/v3/totp', fresh)).status).toBe(200);
    expect((await login(email)).status).toBe(200);
  });

  it('lists sessions with device and place, ends one, ends the others, and keeps a history', async () => {
    const { email, token } = await person();
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';
    const far = await server.call({
      method: 'POST',
      url: '/api/v3/login',
      payload: { username: email, password: PASSWORD },
      headers: { 'user-agent': agent },
    });
    const farToken = String(far.body.token);
    await login(email, { password: 'not this one' });
    const list = async () =>
      (await get('/api/v3/sessions', token)).body.sessions as {
        id: number;
        is_this: boolean;
        device: string;
        place: string;
      }[];
    const all = await list();
    expect(all[0]?.is_this).toBe(true);
    const there = all.find(({ device }) => device === 'Firefox on Windows');
    expect(there).toMatchObject({ place: 'Private network', is_this: false });
    const stranger = await person();
    expect((await ask('DELETE', `/api/v3/sessions/${there?.id}`, stranger.token)).status).toBe(404);
    expect((await ask('DELETE', `/api/v3/sessions/${there?.id}`, token)).status).toBe(200);
    expect((await get('/api/v3/sessions', farToken)).status).toBe(401);
    expect((await post('/api/v3/sessions/end-others', token)).body.ended).toBeGreaterThan(0);
    expect(await list()).toHaveLength(1);
    const history = (await get('/api/v3/sign-in-history?limit=2', token)).body as {
      entries: { outcome: string; device: string }[];
      next: string;
    };
    expect(history.entries.map(({ outcome }) => outcome)).toEqual(['wrong-password', 'success']);
    expect(history.entries[1]?.device).toBe('Firefox on Windows');
    const older = await get(`/api/v3/sign-in-history?limit=2&before=${history.next}`, token);
    expect((older.body.entries as object[]).length).toBeGreaterThan(0);
  });

  it('no app or key has permission at first; a key may do what it says, until it is revoked (A-security-32)', async () => {
    const { token } = await person();
    expect((await get('/api/v3/app-authorization', token)).body).toEqual({ api_keys: [], apps: [] });
    const wish = { label: 'Bot', permissions: ['read'], days: 1 };
    expect((await post('/api/v3/api-keys', token, wish)).body.code).toBe('STEP_UP_REQUIRED');
    await stepUp(token, 'connections');
    const key = String((await post('/api/v3/api-keys', token, wish)).body.key);
    expect((await get('/api/v3/trades/funds', key)).status).toBe(200);
    for (const [method, url] of [
      ['GET', '/api/v3/security'],
      ['GET', '/api/v3/account-client'],
      ['POST', '/api/v3/orders'],
      ['POST', '/api/v3/step-up'],
      ['POST', '/api/v3/api-keys'],
    ] as const) {
      expect(await ask(method, url, key, method === 'POST' ? {} : undefined)).toMatchObject({
        status: 403,
        body: { code: 'NOT_FOR_THIS_KEY' },
      });
    }
    const { api_keys } = (await get('/api/v3/app-authorization', token)).body as {
      api_keys: { id: number; prefix: string }[];
    };
    expect(key.startsWith(api_keys[0]?.prefix ?? '?')).toBe(true);
    expect((await ask('DELETE', `/api/v3/api-keys/${api_keys[0]?.id}`, token)).status).toBe(200);
    expect((await get('/api/v3/trades/funds', key)).status).toBe(401);
  });

  it('a key may be bound to addresses and networks, and is refused from any other', async () => {
    const { token } = await person();
    const wish = { label: 'Bot', permissions: ['read'], days: 1 };
    await stepUp(token, 'connections');
    const bad = await post('/api/v3/api-keys', token, { ...wish, networks: ['203.0.113.0/33'] });
    expect(bad).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } });
    const networks = ['203.0.113.0/24', '2001:db8::7'];
    const key = String((await post('/api/v3/api-keys', token, { ...wish, networks })).body.key);
    const from = async (remoteAddress: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await server.app.http.inject({ url: '/api/v3/trades/funds', headers, remoteAddress });
      return answer.statusCode === 200 ? 200 : answer.json().code;
    };
    for (const inside of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::7']) expect(await from(inside)).toBe(200);
    for (const outside of ['203.0.114.9', '::1', '2001:db8::8', 'nonsense']) {
      expect(await from(outside)).toBe('ADDRESS_NOT_ALLOWED');
    }
    const { api_keys } = (await get('/api/v3/app-authorization', token)).body;
    expect(api_keys).toMatchObject([{ networks }]);
  });

  it('a score says what is done and what is missing', async () => {
    const { token } = await person();
    const before = await overview(token);
    expect(before.score).toBe(30);
    await get('/api/v3/update-withdraw-limit', token);
    const after = await overview(token);
    expect(after.score).toBe(35);
    const checks = after.checks as unknown as { name: string; done: boolean; points: number }[];
    expect(checks.reduce((sum, { points }) => sum + points, 0)).toBe(100);
    expect(checks.filter(({ done }) => !done).map(({ name }) => name)).toContain('two_factor');
  });

  it('gathers everything about the person into one document, without a hash', async () => {
    const { email, token } = await person();
    await stepUp(token, 'privacy');
    const { id } = (await post('/api/v3/account/exports', token)).body;
    expect((await get(`/api/v3/account/exports/${id}`, token)).status).toBe(404);
    await server.app.security.privacy.gatherWaiting();
    const document = await get(`/api/v3/account/exports/${id}`, token);
    expect((document.body.account as { email: string }[])[0]?.email).toBe(email);
    expect(document.body.sign_ins).not.toEqual([]);
    expect(JSON.stringify(document.body)).not.toMatch(/argon2|hash|secret/);
    const stranger = await person();
    expect((await get(`/api/v3/account/exports/${id}`, stranger.token)).status).toBe(404);
  });

  it('deletes an account after 14 days, unless the person signs in before; funds keep it', async () => {
    const [kept, gone] = [await person(), await person()];
    const remove = async ({ token }: { token: string }) => {
      await stepUp(token, 'privacy');
      return post('/api/v3/account/deletion', token, { confirm: 'DELETE' });
    };
    await post('/api/dev/faucet', kept.token, { coin: 'USDT', amount: '5' });
    expect((await remove(kept)).body).toEqual({ message: 'balance_left', deletion_at: null });
    const goneId = Number((await state(gone.token)).id);
    expect((await remove(gone)).body.message).toBe('success');
    expect((await get('/api/v3/security', gone.token)).status).toBe(401);
    const back = await signIn(gone.email);
    expect((await state(back)).deletion_at).toBeNull();
    await remove({ token: back });
    advance(14 * 24 * HOUR_MS + 1);
    await server.app.security.privacy.deleteDue();
    expect((await login(gone.email)).status).toBe(401);
    expect(await server.app.accounts.person(goneId)).toEqual({ email: '', role: 'client' });
  });
});
