import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiabilityRun, OwnLiabilities, ReserveStatement } from '@cambist/contract/liabilities.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

const { verify } = (await import(new URL('../../../../web/public/verify-liabilities.mjs', import.meta.url).href)) as {
  verify(told: OwnLiabilities): Promise<{ coin: string; scale: number; sum: string }[]>;
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
      clients.set(name, await server.client(name, funds));
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
      for (const { coin, sum } of await verify(told)) sums.set(coin, (sums.get(coin) ?? 0n) + BigInt(sum));
    }
    for (const { coin, sum } of run.assets) expect([coin, sums.get(coin) ?? 0n]).toEqual([coin, BigInt(sum)]);
    expect(sums.get('USDT')).toBe(units('251000.50000001', 8));
    expect(sums.get('BTC')).toBe(units('2', 8));
    const annOwn = await verify(await own(ann));
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
    await verify(await own(clients.get('cleo') ?? '', `?batch=${runs[1]?.batch}`));
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
    expect((await verify(await own(clients.get('ben') ?? ''))).map(({ coin }) => coin).sort()).toEqual(['ETH', 'USDT']);
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
