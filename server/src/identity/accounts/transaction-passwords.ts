/** The second password, and the time for which a session needs none for orders. */
import type { Identity } from '../../platform/calls.ts';
import { createThrottle } from '../../platform/throttle.ts';
import type { ClientStore } from './client-store.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';

export interface TransactionPasswordDeps {
  readonly clients: ClientStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly clock: { now(): number };
}

/** Five wrong transaction passwords close the check for a minute, whoever holds the session. */
const guessRule = { free: 5, firstMs: 60_000, longestMs: 60_000, forgetMs: 60_000 };

export function createTransactionPasswords({ clients, passwords, sessions, clock }: TransactionPasswordDeps) {
  const guesses = createThrottle(clock, guessRule);

  async function checkTransactionPassword(clientId: number, password: string): Promise<boolean> {
    const admission = await guesses.admit(String(clientId));
    if (!admission.ok) return false;
    const { attempt } = admission;
    try {
      const row = await clients.clientById(clientId);
      const isGood = await passwords.verify(row?.transaction_password_hash, password, {
        lane: 'order',
        client: String(clientId),
      });
      if (isGood) attempt.succeed();
      else attempt.fail();
      return isGood;
    } finally {
      // Only what was checked counts.
      attempt.giveBack();
    }
  }

  async function epochOf(clientId: number): Promise<number> {
    return (await clients.clientById(clientId))?.auth_epoch ?? -1;
  }

  return {
    checkTransactionPassword,
    async unlockTrading(identity: Identity, password: string, minutes: number): Promise<number | undefined> {
      const { clientId, sessionId } = identity;
      // Read before the password is checked: a change that comes between makes the unlock fail.
      const epoch = await epochOf(clientId);
      if (!(await checkTransactionPassword(clientId, password))) return undefined;
      const until = clock.now() + minutes * 60_000;
      await sessions.unlock({ clientId, sessionId, epoch }, until);
      return until;
    },
    lockTrading: (identity: Identity) => sessions.lock(identity),
    tradingUnlockedUntil: (identity: Identity) => sessions.unlockedUntil(identity),
    /** To be read before a proof is checked; what is done on the strength of it asks for the same. */
    epochOf,
    /** For trading: a password that is given is checked; none is fine while the session is unlocked, or for a key. */
    async check(identity: Identity, password: string | undefined): Promise<'ok' | 'required' | 'wrong'> {
      if (password) return (await checkTransactionPassword(identity.clientId, password)) ? 'ok' : 'wrong';
      const isOpen = identity.permissions?.includes('trade') || sessions.unlockedUntil(identity) !== undefined;
      return isOpen ? 'ok' : 'required';
    },
  };
}
