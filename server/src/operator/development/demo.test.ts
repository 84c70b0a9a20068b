import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';
import { addressToOpen, ensureDemoAccounts } from './demo.ts';
import { demoAccounts } from './service.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp(anyKind);
  await ensureDemoAccounts(server.app);
});
afterAll(() => server.remove());

test('nothing is sent to the two fraudulent addresses that development knows, one of each network (T-withdraw-50)', async () => {
  const [{ email: username, password }] = demoAccounts;
  const payload = { username, password };
  const token = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
  const answers = await Promise.all(
    [
      ['TRC20', 'TT1DrH6tftFBACG5xq5vRhmcxjp4Vost1g'],
      ['ERC20', '0xBADbadbadbadbadbadbadbadbadbadbadbadbad0'.toLowerCase()],
    ].map(([bchain_name, withdraw_address]) => {
      const wish = { coin: 'USDT', bchain_name, withdraw_address, withdraw_amount: '50' };
      return server.call({ method: 'POST', url: '/api/v3/withdrawals/check', token, payload: wish });
    }),
  );
  expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(Array(2).fill('422 FRAUDULENT_ADDRESS'));
});

test.each([
  ['http://127.0.0.1:8080', 'http://localhost:8080'],
  ['http://[::1]:9000', 'http://localhost:9000'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://192.0.2.7:8080', 'http://192.0.2.7:8080'],
])('who listens at %s is opened at %s, where a passkey can be made', (listening, address) => {
  expect(addressToOpen(listening)).toBe(address);
});
