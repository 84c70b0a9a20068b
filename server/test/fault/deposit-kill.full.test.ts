/** Kills the server with SIGKILL again and again while deposits come in: each is credited, and once. */
import { Random } from '@cambist/core/simulation/random.ts';
import { afterEach, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../databases.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { signUp } from './traders.ts';

const ROUNDS = 8;
const PAYMENTS = 6;
const SEED = 20_261_124;

let server: ServerProcess | undefined;
let source: TestDatabase | undefined;
afterEach(async () => {
  await server?.kill();
  await source?.remove();
});

it('every payment is credited once, whenever the process was killed', { timeout: 240_000 }, async () => {
  const random = new Random(SEED);
  const found = await makeTestDatabase('pglite', 'migrated');
  source = found;
  const start = () => startServerProcess({ ...found.environment, DEVELOPMENT_BLOCK_SECONDS: '0.1' });
  let running = await start();
  server = running;
  const token = await signUp(running.url, 'first@example.test');
  async function call<Answer>(path: string, payload?: object): Promise<Answer> {
    const answer = await fetch(`${running.url}${path}`, {
      method: payload === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Answer;
  }

  const made = await call<{ wallet: { wallet_address: string } }>('/api/v3/generate-wallet', { wallet_type: 'TRC20' });
  const address = made.wallet.wallet_address;
  let cents = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let sent = 0; sent < PAYMENTS; sent += 1) {
      const amount = random.between(100, 99_999);
      const payment = { network: 'TRC20', coin: 'USDC', address, amount: (amount / 100).toFixed(2) };
      await call('/api/dev/chains/send', payment);
      cents += amount;
    }
    if (round % 3 === 2) await call('/api/dev/chains/reorganize', { network: 'TRC20', depth: 3, payments: 'KEEP' });
    // Within the second in which blocks are made, read and credited.
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 1500)));
    await running.kill();
    running = await start();
    server = running;
  }

  type Deposits = { deposit: { state: string; recharge_amount: string }[] };
  const deposits = async () => (await call<Deposits>('/api/v3/deposit-history')).deposit;
  await expect
    .poll(async () => (await deposits()).filter(({ state }) => state === 'UNLOCKED').length, { timeout: 60_000 })
    .toBe(ROUNDS * PAYMENTS);
  expect(await deposits()).toHaveLength(ROUNDS * PAYMENTS);
  const spot = await call<{ wallet: { name: string; coin_value: string }[] }>('/api/v3/wallets/spot');
  expect(spot.wallet.find(({ name }) => name === 'USDC')?.coin_value).toBe(`${(cents / 100).toFixed(2)}000000`);
  expect(running.output()).not.toContain('ALARM');
});
