/** Deposits through the whole server, on chains of development. */

import type { AnswerOf } from '@cambist/contract/call.ts';
import type { DepositNetwork, depositHistory, depositNetworks, NetworkName } from '@cambist/contract/deposits.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { createAlarmStore } from '../../exchange/ledger/alarm-store.ts';
import { byExchange } from '../../platform/authority.ts';

type Shown = AnswerOf<typeof depositHistory>['deposit'][number];
type Coins = AnswerOf<typeof depositNetworks>['coins'];

describe.each(databaseKinds)('deposits on %s', (kind) => {
  let app: TestApp;
  let clients = 0;

  beforeAll(async () => {
    app = await startTestApp(kind);
  });
  afterAll(() => app.remove());

  const client = () => {
    clients += 1;
    return app.client(`depositor-${clients}`, {});
  };
  const get = async <Answer>(url: string, token: string) =>
    (await app.call({ method: 'GET', url, token })).body as unknown as Answer;
  const post = (url: string, payload: object, token: string) => app.call({ method: 'POST', url, token, payload });
  const deposits = async (token: string) => (await get<{ deposit: Shown[] }>('/api/v3/deposit-history', token)).deposit;
  const addressOn = async (network: string, token: string): Promise<string> => {
    const { body } = await post('/api/v3/generate-wallet', { wallet_type: network }, token);
    return (body as unknown as { wallet: { wallet_address: string } }).wallet.wallet_address;
  };
  const chain = (network: NetworkName) => {
    const found = app.app.developmentChains.get(network);
    if (found === undefined) throw new Error(`${network} is not made in the process`);
    return found;
  };
  /** USDT that is gone, as after a withdrawal. */
  const leave = (owner: number, amount: bigint) =>
    app.app.engine.sequencer.submit({
      ...{ kind: 'transfer', reason: 'withdrawal', reference: owner, isPending: false, detail: '' },
      legs: [
        {
          from: accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, 0),
          to: accountKey(SystemOwner.CUSTODY, Wallet.SPOT, Bucket.AVAILABLE, 0),
          amount,
        },
      ],
    });
  const ownerOf = async (token: string) => (await app.app.accounts.sessions.authenticate(token))!.clientId;
  async function pay(network: NetworkName, coin: string, amount: string, token: string, blocks = 1): Promise<void> {
    const address = await addressOn(network, token);
    const sent = await post('/api/dev/chains/send', { network, coin, address, amount }, token);
    expect(sent.status).toBe(200);
    chain(network).mine(blocks);
    await app.app.deposits.sync();
  }

  it('come by the networks of the documents, with their figures (T-deposit-01, T-deposit-21..27, T-deposit-36, T-deposit-37, T-deposit-38, T-deposit-39, T-deposit-40, T-deposit-41, T-deposit-42, T-deposit-43, T-deposit-45, T-deposit-46, T-deposit-47, T-deposit-48, T-deposit-49, T-deposit-52)', async () => {
    const { body } = await app.call({ method: 'GET', url: '/api/v3/deposit-networks' });
    const { coins } = body as unknown as { coins: Coins };
    const row = ({
      value,
      arrival,
      confirmation,
      minimum,
      deposit_minimum,
      credited_at,
      unlocked_at,
    }: DepositNetwork) =>
      `${value} ${arrival} min ${confirmation} · ${minimum} ${deposit_minimum} · ${credited_at} ${unlocked_at}`;
    const dollar = [
      'TRC20 2 min 1 · 0.01 1 · 20 20',
      'ERC20 4–5 min 6 · 0.01 1 · 6 64',
      'BEP20 4–5 min 6 · 0.01 1 · 15 15',
    ];
    expect(coins.map(({ name, networks }) => [name, networks.map(row)])).toEqual([
      ['USDT', dollar],
      ['USDC', dollar],
      ['ETH', ['ERC20 4–5 min 6 · 0.000000001 0.0013 · 6 64']],
      ['BTC', ['BTC 5 min 6 · 0.001 0.0013 · 6 6']],
    ]);
    const names = { name: 'Ethereum (ERC20)', subname: 'ERC20', gasFee: '0' };
    expect(coins[0]?.networks[1]).toMatchObject(names);
    expect(coins[0]?.networks[0]).toMatchObject({
      name: 'Tron (TRC20)',
      subname: 'TRC20',
      gasFee: '0',
      trouble: null,
      is_development: true,
    });
  });

  it('have an address once it is asked for, by the network or the coin (T-calls-44, T-calls-45, T-calls-58, T-deposit-20)', async () => {
    const token = await client();
    const fetched = (type: string) => get(`/api/v3/fetch/address?wallet_type=${type}`, token);
    expect(await fetched('TRC20')).toEqual({ wallet: { wallet_address: null, network: 'TRC20' } });
    const made = await get('/api/v3/generate-wallet?wallet_type=USDT', token);
    const wallet = { wallet_address: expect.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/), network: 'TRC20' };
    expect(made).toEqual({ message: 'success', wallet });
    expect(await fetched('trc20')).toEqual({ wallet: (made as { wallet: object }).wallet });
    expect(await addressOn('ERC20', token)).toBe(await addressOn('BEP20', token));
    expect(await addressOn('BTC', token)).toMatch(/^bc1q[02-9ac-hj-np-z]{38}$/);
    const unknown = await post('/api/v3/generate-wallet', { wallet_type: 'DOGE' }, token);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'UNKNOWN_NETWORK']);
  });

  it('have one address of a client, of twenty requests at once too, and none of two clients', async () => {
    const [first, second] = [await client(), await client()];
    const asked = (token: string) => Array.from({ length: 20 }, () => addressOn('ERC20', token));
    const [mine, theirs] = await Promise.all([Promise.all(asked(first)), Promise.all(asked(second))]);
    expect([new Set(mine).size, new Set(theirs).size, new Set([...mine, ...theirs]).size]).toEqual([1, 1, 2]);
    await app.app.deposits.sync();
    expect(new Set([...mine, await addressOn('ERC20', first)]).size).toBe(1);
  });

  it('show pending until they are credited, and completed then (T-calls-46, T-deposit-15, T-deposit-16, T-deposit-17, T-deposit-18, T-deposit-19)', async () => {
    const token = await client();
    const sentAt = app.now();
    await pay('ERC20', 'USDT', '25.5', token);
    const [seen] = await deposits(token);
    expect(seen?.date).toBeGreaterThanOrEqual(sentAt);
    expect(seen?.date).toBeLessThanOrEqual(app.now());
    expect(seen).toMatchObject({
      ...{ coin: 'USDT', network: 'ERC20', recharge_amount: '25.50000000', recharge_status: 'PENDING', state: 'SEEN' },
      ...{ confirmations: 1, credited_at: 6, unlocked_at: 64, wallet_address: await addressOn('ERC20', token) },
    });
    expect(await get(`/api/v3/deposits/${seen?.id}`, token)).toEqual({ deposit: seen });
    expect((await app.call({ method: 'GET', url: `/api/v3/deposits/${seen?.id}`, token: await client() })).status).toBe(
      404,
    );
    app.advance(1000);
    chain('ERC20').mine(5);
    await app.app.deposits.sync();
    const [credited] = await deposits(token);
    expect(credited).toMatchObject({
      state: 'CREDITED',
      recharge_status: 'APPROVED',
      confirmations: 6,
      date: seen?.date,
    });
    expect(credited?.response_time).toBeGreaterThan(seen?.date ?? 0);
    const spot = await get<{ wallet: { name: string; coin_value: string }[] }>('/api/v3/wallets/spot', token);
    expect(spot.wallet.find(({ name }) => name === 'USDT')).toMatchObject({ coin_value: '25.50000000' });
    chain('ERC20').mine(100);
    await app.app.deposits.sync();
    expect(await deposits(token)).toMatchObject([{ state: 'UNLOCKED', confirmations: 64 }]);
  });

  it('raise an alarm where they come to the address of an account that has ended, and no other', async () => {
    const [gone, there] = [await client(), await client()];
    const { clientId } = (await app.app.accounts.sessions.authenticate(gone))!;
    const address = await addressOn('TRC20', gone);
    await app.app.accounts.clients.beginDeletion(byExchange(clientId), 0);
    expect(await app.app.accounts.clients.erase(clientId, app.now(), [])).toBe(true);
    const wish = { network: 'TRC20', coin: 'USDT', amount: '12.5' };
    for (const to of [address, await addressOn('TRC20', there)])
      expect((await post('/api/dev/chains/send', { ...wish, address: to }, there)).status).toBe(200);
    chain('TRC20').mine(30);
    await app.app.deposits.sync();
    const raised = (await createAlarmStore(app.database).alarms()).filter(
      ({ kind }) => kind === 'deposit-to-closed-account',
    );
    expect(raised.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(new RegExp(`^Deposit \\d+: 12.50000000 USDT by TRC20 came to client ${clientId}, `)),
    ]);
  });

  it('are listed newest first, by coin and by pages', async () => {
    const token = await client();
    await pay('TRC20', 'USDT', '2', token);
    await pay('TRC20', 'USDC', '3', token);
    await pay('TRC20', 'USDT', '4', token);
    expect((await deposits(token)).map(({ recharge_amount }) => Number(recharge_amount))).toEqual([4, 3, 2]);
    const page = await get<{ deposit: Shown[] }>('/api/v3/deposit-history?coin=usdt&limit=1', token);
    const next = `/api/v3/deposit-history?coin=usdt&limit=1&before=${page.deposit[0]?.id}`;
    const rest = await get<{ deposit: Shown[] }>(next, token);
    expect([...page.deposit, ...rest.deposit].map(({ recharge_amount }) => Number(recharge_amount))).toEqual([4, 2]);
  });

  it('are told once, with a mail in the language of the client, also when they are taken back', async () => {
    const token = await client();
    await pay('TRC20', 'USDT', '2', token, 20);
    await app.app.deposits.sync();
    type Notices = { notifications: { title: string; body: string; type: string; path: string }[] };
    const told = async () => (await get<Notices>('/api/v3/notifications', token)).notifications;
    const success = { type: 'deposit', title: 'Deposit Success', path: '/wallet/deposit' };
    expect(await told()).toMatchObject([{ ...success, body: '2 USDT has arrived in your spot wallet.' }]);
    chain('TRC20').reorganize(22, 'DROP');
    await app.app.deposits.sync();
    await app.app.deposits.sync();
    expect((await told()).map(({ title }) => title)).toEqual(['Deposit reversed', 'Deposit Success']);
    await app.app.outbox.run();
    const { body } = await app.call({ method: 'GET', url: `/api/dev/outbox?to=depositor-${clients}@example.test` });
    const subjects = (body as unknown as { messages: { subject: string }[] }).messages.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes('deposit')).sort()).toEqual([
      'Your deposit of 2 USDT has arrived',
      'Your deposit of 2 USDT was reversed',
    ]);
  });

  it('are owed once they are spent: what orders hold pays too, and transfers and opening orders wait', async () => {
    clients += 1;
    const token = await app.trader(`depositor-${clients}`, { BTC: '1' });
    const owner = await ownerOf(token);
    await pay('ERC20', 'USDT', '50', token, 6);
    const order = (side: string, price: string, quantity: string) =>
      post('/api/v3/orders', { symbol: 'BTC-USDT', side, type: 'limit', price, quantity }, token);
    expect((await order('BUY', '20000', '0.001')).status).toBe(200);
    await leave(owner, 12n * 10n ** 8n);
    chain('ERC20').reorganize(8, 'DROP');
    await app.app.deposits.sync();
    expect(app.app.engine.exchange.openOrdersOf(owner)).toEqual([]);
    const detail =
      'The network took back a deposit of yours, and you still owe 12 USDT. Withdrawals, transfers and opening orders wait until it is paid.';
    const refused = { status: 409, body: { code: 'DEPOSIT_REVERSED', detail } };
    const move = {
      from: 'SPOT',
      to: 'FUNDING',
      coin: 'BTC',
      amount: '0.5',
      transaction_password: TRANSACTION_PASSWORD,
    };
    expect(await post('/api/v3/transfers', move, token)).toMatchObject(refused);
    expect(await order('BUY', '20000', '0.001')).toMatchObject(refused);
    // What brings in the coin that is owed may be placed.
    expect((await order('SELL', '90000', '0.001')).status).toBe(200);
    await pay('ERC20', 'USDT', '30', token, 6);
    const wallet = app.app.engine.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, 0));
    expect(wallet).toBe(18n * 10n ** 8n);
    expect((await post('/api/v3/transfers', move, token)).body).toMatchObject({ message: 'success' });
  });

  it('are owed in full whatever a client moves meanwhile, and the account ends once they are paid', async () => {
    const token = await client();
    const owner = await ownerOf(token);
    await pay('ERC20', 'USDT', '50', token, 6);
    const move = (from: string, to: string) =>
      post(
        '/api/v3/transfers',
        { from, to, coin: 'USDT', amount: '7', transaction_password: TRANSACTION_PASSWORD },
        token,
      );
    await leave(owner, 10n * 10n ** 8n);
    chain('ERC20').reorganize(8, 'DROP');
    const moves = Array.from({ length: 8 }, () => move('SPOT', 'FUNDING'));
    const rounds = Promise.all([app.app.deposits.sync(), app.app.deposits.sync()]);
    const answers = await Promise.all(moves);
    await rounds;
    expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true);
    const owed = async () => {
      const [row] = await app.database.query<{ amount: bigint }>(
        'SELECT sum(amount)::numeric AS amount FROM deposit_debts WHERE owner = $1',
        [owner],
      );
      return row?.amount;
    };
    await vi.waitFor(async () => {
      await app.app.deposits.sync();
      expect(await owed()).toBe(10n * 10n ** 8n);
    }, 20_000);
    expect((await move('FUNDING', 'SPOT')).body).toMatchObject({ code: 'DEPOSIT_REVERSED' });
    const { exchange } = app.app.engine;
    expect(
      exchange
        .accountsOf(owner)
        .map((account) => exchange.balance(account))
        .filter((balance) => balance !== 0n),
    ).toEqual([]);
    // Nothing is left in the account, and it ends all the same only once the debt is paid.
    const { clients: accounts } = app.app.accounts;
    await accounts.beginDeletion(byExchange(owner), 0);
    const erase = async () =>
      accounts.erase(owner, app.now(), [{ sql: 'SELECT hold_no_debt($1)', parameters: [owner] }]);
    await expect(erase()).rejects.toThrow('debt');
    await pay('ERC20', 'USDT', '10', token, 6);
    expect(await erase()).toBe(true);
  });

  it('are counted for Prometheus, chain by chain', async () => {
    const { body } = await app.app.http.inject({ method: 'GET', url: '/metrics' });
    expect(body).toMatch(/cambist_chain_head_height\{network="ERC20"\} [1-9]/);
    expect(body).toContain('cambist_chain_lag_blocks{network="BTC"} 0');
    expect(body).toContain('cambist_chain_trouble{network="TRC20"} 0');
  });

  it('refuse to be sent where they would be lost', async () => {
    const token = await client();
    const address = await addressOn('BTC', token);
    const send = async (payload: object) => {
      const all = { network: 'BTC', coin: 'BTC', address, amount: '1', ...payload };
      return (await post('/api/dev/chains/send', all, token)).body.code;
    };
    expect(await send({ address: address.slice(0, -1) })).toBe('INVALID_ADDRESS');
    expect(await send({ coin: 'USDT' })).toBe('UNKNOWN_COIN');
    expect(await send({ amount: '0.000000001' })).toBe('TOO_MANY_DECIMALS');
    expect(await send({ amount: '0' })).toBe('INVALID_AMOUNT');
  });
});

