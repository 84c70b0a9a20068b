/** Both sides at once: who guesses, from one network or from many, and the owner, who must not be slowed by it. */
import { verify } from '@node-rs/argon2';
import { generateSync, verifySync } from 'otplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { byExchange } from '../../platform/authority.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>();
  return { ...real, verify: vi.fn(real.verify) };
});
vi.mock('otplib', async (original) => {
  const real = await original<typeof import('otplib')>();
  return { ...real, verifySync: vi.fn(real.verifySync) };
});

type Answer = { status: number; body: Record<string, unknown> };
const HOME = '198.51.100.1';
const times = <Value>(count: number, make: (at: number) => Value) => Array.from({ length: count }, (_, at) => make(at));
const networkAt = (at: number) => `10.${Math.floor(at / 250)}.${at % 250}.1`;

describe.each(databaseKinds)('guessing (%s)', (kind) => {
  let server: TestApp;
  let names = 0;

  beforeAll(async () => {
    server = await startTestApp(kind, undefined, { RATE_LIMIT_PER_MINUTE: '1000000' });
    await server.trader('trader', { USDT: '100000' });
    await server.app.engine.sequencer.submit({ kind: 'set-reference-price', market: 0, price: 500_000 });
  });
  afterAll(() => server.remove());
  beforeEach(() => {
    // No delay runs out while many requests are in flight.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(() => {
    vi.useRealTimers();
    server.advance(3_600_001);
  });

  const post = (url: string, payload: object, from: string, headers: Record<string, string> = {}) =>
    server.call({ method: 'POST', url, payload, remoteAddress: from, headers }) as Promise<Answer>;
  const login = (username: string, more: object, from: string, device?: string) => {
    const headers = device === undefined ? {} : { 'x-device-secret': device };
    return post('/api/v3/login', { username, password: PASSWORD, ...more }, from, headers);
  };

  /** An account that was made somewhere else: no network is known to it. */
  async function stranger(): Promise<{ email: string; id: number }> {
    names += 1;
    const email = `guessed${names}@example.test`;
    const id = await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client');
    return { email, id: Number(id) };
  }
  /** Signed in from home in the browser that has the device's secret. */
  async function owner() {
    const { email, id } = await stranger();
    const { body } = await login(email, {}, HOME);
    return { email, id, token: String(body.token), device: String(body.device) };
  }
  async function connectApp(id: number): Promise<string> {
    const enrolled = await server.app.security.enrolTotp(byExchange(id));
    const secret = String(enrolled?.secret);
    expect(await server.app.security.enableTotp(byExchange(id), generateSync({ secret, epoch: epoch() }))).toHaveLength(
      10,
    );
    return secret;
  }
  /** The server's clock of a test runs ahead by what it was advanced. */
  const epoch = () => Math.floor(server.now() / 1000);

  const order = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '50000', quantity: '0.001' };
  const place = (token: string, transaction_password: string) =>
    server.call({ method: 'POST', url: '/api/v3/orders', token, payload: { ...order, transaction_password } });

  it('400 transaction passwords at once are five that are checked', async () => {
    const { token } = await owner();
    vi.mocked(verify).mockClear();
    const answers = await Promise.all(times(400, (at) => place(token, `guess-${at}`)));
    expect(vi.mocked(verify)).toHaveBeenCalledTimes(5);
    expect(new Set(answers.map(({ body }) => body.message))).toEqual(new Set(['wrong_transaction_password']));
    expect((await place(token, TRANSACTION_PASSWORD)).body.message).toBe('wrong_transaction_password');
    vi.setSystemTime(Date.now() + 60_001);
    expect((await place(token, TRANSACTION_PASSWORD)).body.code).toBe('INSUFFICIENT_FUNDS');
  });

  it('twenty orders at once with the right transaction password are all placed', async () => {
    const answer = await login('trader@example.test', {}, HOME);
    const token = String(answer.body.token);
    const answers = await Promise.all(times(20, () => place(token, TRANSACTION_PASSWORD)));
    expect(answers.map(({ body }) => body.message)).toEqual(times(20, () => 'success'));
  });

  it('400 passwords at once from a hundred networks are twenty that are checked, of an unknown account too', async () => {
    const { email } = await stranger();
    for (const username of [email, `nobody-${names}@example.test`]) {
      vi.mocked(verify).mockClear();
      await Promise.all(times(400, (at) => login(username, { password: `guess-${at}` }, networkAt(at % 100))));
      expect(vi.mocked(verify)).toHaveBeenCalledTimes(20);
    }
  });

  it('sixty passwords at once from one network are five that are checked', async () => {
    const { email } = await stranger();
    vi.mocked(verify).mockClear();
    await Promise.all(times(60, (at) => login(email, { password: `guess-${at}` }, '10.200.1.1')));
    expect(vi.mocked(verify)).toHaveBeenCalledTimes(5);
  });

  it('twenty right passwords at once all sign in', async () => {
    const { email } = await stranger();
    const answers = await Promise.all(times(20, () => login(email, {}, '10.201.1.1')));
    expect(answers.map(({ status }) => status)).toEqual(times(20, () => 200));
  });

  it('400 authenticator codes at once from a hundred networks are five that are checked', async () => {
    const { email, id } = await stranger();
    await connectApp(id);
    vi.mocked(verifySync).mockClear();
    const guesses = times(400, (at) => login(email, { second_factor: '000000' }, networkAt(at % 100)));
    expect((await Promise.all(guesses)).map(({ status }) => status)).not.toContain(200);
    expect(vi.mocked(verifySync)).toHaveBeenCalledTimes(5);
  });

  it('what strangers guess slows strangers, not the device nor the network that the account knows', async () => {
    const { email, device } = await owner();
    await Promise.all(times(30, (at) => login(email, { password: 'a wrong one' }, networkAt(300 + at))));
    expect((await login(email, {}, '10.77.1.1')).status).toBe(429);
    expect((await login(email, {}, HOME)).status).toBe(200);
    expect(await login(email, {}, '10.78.1.1', device)).toMatchObject({ status: 200 });
    expect((await login(email, {}, '10.79.1.1', 'A'.repeat(43))).status).toBe(429);
  });

  it('a device has a count of its own, which is as strict', async () => {
    const { email, device } = await owner();
    const other = await owner();
    vi.mocked(verify).mockClear();
    await Promise.all(times(60, (at) => login(email, { password: 'a wrong one' }, networkAt(400 + at), device)));
    expect(vi.mocked(verify)).toHaveBeenCalledTimes(5);
    expect((await login(email, {}, HOME)).status).toBe(200);
    // Another account's device is a stranger's.
    vi.mocked(verify).mockClear();
    await Promise.all(times(60, (at) => login(email, { password: 'a wrong one' }, networkAt(500 + at), other.device)));
    expect(vi.mocked(verify)).toHaveBeenCalledTimes(20);
  });

  it('codes that strangers guess with the right password leave the tries of the owner', async () => {
    const { email, id, device } = await owner();
    const secret = await connectApp(id);
    await Promise.all(times(40, (at) => login(email, { second_factor: '000000' }, networkAt(600 + at))));
    vi.setSystemTime(Date.now() + 31_000);
    await Promise.all(times(40, (at) => login(email, { second_factor: '000000' }, networkAt(700 + at))));
    const code = () => generateSync({ secret, epoch: epoch() });
    expect((await login(email, { second_factor: code() }, '10.80.1.1')).status).not.toBe(200);
    expect((await login(email, { second_factor: code() }, '10.81.1.1', device)).status).toBe(200);
  });

  it('a browser keeps one secret for its accounts; an account knows ten; all end with its sessions', async () => {
    const [first, second] = [await owner(), await owner()];
    const joined = await login(second.email, {}, '10.82.1.1', first.device);
    expect(joined.body).not.toHaveProperty('device');
    const lane = (id: number, device: string) =>
      server.app.accounts.laneOf(id, { userAgent: '', address: '10.83.1.1', place: '', device });
    expect((await lane(second.id, first.device)).kind).toBe('device');
    await server.app.accounts.sessions.endAll(second.id);
    expect((await lane(second.id, first.device)).kind).toBe('stranger');
    expect((await lane(first.id, first.device)).kind).toBe('device');
    for (let browser = 0; browser < 10; browser += 1) {
      vi.setSystemTime(Date.now() + 1);
      await login(first.email, {}, HOME);
    }
    expect((await lane(first.id, first.device)).kind).toBe('stranger');
  });
});

