/**
 * Password hashes by argon2id. Each takes 19 MiB and some 20 ms of a core, so only as many run at once as leave a core
 * for orders; the others wait in a short queue, by turns.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { PasswordCost } from '../../platform/slice.ts';
import { type HashCaller, HashQueue, type HashQueueLimits } from './hash-queue.ts';

/** OWASP's first choice for argon2id (its Password Storage Cheat Sheet). */
const RECOMMENDED: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const QUEUE: HashQueueLimits = {
  running: Math.max(1, Math.min(3, availableParallelism() - 1)),
  waiting: 500,
  waitingOfClient: 16,
  // Half, since an office, or a proxy that is not set in TRUST_PROXY, is one network.
  waitingOfNetwork: 250,
};

const ENTRY: HashCaller = { lane: 'entry' };

/** The same letters are the same password, whichever keyboard wrote them: `ü` is one character on some, two on others. */
const normalized = (password: string): string => password.normalize('NFKC');

/** Hashes of before were made of what was typed. */
const spellings = (password: string): readonly string[] => [...new Set([normalized(password), password])];

async function verifyAny(known: string, passwords: readonly string[]): Promise<boolean> {
  for (const password of passwords) if (await verify(known, password)) return true;
  return false;
}

export function createPasswords(cost: PasswordCost = RECOMMENDED) {
  const queue = new HashQueue(QUEUE);
  const hashed = (password: string, caller: HashCaller = ENTRY) =>
    queue.run(caller, () => hash(normalized(password), cost));
  /** Compared against where there is no hash, so that the answer takes as long. */
  const decoy = hashed('no account has this password');

  return {
    hash: hashed,
    /** @param known undefined or empty where there is none: takes as long, and is false */
    async verify(known: string | undefined, password: string, caller: HashCaller = ENTRY): Promise<boolean> {
      const against = known || (await decoy);
      const good = await queue.run(caller, () => verifyAny(against, spellings(password)));
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
  return (await stolen).has(normalized(password).toLowerCase());
}
