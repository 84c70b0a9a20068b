import type { Transfer } from '@cambist/contract/transfers.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { endsAfter } from '../../../test/ended-process.ts';

interface Coin {
  readonly name: string;
  readonly coin_value?: string;
  readonly available?: string;
  readonly freeze_value?: string;
  readonly margin_balance?: string;
}

const WITNESSES = ['JOURNAL', 'TABLES', 'BALANCES', 'RECONCILER', 'SNAPSHOT'];

describe.each(databaseKinds)('transfers through HTTP (%s)', (kind) => {
  let server: TestApp;
  let client: string;

  const get = (url: string, token = client) => server.call({ method: 'GET', url, token });
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    server.call({ method: 'POST', url, token: client, payload, headers });
  const wish = (change: object = {}) => ({
    from: 'SPOT',
    to: 'FUTURE',
    coin: 'USDT',
    amount: '100',
    transaction_password: TRANSACTION_PASSWORD,
    ...change,
  });
  const begin = async (change: object = {}, headers: Record<string, string> = {}) => {
    const answer = await post('/api/v3/transfers', wish(change), headers);
    return { ...answer, transfer: answer.body.transfer as unknown as Transfer };
  };
  const read = async (id: string) => (await get(`/api/v3/transfers/${id}`)).body.transfer as unknown as Transfer;
  const coinIn = async (wallet: 'spot' | 'future' | 'funding', coin = 'USDT') => {
    const rows = (await get(`/api/v3/wallets/${wallet}`)).body.wallet as unknown as Coin[];
    return rows.find(({ name }) => name === coin) as Coin;
  };
  const availableIn = async (wallet: 'spot' | 'future' | 'funding', coin = 'USDT') => {
    const row = await coinIn(wallet, coin);
    return Number(row.available ?? row.coin_value);
  };
  const completed = async (id: string) => {
    // The next pass would come by itself within a second.
    await server.app.reconciler.check();
    await expect.poll(async () => (await read(id)).state, { timeout: 20_000 }).toBe('COMPLETED');
    return read(id);
  };

  beforeAll(async () => {
    server = await startTestApp(kind, undefined, { RECONCILE_SECONDS: '1' });
    client = await server.trader('client', { USDT: '1000', BTC: '2' });
  });
  afterAll(() => server.remove());

  it('begins as PENDING, is confirmed by its five witnesses, and completes (T-transfer-01) (T-transfer-17)', async () => {
    const { status, transfer } = await begin();
    expect(status).toBe(200);
    expect(transfer).toMatchObject({
      state: 'PENDING',
      from: 'SPOT',
      to: 'FUTURE',
      coin: 'USDT',
      amount: '100.00000000',
    });
    expect(transfer.confirmations_required).toBe(5);
    expect(transfer.witnesses.map(({ name }) => name)).toEqual(WITNESSES);
    expect(await availableIn('spot')).toBe(900);
    const done = await completed(transfer.id);
    expect(done.confirmations).toBe(5);
    expect(done.witnesses.every(({ confirmed_at: at }) => at !== null && at >= done.created_at)).toBe(true);
    expect(await availableIn('spot')).toBe(900);
    expect(await availableIn('future')).toBe(100);
  });

  it('what is underway is still counted in the wallet that it leaves', async () => {
    const { transfer } = await begin({ to: 'FUNDING', amount: '50' });
    const overview = (await get('/api/v3/overview')).body as unknown as Record<string, string>;
    expect(Number(overview.overviewTotal)).toBe(
      Number(overview.spotTotal) + Number(overview.futureTotal) + Number(overview.fundingTotal),
    );
    await completed(transfer.id);
    expect(await availableIn('funding')).toBe(50);
    const after = (await get('/api/v3/overview')).body as unknown as Record<string, string>;
    expect(after.overviewTotal).toBe(overview.overviewTotal);
    expect(after.pnl).toMatchObject({ value: '0.00000000' });
  });

  it('the documented call moves into the futures wallet and back (T-calls-27) (T-calls-28)', async () => {
    const documented = (payload: object) =>
      post('/api/v3/futures/transfer', {
        coin_name: 'BTCUSDT',
        state: 'PENDING',
        transfer_amount: '0.5',
        transaction_password: TRANSACTION_PASSWORD,
        ...payload,
      });
    const into = await documented({ draw_type: 'DRAW_IN' });
    expect(into.body).toMatchObject({ message: 'success', transfer: { from: 'SPOT', to: 'FUTURE', coin: 'BTC' } });
    await completed((into.body.transfer as unknown as Transfer).id);
    expect(await availableIn('future', 'BTC')).toBe(0.5);
    const back = await documented({ draw_type: 'DRAW_OUT' });
    expect(back.body).toMatchObject({ message: 'success', transfer: { from: 'FUTURE', to: 'SPOT' } });
    await completed((back.body.transfer as unknown as Transfer).id);
    expect(await availableIn('spot', 'BTC')).toBe(2);
    expect((await documented({ draw_type: 'DRAW_IN', transaction_password: 'wrong!' })).body).toEqual({
      message: 'wrong_transaction_password',
    });
  });

  it('every path of the futures wallet answers alike (T-calls-31) (T-calls-32) (T-calls-33)', async () => {
    const paths = ['/api/v3/wallets/future', '/api/v2/future-wallet', '/api/v3/future-wallet'];
    const answers = await Promise.all(paths.map((path) => get(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[2]?.body).toEqual(answers[0]?.body);
    expect(await coinIn('future')).toMatchObject({ margin_balance: '100.00000000', upnl: '0.00000000' });
  });

  it('needs the transaction password, or the unlock that it gave to this session (T-transfer-28)', async () => {
    const payload = { username: 'client@example.test', password: PASSWORD };
    const { body: session } = await server.call({ method: 'POST', url: '/api/v3/login', payload });
    const locked = String(session.token);
    const ask = (token: string, change: object = {}, url = '/api/v3/transfers') =>
      server.call({
        method: 'POST',
        url,
        token,
        payload: { ...wish({ amount: '1', transaction_password: '' }), ...change },
      });
    const documented = { coin_name: 'USDT', state: 'PENDING', draw_type: 'DRAW_IN', transfer_amount: '1' };
    const refused = { status: 403, body: { code: 'TRANSACTION_PASSWORD_REQUIRED', message: 'Password is required' } };
    const before = await availableIn('spot');

    // A token alone moves nothing: the other session is unlocked, this one is not.
    expect(await ask(locked)).toMatchObject(refused);
    expect(await ask(locked, documented, '/api/v3/futures/transfer')).toMatchObject(refused);
    expect(await ask(locked, { transaction_password: 'wrong!' })).toMatchObject({
      status: 200,
      body: { message: 'wrong_transaction_password' },
    });
    expect(await availableIn('spot')).toBe(before);

    expect((await ask(client)).body.message).toBe('success');
    expect((await ask(client, documented, '/api/v3/futures/transfer')).body.message).toBe('success');
    expect(await availableIn('spot')).toBe(before - 2);
    // A password that is sent is checked, also while the session is unlocked.
    expect((await ask(client, { transaction_password: 'wrong!' })).body.message).toBe('wrong_transaction_password');

    const unlock = { transaction_password: TRANSACTION_PASSWORD, minutes: 5 };
    const lock = () => server.call({ method: 'DELETE', url: '/api/v3/trading-unlock', token: locked });
    await server.call({ method: 'POST', url: '/api/v3/trading-unlock', token: locked, payload: unlock });
    expect((await ask(locked, { from: 'FUTURE', to: 'SPOT' })).body.message).toBe('success');
    await lock();
    expect(await ask(locked)).toMatchObject(refused);
    // The client ends the session on another device.
    await server.call({ method: 'POST', url: '/api/v3/trading-unlock', token: locked, payload: unlock });
    await server.call({ method: 'POST', url: '/api/v3/logout', token: locked });
    expect((await ask(locked)).status).toBe(401);
    const done = await ask(client, { from: 'FUTURE', to: 'SPOT' });
    await completed((done.body.transfer as unknown as Transfer).id);
    expect(await availableIn('spot')).toBe(before);
  });

  it('refuses more than the wallet has, by its name (T-transfer-25) (T-transfer-26)', async () => {
    const refusal = async (change: object) => (await begin(change)).body.message;
    expect(await refusal({ amount: '100000' })).toBe('Insufficient balance in spot wallet');
    expect(await refusal({ from: 'FUTURE', to: 'SPOT', amount: '100.00000001' })).toBe(
      'Insufficient balance in future wallet',
    );
    expect(await refusal({ from: 'FUNDING', to: 'SPOT', amount: '51' })).toBe('Insufficient balance in funding wallet');
    expect(await refusal({ amount: '0' })).toMatch(/Amount is required$/);
    expect(await refusal({ amount: '0.000000001' })).toMatch(/decimal places/);
    expect(await refusal({ to: 'SPOT' })).toMatch(/Choose two different wallets$/);
    expect(await refusal({ coin: 'NOPE' })).toMatch(/no coin/);
  });

  it('the same key is one transfer, and another wish under it is refused', async () => {
    const before = await availableIn('spot');
    const key = { 'idempotency-key': 'once' };
    const answers = await Promise.all([begin({ amount: '10' }, key), begin({ amount: '10' }, key)]);
    expect(answers[0]?.transfer.id).toBe(answers[1]?.transfer.id);
    expect(await availableIn('spot')).toBe(before - 10);
    expect(await begin({ amount: '11' }, key)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    await completed(answers[0]?.transfer.id ?? '');
    expect((await begin({ amount: '10' }, key)).transfer).toMatchObject({
      id: answers[0]?.transfer.id,
      state: 'COMPLETED',
    });
    expect(await availableIn('spot')).toBe(before - 10);
  });

  it('moves between any two of the three wallets (T-transfer-14)', async () => {
    const moves = [
      ['SPOT', 'FUTURE'],
      ['FUTURE', 'FUNDING'],
      ['FUNDING', 'SPOT'],
    ] as const;
    for (const [from, to] of moves)
      await completed((await begin({ from, to, coin: 'BTC', amount: '0.1' })).transfer.id);
    const left = await Promise.all((['spot', 'future', 'funding'] as const).map((name) => availableIn(name, 'BTC')));
    expect(left).toEqual([2, 0, 0]);
    expect(await begin({ to: 'EARN' })).toMatchObject({ status: 422 });
  });

  it('completes while orders keep changing the same balances', async () => {
    const before = await availableIn('funding');
    let isTrading = true;
    let accepted = 0;
    const trading = (async () => {
      while (isTrading) {
        const order = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '90000', quantity: '0.0001' };
        accepted += (await post('/api/v3/orders', order)).status === 200 ? 1 : 0;
        await post('/api/v3/orders/cancel-all', {});
      }
    })();
    const begun = await Promise.all(Array.from({ length: 8 }, () => begin({ to: 'FUNDING', amount: '1' })));
    const done = await Promise.all(begun.map(({ transfer }) => completed(transfer.id)));
    isTrading = false;
    await trading;
    expect(accepted).toBeGreaterThan(8);
    expect(done.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'COMPLETED'));
    expect(await availableIn('funding')).toBe(before + 8);
  });

  it('nothing keeps funds in the futures wallet while no position is open (T-calls-26)', async () => {
    const { body } = await get('/api/v3/check-draw-out-status?client_id=1');
    expect(body).toEqual({ draw_status: 'YES', future_count: 0, positions: [] });
  });

  it('a stranger neither sees nor lists a transfer', async () => {
    const stranger = await server.trader('stranger', {});
    const { transfers } = (await get('/api/v3/transfers')).body as unknown as { transfers: Transfer[] };
    expect(transfers.length).toBeGreaterThan(3);
    expect((await get('/api/v3/transfers', stranger)).body).toEqual({ transfers: [] });
    expect((await get(`/api/v3/transfers/${transfers[0]?.id}`, stranger)).status).toBe(404);
  });

  it('a transfer that was underway completes after a restart, and the books agree', async () => {
    const { transfer } = await begin({ amount: '25' });
    await server.stop();
    server = await startTestApp(kind, server.source, { RECONCILE_SECONDS: '1' });
    client = await server.trader('client', {});
    await completed(transfer.id);
    expect(await server.app.reconciler.check()).toEqual([]);
    expect(await availableIn('future')).toBe(135);
  });
});

describe.each(databaseKinds)('a transfer that is not confirmed (%s)', (kind) => {
  const HOUR_MS = 3_600_000;
  let server: TestApp;
  let token: string;

  interface Push {
    readonly event?: string;
    readonly arg?: { readonly channel: string };
    readonly data?: readonly Transfer[];
  }

  async function follow(): Promise<{ readonly pushed: () => readonly Transfer[]; readonly close: () => void }> {
    const address = server.app.http.server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/v5/private`);
    const heard: Push[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Push));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ op: 'login', args: [{ token }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'login')).toBe(true);
    socket.send(JSON.stringify({ op: 'subscribe', args: [{ channel: 'transfers' }] }));
    await expect.poll(() => heard.some(({ event }) => event === 'subscribe')).toBe(true);
    return {
      pushed: () => heard.filter(({ arg }) => arg?.channel === 'transfers').flatMap(({ data }) => data ?? []),
      close: () => socket.close(),
    };
  }

  beforeAll(async () => {
    // No pass comes: the reconciler looks at who waits.
    server = await startTestApp(kind, undefined, { RECONCILE_SECONDS: '3600' });
    await server.app.http.listen({ port: 0, host: '127.0.0.1' });
    token = await server.trader('client', { USDT: '1000', BTC: '1' });
  });
  afterAll(() => server.remove());
  const begin = (amount: string) => {
    const payload = { from: 'SPOT', to: 'FUTURE', coin: 'USDT', amount, transaction_password: TRANSACTION_PASSWORD };
    return server.call({ method: 'POST', url: '/api/v3/transfers', token, payload });
  };

  it('is confirmed by the reconciler, however seldom its passes come', async () => {
    const { pushed, close } = await follow();
    await begin('1');
    await expect.poll(() => pushed().at(-1)?.state, { timeout: 10_000 }).toBe('COMPLETED');
    await begin('1');
    await expect.poll(() => pushed().filter(({ state }) => state === 'COMPLETED').length, { timeout: 10_000 }).toBe(2);
    close();
  });

  it('grows on the stream, is reversed in the end, gives the amount back and tells the client', async () => {
    // The reconciler confirms nothing while the client's own books do not agree, in whatever coin.
    await server.app.engine.projector.caughtUp();
    const [client] = await server.database.query<{ id: number }>('SELECT id FROM clients');
    const account = accountKey(client!.id, Wallet.SPOT, Bucket.AVAILABLE, 1);
    const spoil = (by: number) =>
      server.database.query(`UPDATE balances SET amount = amount + ${by} WHERE account = ${account}`);
    await spoil(1);
    const { pushed, close } = await follow();
    const begun = await begin('40');
    const { id } = begun.body.transfer as unknown as Transfer;
    await expect.poll(() => pushed().at(-1)?.confirmations, { timeout: 10_000 }).toBe(4);
    expect(pushed().map(({ confirmations }) => confirmations)).toEqual([1, 2, 3, 4]);
    // All but the reconciler: the second computation has it within seconds.
    const silent = pushed()
      .at(-1)
      ?.witnesses.filter((witness) => witness.confirmed_at === null);
    expect(silent?.map(({ name }) => name)).toEqual(['RECONCILER']);
    // The notice is written with the reversal: nothing that comes after is needed for it.
    const restart = endsAfter(server.database, /UPDATE transfers SET state/, /INTO notifications/);
    server.advance(6 * HOUR_MS);
    await expect.poll(() => pushed().at(-1)?.state, { timeout: 10_000 }).toBe('REVERSED');
    restart();
    expect(pushed().at(-1)).toMatchObject({ id, reason: 'NOT_CONFIRMED', confirmations: 4 });
    close();
    const wallet = (await server.call({ method: 'GET', url: '/api/v3/wallet-balance?name=USDT', token })).body.wallet;
    expect(wallet).toMatchObject({ wallet_balance: '998.00000000', freeze_balance: '0.00000000' });
    await expect
      .poll(async () => {
        const told = await server.call({ method: 'GET', url: '/api/v3/check-notification', token });
        return (told.body.notification as unknown as { title: string } | null)?.title;
      })
      .toBe('Transfer reversed');
    expect(await server.app.reconciler.check()).not.toEqual([]);
    await spoil(-1);
    expect(await server.app.reconciler.check()).toEqual([]);
  });
});