describe.each(databaseKinds)('mailed codes (%s)', (kind) => {
  let server: TestApp;
  let names = 0;

  beforeAll(async () => {
    server = await startTestApp(kind, undefined, { RATE_LIMIT_PER_MINUTE: '1000000' });
  });
  afterAll(() => server.remove());

  type Asking = { readonly from: string; readonly device?: string };
  const call = (url: string, payload: object, { from, device }: Asking) => {
    const headers = device === undefined ? {} : { 'x-device-secret': device };
    return server.call({ method: 'POST', url, payload, remoteAddress: from, headers }) as Promise<Answer>;
  };
  const send = (email: string, who: Asking) => call('/api/v3/forgot-password/send-code', { email }, who);
  const check = (email: string, code: string, who: Asking) =>
    call('/api/v3/forget-password-code/verify', { email, code }, who);
  async function codesTo(email: string): Promise<string[]> {
    const { body } = await server.call({ method: 'GET', url: `/api/dev/outbox?to=${encodeURIComponent(email)}` });
    return (body.messages as unknown as { subject: string }[]).map(({ subject }) => subject.slice(0, 6));
  }
  const codeAfter = async (email: string, mails: number) => {
    await expect.poll(async () => (await codesTo(email)).length).toBe(mails + 1);
    return (await codesTo(email))[0] as string;
  };
  const other = (code: string) => (code === '111111' ? '222222' : '111111');

  async function person(): Promise<{ email: string; device: string }> {
    names += 1;
    const email = `forgetful${names}@example.test`;
    await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, 'client');
    const { body } = await call('/api/v3/login', { username: email, password: PASSWORD }, { from: HOME });
    return { email, device: String(body.device) };
  }

  it('what strangers ask for and guess leaves request, code and tries of the owner', async () => {
    const { email } = await person();
    expect((await send(email, { from: '10.1.1.1' })).status).toBe(200);
    const strangers = await codeAfter(email, 0);
    expect((await send(email, { from: HOME })).status).toBe(200);
    const code = await codeAfter(email, 1);
    expect((await send(email, { from: '10.1.2.1' })).status).toBe(200);
    await codeAfter(email, 2);
    for (let guess = 0; guess < 12; guess += 1) {
      const wrong = other(guess % 2 === 0 ? code : strangers);
      expect((await check(email, wrong, { from: networkAt(guess) })).body.message).toBe('CODE_DOES_NOT_MATCH');
    }
    // No other network has a try left for the owner's code, even with the right code; the owner has all five.
    expect((await check(email, code, { from: '10.9.9.9' })).body.message).toBe('CODE_DOES_NOT_MATCH');
    for (let slip = 0; slip < 4; slip += 1) await check(email, other(code), { from: HOME });
    expect((await check(email, code, { from: HOME })).body.message).toBe('success');
    expect((await check(email, code, { from: HOME })).body.message).toBe('CODE_DOES_NOT_MATCH');
  });

  it('a code that was asked for at one place is good at another, for five tries', async () => {
    const { email } = await person();
    await send(email, { from: HOME });
    const code = await codeAfter(email, 0);
    for (let slip = 0; slip < 4; slip += 1) await check(email, other(code), { from: '10.2.1.1' });
    expect((await check(email, code, { from: '10.2.2.1' })).body.message).toBe('success');
  });

  it('strangers fill a mailbox slowly, together; a known device and network still get their code', async () => {
    const { email, device } = await person();
    const answers = await Promise.all(times(40, (at) => send(email, { from: networkAt(40 + at) })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await send(email, { from: '10.3.1.1' })).body.code).toBe('CODE_SENT_RECENTLY');
    expect((await send(email, { from: HOME })).status).toBe(200);
    expect((await send(email, { from: '10.3.2.1', device })).status).toBe(200);
  });

  it('of thirty requests at once one sends a code', async () => {
    const { email } = await person();
    const email2 = `new-${names}@example.test`;
    const sent = await Promise.all([
      ...times(14, () => send(email, { from: '10.4.1.1' })),
      ...times(14, () => call('/api/v2/send-code', { email: email2 }, { from: '10.4.2.1' })),
    ]);
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(2);
    await expect.poll(() => codesTo(email)).toHaveLength(1);
    expect(await codesTo(email2)).toHaveLength(1);
  });
});
