import type { AnswerOf } from '@cambist/contract/call.ts';
import type { Quote } from '@cambist/contract/convert.ts';
import type { StatementEntry, statement } from '@cambist/contract/statements.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import type { AccountMovement } from '../../exchange/ledger/service.ts';
import { createStatements } from './service.ts';

type Page = AnswerOf<typeof statement>;

const SEED = 20_261_124;
const NAMES = ['ann', 'ben', 'cem'];

/** Signed, in smallest units. */
function units(text: string): bigint {
  const parsed = parseAmount(text.replace('-', ''), 8);
  if (!parsed.ok) throw new Error(`${text} is no amount`);
  return text.startsWith('-') ? -parsed.value : parsed.value;
}

/** A wallet that was credited a unit every second, and nothing else. */
function statementsOf(credits: number) {
  const asset = { id: 1, scale: 0 } as Asset;
  const movements = Array.from({ length: credits }, (_, at) => ({
    ...{ time: at * 1_000, reason: 'deposit', transfer: at, reference: 0, amount: 1n, fee: 0n },
    ...{ after_trade: 0, batch: at, sequence: 0, row: at },
  })).reverse() as AccountMovement[];
  return createStatements({
    fills: {
      span: () => Promise.reject(new Error('not traded')),
      fills: () => Promise.reject(new Error('not traded')),
    },
    movements: {
      movementsOf: (_accounts, _oldest, [, batch], count) =>
        Promise.resolve(movements.filter((movement) => movement.batch < batch).slice(0, count)),
    },
    balances: () => Promise.resolve({ batch: credits, trade: 0, amounts: [BigInt(credits)] }),
    ...{ marketsOf: () => [], projected: () => Promise.resolve(), encryption: { hash: (text) => text } },
    ...{ assetByCode: () => asset, pairOf: String },
  });
}

it('passes over so many newer movements in one page at most, and goes on from there', async () => {
  const statements = statementsOf(5_000);
  const which = { owner: 200, wallet: 'FUNDING', coin: 'BTC' } as const;
  const span = { from: 10_000, to: 19_999 };
  const found: string[][] = [];
  let before: string | undefined;
  do {
    const page = await statements.page(which, span, 4, before);
    if (page === undefined || page === 'bad-place') throw new Error('no page');
    found.push(page.entries.map(({ balance }) => balance));
    before = page.next ?? undefined;
  } while (before !== undefined);
  expect(found).toEqual([[], [], ['20', '19', '18', '17'], ['16', '15', '14', '13'], ['12', '11']]);
});

