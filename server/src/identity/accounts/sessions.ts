/**
 * Sessions: opaque random tokens, stored as SHA-256 (256 random bits need no slow hash), kept in memory once seen.
 * One process owns the memory, and what ends or locks a session wins over every reading of it (`platform/revocation.ts`).
 * Every sign-in makes a new token: none that was there before is ever raised.
 */
import { type Authority, byExchange } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import { AuthorityEnded } from '../../platform/database.ts';
import type { Origin } from '../../platform/origin.ts';
import { hashToken, newToken } from '../../platform/random-token.ts';
import { createRevocations, type Revocations } from '../../platform/revocation.ts';
import type { ClientRow } from './client-store.ts';
import { createSessionMemory, type SessionMemory } from './session-memory.ts';
import type { SessionRow, SessionStore, Way } from './session-store.ts';

export interface SessionDeps {
  readonly store: SessionStore;
  readonly clock: { now(): number };
  readonly lifetimeMs: number;
}

/** Which sessions of a client end. */
export interface Ending {
  readonly clientId: number;
  readonly includes: (sessionId: number) => boolean;
}

/** A session may end, and what it unlocked may end before it. */
interface Subject {
  readonly scope: 'session' | 'unlock';
  readonly clientId: number;
  readonly sessionId: number;
}

type Named = Pick<Identity, 'clientId' | 'sessionId'>;

const MAXIMUM_TOKEN_LENGTH = 128;

interface Parts extends SessionDeps {
  readonly memory: SessionMemory;
  readonly revocations: Revocations<Subject>;
}

/** Who asks, and who comes in. */
function createAdmissions({ store, clock, lifetimeMs, memory, revocations }: Parts) {
  function load(tokenHash: string): Promise<Identity | undefined> {
    return revocations.read(
      () => store.session(tokenHash),
      (row, isRevoked) => {
        if (row === undefined || row.expires_at <= clock.now()) return undefined;
        const named = { clientId: row.client_id, sessionId: row.id };
        if (isRevoked({ ...named, scope: 'session' })) return undefined;
        const isLocked = isRevoked({ ...named, scope: 'unlock' });
        const session = {
          identity: { ...named, role: row.role, expiresAt: row.expires_at },
          tokenHash,
          unlockedUntil: isLocked ? 0 : row.trading_unlocked_until,
          lastUsedAt: row.last_used_at,
        };
        return memory.use(memory.keep(session), clock.now());
      },
    );
  }

  return {
    /** Answers at once for a session in memory; most requests are. */
    authenticate(token: string): Identity | undefined | Promise<Identity | undefined> {
      if (token.length > MAXIMUM_TOKEN_LENGTH) return undefined;
      const tokenHash = hashToken(token);
      const cached = memory.byHash(tokenHash);
      if (cached === undefined) return load(tokenHash);
      if (cached.identity.expiresAt > clock.now()) return memory.use(cached, clock.now());
      memory.forget(cached);
      return undefined;
    },
    /**
     * Keeps an account that was to be deleted, too.
     * @param client as it was when the proof was checked
     * @returns the token, which is nowhere kept as it is; undefined when the proof has become worthless meanwhile
     */
    open(
      client: Pick<ClientRow, 'id' | 'role' | 'auth_epoch'>,
      { way, from, locale }: { readonly way: Way; readonly from: Origin; readonly locale: string },
    ): Promise<string | undefined> {
      const token = newToken();
      const tokenHash = hashToken(token);
      const createdAt = clock.now();
      const expiresAt = createdAt + lifetimeMs;
      const { id: clientId, role, auth_epoch: epoch } = client;
      return revocations.read(
        () => {
          const deviceHash = from.device && hashToken(from.device);
          const facts = { ...from, tokenHash, clientId, epoch, createdAt, expiresAt, way, locale, deviceHash };
          return store.insertSession(facts);
        },
        (sessionId, isRevoked) => {
          if (sessionId === undefined || isRevoked({ clientId, sessionId, scope: 'session' })) return undefined;
          const identity = { clientId, sessionId, role, expiresAt };
          memory.keep({ identity, tokenHash, unlockedUntil: 0, lastUsedAt: createdAt });
          return token;
        },
      );
    },
  };
}

