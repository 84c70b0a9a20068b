import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { anyKind } from '../../test/databases.ts';
import { UnfitValue } from './database.ts';
import { createHttp } from './http.ts';
import { createLogger } from './logger.ts';
import { createProxies } from './proxies.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp(anyKind, undefined, { RATE_LIMIT_PER_MINUTE: '200' });
});
afterAll(() => server.remove());

const get = (url: string) => server.app.http.inject({ method: 'GET', url });

describe('what every answer has', () => {
  it('a request id, and a policy that lets nothing run', async () => {
    const answer = await get('/api/v2/market-all-pairs');
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('pages have a strict policy without inline scripts', async () => {
    const policy = String((await get('/')).headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('a HEAD of a call runs nothing and names the methods; pages and files keep it', async () => {
    const head = (url: string) => server.app.http.inject({ method: 'HEAD', url });
    const code = await head('/api/v2/send-code?email=head@example.test');
    expect(code.statusCode).toBe(405);
    expect(code.headers.allow).toBe('POST, GET');
    expect((await get('/api/dev/outbox?to=head@example.test')).json()).toEqual({ messages: [] });
    for (const url of ['/api/v3/time', '/api/v5/public/time', '/api/v3/auth/google/callback?state=x&code=y']) {
      expect({ url, status: (await head(url)).statusCode }).toEqual({ url, status: 405 });
    }
    for (const url of ['/', '/healthz', '/trade/BTC-USDT']) expect((await head(url)).statusCode).toBe(200);
  });

  it('streams to this site alone', async () => {
    const connectSrc = async (from: TestApp) =>
      /connect-src ([^;]*)/.exec(String((await from.app.http.inject('/')).headers['content-security-policy']))?.[1];
    expect(await connectSrc(server)).toBe("'self'");
    const named = await startTestApp(anyKind, undefined, { PUBLIC_URL: 'https://exchange.example/' });
    expect(await connectSrc(named)).toBe("'self' wss://exchange.example");
    await named.remove();
  });

  it('a long reading is compressed for who takes it so, and has the same content', async () => {
    const plain = await get('/api/v3/all-pairs');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const decode = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const encoding of ['br', 'gzip'] as const) {
      const headers = { 'accept-encoding': encoding };
      const answer = await server.app.http.inject({ method: 'GET', url: '/api/v3/all-pairs', headers });
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
      const { coinpair } = JSON.parse(decode[encoding](answer.rawPayload).toString()) as { coinpair: unknown[] };
      expect(coinpair).toHaveLength((plain.json() as { coinpair: unknown[] }).coinpair.length);
    }
  });

  it('one shape for each refusal', async () => {
    for (const answer of [
      await get('/api/nothing'),
      await get('/api/v3/account-client'),
      await get('/api/v3/coin-profile?name=NOPE'),
    ]) {
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(Object.keys(answer.json())).toEqual(
        expect.arrayContaining(['type', 'title', 'status', 'code', 'detail', 'message', 'requestId']),
      );
    }
  });

  it('answers 422 to a value that only the database finds unfit, and says nothing of it', async () => {
    const http = await createHttp({
      logger: createLogger('silent'),
      proxies: createProxies(0),
      requestsPerMinute: 0,
      isProduction: true,
    });
    http.get('/unfit', () => {
      throw new UnfitValue('integer out of range in a statement');
    });
    const answer = await http.inject('/unfit');
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code: 'INVALID_INPUT', detail: 'Invalid input' });
    expect(answer.body).not.toContain('statement');
    await http.close();
  });

  it('refuses a body that is too large, malformed, or not JSON', async () => {
    const send = (payload: string, type = 'application/json') =>
      server.app.http.inject({ method: 'POST', url: '/api/v3/login', payload, headers: { 'content-type': type } });
    expect((await send(`{"username":"${'x'.repeat(70_000)}"}`)).statusCode).toBe(413);
    expect((await send('{"username":')).statusCode).toBe(400);
    expect((await send('<x/>', 'text/xml')).statusCode).toBe(415);
    expect((await send('{"__proto__":{"role":"operator"}}')).statusCode).toBe(400);
  });
});

describe('operations', () => {
  it('says that it lives, that it is ready, and its figures', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await get('/readyz')).json()).toEqual({ status: 'ready', problems: [] });
    const metrics = (await get('/metrics')).body;
    for (const name of [
      'cambist_stream_connections',
      'cambist_commands_total',
      'cambist_last_batch',
      'cambist_http_seconds_bucket',
      'process_cpu_seconds_total',
    ]) {
      expect(metrics).toContain(name);
    }
  });

  it('shows its figures to this machine alone, or to whoever has the token', async () => {
    const metrics = async (from: TestApp, headers: Record<string, string>, remoteAddress?: string) => {
      const peer = remoteAddress === undefined ? {} : { remoteAddress };
      return (await from.app.http.inject({ method: 'GET', url: '/metrics', headers, ...peer })).statusCode;
    };
    expect(await metrics(server, {})).toBe(200);
    expect(await metrics(server, {}, '198.51.100.7')).toBe(404);
    expect(await metrics(server, { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
    expect(await metrics(server, { forwarded: 'for=127.0.0.1' })).toBe(404);
    const METRICS_TOKEN = 'a-token-for-figures';
    const guarded = await startTestApp(anyKind, undefined, { METRICS_TOKEN, TRUST_PROXY: 'loopback' });
    const authorization = `Bearer ${METRICS_TOKEN}`;
    expect(await metrics(guarded, {})).toBe(404);
    expect(await metrics(guarded, { authorization: 'Bearer another' })).toBe(404);
    expect(await metrics(guarded, { authorization }, '198.51.100.7')).toBe(200);
    await guarded.remove();
  });

  it('documents every call under /api and its version, with a page to browse (A-calls-02, A-calls-03, T-calls-01)', async () => {
    const document = (await get('/docs/json')).json();
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/v3/orders', '/api/v2/my-order', '/api/v3/history', '/api/v5/market/books']),
    );
    // One purpose in two versions: both answer.
    for (const purpose of [
      ['/api/v1/home/coins', '/api/v2/market-all-pairs', '/api/v3/all-pairs'],
      ['/api/v2/update-password', '/api/v3/update-password'],
      ['/api/v2/my-order', '/api/v3/orders'],
    ]) {
      expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(purpose));
    }
    const calls = Object.keys(document.paths).filter((path) => !path.startsWith('/api/dev/'));
    expect(calls.filter((path) => !/^\/api\/v[1235]\//.test(path))).toEqual([]);
    expect(document.paths['/api/v3/orders'].post.requestBody).toBeTruthy();
    expect((await get('/docs')).statusCode).toBeLessThan(400);
  });

  it('operators see alarms; clients do not', async () => {
    const client = await server.trader('plain', {});
    const asClient = await server.call({ method: 'GET', url: '/api/v3/admin/alarms', token: client });
    expect(asClient).toMatchObject({ status: 403, body: { code: 'NOT_AN_OPERATOR' } });
    await server.app.accounts.ensure('op@example.test', 'a-long-password', 'another', 'operator');
    const login = { username: 'op@example.test', password: 'a-long-password' };
    const { body } = await server.call({ method: 'POST', url: '/api/v3/login', payload: login });
    const alarms = await server.call({ method: 'GET', url: '/api/v3/admin/alarms', token: String(body.token) });
    expect(alarms.body).toEqual({ alarms: [] });
  });

  it('limits how often one address may ask', async () => {
    let last = 200;
    for (let count = 0; count < 220 && last !== 429; count += 1) last = (await get('/api/v3/time')).statusCode;
    expect(last).toBe(429);
    expect((await get('/healthz')).statusCode).toBe(200);
  });

  it.each(['/healthz', '/readyz', '/metrics'])('limits %s too, by a count of its own', async (url) => {
    let asked = 0;
    while (asked < 1300 && (await get(url)).statusCode === 200) asked += 1;
    expect(asked).toBeGreaterThan(1100);
    expect(asked).toBeLessThanOrEqual(1200);
  });
});
