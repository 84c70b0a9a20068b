import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  LIABILITIES_VERSION,
  type LiabilityRun,
  liabilityLeaves,
  type OwnLiabilities,
  type ReserveStatement,
} from '@cambist/contract/liabilities.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds, makeTestDatabase } from '../../../test/databases.ts';
import { type CallServer, Download, Refusal } from '../../platform/calls.ts';
import { createEncryption } from '../../platform/encryption.ts';
import { createLogger } from '../../platform/logger.ts';
import { migrate } from '../../platform/migrations.ts';
import { signColdReserves } from '../../signer/cold.ts';
import { coldReserves } from '../../signer/reserves.ts';
import { SignedFile } from '../../signer/signed-file.ts';
import { Signer } from '../../signer/signer.ts';
import { serveLiabilities } from './routes.ts';
import { Liabilities } from './service.ts';
import { createLiabilityStore, type Run } from './store.ts';

interface Own {
  readonly uid: string;
  readonly email: string;
}

const { verify } = (await import(new URL('../../../../web/public/verify-liabilities.mjs', import.meta.url).href)) as {
  verify(told: OwnLiabilities, own: Own): Promise<{ coin: string; scale: number; sum: string }[]>;
};

const units = (text: string, scale: number) => {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(scale, '0'));
};