it('deposits and their chains survive a restart, and an address that the signer derives otherwise is not shown', async () => {
  let app = await startTestApp('postgres');
  const { source } = app;
  const token = await app.client('depositor', {});
  const wallet = async () => {
    const { status, body } = await app.call({ method: 'GET', url: '/api/v3/fetch/address?wallet_type=TRC20', token });
    return { status, ...(body as { wallet?: { wallet_address: string }; code?: string }) };
  };
  await app.call({ method: 'POST', url: '/api/v3/generate-wallet', token, payload: { wallet_type: 'TRC20' } });
  const before = await wallet();
  const address = before.wallet?.wallet_address ?? '';
  const payload = { network: 'TRC20', coin: 'USDT', address, amount: '5' };
  await app.call({ method: 'POST', url: '/api/dev/chains/send', token, payload });
  await app.stop();

  app = await startTestApp('postgres', source);
  expect(await wallet()).toEqual(before);
  app.app.developmentChains.get('TRC20')?.mine(20);
  await app.app.deposits.sync();
  const { body } = await app.call({ method: 'GET', url: '/api/v3/account-client', token });
  const owner = Number((body as unknown as { client: { id: number } }).client.id);
  const usdt = app.app.engine.exchange.assets().find(({ code }) => code === 'USDT')?.id ?? -1;
  const spot = accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, usdt);
  expect(app.app.engine.exchange.balance(spot)).toBe(500_000_000n);
  await app.stop();

  const xpub =
    'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj';
  app = await startTestApp('postgres', source, { DEPOSIT_XPUB_TRON: xpub });
  expect(await wallet()).toMatchObject({ status: 503, code: 'ADDRESS_NOT_VERIFIED' });
  const database = await source.open();
  expect(await database.query('SELECT kind FROM alarms')).toEqual([{ kind: 'deposit-address' }]);
  await database.close();
  await app.remove();
});
