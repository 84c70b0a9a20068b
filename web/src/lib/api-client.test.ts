import { accountClient } from '@cambist/contract/accounts.ts';
import { cancelOrder, placeOrder } from '@cambist/contract/trading.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { call } from './api-client.ts';
import { useSession } from './session-store.ts';
import { privateStream } from './streams.ts';

const body = { symbol: 'BTC', side: 'BUY', type: 'limit', price: '1', quantity: '1' } as const;
const order = { id: '7' };
const problem = { status: 422, code: 'X', detail: 'No.', message: 'No.' };

const bySocket = vi.spyOn(privateStream, 'request');
const byHttp = vi.fn<typeof fetch>();
const answers = (status: number, answer: unknown) => new Response(JSON.stringify(answer), { status });
const keyOf = (headers: RequestInit['headers']) => new Headers(headers).get('idempotency-key');

beforeEach(() => {
  vi.stubGlobal('fetch', byHttp);
  vi.stubEnv('DEV', false);
  useSession.setState({ token: 'secret' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetAllMocks();
});

describe('a call that the private socket takes', () => {
  test('goes by the socket while it answers, and not by HTTP', async () => {
    bySocket.mockResolvedValue({ id: '1', op: 'cancel', status: 200, body: { message: 'success', order } });
    expect(await call(cancelOrder, { params: { id: '7' } })).toEqual({ message: 'success', order });
    expect(bySocket).toHaveBeenCalledWith(expect.objectContaining({ op: 'cancel', args: { id: '7' } }));
    expect(byHttp).not.toHaveBeenCalled();
  });

  test('goes by HTTP under the same key when the socket gives no answer', async () => {
    bySocket.mockResolvedValue(undefined);
    byHttp.mockImplementation(async () => answers(200, { message: 'success', order }));
    await call(placeOrder, { body, idempotencyKey: 'given' });
    expect(bySocket.mock.calls[0]?.[0].key).toBe('given');
    expect(keyOf(byHttp.mock.calls[0]?.[1]?.headers)).toBe('given');
    await call(cancelOrder, { params: { id: '7' } });
    const key = bySocket.mock.calls[1]?.[0].key;
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(keyOf(byHttp.mock.calls[1]?.[1]?.headers)).toBe(key);
  });

  test('is refused as by HTTP, and not sent again', async () => {
    bySocket.mockResolvedValue({ id: '1', op: 'place', status: 422, body: problem });
    await expect(call(placeOrder, { body })).rejects.toMatchObject({ status: 422, code: 'X', message: 'No.' });
    expect(byHttp).not.toHaveBeenCalled();
  });

  test('ends the session that was refused', async () => {
    bySocket.mockResolvedValue({ id: '1', op: 'place', status: 401, body: { ...problem, status: 401 } });
    await expect(call(placeOrder, { body })).rejects.toMatchObject({ status: 401 });
    expect(useSession.getState()).toMatchObject({ token: undefined, ended: true });
  });
});

describe('a call without an answer', () => {
  test('may have been done where it carries a key, and says so', async () => {
    bySocket.mockResolvedValue(undefined);
    byHttp.mockRejectedValue(new TypeError('Failed to fetch'));
    const placed = call(placeOrder, { body, idempotencyKey: 'given' });
    await expect(placed).rejects.toMatchObject({ code: 'NETWORK', undecided: true });
    await expect(placed).rejects.toThrow(/may have been done already. Try again, it is not done twice/);
    await expect(call(accountClient)).rejects.toThrow(/cannot be reached/);
  });

  test('is one that a gateway has answered, or whose answer breaks off', async () => {
    bySocket.mockResolvedValue(undefined);
    for (const answer of [new Response('<h1>Gateway timeout</h1>', { status: 504 }), new Response('{"message":"su')]) {
      byHttp.mockResolvedValueOnce(answer);
      const placed = call(placeOrder, { body, idempotencyKey: 'given' });
      await expect(placed).rejects.toMatchObject({ code: 'NETWORK', undecided: true });
      await expect(placed).rejects.toThrow(/may have been done already/);
    }
  });
});
