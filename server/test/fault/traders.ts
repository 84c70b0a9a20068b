/** Seeded traders who send orders to a server that may die at any moment, and remember what they were told. */
import { Random } from '@cambist/core/simulation/random.ts';
import { expect, vi } from 'vitest';
import { PASSWORD, TRANSACTION_PASSWORD } from '../app.ts';

export const CONDITIONAL_PATH = '/api/v3/orders/conditional';

export interface Intent {
  readonly key: string;
  readonly token: string;
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body: object;
}

export interface Acknowledged {
  readonly intent: Intent;
  readonly status: number;
  readonly orderId: string;
  /** Of a refusal. */
  readonly code: string | undefined;
}

async function post(url: string, path: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
}

/** Signs a trader up through the mailbox, gives funds and unlocks trading. Answers the token. */
export async function signUp(url: string, email: string): Promise<string> {
  await post(url, '/api/v2/send-code', { email });
  const mailbox = await fetch(`${url}/api/dev/outbox?to=${encodeURIComponent(email)}`);
  const { messages } = (await mailbox.json()) as { messages: { subject: string }[] };
  const code = messages[0]?.subject.slice(0, 6) ?? '';
  const passwords = { password: PASSWORD, password_confirmation: PASSWORD, transaction_password: TRANSACTION_PASSWORD };
  await post(url, '/api/v2/register', { code, username: email, ...passwords });
  const { token } = await post(url, '/api/v3/login', { username: email, password: PASSWORD });
  for (const [coin, amount] of Object.entries({ BTC: '1000', USDT: '50000000' })) {
    await post(url, '/api/dev/faucet', { coin, amount }, String(token));
  }
  await post(url, '/api/v3/trading-unlock', { transaction_password: TRANSACTION_PASSWORD, minutes: 60 }, String(token));
  return String(token);
}

/** An order that waits close to the price, so that many trigger while the server dies. */
function randomConditional(random: Random): Record<string, string> {
  const side = random.chance(50) ? 'BUY' : 'SELL';
  const at = (away: number) => (50_000 + (side === 'SELL' ? away : -away)).toFixed(1);
  const size: Record<string, string> = side === 'SELL' ? { quantity: '0.01' } : { quote_total: '500' };
  const common = { symbol: 'BTC-USDT', side };
  const away = 5 + random.fraction() * 150;
  switch (random.between(0, 3)) {
    case 0:
      return { ...common, ...size, kind: 'stop_market', stop_price: at(-away) };
    case 1:
      return { ...common, ...size, kind: 'trailing_stop', callback_distance: (5 + random.fraction() * 60).toFixed(1) };
    case 2: {
      const prices = { take_profit_price: at(away), take_profit_limit_price: at(away) };
      return { ...common, kind: 'take_profit_limit', quantity: '0.01', ...prices };
    }
    default: {
      const prices = { take_profit_price: at(away), stop_price: at(-away), stop_limit_price: at(-away - 5) };
      return { ...common, kind: 'oco', quantity: '0.01', ...prices };
    }
  }
}

/** Some of them TWAPs, which are between two slices when the server dies. */
function randomOrder(random: Random): object {
  const side = random.chance(50) ? 'BUY' : 'SELL';
  const price = (50_000 + (random.fraction() - 0.5) * 400).toFixed(1);
  const quantity = (0.001 + random.fraction() * 0.05).toFixed(5);
  if (random.chance(20)) return { symbol: 'BTC-USDT', side, type: 'market', quantity };
  const limit = { symbol: 'BTC-USDT', side, type: 'limit', price };
  if (random.chance(12)) return { ...limit, quantity: '0.05', twap: { duration_seconds: 20, interval_seconds: 1 } };
  return { ...limit, quantity };
}

export async function send(url: string, intent: Intent): Promise<Acknowledged> {
  const answer = await fetch(url + intent.path, {
    method: intent.method,
    headers: {
      authorization: `Bearer ${intent.token}`,
      'idempotency-key': intent.key,
      ...(intent.method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(intent.method === 'POST' ? { body: JSON.stringify(intent.body) } : {}),
  });
  const body = (await answer.json()) as { order?: { id: string }; code?: string };
  return { intent, status: answer.status, orderId: body.order?.id ?? '', code: body.code };
}

/** Resolves when an order that waited was triggered: the last price has to stay beyond its trigger for ten seconds. */
export async function someTriggered(url: string, tokens: readonly string[]): Promise<void> {
  const triggered = async () => {
    const lists = ['open-orders?limit=500', 'order-histories?limit=500'].flatMap((path) =>
      tokens.map(async (token) => {
        const answer = await fetch(`${url}/api/v3/trades/${path}`, { headers: { authorization: `Bearer ${token}` } });
        return ((await answer.json()) as { orders: { trigger?: { status: string } | null }[] }).orders;
      }),
    );
    return (await Promise.all(lists)).flat().filter(({ trigger }) => trigger?.status === 'triggered').length;
  };
  await expect.poll(triggered, { timeout: 30_000, interval: 500 }).toBeGreaterThan(0);
}

/** Alerts around the price, for each trader, so that trades trigger them while the server dies. */
export async function askForAlerts(url: string, tokens: readonly string[], seed: number): Promise<void> {
  const random = new Random(seed);
  const around = tokens.flatMap((token) => [
    { token, direction: 'above', price: 50_000 + random.fraction() * 100 },
    { token, direction: 'below', price: 50_000 - random.fraction() * 100 },
  ]);
  await Promise.all(
    around.map(({ token, direction, price }) =>
      // One that the price has reached is refused; the next round asks again.
      post(url, '/api/v3/alerts', { symbol: 'BTC-USDT', direction, price: price.toFixed(1) }, token),
    ),
  );
}

export interface Round {
  readonly acknowledged: Acknowledged[];
  /** Sent, and the connection died before an answer. */
  readonly unanswered: Intent[];
}

/**
 * Sends until the server is gone. Every fourth intent cancels an order that the trader was told about; of the others
 * every fourth waits for a price.
 */
export async function tradeUntilDeath(
  url: string,
  tokens: readonly string[],
  name: string,
  seed: number,
): Promise<Round> {
  const round: Round = { acknowledged: [], unanswered: [] };
  await Promise.all(
    tokens.map(async (token, trader) => {
      const random = new Random(seed * 1000 + trader);
      const mine: string[] = [];
      for (let number = 0; ; number += 1) {
        const key = `${name}-${trader}-${number}`;
        const target = random.chance(25) ? mine.shift() : undefined;
        const placing = random.chance(25)
          ? { path: CONDITIONAL_PATH, body: randomConditional(random) }
          : { path: '/api/v3/orders', body: randomOrder(random) };
        const intent: Intent =
          target === undefined
            ? { key, token, method: 'POST', ...placing }
            : { key, token, method: 'DELETE', path: `/api/v3/orders/${target}`, body: {} };
        try {
          const answer = await send(url, intent);
          round.acknowledged.push(answer);
          if (answer.orderId !== '' && intent.method === 'POST') mine.push(answer.orderId);
        } catch {
          round.unanswered.push(intent);
          return;
        }
      }
    }),
  );
  return round;
}

/** Waits until what the coins of all traders have cost is counted to the end of the history. */
export async function costBasisCounted(url: string, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    await vi.waitFor(
      async () => {
        const answer = await fetch(`${url}/api/v3/wallets/cost-basis`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(await answer.json()).toMatchObject({ complete: true });
      },
      { timeout: 20_000, interval: 50 },
    );
  }
}
