/** Operators by the command line, and a data folder that was started in development, as real processes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressStore } from '../src/funds/deposits/service.ts';
import { migrate } from '../src/platform/migrations.ts';
import { databaseKinds, makeTestDatabase, type TestDatabase } from './databases.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const command = join(import.meta.dirname, '../src/operator.ts');
const production = {
  NODE_ENV: 'production',
  ALLOW_DEVELOPMENT_PARTS: 'outbox',
  MARKET: 'none',
  LOG_LEVEL: 'silent',
  OPERATOR_TOTP: 'optional',
  SECRETS_KEY: 'c0'.repeat(32),
  PUBLIC_URL: 'https://exchange.example.test',
};
const EMAIL = 'chief@example.test';
const PASSWORD = 'of-the-chief-alone';
const TRANSACTION_PASSWORD = 'chief-orders';

// Each starts a server or the command several times, which takes its time on a busy machine.
describe.each(databaseKinds)('operators (%s)', { timeout: 300_000 }, (kind) => {
  let source: TestDatabase | undefined;
  let running: ServerProcess | undefined;
  afterEach(async () => {
    await running?.stop();
    await source?.remove();
    running = undefined;
    source = undefined;
  });

  async function serve(settings: Record<string, string> = production): Promise<ServerProcess> {
    running = await startServerProcess({ ...settings, ...source?.environment });
    return running;
  }
  async function stop(): Promise<void> {
    expect(await running?.stop()).toBe(0);
    running = undefined;
  }
  function operator(...args: string[]): Promise<{ code: number | null; text: string }> {
    const env = { ...process.env, ...production, ...source?.environment };
    const child = spawn(process.execPath, [command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
  }
  const tokenIn = (text: string) =>
    /https:\/\/exchange\.example\.test\/operator-setup#([\w-]{43})/.exec(text)?.[1] ?? '';

  async function ask(path: string, body: object, token?: string) {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const init = token && Object.keys(body).length === 0 ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${running?.url}${path}`, { ...init, headers });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  const login = (username: string, password: string) => ask('/api/v3/login', { username, password });
  const useLink = (token: string, password = PASSWORD) =>
    ask('/api/v3/operator-link/use', { token, password, transaction_password: TRANSACTION_PASSWORD });

  it('a start with another key of secrets is refused, until that is accepted', async () => {
    source = await makeTestDatabase(kind);
    await serve();
    await stop();
    const other = { ...production, SECRETS_KEY: '0c'.repeat(32) };
    await expect(serve(other)).rejects.toThrow(/sealed with another key[\s\S]*operator -- accept-key/);
    await serve();
    await stop();

    expect((await operator('accept-key')).text).toMatch(/next start takes the key that it finds/);
    await serve(other);
    await stop();
    await expect(serve()).rejects.toThrow(/sealed with another key/);
  });

  it('production refuses the demo accounts of a folder from development until they are removed', async () => {
    source = await makeTestDatabase(kind);
    await serve({ NODE_ENV: 'development', SECRETS_KEY: production.SECRETS_KEY });
    expect((await login('operator@cambist.test', 'operate-the-demo')).status).toBe(200);
    const trader = await login('trader@cambist.test', 'trade-the-demo');
    await stop();

    await expect(serve()).rejects.toThrow(
      /trader@cambist\.test and operator@cambist\.test[\s\S]*operator -- remove-demo/,
    );
    await serve({ ...production, ALLOW_DEVELOPMENT_PARTS: 'outbox,demo-accounts' });
    expect((await login('operator@cambist.test', 'operate-the-demo')).status).toBe(200);
    await stop();

    expect(await operator('remove-demo')).toEqual({
      code: 0,
      text: 'Removed: trader@cambist.test, operator@cambist.test\n',
    });
    await serve();
    expect((await login('operator@cambist.test', 'operate-the-demo')).status).toBe(401);
    expect((await ask('/api/v3/account-client', {}, String(trader.body.token))).status).toBe(401);
  });

  it('an operator is made by a link that is good once, and re-keyed and removed by the command', async () => {
    source = await makeTestDatabase(kind);
    const added = await operator('add', EMAIL);
    expect(added).toMatchObject({ code: 0, text: expect.stringContaining('is an operator') });
    const token = tokenIn(added.text);
    await serve();
    expect((await login(EMAIL, PASSWORD)).status).toBe(401);
    expect((await ask('/api/v3/operator-link/read', { token })).body).toMatchObject({ email: EMAIL });
    const twice = await Promise.all([useLink(token), useLink(token)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await ask('/api/v3/operator-link/read', { token })).body.code).toBe('LINK_INVALID');
    const session = String((await login(EMAIL, PASSWORD)).body.token);
    const account = () => ask('/api/v3/account-client', {}, session);
    expect((await account()).body).toMatchObject({ client: { role: 'operator' } });

    if (kind === 'pglite') {
      const refused = await operator('list');
      expect(refused.code).toBe(1);
      expect(refused.text).toMatch(/in use by another Cambist/);
      await stop();
    }
    expect((await operator('remove', EMAIL)).text).toContain('the last operator');
    const rekeyed = await operator('rekey', EMAIL);
    expect(rekeyed.code).toBe(0);
    expect((await operator('list')).text).toMatch(/not set up, without authenticator app, link until/);
    if (kind === 'pglite') await serve();
    await expect.poll(async () => (await account()).status, { timeout: 5000 }).toBe(401);
    expect((await login(EMAIL, PASSWORD)).status).toBe(401);
    expect((await useLink(tokenIn(rekeyed.text), 'another-one-of-the-chief')).status).toBe(200);
    expect((await login(EMAIL, 'another-one-of-the-chief')).status).toBe(200);

    if (kind === 'pglite') await stop();
    expect((await operator('remove', EMAIL, '--force')).code).toBe(0);
    expect((await operator('remove', EMAIL)).text).toContain('no operator with this address');
    if (kind === 'pglite') await serve();
    expect((await login(EMAIL, 'another-one-of-the-chief')).status).toBe(401);
  });

  it('a backup is made ready for its start: no key of an address that was shown since is given again', async () => {
    source = await makeTestDatabase(kind);
    const database = await source.open();
    await migrate(database);
    const addresses = createAddressStore(database);
    const [first, second] = [await addresses.takeIndex(1), await addresses.takeIndex(2)];
    expect(second).toBe(first + 1);
    await database.close();
    expect(await operator('after-restore')).toEqual({
      code: 0,
      text: `Deposit keys go on at ${second + 1_000_002}: no address that was shown since the backup is given to another client.\n`,
    });
    const later = await source.open();
    const again = createAddressStore(later);
    expect(await again.takeIndex(1)).toBe(first);
    expect(await again.takeIndex(3)).toBe(second + 1_000_002);
    expect(await later.query('SELECT act, reason FROM audit')).toContainEqual({
      act: 'skip-deposit-keys',
      reason: 'npm run operator',
    });
    await later.close();
  });

  it('says what is wrong, and makes no operator of a client', async () => {
    source = await makeTestDatabase(kind);
    expect(await operator()).toMatchObject({ code: 1, text: expect.stringContaining('-- add <email>') });
    expect(await operator('add')).toMatchObject({ code: 1, text: expect.stringContaining('-- add <email>') });
    expect((await operator('add', 'a,b@example.test')).text).toBe('This is not an email address.\n');
    expect((await operator('rekey', EMAIL)).text).toBe('There is no operator with this address.\n');
  });
});
