import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bothKinds, openMigrated, type TestDatabase } from '../../test/databases.ts';
import type { Database } from './database.ts';
import { createEncryption } from './encryption.ts';
import { createLogger } from './logger.ts';
import { createOutbox, type Message } from './outbox.ts';
import { createOutboxStore } from './outbox-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe.each(bothKinds)('the outbox (%s)', (kind) => {
  let source: TestDatabase;
  let database: Database;
  let now = 0;
  /** `process recipient text` of each attempt, in order. */
  let tried: string[] = [];
  let held: (() => void)[] = [];
  const encryption = createEncryption(Buffer.alloc(32, 7));

  beforeEach(async () => {
    ({ source, database } = await openMigrated(kind));
    [now, tried, held] = [1_000_000, [], []];
  });
  afterEach(async () => {
    await database.close();
    await source.remove();
  });

  /** One process: refuses recipients named dead…, and holds up those named slow… */
  function start(name = 'a', random = () => 0) {
    const store = createOutboxStore(database);
    const clock = { now: () => now };
    const outbox = createOutbox({ store, encryption, clock, logger: createLogger('silent'), random });
    outbox.serve('mail', async (content, recipient) => {
      tried.push(`${name} ${recipient} ${(content as { text: string }).text}`);
      if (recipient.startsWith('slow')) await new Promise<void>((resolve) => held.push(resolve));
      if (recipient.startsWith('dead')) throw new Error('There is no such mailbox');
    });
    return outbox;
  }
  const message = (recipient: string, more: Partial<Message> = {}): Message => ({
    channel: 'mail',
    recipient,
    kind: 'news',
    content: { text: 'hello' },
    lifetimeMs: 30 * DAY_MS,
    ...more,
  });
  const rows = () => database.query<{ state: string; payload: string }>('SELECT state, payload FROM outbox');

  it('writes a message before it is sent, encrypted, and keeps no text of one that was sent', async () => {
    const outbox = start();
    const { attempt } = await outbox.put(message('slow@x', { content: { text: 'the secret is 123456' } }));
    await vi.waitUntil(() => held.length === 1);
    const [written] = await rows();
    expect(written?.state).toBe('waiting');
    expect(written?.payload.length).toBeGreaterThan(20);
    expect(JSON.stringify(written)).not.toContain('123456');
    held.pop()?.();
    expect(await attempt).toBe(true);
    await outbox.close();
    expect(await rows()).toEqual([{ state: 'sent', payload: '' }]);
  });

  it('sends each message once, however many processes share the table and however often it is put', async () => {
    const [first, second] = [start('a'), start('b')];
    for (let at = 0; at < 12; at += 1) await first.put(message(`r${at}@x`, { key: `key ${at}` }));
    expect(await (await second.put(message('r1@x', { key: 'key 1' }))).attempt).toBe(true);
    await Promise.all([first.run(), second.run()]);
    expect(tried.map((line) => line.split(' ')[1]).sort()).toEqual(
      Array.from({ length: 12 }, (_, at) => `r${at}@x`).sort(),
    );
    await Promise.all([first.close(), second.close()]);
  });

  it('takes a whole handful at a time while thousands wait', async () => {
    const store = createOutboxStore(database);
    let claims = 0;
    const counting: typeof store = {
      ...store,
      claim: (...given) => {
        claims += 1;
        return store.claim(...given);
      },
    };
    const sent: string[] = [];
    const clock = { now: () => now };
    const outbox = createOutbox({ store: counting, encryption, clock, logger: createLogger('silent') });
    // Each takes a time of its own, so that they do not end together by themselves.
    outbox.serve('mail', async (_content, recipient) => {
      await new Promise((resolve) => setTimeout(resolve, sent.length % 7));
      sent.push(recipient);
    });
    const messages = Array.from({ length: 320 }, (_, at) => message(`r${at}@x`));
    await database.transaction([outbox.statement(...messages)]);
    await outbox.run();
    await outbox.close();
    expect(new Set(sent).size).toBe(320);
    expect(claims).toBeLessThan(50);
  });

  it('sends again, once the lease is over, what a process took and never finished', async () => {
    const store = createOutboxStore(database);
    const dying = start();
    await dying.close();
    await dying.put(message('ann@x'));
    expect(await store.claim(now, now + MINUTE_MS, [], 1)).toMatchObject([{ recipient: 'ann@x', attempts: 1 }]);
    const next = start('b');
    await next.run();
    expect(tried).toEqual([]);
    now += MINUTE_MS;
    await next.run();
    expect(tried).toEqual(['b ann@x hello']);
    await next.close();
  });

  it('sends what a clock that was ahead has leased until then', async () => {
    const store = createOutboxStore(database);
    const dying = start();
    await dying.close();
    await dying.put(message('ann@x'));
    await store.claim(now + DAY_MS, now + DAY_MS + MINUTE_MS, [], 1);
    const next = start('b');
    await next.run();
    expect(tried).toEqual(['b ann@x hello']);
    await next.close();
  });

  it('waits longer after each failure, and keeps the message as a dead letter after eight', async () => {
    const outbox = start();
    expect(await (await outbox.put(message('dead@x'))).attempt).toBe(false);
    await outbox.put(message('dead@x', { content: { text: 'second' } }));
    await outbox.run();
    for (const [at, minutes] of [1, 2, 4, 8, 16, 32, 64].entries()) {
      now += minutes * MINUTE_MS - 1;
      await outbox.run();
      expect(tried.filter((line) => line.endsWith('hello'))).toHaveLength(at + 1);
      now += 1;
      await outbox.run();
      expect(tried.filter((line) => line.endsWith('hello'))).toHaveLength(at + 2);
    }
    const [deadLetter] = await outbox.dead(Number.MAX_SAFE_INTEGER, 10);
    expect(deadLetter).toMatchObject({
      recipient: 'dead@x',
      attempts: 8,
      error: 'There is no such mailbox',
      can_retry: true,
    });
    expect(await outbox.retry(deadLetter?.id ?? 0)).toBe(true);
    expect(await outbox.retry(deadLetter?.id ?? 0)).toBe(false);
    await outbox.run();
    expect(tried.filter((line) => line.endsWith('hello'))).toHaveLength(9);
    await outbox.close();
  });

  it('counts an attempt that failed with words that the table does not take', async () => {
    const store = createOutboxStore(database);
    const clock = { now: () => now };
    const outbox = createOutbox({ store, encryption, clock, logger: createLogger('silent') });
    outbox.serve('mail', async () => {
      throw new Error('550 \0 no such mailbox');
    });
    await (await outbox.put(message('odd@x'))).attempt;
    for (let attempt = 2; attempt <= 8; attempt += 1) {
      now += DAY_MS;
      await outbox.run();
    }
    expect(await outbox.dead(Number.MAX_SAFE_INTEGER, 10)).toMatchObject([
      { attempts: 8, error: '550  no such mailbox' },
    ]);
    await outbox.close();
  });

  it('spreads its attempts at random, by up to half of the wait', async () => {
    const outbox = start('a', () => 0.999);
    await (await outbox.put(message('dead@x'))).attempt;
    await outbox.run();
    now += 29_000;
    await outbox.run();
    expect(tried).toHaveLength(1);
    now += 2_000;
    await outbox.run();
    expect(tried).toHaveLength(2);
    await outbox.close();
  });

  it('serves others while a recipient is slow or refuses, and each recipient one message at a time', async () => {
    const outbox = start();
    await outbox.put(message('slow@x'));
    await outbox.put(message('slow@x', { content: { text: 'second' } }));
    for (let at = 0; at < 40; at += 1) await outbox.put(message(at % 2 ? `dead${at}@x` : `quick${at}@x`));
    await vi.waitUntil(() => tried.length === 41);
    expect(tried.filter((line) => line.includes('slow'))).toEqual(['a slow@x hello']);
    held.pop()?.();
    await vi.waitUntil(() => held.length === 1);
    held.pop()?.();
    await outbox.run();
    expect(tried.filter((line) => line.includes('slow'))).toEqual(['a slow@x hello', 'a slow@x second']);
    await outbox.close();
  });

  it('tries once, and keeps nothing, where the sender waits for how it goes', async () => {
    const outbox = start();
    expect(await (await outbox.put(message('dead@x', { once: true }))).attempt).toBe(false);
    expect(await (await outbox.put(message('ann@x', { once: true }))).attempt).toBe(true);
    await outbox.run();
    expect(await rows()).toEqual([]);
    await outbox.close();
  });

  it('does not send what has expired, removes its text, and forgets it in the end', async () => {
    const outbox = start();
    await (await outbox.put(message('dead@x', { lifetimeMs: 10_000 }))).attempt;
    now += 10 * MINUTE_MS;
    await outbox.run();
    await outbox.forgetOld();
    expect(tried).toHaveLength(1);
    expect(await rows()).toEqual([{ state: 'dead', payload: '' }]);
    const [deadLetter] = await outbox.dead(Number.MAX_SAFE_INTEGER, 10);
    expect(deadLetter?.can_retry).toBe(false);
    expect(await outbox.retry(deadLetter?.id ?? 0)).toBe(false);
    now += 31 * DAY_MS;
    await outbox.forgetOld();
    expect(await rows()).toEqual([]);
    await outbox.close();
  });
});
