/** Readings and revocations in every order; and what is remembered of them. */
import { describe, expect, it } from 'vitest';
import { AuthorityEnded } from './database.ts';
import { createRevocations } from './revocation.ts';

/** One revocable thing, its reading and its revocation in the test's hands. */
function stage() {
  const revocations = createRevocations<string>();
  const read = (subject: string) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const isGood = revocations.read(
      () => promise,
      (value, isRevoked) => !isRevoked(value),
    );
    return { isGood, arrive: () => resolve(subject) };
  };
  const forgotten: string[] = [];
  const revoke = (subject: string, again?: () => Promise<void>) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const done = revocations.revoke({
      key: subject,
      matches: (one) => one === subject,
      forget: () => forgotten.push(subject),
      write: () => promise,
      ...(again ? { again } : {}),
    });
    return { done, commit: () => resolve(), fail: (error: Error) => reject(error) };
  };
  return { revocations, read, revoke, forgotten };
}

describe('a reading', () => {
  it('that began before a revocation and ends after it is worth nothing', async () => {
    const { read, revoke } = stage();
    const reading = read('a');
    const { done, commit } = revoke('a');
    commit();
    await done;
    reading.arrive();
    expect(await reading.isGood).toBe(false);
  });

  it('that begins or ends while a revocation is under way is worth nothing', async () => {
    const { read, revoke } = stage();
    const before = read('a');
    const { done, commit } = revoke('a');
    before.arrive();
    expect(await before.isGood).toBe(false);
    const within = read('a');
    commit();
    await done;
    within.arrive();
    expect(await within.isGood).toBe(false);
  });

  it('that begins after the commit is good, and so is one of something else', async () => {
    const { read, revoke } = stage();
    const other = read('b');
    const { done, commit } = revoke('a');
    commit();
    await done;
    const after = read('a');
    for (const reading of [other, after]) {
      reading.arrive();
      expect(await reading.isGood).toBe(true);
    }
  });
});

describe('a revocation', () => {
  it('forgets before the store is asked', () => {
    const { revoke, forgotten } = stage();
    revoke('a');
    expect(forgotten).toEqual(['a']);
  });

  it('that the store did not confirm stays in force until it is done', async () => {
    const { revocations, read, revoke } = stage();
    let tries = 0;
    const again = async () => {
      tries += 1;
      if (tries === 1) throw new Error('still away');
    };
    const { done, fail } = revoke('a', again);
    fail(new Error('away'));
    await expect(done).rejects.toThrow('away');
    const isGood = async () => {
      const reading = read('a');
      reading.arrive();
      return reading.isGood;
    };
    expect(await isGood()).toBe(false);
    await expect(revocations.finish()).rejects.toThrow('still away');
    expect(await isGood()).toBe(false);
    await revocations.finish();
    expect(await isGood()).toBe(true);
    await revocations.finish();
    expect(tries).toBe(2);
  });

  it('that was not allowed any more was none', async () => {
    const { revocations, read, revoke } = stage();
    const { done, fail } = revoke('a', () => Promise.reject(new Error('not to be tried')));
    fail(new AuthorityEnded('session', 'gone'));
    await expect(done).rejects.toThrow('gone');
    await revocations.finish();
    const reading = read('a');
    reading.arrive();
    expect(await reading.isGood).toBe(true);
  });

  it('that is asked for again and done ends the one that failed', async () => {
    const { revocations, read, revoke } = stage();
    const failed = revoke('a', () => Promise.reject(new Error('not to be tried')));
    failed.fail(new Error('away'));
    await expect(failed.done).rejects.toThrow('away');
    const { done, commit } = revoke('a');
    commit();
    await done;
    await revocations.finish();
    const reading = read('a');
    reading.arrive();
    expect(await reading.isGood).toBe(true);
  });
});
