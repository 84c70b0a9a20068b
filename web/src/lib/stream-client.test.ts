import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { followsOn, StreamClient } from './stream-client.ts';

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readonly sent: string[] = [];
  readyState = 0;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (() => void) | null;
  onerror?: () => void;

  constructor(url: string) {
    this.sent.push(`url ${url}`);
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  receive(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const arg = { channel: 'trades', instId: 'BTC-USDT' };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function latest(): FakeSocket {
  const socket = FakeSocket.all.at(-1);
  if (!socket) throw new Error('No socket was opened');
  return socket;
}

function operations(socket: FakeSocket): string[] {
  return socket.sent.filter((text) => text.startsWith('{')).map((text) => (JSON.parse(text) as { op: string }).op);
}

async function subscribed(listener: { onPush: () => void; onReset?: () => void }) {
  const client = new StreamClient({ url: () => 'ws://test/ws' });
  const leave = client.subscribe(arg, listener);
  latest().open();
  await Promise.resolve();
  return { client, leave };
}

test('begins again on a new socket when it is told to, and its listeners read again', async () => {
  const onReset = vi.fn();
  const { client } = await subscribed({ onPush: vi.fn(), onReset });
  const first = latest();
  client.restart();
  await vi.advanceTimersByTimeAsync(1000);
  expect(latest()).not.toBe(first);
  latest().open();
  await Promise.resolve();
  expect(operations(latest())).toEqual(['subscribe']);
  latest().receive({ event: 'subscribe', arg });
  expect(onReset).toHaveBeenCalledOnce();
});

test('two listeners share one subscription and the last one ends it', async () => {
  const { client, leave } = await subscribed({ onPush: vi.fn() });
  const second = vi.fn();
  const leaveSecond = client.subscribe(arg, { onPush: second });
  latest().receive({ arg, data: [{ px: '1' }] });
  expect(second).toHaveBeenCalledOnce();
  leave();
  leaveSecond();
  await Promise.resolve();
  expect(operations(latest())).toEqual(['subscribe', 'unsubscribe']);
});

test('a listener that joins a channel after its start reads what it has missed', async () => {
  const { client } = await subscribed({ onPush: vi.fn() });
  const early = vi.fn();
  client.subscribe(arg, { onPush: vi.fn(), onReset: early });
  await Promise.resolve();
  expect(early).not.toHaveBeenCalled();
  latest().receive({ event: 'subscribe', arg });
  expect(early).toHaveBeenCalledOnce();
  const late = vi.fn();
  client.subscribe(arg, { onPush: vi.fn(), onReset: late });
  const left = vi.fn();
  client.subscribe(arg, { onPush: vi.fn(), onReset: left })();
  await Promise.resolve();
  expect([early, late, left].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
});

test('a hole in the sequence resubscribes and tells the listener to read again', async () => {
  const onPush = vi.fn();
  const onReset = vi.fn();
  await subscribed({ onPush, onReset });
  latest().receive({ event: 'subscribe', arg });
  latest().receive({ arg, data: [{}], seqId: 1, prevSeqId: 0 });
  latest().receive({ arg, data: [{}], seqId: 3, prevSeqId: 2 });
  await Promise.resolve();
  expect(onPush).toHaveBeenCalledOnce();
  expect(operations(latest())).toEqual(['subscribe', 'unsubscribe', 'subscribe']);
  latest().receive({ event: 'subscribe', arg });
  expect(onReset).toHaveBeenCalledTimes(2);
});

test('it comes back after a lost socket and subscribes again', async () => {
  await subscribed({ onPush: vi.fn() });
  latest().close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(FakeSocket.all).toHaveLength(2);
  latest().open();
  expect(operations(latest())).toEqual(['subscribe']);
});

test('three silent seconds are stale, the next word is not', async () => {
  const { client } = await subscribed({ onPush: vi.fn() });
  await vi.advanceTimersByTimeAsync(2_900);
  expect(client.isStale()).toBe(false);
  expect(latest().sent).toContain('ping');
  await vi.advanceTimersByTimeAsync(200);
  expect(client.isStale()).toBe(true);
  latest().receive({ arg, data: [{}] });
  expect(client.isStale()).toBe(false);
});

test('a login that the server could not answer is tried again on a new socket, and figures are stale until it is', async () => {
  const client = new StreamClient({ url: () => 'ws://test/ws', token: () => 'token' });
  client.subscribe(arg, { onPush: vi.fn() });
  const first = latest();
  first.open();
  first.receive({ event: 'error', code: '60026' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(latest()).not.toBe(first);
  latest().open();
  for (let second = 0; second < 4; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    latest().onmessage?.({ data: 'pong' });
  }
  expect(client.isStale()).toBe(true);
  latest().receive({ event: 'login', code: '0' });
  await Promise.resolve();
  expect(client.isStale()).toBe(false);
  expect(operations(latest())).toEqual(['login', 'subscribe']);
});

test('a socket that falls silent is found stale and let go of, though the clock was set back by an hour', async () => {
  const { client } = await subscribed({ onPush: vi.fn() });
  latest().receive({ event: 'subscribe', arg });
  await vi.advanceTimersByTimeAsync(1_500);
  latest().onmessage?.({ data: 'pong' });
  vi.setSystemTime(Date.now() - 3_600_000);
  latest().onmessage?.({ data: 'pong' });
  await vi.advanceTimersByTimeAsync(3_500);
  expect(client.isStale()).toBe(true);
  const first = latest();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(latest()).not.toBe(first);
});

test('what was heard before the device slept is stale at its first look, until the next word', async () => {
  const { client } = await subscribed({ onPush: vi.fn() });
  vi.setSystemTime(Date.now() + 60_000);
  await vi.advanceTimersByTimeAsync(500);
  expect(client.isStale()).toBe(true);
  expect(latest().sent).toContain('ping');
  latest().onmessage?.({ data: 'pong' });
  expect(client.isStale()).toBe(false);
});

test('failures of the socket and of reading are only logged, and the stream goes on (T-external-feed-11, T-external-feed-12)', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const onPush = vi.fn();
  await subscribed({ onPush });
  latest().onmessage?.({ data: '{broken' });
  latest().onerror?.();
  expect(logged).toHaveBeenCalledTimes(2);
  latest().receive({ arg, data: [{}] });
  expect(onPush).toHaveBeenCalledOnce();
  logged.mockRestore();
});

test('the socket is closed some seconds after the last listener left (T-external-feed-10)', async () => {
  const { leave } = await subscribed({ onPush: vi.fn() });
  leave();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(latest().readyState).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(latest().readyState).toBe(3);
});

test('a private stream subscribes only after its login', async () => {
  const client = new StreamClient({ url: () => 'ws://test/ws', token: () => 'secret' });
  client.subscribe({ channel: 'orders' }, { onPush: vi.fn() });
  latest().open();
  await Promise.resolve();
  expect(operations(latest())).toEqual(['login']);
  latest().receive({ event: 'login', code: '0' });
  expect(operations(latest())).toEqual(['login', 'subscribe']);
});

describe('sequence', () => {
  test('a snapshot starts anew, a first push is taken as it is', () => {
    expect(followsOn(7, { seqId: 9, prevSeqId: -1 })).toBe(true);
    expect(followsOn(undefined, { seqId: 9, prevSeqId: 8 })).toBe(true);
    expect(followsOn(7, { seqId: 9, prevSeqId: 8 })).toBe(false);
    expect(followsOn(7, { seqId: 8, prevSeqId: 7 })).toBe(true);
  });
});

test('a socket stays while its token does, and giving up one that still connects is no failure', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let token = 'first';
  const client = new StreamClient({ url: () => 'ws://test/private', token: () => token });
  client.subscribe({ channel: 'orders' }, { onPush: vi.fn() });
  const first = latest();
  client.followToken();
  expect(first.readyState).not.toBe(3);
  token = 'second';
  client.followToken();
  first.onerror?.();
  expect(first.readyState).toBe(3);
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
});

describe('requests on the private stream', () => {
  const cancel = { op: 'cancel', args: { id: '7' }, key: 'k' } as const;
  const lastSent = () => JSON.parse(latest().sent.at(-1) ?? '{}') as { id: string };

  async function signedIn() {
    const client = new StreamClient({ url: () => 'ws://test/private', token: () => 'secret' });
    client.subscribe({ channel: 'orders' }, { onPush: vi.fn() });
    latest().open();
    await Promise.resolve();
    return client;
  }

  test('wait for the login, and are known to their answers by id, in any order', async () => {
    const client = await signedIn();
    expect(client.isUp()).toBe(false);
    expect(await client.request(cancel)).toBeUndefined();
    latest().receive({ event: 'login', code: '0' });
    expect(client.isUp()).toBe(true);
    const first = client.request(cancel);
    const firstId = lastSent().id;
    expect(lastSent()).toEqual({ id: firstId, ...cancel });
    const second = client.request({ ...cancel, args: { id: '8' } });
    latest().receive({ id: lastSent().id, op: 'cancel', status: 200, body: 'second' });
    latest().receive({ id: firstId, op: 'cancel', status: 404, body: 'first' });
    expect([await first, await second]).toMatchObject([{ status: 404, body: 'first' }, { body: 'second' }]);
  });

  test('end without an answer when the socket is lost or silent, so that they can go another way', async () => {
    const client = await signedIn();
    latest().receive({ event: 'login', code: '0' });
    const lost = client.request(cancel);
    latest().close();
    expect(await lost).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    latest().open();
    latest().receive({ event: 'login', code: '0' });
    const silent = client.request(cancel);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await silent).toBeUndefined();
  });
});

describe('what a listener has to have read', () => {
  const orders = { channel: 'orders' };
  const begun = (moment?: string) => ({ event: 'subscribe', arg: orders, ...(moment === undefined ? {} : { moment }) });
  const push = (moment: string, seqId: number) => ({ arg: orders, data: [{}], seqId, prevSeqId: seqId - 1, moment });

  async function listening(token?: () => string) {
    const resets: (string | undefined)[] = [];
    const client = new StreamClient({ url: () => 'ws://test/ws', ...(token ? { token } : {}) });
    const listener = { onPush: vi.fn(), onReset: (moment: string | undefined) => resets.push(moment) };
    client.subscribe(orders, listener);
    const open = async () => {
      latest().open();
      if (token) latest().receive({ event: 'login' });
      await Promise.resolve();
    };
    const comeBack = async () => {
      latest().close();
      await vi.advanceTimersByTimeAsync(30_000);
      await open();
    };
    await open();
    return { client, resets, comeBack };
  }

  test('is what it had to have before, where a channel comes back that has not changed since it was heard', async () => {
    const { resets, comeBack } = await listening();
    latest().receive(begun('a-10'));
    latest().receive(push('a-15', 1));
    await comeBack();
    latest().receive(begun('a-15'));
    expect(resets).toEqual(['a-10', 'a-10']);
  });

  test('is the last change, where something was missed, the server started anew, or says no moments', async () => {
    const { resets, comeBack } = await listening();
    latest().receive(begun('a-10'));
    latest().receive(push('a-15', 1));
    await comeBack();
    latest().receive(begun('a-16'));
    await comeBack();
    latest().receive(begun('b-3'));
    await comeBack();
    latest().receive(begun());
    expect(resets).toEqual(['a-10', 'a-16', 'b-3', undefined]);
  });

  test('is not what a message after a hole says: the hole has to be read', async () => {
    const { resets } = await listening();
    latest().receive(begun('a-10'));
    latest().receive(push('a-15', 1));
    latest().receive(push('a-17', 3));
    await Promise.resolve();
    latest().receive(begun('a-17'));
    expect(resets).toEqual(['a-10', 'a-17']);
  });

  test('is all that was heard, for one that joins later, and nothing of what another client has heard', async () => {
    let token = 'one';
    const { client, resets, comeBack } = await listening(() => token);
    latest().receive(begun('a-10'));
    latest().receive(push('a-15', 1));
    const late = vi.fn();
    client.subscribe(orders, { onPush: vi.fn(), onReset: late });
    await Promise.resolve();
    expect(late).toHaveBeenCalledExactlyOnceWith('a-15');
    // While it is away, too: the lists of who comes now may be from before all that was heard.
    latest().close();
    client.subscribe(orders, { onPush: vi.fn(), onReset: late });
    await comeBack();
    latest().receive(begun('a-15'));
    expect(late).toHaveBeenLastCalledWith('a-15');
    resets.length = 0;
    token = 'other';
    await comeBack();
    latest().receive(begun('a-12'));
    expect(resets).toEqual(['a-12']);
  });
});
