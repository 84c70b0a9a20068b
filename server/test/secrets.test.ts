/** Everything is logged here, at the lowest level and with nothing taken out: no secret may be among it. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { PASSWORD, TRANSACTION_PASSWORD } from './app.ts';
import { makeTestDatabase } from './databases.ts';

it('no password, code or token is in a log or in an answer, by GET or POST, right or wrong', async () => {
  const source = await makeTestDatabase('pglite');
  const lines: string[] = [];
  const app = await createApp({
    config: readConfig({
      // Without a folder of its own it would write into the one of `npm start`, with another key.
      DATA_DIR: source.environment.DATA_DIR,
      NODE_ENV: 'test',
      MARKET: 'none',
      RATE_LIMIT_PER_MINUTE: '0',
      SECRETS_KEY: 'c0'.repeat(32),
    }),
    database: await source.open(),
    logger: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
    clock: Date,
    onFatal: (error) => {
      throw error;
    },
  });
  await app.accounts.ensure('ann@example.test', PASSWORD, TRANSACTION_PASSWORD, 'client');
  const login = { method: 'POST' as const, url: '/api/v3/login' };
  const entered = await app.http.inject({ ...login, payload: { username: 'ann@example.test', password: PASSWORD } });
  const { token } = entered.json<{ token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  const secret = 'Never-Say-This-1';
  const get = (path: string) => app.http.inject({ method: 'GET', url: path, headers });
  const answers = [
    await app.http.inject({ ...login, payload: { username: 'ann@example.test', password: secret } }),
    await get(`/api/v3/update-password?oldLoginPassword=${secret}&password=${secret}`),
    await get(`/api/v3/update-transaction-password?oldTransactionPassword=${secret}&transactionPassword=${secret}`),
    await get(`/api/v3/reset-password?email=ann@example.test&password=${secret}`),
    await get(`/api/v3/forget-password-code/verify?email=ann@example.test&code=${secret}`),
    await get(`/api/v3/auth/google/callback?state=${secret}&code=${secret}`),
    await get(`/no/such/page?password=${secret}`),
  ];
  expect(lines.length).toBeGreaterThan(answers.length);
  const written = lines.join('');
  for (const one of [secret, PASSWORD, TRANSACTION_PASSWORD, token]) expect(written).not.toContain(one);
  for (const answer of answers.slice(0, 6)) {
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body + String(answer.headers.location ?? '')).not.toContain(secret);
  }
  await app.close();
  await source.remove();
});
