/**
 * Guesses, all at once. The right secret follows while the crowd is still being looked at: where each attempt is counted
 * before it is checked, it comes too late and is refused unseen.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../http.ts';
import { login, newPerson, PASSWORD, TRANSACTION_PASSWORD } from '../people.ts';
import { databaseKinds, startTarget, type Target } from '../target.ts';
import { countOf, together } from './hammer.ts';

/** Fewer than the sockets of one client: none of them waits for another's answer. */
const GUESSES = 50;

/** More than the server hashes at once: their client always has one that waits. */
const PROOFS_AT_ONCE = 4;
const SIGN_INS = 3;
/** A sign-in that had to wait for the other's proofs to end took for as long as they went on. */
const STARVED_MS = 2_000;

/** Wrong ones side by side, and the right one behind them: once the first is answered, the others are counted. */
async function crowd(guess: (index: number, isRight: boolean) => Promise<Answer>): Promise<Answer[]> {
  const { promise: firstAnswer, resolve: onAnswer } = Promise.withResolvers<void>();
  const wrong = together(GUESSES, async (index) => {
    const answer = await guess(index, false);
    onAnswer();
    return answer;
  });
  await firstAnswer;
  const right = await guess(GUESSES, true);
  return [...(await wrong), right];
}

describe.each(databaseKinds)('guesses at once (%s)', (kind) => {
  let target: Target;
  const http = () => target.http;
  beforeAll(async () => {
    // Limits on, and none that the crowd would meet before the one under attack.
    target = await startTarget(kind, { RATE_LIMIT_PER_MINUTE: '100000' });
  });
  afterAll(() => target.remove());

  it('at a transaction password', async () => {
    const owner = await newPerson(http, 'pin');
    const answers = await crowd((index, isRight) =>
      owner.send('POST', '/api/v3/trading-unlock', {
        transaction_password: isRight ? TRANSACTION_PASSWORD : `guess-${index}`,
        minutes: 5,
      }),
    );
    const unlocked = (await owner.send('GET', '/api/v3/trading-unlock')).json<{ unlocked_until: number | null }>();
    expect(unlocked.unlocked_until).toBeNull();
    const granted = countOf(answers, (answer) => answer.json<{ message?: string }>().message === 'success');
    expect(granted).toBe(0);
  });

  it('at a password from many networks, while the owner still comes in from his own', async () => {
    const owner = await newPerson(http, 'sought');
    // Sixty sign-ins a minute are an address's own limit.
    const answers = await crowd((index, isRight) => {
      const from = `127.0.${10 + index}.1`;
      return login(http(), owner.email, isRight ? PASSWORD : `guess-number-${index}`, { from });
    });
    expect(countOf(answers, ({ status }) => status === 200)).toBe(0);
    expect(countOf(answers, ({ status }) => status === 429)).toBeGreaterThan(GUESSES / 2);
    expect((await login(http(), owner.email, PASSWORD, { from: '127.0.200.1' })).status).toBe(429);
    expect((await login(http(), owner.email, PASSWORD)).status).toBe(200);
  });

  it('at nothing, by a client who keeps proving the right password: a stranger signs in meanwhile', async () => {
    const [owner, stranger] = [await newPerson(http, 'prover'), await newPerson(http, 'waiting')];
    let isOver = false;
    const proving = together(PROOFS_AT_ONCE, async () => {
      while (!isOver) {
        const proof = { transaction_password: TRANSACTION_PASSWORD, minutes: 5 };
        await owner.send('POST', '/api/v3/trading-unlock', proof);
      }
    });
    try {
      for (let round = 0; round < SIGN_INS; round += 1) {
        const started = performance.now();
        expect((await login(http(), stranger.email, PASSWORD)).status).toBe(200);
        expect(performance.now() - started).toBeLessThan(STARVED_MS);
      }
    } finally {
      isOver = true;
      await proving;
    }
  });
});
