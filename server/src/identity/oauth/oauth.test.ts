/** Sign-in through an independent OpenID provider, by wallet, and by passkey; and everything that must not work. */
import { createHash, createPrivateKey, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { generateSync } from 'otplib';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { anyKind, makeTestDatabase } from '../../../test/databases.ts';
import { type HeldDatabase, holdable } from '../../../test/held-database.ts';

let server: TestApp;
let source: HeldDatabase;
beforeAll(async () => {
  source = holdable(await makeTestDatabase(anyKind, 'migrated'));
  server = await startTestApp(anyKind, source);
});
afterAll(() => server.remove());

type Answer = { status: number; body: Record<string, unknown>; headers: Record<string, unknown> };
const headers = { host: 'localhost:8080' };
const get = (url: string, token?: string) =>
  server.call({ method: 'GET', url, headers, ...(token ? { token } : {}) }) as Promise<Answer>;
const post = (url: string, payload: object = {}, token?: string) =>
  server.call({ method: 'POST', url, payload, headers, ...(token ? { token } : {}) }) as Promise<Answer>;
const redirect = async (url: string) => {
  const answer = await server.app.http.inject({ method: 'GET', url, headers });
  expect(answer.statusCode).toBe(302);
  return String(answer.headers.location);
};

/** A browser without a page: follows the provider's redirects with its cookies, and fills in its two forms. */
async function consent(location: string, name: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = location;
  for (let step = 0; step < 20; step += 1) {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const isForm = url.includes('/interaction/') && !url.endsWith('/abort');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
      ...(isForm
        ? {
            method: 'POST',
            body:
              (await promptOf(url, cookie)) === 'login' ? `prompt=login&login=${name}&password=x` : 'prompt=consent',
          }
        : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const next = answer.headers.get('location');
    if (next === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(next, url).href;
    if (new URL(url).pathname.startsWith('/api/v3/auth/')) return url;
  }
  throw new Error('The provider never came back');
}

async function promptOf(url: string, cookie: string): Promise<string> {
  const page = await fetch(url, { headers: { cookie } });
  return (await page.text()).includes('value="login"') ? 'login' : 'consent';
}

const nowS = () => Math.floor(Date.now() / 1000);
const newVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

const begin = (secret: string) => `/api/v3/auth/google?challenge=${challengeOf(secret)}`;

/** @returns the fragment of the return point */
async function throughProvider(name: string, secret: string, query = ''): Promise<URLSearchParams> {
  const away = await redirect(`${begin(secret)}${query}`);
  const back = new URL(await consent(away, name));
  const location = await redirect(back.pathname + back.search);
  expect(location.startsWith('/auth/callback#')).toBe(true);
  return new URLSearchParams(location.slice('/auth/callback#'.length));
}

const finish = (fragment: URLSearchParams, verifier: string | undefined, more: object = {}) =>
  post('/api/v3/google-login', {
    username: fragment.get('email'),
    code: fragment.get('code'),
    ...(verifier ? { verifier } : {}),
    ...more,
  });

describe('OpenID Connect', () => {
  it('goes to the provider with PKCE, state and nonce (A-oauth-wallet-11)', async () => {
    const away = new URL(await redirect(begin(newVerifier())));
    expect(away.searchParams.get('response_type')).toBe('code');
    expect(away.searchParams.get('code_challenge_method')).toBe('S256');
    expect(away.searchParams.get('redirect_uri')).toBe('http://localhost:8080/api/v3/auth/google/callback');
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(away.searchParams.get(name)?.length).toBeGreaterThan(20);
    expect(await redirect(begin(newVerifier()).replace('google', 'apple'))).toBe('/auth/callback#error=away');
  });

  it('signs in who has an account with that address, once, and only the page that began', async () => {
    await server.trader('olga', {});
    const verifier = newVerifier();
    const fragment = await throughProvider('olga', verifier);
    expect(fragment.get('email')).toBe('olga@example.test');
    expect((await finish(fragment, undefined)).status).toBe(422);
    expect((await finish(fragment, newVerifier())).status).toBe(401);
    const other = new URLSearchParams({ code: fragment.get('code') ?? '', email: 'ann@example.test' });
    expect((await finish(other, verifier)).status).toBe(401);
    const answer = await finish(fragment, verifier);
    expect(answer.body).toMatchObject({
      status: 200,
      token: expect.any(String),
      client: { status: 'ACTIVE', user: { provider: 'google' } },
    });
    expect((await finish(fragment, verifier)).status).toBe(401);
    const bound = await get('/api/v3/bind-accounts', String(answer.body.token));
    expect(bound.body).toMatchObject({
      gmail: { email: 'olga@example.test', status: 'Connected' },
      apple: { status: 'Not available' },
    });
  });

  it('answers other than 200 where there is no account, with the address for the sign-up (A-oauth-wallet-17, A-oauth-wallet-18)', async () => {
    const verifier = newVerifier();
    const fragment = await throughProvider('nobody-yet', verifier);
    expect(fragment.get('email')).toBe('nobody-yet@example.test');
    expect(await finish(fragment, verifier)).toMatchObject({ status: 404, body: { code: 'NOT_REGISTERED' } });
  });

  it('vouches for no address outside of our grammar, even one that an older account has', async () => {
    await server.app.accounts.ensure('olga(x)@example.test', PASSWORD, TRANSACTION_PASSWORD, 'client');
    const verifier = newVerifier();
    const fragment = await throughProvider('olga(x)@example.test', verifier);
    expect(await finish(fragment, verifier)).toMatchObject({ status: 404, body: { code: 'NOT_REGISTERED' } });
  });

  it('keeps a frozen client out (A-oauth-wallet-12)', async () => {
    await server.trader('frida', {});
    const id = await server.app.accounts.ensure('frida@example.test', PASSWORD, TRANSACTION_PASSWORD, 'client');
    await server.app.accounts.states.freeze(id ?? 0, 'We look into it', null);
    const verifier = newVerifier();
    expect((await finish(await throughProvider('frida', verifier), verifier)).body.code).toBe('FREEZE_ACCOUNT');
  });

  it('takes no state twice, none that it did not give, and no return of another person’s code', async () => {
    const away = await redirect(begin(newVerifier()));
    const back = new URL(await consent(away, 'olga'));
    expect(await redirect(back.pathname + back.search)).toContain('#code=');
    expect(await redirect(back.pathname + back.search)).toBe('/auth/callback#error=state');
    expect(await redirect('/api/v3/auth/google/callback?state=made-up&code=x')).toBe('/auth/callback#error=state');
    const mine = new URL(await redirect(begin(newVerifier())));
    const state = mine.searchParams.get('state') ?? '';
    expect(await redirect(`/api/v3/auth/google/callback?code=${back.searchParams.get('code')}&state=${state}`)).toBe(
      '/auth/callback#error=provider',
    );
    const denied = new URL(await redirect(begin(newVerifier()))).searchParams.get('state');
    expect(await redirect(`/api/v3/auth/google/callback?error=access_denied&state=${denied}`)).toBe(
      '/auth/callback#error=denied',
    );
  });

  const idOf = async (token: string) => ((await get('/api/v3/account-client', token)).body.client as { id: number }).id;
  const stepUp = (token: string) =>
    post('/api/v3/step-up', { purpose: 'connections', transaction_password: TRANSACTION_PASSWORD }, token);
  const connect = (fragment: URLSearchParams, verifier: string, token: string) =>
    post('/api/v3/bind-accounts/google', { code: fragment.get('code'), verifier }, token);

  it('connects and disconnects after a step-up', async () => {
    const token = await server.trader('connie', {});
    const verifier = newVerifier();
    const fragment = await throughProvider('connie.private', `${verifier}.${await idOf(token)}`, '&purpose=connect');
    expect(fragment.get('purpose')).toBe('connect');
    expect((await connect(fragment, verifier, token)).body.code).toBe('STEP_UP_REQUIRED');
    await stepUp(token);
    expect((await connect(fragment, verifier, token)).body).toEqual({ message: 'success' });
    const again = newVerifier();
    const entry = await finish(await throughProvider('connie.private', again), again);
    expect(entry.body).toMatchObject({ user: { email: 'connie@example.test' } });
    await server.call({ method: 'DELETE', url: '/api/v3/bind-accounts/google', token });
    const last = newVerifier();
    expect((await finish(await throughProvider('connie.private', last), last)).status).toBe(404);
  });

  it('does not begin without a challenge, nor end without the verifier', async () => {
    const bare = await get('/api/v3/auth/google');
    expect(bare).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } });
    const body = { username: 'olga@example.test', code: newVerifier() };
    expect((await post('/api/v3/google-login', body)).status).toBe(422);
    const token = await server.trader('chad', {});
    expect((await post('/api/v3/bind-accounts/google', { code: newVerifier() }, token)).status).toBe(422);
  });

  it('a code of one purpose is not good for the other, and one to connect is good for the client who began alone', async () => {
    const [token, other] = [await server.trader('paul', {}), await server.trader('mallory', {})];
    await Promise.all([stepUp(token), stepUp(other)]);
    const id = await idOf(token);
    const plain = newVerifier();
    const toEnter = await throughProvider('paul', plain);
    expect((await connect(toEnter, plain, token)).body.code).toBe('CONNECTION_FAILED');
    const bound = newVerifier();
    const toConnect = await throughProvider('mallory.google', `${bound}.${id}`, '&purpose=connect');
    for (const verifier of [bound, newVerifier()]) {
      expect((await finish(toConnect, verifier)).body.code).toBe('LOGIN_FAILED');
      expect((await connect(toConnect, verifier, other)).body.code).toBe('CONNECTION_FAILED');
    }
    // Begun without a client, it connects none.
    const unbound = await throughProvider('mallory.google', plain, '&purpose=connect');
    expect((await connect(unbound, plain, token)).body.code).toBe('CONNECTION_FAILED');
    expect((await connect(toConnect, bound, token)).body).toEqual({ message: 'success' });
    expect((await finish(toEnter, plain)).status).toBe(200);
  });

  it('a code signs in once, however many bring it at once', async () => {
    await server.trader('quinn', {});
    const verifier = newVerifier();
    const fragment = await throughProvider('quinn', verifier);
    const answers = await Promise.all(Array.from({ length: 8 }, () => finish(fragment, verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'LOGIN_FAILED')).toHaveLength(7);
  });

  it('signs nobody in who was disconnected while the sign-in was on its way', async () => {
    const token = await server.trader('dora', {});
    const [bound, verifier] = [newVerifier(), newVerifier()];
    await stepUp(token);
    const toConnect = await throughProvider('dora.google', `${bound}.${await idOf(token)}`, '&purpose=connect');
    expect((await connect(toConnect, bound, token)).body).toEqual({ message: 'success' });
    const fragment = await throughProvider('dora.google', verifier);
    const held = source.hold(/INSERT INTO sessions/, 'before');
    const entering = finish(fragment, verifier);
    await held.reached;
    const gone = await server.call({ method: 'DELETE', url: '/api/v3/bind-accounts/google', token });
    held.release();
    expect([gone.status, (await entering).body.code]).toEqual([200, 'PROOF_OUTDATED']);
  });

  it('a code waits for the second factor and is then good once, with four codes of it at once', async () => {
    const token = await server.trader('tina', {});
    await post('/api/v3/step-up', { purpose: 'factors', transaction_password: TRANSACTION_PASSWORD }, token);
    const { secret } = (await post('/api/v3/totp/enrolment', {}, token)).body as { secret: string };
    const enabled = await post('/api/v3/totp', { code: generateSync({ secret, epoch: nowS() }) }, token);
    const codes = enabled.body.recovery_codes as string[];
    const verifier = newVerifier();
    const fragment = await throughProvider('tina', verifier);
    expect((await finish(fragment, verifier)).body.code).toBe('SECOND_FACTOR_REQUIRED');
    const answers = await Promise.all(
      codes.slice(0, 4).map((second_factor) => finish(fragment, verifier, { second_factor })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('a wallet', () => {
  const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
  const ask = async (address: string = wallet.address) =>
    String((await post('/api/v3/web3-login/nonce', { address, chain_id: 1 })).body.message);
  const enter = async (message: string, signer = wallet, username: string = wallet.address) =>
    post('/api/v3/web3-login', { username, message, signature: await signer.signMessage({ message }) });

  it('signs an EIP-4361 message over a nonce and comes in; the same account comes back (A-oauth-wallet-07)', async () => {
    const message = await ask();
    expect(message).toContain('localhost:8080 wants you to sign in with your Ethereum account:');
    expect(message).toContain(wallet.address);
    const first = await enter(message);
    expect(first.body).toMatchObject({
      status: 200,
      user: { provider: 'wallet', email: '' },
      client: { status: 'ACTIVE' },
    });
    const second = await enter(await ask());
    expect((second.body.client as { id: number }).id).toBe((first.body.client as { id: number }).id);
  });

  it.each([
    [
      'a nonce a second time',
      async () => {
        const message = await ask();
        await enter(message);
        return enter(message);
      },
    ],
    ['another’s signature', async () => enter(await ask(), other)],
    ['a message for another', async () => enter(await ask(other.address))],
    ['a message that was changed', async () => enter((await ask()).replace('moves nothing', 'moves all'))],
    ['a nonce of its own', async () => enter((await ask()).replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef'))],
    [
      'a nonce that is five minutes old',
      async () => {
        const message = await ask();
        server.advance(5 * 60_000 + 1);
        return enter(message);
      },
    ],
    ['no message at all', async () => enter('hello')],
  ])('is not let in with %s', async (_, attempt) => {
    expect(await attempt()).toMatchObject({ status: 401, body: { code: 'LOGIN_FAILED' } });
  });

  it('comes in once with one nonce, however many bring it at once', async () => {
    const message = await ask();
    const answers = await Promise.all(Array.from({ length: 8 }, () => enter(message)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('of a frozen account stays out (A-oauth-wallet-06)', async () => {
    const id = Number(
      (await enter(await ask(other.address), other, other.address)).body.client &&
        ((await enter(await ask(other.address), other, other.address)).body.client as { id: number }).id,
    );
    await server.app.accounts.states.freeze(id, 'We look into it', null);
    expect((await enter(await ask(other.address), other, other.address)).body.code).toBe('FREEZE_ACCOUNT');
  });

  it('stays out while the exchange is maintained (A-oauth-wallet-06)', async () => {
    const { states } = server.app.accounts;
    await states.maintain({ since: Date.now(), reason: 'A new engine', until_at: null, by_id: null });
    expect((await enter(await ask())).body).toMatchObject({
      code: 'MAINTENANCE',
      restriction: { reason: 'A new engine' },
    });
    await states.maintain({ since: null, reason: '', until_at: null, by_id: null });
    expect((await enter(await ask())).status).toBe(200);
  });

  it('sets its first transaction password without an old one, and takes an address with a password', async () => {
    const token = String((await enter(await ask())).body.token);
    const first = await post('/api/v3/update-transaction-password', { transactionPassword: 'wallet-orders' }, token);
    expect(first.body).toEqual({ message: 'saved' });
    const email = 'wallet@example.test';
    await post('/api/v3/bind-email/send-code', { email }, token);
    const { messages } = (await get(`/api/dev/outbox?to=${email}`)).body as { messages: { subject: string }[] };
    const code = messages[0]?.subject.slice(0, 6);
    const bind = () => post('/api/v3/bind-email', { email, code, password: 'wallet-password' }, token);
    // An address with a password is a new way in, for which a session is not enough where there is more to show.
    expect((await bind()).body.code).toBe('STEP_UP_REQUIRED');
    const shown = { purpose: 'connections', transaction_password: 'wallet-orders' };
    expect((await post('/api/v3/step-up', shown, token)).body.message).toBe('success');
    expect((await bind()).body).toEqual({ message: 'success' });
    expect((await bind()).body.code).toBe('HAS_EMAIL');
    expect((await post('/api/v3/login', { username: email, password: 'wallet-password' })).status).toBe(200);
  });
});

/** A passkey in software: enough CBOR and flags for what a browser would send. */
class SoftPasskey {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  counter = 1;

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
  #authenticatorData(flags: number, more = Buffer.alloc(0), domain = 'localhost'): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash('sha256').update(domain).digest(), Buffer.from([flags]), counter, more]);
  }
  #publicKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const [bytesX, bytesY] = [Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')];
    const head = Buffer.from('a5010203262001215820', 'hex');
    return Buffer.concat([head, bytesX, Buffer.from('225820', 'hex'), bytesY]);
  }
  register(challenge: string, origin = 'http://localhost:8080') {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey()]);
    const data = this.#authenticatorData(0x45, credential);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      size,
      data,
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      },
    };
  }
  assert(challenge: string, { origin = 'http://localhost:8080', flags = 0x05 } = {}) {
    this.counter += 1;
    const client = this.#clientData('webauthn.get', challenge, origin);
    const data = this.#authenticatorData(flags);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    const key = createPrivateKey({ key: this.#keys.privateKey.export({ format: 'jwk' }), format: 'jwk' });
    return {
      ...this.#named(),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(key).toString('base64url'),
      },
    };
  }
  #named() {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  }
}

describe('a passkey', () => {
  type Challenge = { challenge_id: string; options: { challenge: string } };
  const passkey = new SoftPasskey();
  let token = '';

  const begin = async (url: string, who?: string) => (await post(url, {}, who)).body as unknown as Challenge;
  const signIn = async (change: Parameters<SoftPasskey['assert']>[1] = {}) => {
    const { challenge_id, options } = await begin('/api/v3/passkeys/sign-in/options');
    return post('/api/v3/passkeys/sign-in', { challenge_id, response: passkey.assert(options.challenge, change) });
  };

  it('is added after a step-up, holds withdrawals, and signs in as both factors', async () => {
    token = await server.trader('pat', {});
    expect((await post('/api/v3/passkeys/registration', {}, token)).body.code).toBe('STEP_UP_REQUIRED');
    await post('/api/v3/step-up', { purpose: 'factors', transaction_password: TRANSACTION_PASSWORD }, token);
    const { challenge_id, options } = await begin('/api/v3/passkeys/registration', token);
    const wish = { label: 'Laptop', challenge_id, response: passkey.register(options.challenge) };
    const added = await post('/api/v3/passkeys', wish, token);
    expect(added.body).toMatchObject({ message: 'success', passkey: { label: 'Laptop', last_used_at: null } });
    expect((await post('/api/v3/passkeys', wish, token)).body.code).toBe('PASSKEY_NOT_VERIFIED');
    const state = (await get('/api/v3/account-client', token)).body.client as { withdraw_transfer_status: string };
    expect(state.withdraw_transfer_status).toBe('NOT_ALLOWED');
    expect((await signIn()).body).toMatchObject({ status: 200, user: { email: 'pat@example.test' } });
  });

  it('is refused for another site, without the person’s verification, from a copy, and a second time', async () => {
    expect((await signIn({ origin: 'https://phishing.example' })).status).toBe(401);
    expect((await signIn({ flags: 0x01 })).status).toBe(401);
    passkey.counter -= 3;
    expect((await signIn()).status).toBe(401);
    passkey.counter += 5;
    const { challenge_id, options } = await begin('/api/v3/passkeys/sign-in/options');
    const proof = { challenge_id, response: passkey.assert(options.challenge) };
    expect((await post('/api/v3/passkeys/sign-in', proof)).status).toBe(200);
    expect((await post('/api/v3/passkeys/sign-in', proof)).status).toBe(401);
  });

  it('has challenges that are good once and for one purpose', async () => {
    const { challenge_id, options } = await begin('/api/v3/passkeys/sign-in/options');
    const proof = { challenge_id, response: passkey.assert(options.challenge) };
    const entries = await Promise.all(Array.from({ length: 8 }, () => post('/api/v3/passkeys/sign-in', proof)));
    expect(entries.filter(({ status }) => status === 200)).toHaveLength(1);
    const confirm = await begin('/api/v3/passkeys/confirm/options', token);
    const wrong = { challenge_id: confirm.challenge_id, response: passkey.assert(confirm.options.challenge) };
    expect((await post('/api/v3/passkeys/sign-in', wrong)).status).toBe(401);
  });

  it('is added by the session that was confirmed alone, and under the proof of then', async () => {
    const spare = new SoftPasskey();
    const [asker, other] = [await server.trader('rita', {}), await server.trader('rita', {})];
    const confirm = (purpose: string) =>
      post('/api/v3/step-up', { purpose, transaction_password: TRANSACTION_PASSWORD }, asker);
    const wish = async () => {
      const { challenge_id, options } = await begin('/api/v3/passkeys/registration', asker);
      return { label: 'Spare', challenge_id, response: spare.register(options.challenge) };
    };
    await confirm('factors');
    expect((await post('/api/v3/passkeys', await wish(), other)).body.code).toBe('PASSKEY_NOT_VERIFIED');
    const late = await wish();
    await confirm('transaction-password');
    const change = { oldTransactionPassword: TRANSACTION_PASSWORD, transactionPassword: 'order-that' };
    expect((await post('/api/v3/update-transaction-password', change, asker)).body).toEqual({ message: 'saved' });
    expect((await post('/api/v3/passkeys', late, asker)).body.code).toBe('PROOF_OUTDATED');
    expect((await get('/api/v3/passkeys', asker)).body.passkeys).toEqual([]);
  });

  it('confirms a step-up in place of a code, is renamed, and goes', async () => {
    const remove = (id: number | undefined) =>
      server.call({ method: 'DELETE', url: `/api/v3/passkeys/${id}`, token }) as unknown as Promise<{
        readonly status: number;
        readonly body: { readonly step_up?: { readonly act: string } };
      }>;
    const list = async () => (await get('/api/v3/passkeys', token)).body.passkeys as { id: number; label: string }[];
    const id = (await list())[0]?.id;
    const act = (await remove(id)).body.step_up?.act;
    const ask = (more: object) =>
      post('/api/v3/step-up', { purpose: 'factors', act, transaction_password: TRANSACTION_PASSWORD, ...more }, token);
    expect((await ask({})).body.message).toBe('second_factor_required');
    const { challenge_id, options } = await begin('/api/v3/passkeys/confirm/options', token);
    const proof = { challenge_id, response: passkey.assert(options.challenge) };
    expect((await ask({ passkey: proof })).body.message).toBe('success');
    expect((await ask({ passkey: proof })).body.message).toBe('wrong_second_factor');
    await server.call({ method: 'PATCH', url: `/api/v3/passkeys/${id}`, token, payload: { label: 'Old laptop' } });
    expect((await list())[0]?.label).toBe('Old laptop');
    const held = source.hold(/INSERT INTO sessions/, 'before');
    const entering = signIn();
    await held.reached;
    expect((await remove(id)).status).toBe(200);
    held.release();
    expect((await entering).body.code).toBe('PROOF_OUTDATED');
    expect((await signIn()).status).toBe(401);
  });
});