describe.each(databaseKinds)('the statement of a wallet (%s)', (kind) => {
  let server: TestApp;
  let tokens: string[];

  afterEach(() => server.remove());

  const post = (url: string, token: string, payload: object) => server.call({ method: 'POST', url, token, payload });
  const read = async (token: string, wallet: string, coin: string, limit: number, before?: string, within = '') => {
    const place = `${before === undefined ? '' : `&before=${before}`}&${within}`;
    const url = `/api/v3/statement?wallet=${wallet}&coin=${coin}&limit=${limit}${place}`;
    return server.call({ method: 'GET', url, token });
  };

  async function pages(token: string, wallet: string, coin: string, limit: number, within?: string) {
    const entries: StatementEntry[] = [];
    let [before, balance]: [string | undefined, string | null] = [undefined, null];
    do {
      const { status, body } = await read(token, wallet, coin, limit, before, within);
      expect(status).toBe(200);
      const page = body as unknown as Page;
      expect(page.entries.length).toBeLessThanOrEqual(limit);
      entries.push(...page.entries);
      balance ??= page.balance;
      before = page.next ?? undefined;
    } while (before !== undefined);
    return { entries, balance };
  }

  /** What a tax program adds up of a year's file, by coin. */
  async function sumsOfYear(token: string): Promise<Map<string, bigint>> {
    const url = `/api/v3/statement/year.csv?year=${new Date().getUTCFullYear()}&separator=tab`;
    const file = await server.app.http.inject({ url, headers: { authorization: `Bearer ${token}` } });
    const [head, ...lines] = file.body.trimEnd().split('\r\n');
    expect(head?.split('\t')).toHaveLength(12);
    const sums = new Map<string, bigint>();
    for (const cells of lines.map((line) => line.split('\t'))) {
      for (const [at, sign] of [
        [1, -1n],
        [3, 1n],
        [5, -1n],
      ] as const) {
        const coin = cells[at + 1]!;
        if (coin !== '') sums.set(coin, (sums.get(coin) ?? 0n) + sign * units(cells[at]!));
      }
    }
    return sums;
  }

  async function act(random: Random): Promise<void> {
    const token = random.pick(tokens);
    const symbol = random.chance(70) ? 'BTC' : 'ETH';
    const amount = (random.fraction() / 20 + 0.01).toFixed(4);
    const side = random.chance(50) ? 'BUY' : 'SELL';
    const price = ((symbol === 'BTC' ? 50_000 : 2_000) * (1 + (random.fraction() - 0.5) / 20)).toFixed(1);
    const what = random.between(0, 9);
    if (what < 6) await post('/api/v3/orders', token, { symbol, side, quantity: amount, type: 'limit', price });
    else if (what === 6) await post('/api/dev/faucet', token, { coin: symbol, amount });
    else if (what === 7) {
      const from_amount = '150';
      const { body } = await post('/api/v3/convert/quote', token, { from: 'USDT', to: symbol, from_amount });
      const quote = body.quote as unknown as Quote | undefined;
      if (quote)
        await post('/api/v3/convert', token, { quote_id: quote.id, transaction_password: TRANSACTION_PASSWORD });
    } else {
      const [from, to] = random.chance(70) ? ['SPOT', 'FUNDING'] : ['FUNDING', 'SPOT'];
      const moved = { from, to, coin: symbol, amount, transaction_password: TRANSACTION_PASSWORD };
      await post('/api/v3/transfers', token, moved);
    }
  }

  it('begins at what there is, goes back movement by movement, and ends at nothing, whatever the page', async () => {
    server = await startTestApp(kind, undefined, { TRANSFER_CONFIRMATIONS: '1' });
    const random = new Random(SEED);
    tokens = await Promise.all(NAMES.map((name) => server.trader(name, { BTC: '2', ETH: '20', USDT: '200000' })));
    for (let step = 0; step < 110; step += 1) await act(random);
    for (const token of tokens) {
      const url = '/api/v3/transfers?state=PENDING';
      await vi.waitFor(
        async () => expect((await server.call({ method: 'GET', url, token })).body).toEqual({ transfers: [] }),
        { timeout: 30_000 },
      );
    }
    const causes = new Set<string>();
    for (const token of tokens) {
      const total = new Map<string, bigint>();
      for (const [wallet, coin] of [
        ['SPOT', 'BTC'],
        ['SPOT', 'USDT'],
        ['FUNDING', 'BTC'],
        ['SPOT', 'ETH'],
      ] as const) {
        const { entries, balance } = await pages(token, wallet, coin, 200);
        let left = units(balance ?? '0');
        total.set(coin, (total.get(coin) ?? 0n) + left);
        for (const entry of entries) {
          expect(units(entry.balance)).toBe(left);
          left -= units(entry.amount);
          causes.add(entry.cause);
        }
        expect({ wallet, coin, left }).toEqual({ wallet, coin, left: 0n });
        const times = entries.map(({ time }) => time);
        expect(times).toEqual(times.toSorted((one, other) => other - one));
        for (const limit of [1, 3, 7]) expect(await pages(token, wallet, coin, limit)).toEqual({ entries, balance });
        const url = `/api/v3/statement.csv?wallet=${wallet}&coin=${coin}`;
        const file = await server.app.http.inject({ url, headers: { authorization: `Bearer ${token}` } });
        const lines = file.body.trimEnd().split('\r\n').slice(1);
        const cells = lines.map((line) => line.split(',').slice(-2));
        expect(cells).toEqual(entries.map((entry) => [entry.balance, entry.id]));
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        const [to, from] = [times[Math.floor(times.length / 3)]!, times[Math.floor((2 * times.length) / 3)]!];
        const wanted = entries.filter(({ time }) => time >= from && time <= to);
        const within = `from=${from}&to=${to}`;
        expect((await pages(token, wallet, coin, 4, within)).entries).toEqual(wanted);
        const part = await server.app.http.inject({
          url: `${url}&${within}`,
          headers: { authorization: `Bearer ${token}` },
        });
        expect(part.body.trimEnd().split('\r\n')).toHaveLength(1 + wanted.length);
      }
      const sums = await sumsOfYear(token);
      for (const coin of ['BTC', 'USDT']) expect([coin, sums.get(coin)]).toEqual([coin, total.get(coin)]);
    }
    expect([...causes].sort()).toEqual(['conversion', 'development-credit', 'trade', 'wallet-transfer']);
  }, 120_000);

  it('goes on for its own reader alone, and says what is wrong with a place', async () => {
    server = await startTestApp(kind);
    const own = await server.trader('own', { USDT: '100' });
    const other = await server.trader('other', { USDT: '100' });
    await post('/api/dev/faucet', own, { coin: 'USDT', amount: '5' });
    const { body } = await read(own, 'SPOT', 'USDT', 1);
    const { entries, next } = body as unknown as Page;
    expect(entries).toMatchObject([{ cause: 'development-credit', amount: '5.00000000', balance: '105.00000000' }]);
    const nowhere = '/api/v3/statement/year.csv?year=2026&zone=Mars%2FOlympus';
    expect(await server.call({ method: 'GET', url: nowhere, token: own })).toMatchObject({ status: 422 });
    const refused = { status: 422, body: { code: 'INVALID_PLACE' } };
    expect(await read(other, 'SPOT', 'USDT', 1, next ?? '')).toMatchObject(refused);
    expect(await read(own, 'FUNDING', 'USDT', 1, next ?? '')).toMatchObject(refused);
    expect(await read(own, 'SPOT', 'USDT', 1, 'WzEsMCwwLDAsIjkiXQ.x')).toMatchObject(refused);
    expect(await read(own, 'SPOT', 'USDT', 1, next ?? '')).toMatchObject({ status: 200, body: { next: null } });
    expect(await read(own, 'SPOT', 'NOPE', 1)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_COIN' } });
  });
});