describe.each(databaseKinds)('the proof of liabilities (%s)', (kind) => {
  let server: TestApp;
  let operator: string;
  const clients = new Map<string, string>();

  const get = (url: string, token?: string) => server.call({ method: 'GET', url, ...(token ? { token } : {}) });
  const make = () => server.call({ method: 'POST', url: '/api/v3/admin/liabilities', token: operator });
  const made = async () => (await make()).body.run as unknown as LiabilityRun;
  const own = async (token: string, query = '') =>
    (await get(`/api/v3/liabilities/own${query}`, token)).body as unknown as OwnLiabilities;
  /** As the profile shows them to the client. */
  const profile = async (token: string): Promise<Own> => {
    const { client } = (await get('/api/v3/account-client', token)).body as unknown as {
      client: { user: { user_unique_id: string; email: string } };
    };
    return { uid: client.user.user_unique_id, email: client.user.email };
  };
  const checked = async (token: string, query = '') => verify(await own(token, query), await profile(token));
  const give = (token: string, coin: string, amount: string) =>
    server.call({ method: 'POST', url: '/api/dev/faucet', token, payload: { coin, amount } });
  const folders = () => readdirSync(join(server.source.environment.DATA_DIR ?? '', 'liabilities'));

  beforeAll(async () => {
    server = await startTestApp(kind);
    for (const [name, funds] of Object.entries({
      ann: { USDT: '1000', BTC: '2' },
      ben: { USDT: '0.00000001' },
      cleo: { ETH: '5', USDT: '250000.5' },
    }))
      clients.set(name, await server.trader(name, funds));
    await server.app.accounts.ensure('op@example.test', PASSWORD, 'another', 'operator');
    const payload = { username: 'op@example.test', password: PASSWORD };
    operator = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
  });
  afterAll(() => server.remove());

  it('is empty before the first run, and says so', async () => {
    expect((await get('/api/v3/liabilities')).body).toEqual({ runs: [] });
    expect(await get('/api/v3/liabilities/own', clients.get('ann'))).toMatchObject({
      status: 404,
      body: { code: 'NO_RUN' },
    });
    expect((await get('/api/v3/liabilities/own')).status).toBe(401);
  });

  it('counts every client whole: available, in orders, in every wallet; and each can check it', async () => {
    const ann = clients.get('ann') ?? '';
    const order = { name: 'BTCUSDT', side: 'SELL', type: 'limit', quantity: '0.5', price: '100000' };
    await server.call({ method: 'POST', url: '/api/v3/orders', token: ann, payload: order });
    const run = await made();
    expect(run).toMatchObject({ is_open: true });
    const sums = new Map<string, bigint>();
    for (const token of clients.values()) {
      const told = await own(token);
      expect(told.run.commitment).toBe(run.commitment);
      for (const { coin, sum } of await verify(told, await profile(token)))
        sums.set(coin, (sums.get(coin) ?? 0n) + BigInt(sum));
    }
    for (const { coin, sum } of run.assets) expect([coin, sums.get(coin) ?? 0n]).toEqual([coin, BigInt(sum)]);
    expect(sums.get('USDT')).toBe(units('251000.50000001', 8));
    expect(sums.get('BTC')).toBe(units('2', 8));
    const annOwn = await checked(ann);
    expect(annOwn.map(({ coin, sum }) => [coin, sum]).sort()).toEqual([
      ['BTC', '200000000'],
      ['USDT', '100000000000'],
    ]);
  });

  it('made twice of the same batch, also at once, is one run', async () => {
    const [one, other, third] = [...(await Promise.all([made(), made()])), await made()];
    expect(other).toEqual(one);
    expect(third).toEqual(one);
    const { runs } = (await get('/api/v3/liabilities')).body as unknown as { runs: LiabilityRun[] };
    expect(runs).toHaveLength(1);
  });

  it('keeps the trees of two runs, and totals and commitments of all', async () => {
    const first = await made();
    for (const amount of ['1', '2']) {
      await give(clients.get('ben') ?? '', 'USDT', amount);
      await made();
    }
    const { runs } = (await get('/api/v3/liabilities')).body as unknown as { runs: LiabilityRun[] };
    expect(runs.map(({ is_open }) => is_open)).toEqual([true, true, false]);
    expect(folders().sort()).toEqual(
      runs
        .slice(0, 2)
        .map(({ batch }) => String(batch))
        .sort(),
    );
    expect(await get(`/api/v3/liabilities/own?batch=${first.batch}`, clients.get('ann'))).toMatchObject({
      status: 410,
    });
    // The one before the newest can still be checked.
    await checked(clients.get('cleo') ?? '', `?batch=${runs[1]?.batch}`);
    expect(runs[2]?.commitment).toBe(first.commitment);
  });

  it('leaves what a process that died has left to nobody: a folder without a row, and half of one', async () => {
    await give(clients.get('ben') ?? '', 'ETH', '1');
    const directory = join(server.source.environment.DATA_DIR ?? '', 'liabilities');
    for (const name of ['999999', 'abc.partial']) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, '0.nodes'), 'half');
    }
    const run = await made();
    expect(folders()).not.toContain('999999');
    expect(folders()).not.toContain('abc.partial');
    expect((await checked(clients.get('ben') ?? '')).map(({ coin }) => coin).sort()).toEqual(['ETH', 'USDT']);
    expect(run.assets.find(({ coin }) => coin === 'ETH')?.total).toBe('6.00000000');
  });

  it('gives everybody the leaves, which add up to the total', async () => {
    const run = await made();
    const usdt = run.assets.find(({ coin }) => coin === 'USDT');
    const answer = await server.app.http.inject({ url: `/api/v3/liabilities/leaves?batch=${run.batch}&coin=usdt` });
    const lines = answer.body.trim().split('\n');
    expect(lines).toHaveLength(usdt?.leaves ?? 0);
    expect(lines.reduce((sum, line) => sum + BigInt(line.split(' ')[1] ?? ''), 0n)).toBe(BigInt(usdt?.sum ?? 0));
    expect((await get(`/api/v3/liabilities/leaves?batch=${run.batch}&coin=NOPE`)).status).toBe(404);
    expect((await get('/api/v3/liabilities/leaves?batch=1&coin=USDT')).status).toBe(404);
  });

  it('is published with what is held, signed by the hot wallets; the script says so of the files, and refuses others', async () => {
    const run = await made();
    expect(run.reserves?.signers.length).toBeGreaterThan(1);
    const directory = join(server.source.environment.DATA_DIR ?? '', 'published');
    mkdirSync(directory, { recursive: true });
    const statement = await server.app.http.inject({ url: `/api/v3/liabilities/reserves?batch=${run.batch}` });
    const leaves = await server.app.http.inject({ url: `/api/v3/liabilities/leaves?batch=${run.batch}&coin=USDT` });
    const files = { statement: join(directory, 'reserves.json'), leaves: join(directory, 'liabilities-1-USDT.txt') };
    const check = (of: object, text: string) => {
      writeFileSync(files.statement, JSON.stringify(of));
      writeFileSync(files.leaves, text);
      const script = new URL('../../../../web/public/verify-reserves.mjs', import.meta.url).pathname;
      const ended = spawnSync(process.execPath, [script, files.statement, files.leaves], { encoding: 'utf8' });
      return { code: ended.status, said: ended.stdout, wrong: /Error: (.*)/.exec(ended.stderr)?.[1] };
    };
    const published = statement.json<ReserveStatement>();
    const good = check(published, leaves.body);
    expect(good).toMatchObject({ code: 0, wrong: undefined });
    expect(good.said).toContain('USDT adds up to its root');
    expect(good.said).toContain(`Commitment of batch ${run.batch}: ${run.commitment}`);
    for (const signer of run.reserves?.signers ?? []) expect(good.said).toContain(`Signed by ${signer}`);
    expect(check({ ...published, signatures: [] }, leaves.body)).toMatchObject({ code: 2, wrong: undefined });
    expect(check({ ...published, time: published.time + 1 }, leaves.body)).toMatchObject({ code: 1 });
    const [line = ''] = leaves.body.split('\n');
    const more = leaves.body.replace(
      line,
      line.replace(/\d+$/, (sum) => String(BigInt(sum) + 1n)),
    );
    expect(check(published, more)).toMatchObject({ code: 1, wrong: 'USDT does not add up to its root' });
    const assets = published.assets.map((asset) => ({ ...asset, sum: '0' }));
    expect(check({ ...published, assets }, leaves.body).wrong).toContain('not those of the commitment');
    expect((await get('/api/v3/liabilities/reserves?batch=1')).status).toBe(404);
  }, 60_000);

  it('shows what a cold wallet holds apart until its own machine has signed, and takes that once', async () => {
    const folder = server.source.environment.DATA_DIR ?? '';
    const signed = new SignedFile(join(folder, 'cold-signed.jsonl'), 'make');
    const cold = new Signer({ seed: Buffer.alloc(32, 7), signed, clock: Date, policy: () => ({ networks: {} }) });
    const address = cold.hotAddress('ERC20');
    writeFileSync(join(folder, 'development-cold.json'), JSON.stringify({ ERC20: address }));
    const chain = server.app.developmentChains.get('ERC20');
    chain?.send({ contract: null, address: address.toLowerCase(), units: 3n * 10n ** 18n });
    chain?.mine(1);
    await give(clients.get('ben') ?? '', 'ETH', '1');
    const run = await made();
    expect(run.reserves?.cold).toEqual([{ address, signed_at: null }]);
    expect(run.reserves?.holdings).toContainEqual(
      expect.objectContaining({ kind: 'cold', coin: 'ETH', address, amount: '3.000000000000000000' }),
    );

    const fileUrl = (of: string) => `/api/v3/admin/reserves/${run.batch}/cold-file?address=${of}`;
    expect((await get(fileUrl(address), clients.get('ann'))).status).toBe(403);
    expect((await get(fileUrl(run.reserves?.signers[0] ?? ''), operator)).status).toBe(404);
    const { file } = (await get(fileUrl(address), operator)).body as unknown as { file: string };
    const { signed: text } = await signColdReserves({ signer: cold }, coldReserves.parse(JSON.parse(file)).statement);
    const upload = (of: string, token = operator) =>
      server.call({
        ...{ method: 'POST', url: '/api/v3/admin/reserves/cold-signatures', token, payload: { file: of } },
      });
    expect((await upload(text, clients.get('ann'))).status).toBe(403);
    expect((await upload(text)).body).toMatchObject({ code: 'STEP_UP_REQUIRED' });
    const proof = { purpose: 'treasury', transaction_password: 'another' };
    await server.call({ method: 'POST', url: '/api/v3/step-up', token: operator, payload: proof });
    const changed = (values: object) => JSON.stringify({ ...JSON.parse(text), ...values });
    expect((await upload(file)).body).toMatchObject({ code: 'UNREADABLE' });
    expect((await upload(changed({ batch: 1 }))).body).toMatchObject({ code: 'OTHER_RUN' });
    expect((await upload(changed({ address: address.toLowerCase() }))).body).toMatchObject({ code: 'OTHER_ADDRESS' });
    expect((await upload(changed({ signature: `0x${'1'.repeat(128)}1b` }))).body).toMatchObject({ code: 'NOT_SIGNED' });
    const two = await Promise.all([upload(text), upload(text)]);
    expect(two.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await upload(text)).body).toMatchObject({ code: 'ALREADY_SIGNED' });

    const again = await made();
    expect(again.reserves?.cold).toEqual([{ address, signed_at: expect.any(Number) }]);
    const path = join(folder, 'cold-reserves.json');
    const published = await server.app.http.inject({ url: `/api/v3/liabilities/reserves?batch=${run.batch}` });
    writeFileSync(path, published.body);
    const script = new URL('../../../../web/public/verify-reserves.mjs', import.meta.url).pathname;
    expect(spawnSync(process.execPath, [script, path], { encoding: 'utf8' })).toMatchObject({
      ...{ status: 0, stdout: expect.stringContaining(`Signed by ${address}`) },
    });
    const acts = await get('/api/v3/admin/audit?act=sign-cold-reserves', operator);
    expect((acts.body as unknown as { entries: unknown[] }).entries.length).toBeGreaterThan(2);
  }, 60_000);

  it('binds a run to UID and email as they were when it was made, and says which', async () => {
    const token = await server.trader('Dora', { USDT: '9' });
    const before = await profile(token);
    const wallet = await server.trader('wallet', { USDT: '8' });
    // As an account is that came by wallet.
    const change = (email: string, key: string, from: string) =>
      server.database.query('UPDATE clients SET email = $1, email_key = $2 WHERE email = $3', [email, key, from]);
    await change('', 'wallet:0x1', 'wallet@example.test');
    const run = await made();

    const told = await own(token);
    expect(told).toMatchObject({ run: { version: 2 }, identity: { uid: before.uid, email: 'dora@example.test' } });
    expect(before.email).toBe('Dora@example.test');
    expect(await checked(token)).toMatchObject([{ coin: 'USDT', sum: '900000000' }]);
    await change('other@example.test', 'other@example.test', 'Dora@example.test');
    await expect(checked(token)).rejects.toThrow('bound to the email dora@example.test, not to yours');
    expect(await verify(await own(token), before)).toHaveLength(1);
    await expect(verify(told, await profile(clients.get('ann') ?? ''))).rejects.toThrow('bound to the UID');

    expect((await own(wallet)).identity).toMatchObject({ uid: (await profile(wallet)).uid, email: '' });
    expect(await checked(wallet)).toMatchObject([{ coin: 'USDT', sum: '800000000' }]);
    await change('wallet@example.test', 'wallet@example.test', '');
    await expect(checked(wallet)).rejects.toThrow('bound to no email');

    // An account that is newer than the run has no identity in it.
    expect(await get('/api/v3/liabilities/own', await server.trader('newer', {}))).toMatchObject({
      ...{ status: 404, body: { code: 'NEWER_ACCOUNT' } },
    });
    const folder = join(server.source.environment.DATA_DIR ?? '', 'liabilities', String(run.batch));
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(files.filter((bytes) => bytes.includes('@example') || bytes.includes(before.uid))).toEqual([]);
  });

  it('reads the accounts page by page, in the order of their numbers, each once', async () => {
    await server.database.query(
      `INSERT INTO clients (email, email_key, password_hash, transaction_password_hash, unique_id, role, provider, locale,
                            created_at)
       SELECT '', 'many:' || n, '', '', 'many-' || n, 'client', 'wallet', 'en', 0 FROM generate_series(1, 2500) AS n`,
    );
    const pages: number[][] = [];
    for await (const page of server.app.accounts.accountPages()) pages.push(page.map(({ id }) => id));
    const ids = pages.flat();
    expect(Math.max(...pages.map(({ length }) => length))).toBe(1_000);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    const [{ count } = { count: 0 }] = await server.database.query<{ count: number }>('SELECT count(*) FROM clients');
    expect(ids).toHaveLength(count);
    await give(clients.get('ben') ?? '', 'ETH', '1');
    await made();
    expect(await checked(clients.get('ben') ?? '')).toHaveLength(2);
  });

  it('shows a run of version 1 closed', async () => {
    await server.database.query(
      `INSERT INTO liability_runs (batch, version, state_hash, commitment, made_at)
       SELECT max(batch) + 1, 1, 'ab', $1, max(made_at) FROM liability_runs`,
      ['00'.repeat(32)],
    );
    const { runs } = (await get('/api/v3/liabilities')).body as unknown as { runs: LiabilityRun[] };
    expect(runs[0]).toMatchObject({ version: 1, is_open: false });
    expect(await get('/api/v3/liabilities/own', clients.get('ann'))).toMatchObject({ status: 410 });
    await server.database.query('DELETE FROM liability_runs WHERE version = 1');
  });

  it('is made for operators who keep the treasury alone, and is on record', async () => {
    const asClient = await server.call({
      method: 'POST',
      url: '/api/v3/admin/liabilities',
      token: clients.get('ann') ?? '',
    });
    expect(asClient.status).toBe(403);
    const acts = async () => {
      const { entries } = (await get('/api/v3/admin/audit?act=prove-liabilities', operator)).body as unknown as {
        entries: unknown[];
      };
      return entries.length;
    };
    const before = await acts();
    await made();
    expect(await acts()).toBe(before + 1);
  });
});

