import { issue } from '@cambist/core/ledger/issue.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

/** The first client that a test makes. */
const FIRST_OF_TEST = 1000;

describe.each(databaseKinds)('the wallet and its coins, through HTTP (%s)', (kind) => {
  let server: TestApp;
  afterEach(() => server.remove());

  const post = (url: string, token: string, payload: object) => server.call({ method: 'POST', url, token, payload });
  const order = (token: string, symbol: string, side: string, quantity: string, price: string) =>
    post('/api/v3/orders', token, { symbol, side, quantity, price, type: 'limit' });
  const get = async (url: string, token: string | undefined) =>
    (await server.call({ method: 'GET', url, ...(token === undefined ? {} : { token }) })).body as Record<
      string,
      unknown
    >;

  /** A client who has bought one bitcoin at 50,000, sold a tenth at 52,000, and offers a tenth at 54,000. */
  async function trader(): Promise<string> {
    const other = await server.trader('other', { BTC: '5', USDT: '500000' });
    const client = await server.trader('client', { USDT: '100000' });
    await order(other, 'BTC', 'SELL', '1', '50000');
    await order(client, 'BTC', 'BUY', '1', '50000');
    await order(other, 'BTC', 'BUY', '0.1', '52000');
    await order(client, 'BTC', 'SELL', '0.1', '52000');
    await order(client, 'BTC', 'SELL', '0.1', '54000');
    await vi.waitFor(
      async () =>
        expect(await get('/api/v3/wallets/cost-basis', client)).toMatchObject({
          complete: true,
          coins: [{ name: 'BTC' }],
        }),
      { timeout: 20_000 },
    );
    return client;
  }

  it('says the totals, what each coin is in the spot wallet, and what is held (T-calls-29, T-calls-30, T-wallet-overview-24..29, T-wallet-spot-12..18)', async () => {
    server = await startTestApp(kind);
    const client = await trader();
    const usdt = '55194.80000000';
    expect(await get('/api/v3/overview', client)).toMatchObject({
      // 0.899 BTC at 52000, and what is left of 100000 after 50000, and 5200 less the fee of 0.1 %.
      ...{ overviewTotal: '101942.80000000', spotTotal: '101942.80000000' },
      ...{ futureTotal: '0.00000000', earnTotal: '0.00000000' },
      pnl: { value: '1942.80000000', percentage: '1.94' },
    });
    const { wallet } = (await get('/api/v3/wallets/spot', client)) as { wallet: Record<string, string>[] };
    expect(wallet[1]).toEqual({
      ...{ name: 'BTC', full_name: 'Bitcoin', image: expect.stringMatching(/^\/icons\/btc/) },
      ...{ coin_value: '0.79900000', freeze_value: '0.10000000', usdt_value: '46748.00000000', price: '52000.0' },
    });
    expect(wallet[0]).toMatchObject({ name: 'USDT', coin_value: usdt, freeze_value: '0.00000000', usdt_value: usdt });
    expect(await get('/api/v3/wallet-balance?name=BTC', client)).toEqual({
      wallet: { wallet_balance: '0.79900000', freeze_balance: '0.10000000' },
    });
    for (const path of ['overview', 'wallets/spot', 'coin-spot-pnl', 'wallet-single-coin?name=BTC'])
      expect(await get(`/api/v3/${path}`, undefined), path).toMatchObject({ status: 401 });
  });

  it('says what the coins that are held have gained over their cost (T-calls-38, T-calls-56, T-wallet-overview-30, T-wallet-overview-31)', async () => {
    server = await startTestApp(kind);
    const client = await trader();
    // 0.999 BTC have cost 50000; of 0.899 the cost is 44994.99499…, and their worth 46748.
    const gained = { spotProfit: '1753.00500500', spotPercentage: '3.89', left_out: [] };
    expect(await get('/api/v3/coin-spot-pnl', client)).toEqual(gained);
    expect(await get('/api/v3/wallet-single-coin-pnl?name=btc', client)).toMatchObject({
      complete: true,
      pnl: {
        ...{ name: 'BTC', quantity: '0.89900000', unrealized: '1753.00500500', unrealized_percentage: '3.89' },
        // 5200 less the fee of 5.2, less what a tenth has cost.
        realized: '189.79499500',
      },
    });
    expect(await get('/api/v3/wallet-single-coin-pnl?name=ETH', client)).toEqual({ complete: true, pnl: null });
    const nothing = await server.trader('newcomer', {});
    expect(await get('/api/v3/coin-spot-pnl', nothing)).toEqual({
      ...{ spotProfit: '0.00000000', spotPercentage: null, left_out: [] },
    });
  });

  it('says what there is of one coin, its price, and its newest deposits; no other coin is known (T-calls-55, T-single-coin-09..13)', async () => {
    server = await startTestApp(kind);
    const client = await trader();
    expect(await get('/api/v3/wallet-single-coin?name=btc', client)).toEqual({
      coin: { name: 'BTC', full_name: 'Bitcoin', image: expect.stringMatching(/^\/icons\/btc/) },
      ...{ balance: '0.89900000', available_balance: '0.79900000', unavailable_balance: '0.10000000' },
      ...{ usdt_value: '46748.00000000', price: { close: '52000.0' }, deposit: [], withdraw: [] },
    });
    expect(await get('/api/v3/wallet-single-coin?name=USDT', client)).toMatchObject({ price: { close: '1' } });
    for (const path of ['wallet-single-coin', 'wallet-single-coin-pnl']) {
      expect(await get(`/api/v3/${path}?name=NOPE`, client)).toMatchObject({ status: 404, code: 'UNKNOWN_COIN' });
      expect(await get(`/api/v3/${path}`, client)).toMatchObject({ status: 422 });
    }
    const { wallet } = (await post('/api/v3/generate-wallet', client, { wallet_type: 'BTC' })).body as unknown as {
      wallet: { wallet_address: string };
    };
    expect(wallet.wallet_address).toBeTruthy();
    const sent = { network: 'BTC', coin: 'BTC', address: wallet.wallet_address, amount: '0.25' };
    expect((await post('/api/dev/chains/send', client, sent)).status).toBe(200);
    expect((await post('/api/dev/chains/mine', client, { network: 'BTC', blocks: 1 })).status).toBe(200);
    await server.app.deposits.sync();
    const { deposit } = (await get('/api/v3/wallet-single-coin?name=BTC', client)) as { deposit: unknown[] };
    expect(deposit).toMatchObject([{ coin: 'BTC', recharge_amount: expect.stringMatching(/^0\.250*$/) }]);
    expect(await get('/api/v3/wallet-single-coin?name=ETH', client)).toMatchObject({ deposit: [] });
  });

  it('says the price of each coin in each wallet, also where a balance is worth less than a unit, and none that nothing prices', async () => {
    server = await startTestApp(kind);
    const { engine } = server.app;
    const client = await server.trader('client', { USDT: '1000' });
    const seller = await server.trader('seller', {});
    const owners = [FIRST_OF_TEST, FIRST_OF_TEST + 1] as const;
    const submit = async (command: Parameters<typeof engine.sequencer.submit>[0]) =>
      expect((await engine.sequencer.submit(command)).outcome).toMatchObject({ ok: true });
    const terms = { quote: 0, minimumLots: 1, maximumLots: 1_000_000_000, minimumNotional: 1n, priceBandPpm: 0 };
    for (const [asset, code, scale] of [
      [900, 'TINY', 0],
      [901, 'ODD', 8],
      [902, 'NEW', 8],
    ] as const)
      await submit({ kind: 'list-asset', asset, code, scale });
    for (const [market, code, tickScale] of [
      [900, 'TINY', 8],
      [902, 'NEW', 2],
    ] as const) {
      const listing = { kind: 'list-market', market, symbol: `${code}-USDT`, base: market } as const;
      await submit({ ...listing, ...terms, tickScale, lotScale: 0 });
    }
    await submit(issue('development-credit', owners[1], 900, 10_000_000n));
    for (const asset of [901, 902]) await submit(issue('development-credit', owners[0], asset, 100_000_000n));
    await order(seller, 'TINY', 'SELL', '10000000', '0.00000012');
    expect(await order(client, 'TINY', 'BUY', '10000000', '0.00000012')).toMatchObject({
      body: { order: { filled: '10000000' } },
    });
    const { wallet } = (await get('/api/v3/wallets/spot', client)) as { wallet: Record<string, string>[] };
    const inSpot = (name: string) => wallet.find((row) => row.name === name);
    // Ten million less the fee of 0.1 %, rounded up.
    expect(inSpot('TINY')).toMatchObject({ coin_value: '9990000', usdt_value: '1.19880000', price: '0.00000012' });
    const prices = async (path: string, rows: string) => {
      const found = (await get(path, client))[rows] as {
        name?: string;
        coin?: { name: string };
        price: string | null;
      }[];
      const priceOf = (code: string) => found.find(({ name, coin }) => (name ?? coin?.name) === code)?.price;
      return ['USDT', 'TINY', 'ODD', 'NEW'].map(priceOf);
    };
    for (const path of ['wallets/spot', 'wallets/funding', 'wallets/future'])
      expect(await prices(`/api/v3/${path}`, 'wallet'), path).toEqual(['1', '0.00000012', null, null]);
    expect(await prices('/api/v3/trades/funds', 'funds')).toEqual(['1', '0.00000012', null, null]);
    for (const [name, close] of [
      ['TINY', '0.00000012'],
      ['ODD', null],
      ['NEW', null],
    ] as const)
      expect(await get(`/api/v3/wallet-single-coin?name=${name}`, client), name).toMatchObject({ price: { close } });
  });
});
