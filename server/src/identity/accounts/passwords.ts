/**
 * Password hashes by argon2id. Each takes 19 MiB and some 20 ms of a core, so only as many run at once as leave a core
 * for orders; the others wait in a short queue. What an order waits for goes first.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { PasswordCost } from '../../platform/slice.ts';

/** OWASP's first choice for argon2id (its Password Storage Cheat Sheet). */
const RECOMMENDED: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const CONCURRENCY = Math.max(1, Math.min(3, availableParallelism() - 1));
const QUEUE_LIMIT = 500;

/** Too many wait already; the answer is 503 with Retry-After, and nothing was done. */
class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

type Lane = 'order' | 'entry';

export function createPasswords(cost: PasswordCost = RECOMMENDED) {
  const waiting: Record<Lane, (() => void)[]> = { order: [], entry: [] };
  let running = 0;

  async function inTurn<Result>(lane: Lane, work: () => Promise<Result>): Promise<Result> {
    if (waiting.order.length + waiting.entry.length >= QUEUE_LIMIT) throw new Overloaded('Too many wait for a hash');
    if (running >= CONCURRENCY) await new Promise<void>((resolve) => waiting[lane].push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.order.shift() ?? waiting.entry.shift();
      // The next caller takes over this slot at once, so that no other comes between.
      if (next === undefined) running -= 1;
      else next();
    }
  }

  const hashed = (password: string) => inTurn('entry', () => hash(password, cost));
  /** Compared against where there is no hash, so that the answer takes as long. */
  const decoy = hashed('no account has this password');

  return {
    hash: hashed,
    /** @param known undefined or empty where there is none: takes as long, and is false */
    async verify(known: string | undefined, password: string, lane: Lane = 'entry'): Promise<boolean> {
      const against = known || (await decoy);
      const good = await inTurn(lane, () => verify(against, password));
      return good && Boolean(known);
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

let stolen: Promise<ReadonlySet<string>> | undefined;

/** Unpacked when first asked for. */
async function readStolen(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Whether a password is among the 49,000 most common ones of known thefts, its case aside. */
export async function isStolen(password: string): Promise<boolean> {
  stolen ??= readStolen();
  return (await stolen).has(password.toLowerCase());
}