/** Without a snapshot: how often it would have made a run, beside those that there are. */
function withoutSnapshots(runs: readonly Run[]) {
  let asked = 0;
  const liabilities = new Liabilities({
    store: { newest: async () => [...runs], run: async () => undefined, add: async () => [] },
    snapshot: async () => {
      asked += 1;
      return undefined;
    },
    async *accounts() {},
    ...{ directory: '', encryption: createEncryption(Buffer.alloc(32)), clock: Date, logger: createLogger('silent') },
    reserves: {
      ...{ complete: async () => undefined, of: async () => new Map() },
      ...{ coldFile: async () => undefined, takeCold: async () => undefined },
    },
  });
  return { liabilities, asked: () => asked };
}

const runOf = (madeAt: number): Run => ({
  ...{ batch: 1, version: LIABILITIES_VERSION, stateHash: 'ab', commitment: '' },
  ...{ madeAt, secret: undefined, assets: [] },
});

it('has its first run soon, and none beside one that is there', async () => {
  const runs: Run[] = [];
  const { liabilities, asked } = withoutSnapshots(runs);
  await liabilities.makeFirst();
  expect(asked()).toBe(1);
  runs.push(runOf(0));
  await liabilities.makeFirst();
  expect(asked()).toBe(1);
});

it('has the next run in its time where the clock was set back, and not years later', async () => {
  const [hour, year] = [3_600_000, 365 * 86_400_000];
  const due = async (madeAt: number) => {
    const { liabilities, asked } = withoutSnapshots([runOf(madeAt)]);
    await liabilities.makeAfter(24 * hour);
    return asked();
  };
  expect(await due(Date.now() - 25 * hour)).toBe(1);
  expect(await due(Date.now() - 23 * hour)).toBe(0);
  expect(await due(Date.now() + year)).toBe(1);
});

