/**
 * A price that falls through the liquidation prices of many positions, told by another exchange's feed, while the server is
 * killed with SIGKILL again and again. What clients were shown before a death must be there after it, nothing may happen twice,
 * and nobody may be left who should have been liquidated.
 */
import { expect, it } from 'vitest';
import { text, units } from '../decimal.ts';
import type { Http } from '../http.ts';
import { fund, newPerson, type Person, TRANSACTION_PASSWORD } from '../people.ts';
import { Random } from '../random.ts';
import { sizes } from '../sizes.ts';
import { anyKind, databaseKinds, startTarget, type Target } from '../target.ts';

const { seed } = sizes;
/** Fewer than of other attacks: each waits for a price to fall. */
const kills = Math.ceil(sizes.kills / 2);
const SWAP = 'BTC-USDT-SWAP';
const FUNDS = 300;
const LEVERAGES = [4, 5, 7, 10, 14, 20, 28, 40];
const [BEFORE, AFTER] = [90_000, 58_000];
const STEP_MS = 250;

interface Change {
  readonly id: string;
  readonly cause: string;
  readonly side: 'long' | 'short' | null;
  readonly quantity: string;
  readonly quantity_change: string;
  readonly margin_mode: 'cross' | 'isolated';
  readonly realised: string;
  readonly fee: string;
  readonly funding: string;
}

interface Account {
  readonly positions: readonly { readonly quantity: string; readonly side: string }[];
  readonly account: { readonly balance: string; readonly free: string };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until an answer satisfies, whoever is away in the meantime. */
async function until<Answer>(what: string, ask: () => Promise<Answer>, holds: (answer: Answer) => boolean) {
  let last: unknown;
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(250)) {
    last = await ask().catch((error: unknown) => String(error));
    if (typeof last !== 'string' && holds(last as Answer)) return;
  }
  throw new Error(`${what}: ${JSON.stringify(last)}`);
}

/** The other exchange: one person's bid and ask make its price. */
async function quoting(outside: Target): Promise<(price: number) => Promise<void>> {
  const person = await newPerson(() => outside.http, 'outside');
  await fund(person, { BTC: '100', USDT: '5000000' });
  return async (price) => {
    await person.send('POST', '/api/v3/orders/cancel-all', {});
    for (const [side, away] of [
      ['BUY', -10],
      ['SELL', 10],
    ] as const) {
      const order = { symbol: 'BTC-USDT', side, type: 'limit', price: (price + away).toFixed(1), quantity: '0.1' };
      await person.send('POST', '/api/v3/orders', order);
    }
  };
}

async function client(http: () => Http, name: string, funds: number): Promise<Person> {
  const person = await newPerson(http, name);
  await fund(person, { USDT: String(funds) });
  const transfer = { coin: 'USDT', from: 'SPOT', to: 'FUTURE', amount: String(funds) };
  await person.send('POST', '/api/v3/transfers', { ...transfer, transaction_password: TRANSACTION_PASSWORD });
  return person;
}

const accountOf = async (person: Person) => (await person.send('GET', '/api/v3/futures/positions')).json<Account>();

const changesOf = async (person: Person) =>
  (await person.send('GET', '/api/v3/futures/history/positions?limit=500')).json<{ changes: Change[] }>().changes;

/** @returns what one person's history says that cannot be */
function contradictions(shown: readonly Change[], changes: readonly Change[]): string[] {
  const byId = new Map(changes.map((change) => [change.id, JSON.stringify(change)]));
  const lost = shown.filter((change) => byId.get(change.id) !== JSON.stringify(change));
  let open = 0n;
  const broken = changes.toReversed().filter(({ quantity, quantity_change, side }) => {
    open += units(quantity_change);
    return open !== (side === 'short' ? -units(quantity) : units(quantity));
  });
  return [
    ...lost.map(({ id }) => `change ${id} was shown and is another or gone`),
    ...broken.map(({ id }) => `change ${id} does not follow from those before it`),
    ...(byId.size === changes.length ? [] : ['a change is listed twice']),
  ];
}

