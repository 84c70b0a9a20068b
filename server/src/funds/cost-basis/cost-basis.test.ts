import type { AnswerOf } from '@cambist/contract/call.ts';
import type { Quote } from '@cambist/contract/convert.ts';
import type { costBasis } from '@cambist/contract/cost-basis.ts';
import { issue } from '@cambist/core/ledger/issue.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { naiveCostBasis, storedCostBasis } from '../../../test/naive-cost-basis.ts';

type Answer = AnswerOf<typeof costBasis>;
/** The first client that a test makes. */
const FIRST_OF_TEST = 1000;
const DAY_MS = 86_400_000;
const SEED = 20_261_123;

describe.each(databaseKinds)('what coins have cost, through HTTP (%s)', (kind) => {
  let server: TestApp;
  afterEach(() => server.remove());

  const post = (url: string, token: string, payload: object) => server.call({ method: 'POST', url, token, payload });
  const order = (token: string, symbol: string, side: string, quantity: string, price?: string) => {
    const terms = price === undefined ? { type: 'market' } : { type: 'limit', price };
    return post('/api/v3/orders', token, { symbol, side, quantity, ...terms });
  };
  const faucet = (token: string, coin: string, amount: string) => post('/api/dev/faucet', token, { coin, amount });
  const costs = (token: string) =>
    vi.waitFor(
      async () => {
        const { status, body } = await server.call({ method: 'GET', url: '/api/v3/wallets/cost-basis', token });
        expect({ status, complete: body.complete }).toEqual({ status: 200, complete: true });
        return body as unknown as Answer;
      },
      { timeout: 20_000 },
    );
  const coin = async (token: string, name: string) => (await costs(token)).coins.find((one) => one.name === name);

  it('averages what was paid, counts a sale at the average, and starts the day at midnight UTC', async () => {
    server = await startTestApp(kind);
    server.advance(1.5 * DAY_MS - (server.now() % DAY_MS));
    const seller = await server.trader('seller', { BTC: '5', USDT: '500000' });
    const client = await server.trader('client', { USDT: '100000' });
    expect((await costs(client)).coins).toEqual([]);
    for (const price of ['50000', '52000']) {
      await order(seller, 'BTC', 'SELL', '0.1', price);
      await order(client, 'BTC', 'BUY', '0.1', price);
    }
    // The taker's fee of 0.1 % comes off what was bought: 10200 USDT for 0.1998 BTC.
    expect(await coin(client, 'BTC')).toEqual({
      name: 'BTC',
      quantity: '0.19980000',
      average_cost: '51051.051051051051',
      cost: '10200.00000000',
      realized: '0.00000000',
      realized_today: '0.00000000',
    });
    await order(seller, 'BTC', 'BUY', '0.0999', '55000');
    await order(client, 'BTC', 'SELL', '0.0999', '55000');
    // 5494.5 less 0.1 %, less half of what was paid.
    const sold = { quantity: '0.09990000', cost: '5100.00000000', realized: '389.00550000' };
    expect(await coin(client, 'BTC')).toMatchObject({ ...sold, realized_today: '389.00550000' });
    server.advance(DAY_MS);
    const again = await server.trader('client', {});
    expect(await coin(again, 'BTC')).toMatchObject({ ...sold, realized_today: '0.00000000' });
  });

  it('goes on behind a coin whose market has ended without a trade', async () => {
    server = await startTestApp(kind);
    const { engine } = server.app;
    const market = engine.exchange.markets().find(({ symbol }) => symbol === 'DOGE-USDT')!.id;
    await engine.sequencer.submit({ kind: 'halt-market', market, halted: true });
    await engine.sequencer.submit({ kind: 'delist-market', market });
    const { source } = server;
    await server.stop();
    // Nothing of an ended market is in memory from then on.
    server = await startTestApp(kind, source);
    const token = await server.trader('client', { DOGE: '5', BTC: '1' });
    expect(await coin(token, 'DOGE')).toMatchObject({ quantity: '5.00000000', cost: null });
    expect(await coin(token, 'BTC')).toMatchObject({ quantity: '1.00000000' });
  });

  it('a coin of no known price has no average, and its sale no gain, until it is gone', async () => {
    server = await startTestApp(kind);
    const { engine } = server.app;
    const token = await server.trader('client', { USDT: '1000', BTC: '1' });
    const other = await server.trader('other', { USDT: '1000', BTC: '10' });
    const submit = async (command: Parameters<typeof engine.sequencer.submit>[0]) =>
      expect((await engine.sequencer.submit(command)).outcome).toMatchObject({ ok: true });
    await submit({ kind: 'list-asset', asset: 900, code: 'NEW', scale: 8 });
    const terms = { tickScale: 2, lotScale: 2, minimumLots: 1, maximumLots: 1_000_000, minimumNotional: 1n };
    const listing = {
      kind: 'list-market',
      market: 900,
      symbol: 'NEW-USDT',
      base: 900,
      quote: 0,
      priceBandPpm: 0,
    } as const;
    await submit({ ...listing, ...terms });
    await submit(issue('development-credit', FIRST_OF_TEST, 900, 500_000_000n));
    expect(await coin(token, 'NEW')).toMatchObject({
      quantity: '5.00000000',
      average_cost: null,
      realized: '0.00000000',
    });
    await order(other, 'NEW', 'BUY', '5', '7');
    await order(token, 'NEW', 'SELL', '5', '7');
    expect(await coin(token, 'NEW')).toMatchObject({
      quantity: '0.00000000',
      cost: null,
      realized: null,
      realized_today: null,
    });
    // The fee is 0.8 ‰ for the maker: 35 USDT for 4.996 coins.
    expect(await coin(other, 'NEW')).toMatchObject({ cost: '35.00000000', realized: '0.00000000' });
  });

  it('in a pair of two coins, what is paid with is sold at its last price in USDT', async () => {
    server = await startTestApp(kind);
    const client = await server.trader('client', { USDT: '100000' });
    const maker = await server.trader('maker', { BTC: '2', ETH: '100', USDT: '100000' });
    const terms = { tickScale: 5, lotScale: 3, minimumLots: 1, maximumLots: 1_000_000, minimumNotional: 1n };
    const pair = { market: 901, symbol: 'ETH-BTC', base: 2, quote: 1, priceBandPpm: 0, ...terms };
    expect((await server.app.engine.sequencer.submit({ kind: 'list-market', ...pair })).outcome.ok).toBe(true);
    await order(maker, 'BTC', 'SELL', '1', '50000');
    await order(client, 'BTC', 'BUY', '1', '50000');
    await order(maker, 'BTC', 'SELL', '0.001', '54000');
    await order(client, 'BTC', 'BUY', '0.001', '54000');
    const before = (await coin(client, 'BTC'))!;
    await order(maker, 'ETH-BTC', 'SELL', '10', '0.05');
    expect((await order(client, 'ETH-BTC', 'BUY', '10', '0.05')).body).toMatchObject({ message: 'success' });
    // Half a bitcoin, worth 54000 USDT each, for ten coins less the fee.
    expect(await coin(client, 'ETH')).toMatchObject({ quantity: '9.99000000', cost: '27000.00000000' });
    const after = (await coin(client, 'BTC'))!;
    expect(Number(after.quantity)).toBeCloseTo(Number(before.quantity) - 0.5, 8);
    expect(Number(after.realized)).toBeCloseTo(27_000 - Number(before.average_cost) / 2, 6);
  });

  it('is what the whole history gives when it is computed anew, over a restart in the middle', {
    timeout: 120_000,
  }, async () => {
    server = await startTestApp(kind);
    const random = new Random(SEED);
    const names = ['ann', 'ben', 'cem', 'dia'];
    const funds = { BTC: '2', ETH: '20', USDT: '200000' };
    let tokens = await Promise.all(names.map((name) => server.trader(name, funds)));
    const priceOf = (symbol: string) => (symbol === 'BTC' ? 50_000 : 2_000) * (1 + (random.fraction() - 0.5) / 20);
    const act = async (): Promise<void> => {
      const token = tokens[random.between(0, tokens.length - 1)]!;
      const symbol = random.chance(70) ? 'BTC' : 'ETH';
      const side = random.chance(50) ? 'BUY' : 'SELL';
      const amount = (random.fraction() / (symbol === 'BTC' ? 20 : 2) + 0.01).toFixed(4);
      const kindOfAct = random.between(0, 9);
      if (kindOfAct < 6) await order(token, symbol, side, amount, priceOf(symbol).toFixed(1));
      else if (kindOfAct === 6) await order(token, symbol, side, amount);
      else if (kindOfAct === 7) await faucet(token, symbol, amount);
      else if (kindOfAct === 8) {
        const moved = { from: 'SPOT', to: 'FUNDING', coin: symbol, amount, transaction_password: TRANSACTION_PASSWORD };
        await post('/api/v3/transfers', token, moved);
      } else {
        const wish = random.chance(50) ? { from: symbol, to: 'USDT' } : { from: 'USDT', to: symbol };
        const from_amount = wish.from === 'USDT' ? '150' : amount;
        const quote = (await post('/api/v3/convert/quote', token, { ...wish, from_amount })).body
          .quote as unknown as Quote;
        if (quote)
          await post('/api/v3/convert', token, { quote_id: quote.id, transaction_password: TRANSACTION_PASSWORD });
      }
    };
    const compare = async () => {
      for (const token of tokens) await costs(token);
      await server.stop();
      const database = await server.source.open();
      const markets = server.app.engine.exchange.markets();
      const stored = await storedCostBasis(database);
      expect(stored).toEqual(await naiveCostBasis(database, markets));
      const [made] = await database.query<{ trades: number; transfers: number }>(
        `SELECT (SELECT count(*) FROM trades) AS trades,
                (SELECT count(*) FROM ledger_transactions WHERE after_trade > 0) AS transfers`,
      );
      await database.close();
      server = await startTestApp(kind, server.source);
      tokens = await Promise.all(names.map((name) => server.trader(name, {})));
      return { ...made!, stored };
    };
    for (let step = 0; step < 90; step += 1) await act();
    const first = await compare();
    for (let step = 0; step < 90; step += 1) await act();
    const second = await compare();
    expect(first.trades).toBeGreaterThan(20);
    expect(second.trades).toBeGreaterThan(first.trades);
    expect(second.transfers).toBeGreaterThan(first.transfers);
    expect(second.stored).not.toEqual(first.stored);
  });
});