/** What ends sessions. Memory and listeners first: what is ended must not answer while the store is asked. */
function createEndings({ store, memory, revocations }: Parts) {
  const listeners = new Set<(ending: Ending) => void>();

  function forget(ending: Ending): void {
    memory.forgetAll(ending.clientId, ending.includes);
    for (const listener of listeners) listener(ending);
  }

  function endOne(clientId: number, sessionId: number): Promise<number[]> {
    const includes = (id: number) => id === sessionId;
    return revocations.revoke({
      // Of this client alone: numbers can be guessed, and one that is another's, or of a sign-in on its way, must not end.
      key: `session ${sessionId} of client ${clientId}`,
      matches: (subject) => subject.scope === 'session' && subject.clientId === clientId && includes(subject.sessionId),
      forget: () => forget({ clientId, includes }),
      write: () => store.deleteSession(clientId, sessionId),
    });
  }

  /** @param write ends them in the store, with whatever else belongs to the same transaction */
  function endBy<Result>(clientId: number, kept: number | undefined, write: () => Promise<Result>): Promise<Result> {
    // The numbers of API keys are negative; those end by themselves.
    const includes = (id: number) => id > 0 && id !== kept;
    return revocations.revoke({
      key: `client ${clientId} but ${kept}`,
      matches: ({ scope, ...subject }) =>
        scope === 'session' && subject.clientId === clientId && includes(subject.sessionId),
      forget: () => forget({ clientId, includes }),
      write,
      again: () => store.deleteSessions(byExchange(clientId), kept),
    });
  }

  return {
    end: async ({ clientId, sessionId }: Named): Promise<void> => void (await endOne(clientId, sessionId)),
    /** @returns false when the client has no such session */
    endOne: async (clientId: number, sessionId: number): Promise<boolean> =>
      (await endOne(clientId, sessionId)).length > 0,
    endBy,
    /**
     * Ends all of a client, but for one that is named; sign-ins that are on their way come to nothing.
     * @param by the session that asks, where one does
     * @returns how many
     */
    async endAll(clientId: number, kept?: number, by: Authority = byExchange(clientId)): Promise<number> {
      return (await endBy(clientId, kept, () => store.deleteSessions(by, kept))).length;
    },
    onEnd(listener: (ending: Ending) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What a session unlocks for orders for a while. */
function createUnlocks({ store, clock, memory, revocations }: Parts) {
  /** @param write changes the password in the store, and locks every session of the client in the same transaction */
  function lockBy<Result>(clientId: number, write: () => Promise<Result>): Promise<Result> {
    return revocations.revoke({
      key: `unlocks of client ${clientId}`,
      matches: (subject) => subject.scope === 'unlock' && subject.clientId === clientId,
      forget: () => memory.lockAll(clientId),
      write,
      again: () => store.lockTrading(clientId, null),
    });
  }

  return {
    lockBy,
    /** Ms since 1970; undefined while the session is locked for orders. */
    unlockedUntil({ sessionId }: Named): number | undefined {
      const until = memory.byId(sessionId)?.unlockedUntil ?? 0;
      return until > clock.now() ? until : undefined;
    },
    /** @param authority with the epoch of the password that was given */
    async unlock(authority: Authority & { readonly sessionId: number }, until: number): Promise<void> {
      const { clientId, sessionId } = authority;
      const isDone = await revocations.read(
        () => store.unlockTrading(authority, until),
        (_, isRevoked) => {
          if (isRevoked({ clientId, sessionId, scope: 'unlock' })) return false;
          const cached = memory.byId(sessionId);
          if (cached !== undefined) cached.unlockedUntil = until;
          return true;
        },
      );
      if (isDone) return;
      // The store may have seen the lock before the unlock.
      await store.lockTrading(clientId, sessionId);
      throw new AuthorityEnded('proof', 'The session was locked meanwhile');
    },
    lock({ clientId, sessionId }: Named): Promise<void> {
      return revocations.revoke({
        key: `unlock of session ${sessionId}`,
        matches: (subject) => subject.scope === 'unlock' && subject.sessionId === sessionId,
        forget: () => {
          const cached = memory.byId(sessionId);
          if (cached !== undefined) cached.unlockedUntil = 0;
        },
        write: () => store.lockTrading(clientId, sessionId),
      });
    },
  };
}

export function createSessions(deps: SessionDeps) {
  const memory = createSessionMemory();
  const revocations = createRevocations<Subject>();
  const { store, clock } = deps;
  const parts = { ...deps, memory, revocations };
  const [endings, unlocks] = [createEndings(parts), createUnlocks(parts)];

  return {
    ...createAdmissions(parts),
    ...endings,
    ...unlocks,
    /** Around a change of the password: every session is locked, and all but one end. */
    changePassword: <Result>(clientId: number, kept: number | undefined, write: () => Promise<Result>) =>
      unlocks.lockBy(clientId, () => endings.endBy(clientId, kept, write)),
    async list(clientId: number): Promise<SessionRow[]> {
      const rows = await store.sessionsOf(clientId, clock.now());
      return rows
        .map((row) => ({ ...row, last_used_at: memory.byId(row.id)?.lastUsedAt ?? row.last_used_at }))
        .sort((a, b) => b.last_used_at - a.last_used_at);
    },
    /** Writes down the last uses; run it now and then. */
    async flushUses(): Promise<void> {
      const uses = memory.takeUses();
      if (uses.length === 0) return;
      await store.touch(
        uses.map(([id]) => id),
        uses.map(([, at]) => at),
      );
    },
    /** Ends what could not be ended while the store was away; run it now and then. */
    finishEndings: revocations.finish,
  };
}

export type Sessions = ReturnType<typeof createSessions>;