/** A wallet has what was brought less what was paid; more where the insurance has paid for a loss. */
function unpaid(changes: readonly Change[], balance: string): string[] {
  const brought = changes.reduce(
    (sum, { realised, fee, funding }) => sum + units(realised) - units(fee) - units(funding),
    units(String(FUNDS)),
  );
  const isInsured =
    brought < 0n || changes.some(({ margin_mode, cause }) => margin_mode === 'isolated' || cause === 'compensation');
  const has = units(balance);
  const isRight = has >= 0n && (isInsured ? has >= brought : has === brought);
  return isRight ? [] : [`${text(has)} is there, by the changes it is ${text(brought)}: ${JSON.stringify(changes)}`];
}

async function openAll(people: readonly Person[], house: Person): Promise<void> {
  const sell = { symbol: SWAP, side: 'SELL', type: 'limit', price: String(BEFORE + 50), quantity: '5' };
  expect((await house.send('POST', '/api/v3/orders', sell)).json()).toMatchObject({ message: 'success' });
  for (const [place, person] of people.entries()) {
    const leverage = LEVERAGES[place % LEVERAGES.length]!;
    const margin_mode = place % 3 === 0 ? 'cross' : 'isolated';
    await person.send('PATCH', '/api/v3/futures/leverage', { symbol: SWAP, leverage, margin_mode });
    const quantity = ((FUNDS * leverage * 0.75) / BEFORE).toFixed(5);
    const order = { symbol: SWAP, side: 'BUY', type: 'limit', price: String(BEFORE + 200), quantity };
    const answer = await person.send('POST', '/api/v3/orders', order);
    expect(answer.json(), answer.text).toMatchObject({ message: 'success', order: { state: 'APPROVED' } });
  }
}

it.each(databaseKinds)(
  `liquidates everybody once, however often it is killed meanwhile (%s, ${kills} deaths, seed ${seed})`,
  { timeout: 240_000 + kills * 30_000 },
  async (kind) => {
    const random = new Random(seed);
    const outside = await startTarget(anyKind);
    const quote = await quoting(outside);
    await quote(BEFORE);
    const { url } = outside.http;
    const feed = {
      MARKET: 'okx',
      OKX_REST_URL: url,
      OKX_WS_URL: `${url.replace('http', 'ws')}/ws/v5`,
      TRANSFER_CONFIRMATIONS: '1',
    };
    const target = await startTarget(kind, feed);
    try {
      const http = () => target.http;
      const house = await client(http, 'house', 1_000_000);
      const people = await Promise.all(
        Array.from({ length: LEVERAGES.length * sizes.crowd }, () => client(http, 'long', FUNDS)),
      );
      await until(
        'everybody has funds',
        () => Promise.all([house, ...people].map(accountOf)),
        (accounts) => accounts.every(({ account }) => Number(account.free) >= FUNDS),
      );
      await openAll(people, house);
      const shown = new Map<Person, readonly Change[]>();
      let price = BEFORE;
      const falling = setInterval(() => {
        price = Math.max(AFTER, price - sizes.fall);
        void quote(price);
      }, STEP_MS);
      for (let death = 0; death < kills; death += 1) {
        await pause(500 + random.below(3_000));
        for (const person of [house, ...people]) shown.set(person, await changesOf(person));
        await target.kill();
        await target.restart();
        for (const [person, before] of shown) expect(contradictions(before, await changesOf(person))).toEqual([]);
      }
      await until(
        'the price has fallen',
        async () => price,
        (now) => now === AFTER,
      );
      clearInterval(falling);
      await until(
        'everybody is liquidated',
        () => Promise.all(people.map(accountOf)),
        (accounts) => accounts.every(({ positions }) => positions.length === 0),
      );
      for (const person of people) {
        const changes = await changesOf(person);
        expect(contradictions(shown.get(person) ?? [], changes)).toEqual([]);
        expect(
          changes.filter(({ cause }) => cause === 'liquidation' || cause === 'deleveraging').length,
        ).toBeGreaterThan(0);
        expect(unpaid(changes, (await accountOf(person)).account.balance)).toEqual([]);
      }
      expect(target.defects()).toEqual([]);
    } finally {
      await target.remove();
      await outside.remove();
    }
  },
);
