import { afterEach, describe, expect, test, vi } from 'vitest';
import { networkProblem, problemOf } from './api-problem.ts';
import { sendMessageOnce, sendOnce, visitorTokenOf } from './send-once.ts';

const success = { message: 'success' };
const refusal = problemOf(422, { status: 422, code: 'X', detail: 'No.', message: 'No.' });

/** The key under which the intent goes out, with this for an answer. */
async function keyOf(intent: string, answer: { readonly message: string } | Error = success): Promise<string> {
  let sent = '';
  const sending = sendOnce(intent, async (key) => {
    sent = key;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  await sending.catch(() => undefined);
  return sent;
}

describe('the key of an intent', () => {
  afterEach(() => void vi.useRealTimers());

  test('is another one after an answer or a refusal', async () => {
    const keys = [await keyOf('a'), await keyOf('a', refusal), await keyOf('a')];
    expect(new Set(keys).size).toBe(3);
  });

  test('stays without an answer, until there is one', async () => {
    const lost = await keyOf('b', networkProblem());
    expect(await keyOf('another')).not.toBe(lost);
    expect(await keyOf('b', problemOf(503, undefined))).toBe(lost);
    expect(await keyOf('b')).toBe(lost);
    expect(await keyOf('b')).not.toBe(lost);
  });

  test('stays when the page is loaded anew, until there is an answer', async () => {
    const lost = await keyOf('h', networkProblem());
    const keyAfterLoading = async () => {
      vi.resetModules();
      const loaded = await import('./send-once.ts');
      const keys: string[] = [];
      await loaded.sendOnce('h', async (key) => {
        keys.push(key);
        return success;
      });
      return keys[0];
    };
    expect(await keyAfterLoading()).toBe(lost);
    expect(await keyAfterLoading()).not.toBe(lost);
  });

  test('stays where a password was mistyped after the answer was lost', async () => {
    const lost = await keyOf('c', networkProblem());
    expect(await keyOf('c', { message: 'wrong_transaction_password' })).toBe(lost);
    expect(await keyOf('c')).toBe(lost);
  });

  test.each([401, 403, 429])('stays where a retry was refused with %i, unlooked at', async (status) => {
    const intent = `f ${status}`;
    const lost = await keyOf(intent, networkProblem());
    expect(await keyOf(intent, problemOf(status, undefined))).toBe(lost);
    expect(await keyOf(intent)).toBe(lost);
  });

  test.each(['INVALID_INPUT', 'INVALID_FIELD'])(
    'stays where something impossible (%s) was sent meanwhile',
    async (code) => {
      const intent = `g ${code}`;
      const lost = await keyOf(intent, networkProblem());
      const impossible = problemOf(422, { status: 422, code, detail: 'No.', message: 'No.' });
      expect(await keyOf(intent, impossible)).toBe(lost);
      expect(await keyOf(intent)).toBe(lost);
    },
  );

  test('is another one where the same is wanted long after an answer was lost', async () => {
    vi.useFakeTimers();
    const lost = await keyOf('e', networkProblem());
    vi.setSystemTime(Date.now() + 9 * 60_000);
    expect(await keyOf('e', networkProblem())).toBe(lost);
    vi.setSystemTime(Date.now() + 9 * 60_000);
    expect(await keyOf('e', networkProblem())).toBe(lost);
    vi.setSystemTime(Date.now() + 11 * 60_000);
    expect(await keyOf('e')).not.toBe(lost);
  });

  test('of a later intent is not forgotten by a late answer to the one before', async () => {
    const late = Promise.withResolvers<typeof success>();
    const first = sendOnce('d', () => late.promise);
    await keyOf('d');
    const next = await keyOf('d', networkProblem());
    late.resolve(success);
    await first;
    expect(await keyOf('d')).toBe(next);
  });
});

test('of a message is its own, whatever became of the one before it', async () => {
  const keys: string[] = [];
  const write = (text: string, isLost: boolean) =>
    sendMessageOnce('chat', text, async (key) => {
      keys.push(key);
      if (isLost) throw networkProblem();
      return success;
    }).catch(() => undefined);
  for (const text of ['Hello', 'Hello again', 'Hello']) await write(text, true);
  await write('Hello', false);
  await write('Hello', false);
  const [hello, again, ...rest] = keys;
  expect(again).not.toBe(hello);
  expect(rest.slice(0, 2)).toEqual([hello, hello]);
  expect(rest[2]).not.toBe(hello);
  const token = await visitorTokenOf(hello ?? '');
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await visitorTokenOf(hello ?? '')).toBe(token);
});