it('follows a run of version 1 with a new one at once', async () => {
  const { liabilities, asked } = withoutSnapshots([{ ...runOf(Date.now()), version: 1 }]);
  await liabilities.makeAfter(24 * 3_600_000);
  expect(asked()).toBe(1);
});

it.each(databaseKinds)('closes runs of version 1 that an older version left (%s)', async (kind) => {
  const source = await makeTestDatabase(kind, 'empty');
  const database = await source.open();
  try {
    await migrate(database, '0099_erased_confirmations.sql');
    await database.query(
      `INSERT INTO liability_runs (batch, state_hash, commitment, made_at, secret) VALUES (7, 'ab', 'cd', 1, 'sealed')`,
    );
    await migrate(database);
    expect(await createLiabilityStore(database).newest(1)).toEqual([
      { batch: 7, version: 1, stateHash: 'ab', commitment: 'cd', madeAt: 1, secret: undefined, assets: [] },
    ]);
  } finally {
    await database.close();
    await source.remove();
  }
});

it('gives a network one file of leaves at a time: who takes them slowly keeps them from no other network', async () => {
  const handlers = new Map<unknown, (request: object) => Promise<Download | Refusal>>();
  const calls = { serve: (call: unknown, handler: never) => void handlers.set(call, handler) };
  const leaves = async () =>
    (async function* () {
      yield 'a leaf';
    })();
  serveLiabilities(calls as unknown as CallServer, { liabilities: { leaves } as never, audit: {} as never });
  const ask = async (ip: string) =>
    handlers.get(liabilityLeaves)?.({ query: { batch: 1, coin: 'USDT' }, http: { ip } });
  const slow: unknown[] = [];
  for (let time = 0; time < 5; time += 1) slow.push(await ask('2001:db8::1'));
  expect(await ask('192.0.2.1')).toBeInstanceOf(Download);
  expect(slow.filter((answer) => answer instanceof Download)).toHaveLength(1);
  expect(slow.at(-1)).toBeInstanceOf(Refusal);
  const [first] = slow as [Download];
  for await (const text of first.text) expect(text).toBe('a leaf');
  expect(await ask('2001:db8::2')).toBeInstanceOf(Download);
});
