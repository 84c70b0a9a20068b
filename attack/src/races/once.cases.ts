/** What is good once, and what has a limit, stays so when everything comes at once. */
import { expect, it } from 'vitest';
import type { Answer, Http } from '../http.ts';
import { fund, login, mailedCode, newPerson, PASSWORD, stepUp, TRANSACTION_PASSWORD } from '../people.ts';
import { sizes } from '../sizes.ts';
import { countOf, together } from './hammer.ts';

const { rounds } = sizes;
const MAXIMUM_KEYS = 20;
const MAXIMUM_ADDRESSES = 100;

const says = (message: string) => (answer: Answer) => answer.json<{ message?: string }>().message === message;

/** @param http the target's, which may start anew */
export function onceCases(http: () => Http): void {
  it(`60 API keys at once are ${MAXIMUM_KEYS}`, async () => {
    const owner = await newPerson(http, 'keys');
    stepUp(owner, 'connections');
    const body = { label: 'robot', permissions: ['read'], days: 30 };
    const answers = await together(60, () => owner.send('POST', '/api/v3/api-keys', body));
    expect(countOf(answers, ({ status }) => status === 200)).toBe(MAXIMUM_KEYS);
    expect(countOf(answers, ({ status }) => status === 409)).toBe(60 - MAXIMUM_KEYS);
  });

  it(`130 withdrawal addresses at once are ${MAXIMUM_ADDRESSES}, and one of them twice is one`, async () => {
    const owner = await newPerson(http, 'addresses');
    stepUp(owner, 'whitelist');
    const add = (address: string) =>
      owner.send('POST', '/api/v3/whitelist', { label: 'mine', coin: 'USDT', network: 'ERC20', address });
    await together(10, () => add('0x'.padEnd(42, 'b')));
    const listed = async () =>
      (await owner.send('GET', '/api/v3/whitelist')).json<{ addresses: unknown[] }>().addresses.length;
    expect(await listed()).toBe(1);
    await together(130, (index) => add(`0x${String(index).padStart(40, 'a')}`));
    expect(await listed()).toBe(MAXIMUM_ADDRESSES);
  });

  it('30 requests for a code send one', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const email = `codes-${process.pid}-${round}@example.test`;
      const answers = await together(30, () => http().send('POST', '/api/v2/send-code', { body: { email } }));
      expect(countOf(answers, ({ status }) => status === 200)).toBe(1);
      expect(countOf(answers, ({ status }) => status === 429)).toBe(29);
      const mailbox = await http().send('GET', `/api/dev/outbox?to=${email}`);
      expect(mailbox.json<{ messages: unknown[] }>().messages).toHaveLength(1);
    }
  });

  it('one code makes one account', async () => {
    const email = `account-${process.pid}@example.test`;
    const code = await mailedCode(http(), email, () => http().send('POST', '/api/v2/send-code', { body: { email } }));
    const body = {
      code,
      username: email,
      password: PASSWORD,
      password_confirmation: PASSWORD,
      transaction_password: TRANSACTION_PASSWORD,
    };
    const answers = await together(10, () => http().send('POST', '/api/v2/register', { body }));
    expect(countOf(answers, says('SUCCESS'))).toBe(1);
  });

  it('one reset token sets one password', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { email } = await newPerson(http, 'reset');
      const ask = () => http().send('POST', '/api/v3/forgot-password/send-code', { body: { email } });
      const code = await mailedCode(http(), email, ask);
      const verified = await together(8, () =>
        http().send('POST', '/api/v3/forget-password-code/verify', { body: { email, code } }),
      );
      const tokens = verified.flatMap((answer) => answer.json<{ reset_token?: string }>().reset_token ?? []);
      expect(tokens).toHaveLength(1);
      const answers = await together(10, (index) => {
        const body = { email, password: `a-new-password-${index}`, reset_token: tokens[0] };
        return http().send('POST', '/api/v3/reset-password', { body });
      });
      expect(countOf(answers, says('success'))).toBe(1);
      const winner = answers.findIndex(says('success'));
      expect((await login(http(), email, `a-new-password-${winner}`)).status).toBe(200);
    }
  });

  it('a password is not reset without the token, from the same address and browser', async () => {
    const { email } = await newPerson(http, 'thief');
    const ask = () => http().send('POST', '/api/v3/forgot-password/send-code', { body: { email } });
    const code = await mailedCode(http(), email, ask);
    await http().send('POST', '/api/v3/forget-password-code/verify', { body: { email, code } });
    for (const token of [undefined, '', 'A'.repeat(43)]) {
      const body = { email, password: 'stolen-by-a-neighbour', ...(token === undefined ? {} : { reset_token: token }) };
      expect((await http().send('POST', '/api/v3/reset-password', { body })).status).not.toBe(200);
    }
    expect((await login(http(), email, 'stolen-by-a-neighbour')).status).toBe(401);
  });

  it('one idempotency key is one order, and parallel orders with the right password all pass', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const trader = await newPerson(http, 'orders');
      await fund(trader, { USDT: '100000' });
      const order = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '100', quantity: '0.1' };
      const headers = { 'idempotency-key': 'one' };
      const answers = await together(20, () => trader.send('POST', '/api/v3/orders', order, { headers }));
      const ids = answers.map((answer) => answer.json<{ order?: { id: string } }>().order?.id);
      expect(new Set(ids).size).toBe(1);
      await trader.send('DELETE', '/api/v3/trading-unlock');
      const withPassword = { ...order, transaction_password: TRANSACTION_PASSWORD };
      const more = await together(20, () => trader.send('POST', '/api/v3/orders', withPassword));
      expect(countOf(more, says('success'))).toBe(20);
      const open = await trader.send('GET', '/api/v3/trades/open-orders');
      expect(open.json<{ orders: unknown[] }>().orders).toHaveLength(21);
    }
  });

  it('an order is cancelled once, and of two amends at once neither is lost', async () => {
    const trader = await newPerson(http, 'amends');
    await fund(trader, { USDT: '100000' });
    for (let round = 0; round < rounds; round += 1) {
      const placed = await trader.send('POST', '/api/v3/orders', {
        symbol: 'BTC-USDT',
        side: 'BUY',
        type: 'limit',
        price: '100',
        quantity: '0.1',
      });
      const path = `/api/v3/orders/${placed.json<{ order: { id: string } }>().order.id}`;
      const changes = [{ price: '101' }, { quantity: '0.2' }];
      await together(2, (index) => trader.send('PATCH', path, changes[index]));
      const { orders } = (await trader.send('GET', '/api/v3/trades/open-orders')).json<{
        orders: { final_price: string; number_of_order: string }[];
      }>();
      expect(orders.map(({ final_price, number_of_order }) => [Number(final_price), Number(number_of_order)])).toEqual([
        [101, 0.2],
      ]);
      const cancelled = await together(10, () => trader.send('DELETE', path));
      expect(countOf(cancelled, ({ status }) => status === 200)).toBe(1);
    }
  });
}
