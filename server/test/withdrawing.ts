/** What tests of withdrawals do as a client of a whole server: asking for codes, withdrawing, and addresses elsewhere. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { readWithdrawal, startWithdrawal, Withdrawal } from '@cambist/contract/withdrawals.ts';
import { PASSWORD, type TestApp, TRANSACTION_PASSWORD } from './app.ts';

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
}
type Problem = { readonly code: string; readonly message: string; readonly fee?: string };

export function createWithdrawing(server: TestApp) {
  const post = <Body = Record<string, unknown>>(url: string, token: string, payload: object = {}, headers = {}) =>
    server.call({ method: 'POST', url, ...(token === '' ? {} : { token }), payload, headers }) as unknown as Promise<
      Answer<Body>
    >;
  const get = async <Body>(url: string, token: string) =>
    (await server.call({ method: 'GET', url, token })).body as unknown as Body;

  return {
    post,
    get,
    /** A new operator's token. */
    async operator(name: string): Promise<string> {
      const username = `${name}-operator@example.test`;
      await server.app.accounts.ensure(username, PASSWORD, TRANSACTION_PASSWORD, 'operator');
      return String((await post('/api/v3/login', '', { username, password: PASSWORD })).body.token);
    },
    /** What an operator of the treasury confirms. */
    treasury: (token: string) =>
      post('/api/v3/step-up', token, { purpose: 'treasury', transaction_password: TRANSACTION_PASSWORD }),
    async mails(email: string): Promise<{ subject: string; text: string }[]> {
      await server.app.outbox.run();
      const url = `/api/dev/outbox?to=${encodeURIComponent(email)}`;
      const { body } = await server.call({ method: 'GET', url });
      return body.messages as unknown as { subject: string; text: string }[];
    },
    /** The code of the newest mail. */
    async code(name: string, token: string): Promise<string> {
      server.advance(61_000);
      await post('/api/v3/otp', token);
      const newest = (await this.mails(`${name}@example.test`)).find(({ subject }) => /^\d{6} /.test(subject));
      return newest?.subject.slice(0, 6) ?? '';
    },
    withdraw: (token: string, wish: object, headers = {}) =>
      post<AnswerOf<typeof startWithdrawal> & Problem>(
        '/api/v3/withdrawals',
        token,
        { transaction_password: TRANSACTION_PASSWORD, ...wish },
        headers,
      ),
    history: async (token: string) =>
      (await get<{ withdraw: Withdrawal[] }>('/api/v3/withdraw-history', token)).withdraw,
    read: (token: string, id: string) => get<AnswerOf<typeof readWithdrawal>>(`/api/v3/withdrawals/${id}`, token),
    cancel: (token: string, id: string) =>
      post<{ withdrawal: Withdrawal } & Problem>(`/api/v3/withdrawals/${id}/cancel`, token),
    async balance(token: string, coin: string): Promise<readonly [available: string, unavailable: string]> {
      const found = await get<{ available_balance: string; unavailable_balance: string }>(
        `/api/v3/wallet-single-coin?name=${coin}`,
        token,
      );
      return [Number(found.available_balance), Number(found.unavailable_balance)].map(String) as [string, string];
    },
  };
}

export type Withdrawing = ReturnType<typeof createWithdrawing>;
