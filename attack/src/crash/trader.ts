/** A seeded trader: sends orders and listens until the server is gone, and remembers what it was told. */
import { type Http, Unanswered } from '../http.ts';
import { fund, newPerson, type Person, personWith } from '../people.ts';
import type { Random } from '../random.ts';
import { listenAs } from '../stream.ts';
import { type Intent, Promises, type ShownOrder } from './promises.ts';

export const FUNDS = { BTC: '1000', USDT: '50000000' };
const SYMBOL = 'BTC-USDT';
const MIDDLE = 50_000;

export interface Trader {
  readonly person: Person;
  readonly promises: Promises;
}

export async function newTrader(http: () => Http, index: number): Promise<Trader> {
  const person = await newPerson(http, `trader${index}`);
  await fund(person, FUNDS);
  return { person: personWith(http, person.email, person.token), promises: new Promises() };
}

function randomOrder(random: Random): Record<string, string> {
  const side = random.chance(50) ? 'BUY' : 'SELL';
  const quantity = (0.001 + random.fraction() * 0.05).toFixed(5);
  if (random.chance(20)) return { symbol: SYMBOL, side, type: 'market', quantity };
  const price = (MIDDLE + (random.fraction() - 0.5) * 400).toFixed(1);
  const time_in_force = random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'POST_ONLY']);
  return { symbol: SYMBOL, side, type: 'limit', price, quantity, time_in_force };
}

function nextIntent(random: Random, key: string, mine: string[]): Intent {
  const target = random.chance(35) ? mine[random.below(mine.length)] : undefined;
  if (target !== undefined && random.chance(50)) {
    return { key, method: 'DELETE', path: `/api/v3/orders/${target}`, body: undefined };
  }
  if (target !== undefined) {
    const price = (MIDDLE + (random.fraction() - 0.5) * 600).toFixed(1);
    return { key, method: 'PATCH', path: `/api/v3/orders/${target}`, body: { price } };
  }
  if (random.chance(15)) {
    const orders = Array.from({ length: random.between(2, 5) }, () => randomOrder(random));
    return { key, method: 'POST', path: '/api/v3/orders/batch', body: { orders } };
  }
  return { key, method: 'POST', path: '/api/v3/orders', body: randomOrder(random) };
}

type PlacedAnswer = { order?: ShownOrder; results?: { order?: ShownOrder }[] };

/** Sends an intent and keeps what came back. @throws Unanswered */
export async function carryOut({ person, promises }: Trader, intent: Intent): Promise<ShownOrder[]> {
  const headers = { 'idempotency-key': intent.key };
  const answer = await person.send(intent.method, intent.path, intent.body, { headers });
  // Nothing is promised: the same key is sent again later.
  if (answer.status >= 500) throw new Unanswered(`${answer.status} ${answer.text}`);
  const { order, results = [] } = answer.json<PlacedAnswer>();
  const orders = [order, ...results.map((one) => one.order)].filter((one) => one !== undefined);
  promises.keep(intent, answer.status, orders);
  return orders;
}

/** Goes on until the connection breaks. */
export async function tradeUntilDeath(http: Http, trader: Trader, round: number, random: Random): Promise<void> {
  const { person, promises } = trader;
  const stream = await listenAs(http.url, person.token, ['orders', 'fills', 'account']);
  const mine: string[] = [];
  for (let number = 0; ; number += 1) {
    const intent = nextIntent(random, `${round}-${number}-${person.email}`, mine);
    try {
      const orders = await carryOut(trader, intent);
      for (const { id, state } of orders) if (state === 'PENDING' && !mine.includes(id)) mine.push(id);
      if (mine.length > 30) mine.shift();
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      promises.unanswered.push(intent);
      break;
    }
  }
  promises.hear(stream.heard);
  stream.close();
}
