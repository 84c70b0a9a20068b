/**
 * Sessions: opaque random tokens, stored as SHA-256 (256 random bits need no slow hash), kept in memory once seen.
 * One process owns the memory, so ending a session ends it at once. Every sign-in makes a new token: none that was
 * there before is ever raised.
 */
import type { Identity } from '../platform/calls.ts';
import type { Origin } from '../platform/origin.ts';
import { hashToken, newToken } from '../platform/random-token.ts';
import type { SessionRow, SessionStore, Way } from './session-store.ts';

export interface SessionDeps {
  readonly store: SessionStore;
  readonly clock: { now(): number };
  readonly lifetimeMs: number;
}

interface CachedSession {
  readonly identity: Identity;
  readonly tokenHash: string;
  readonly expiresAt: number;
  unlockedUntil: number;
  lastUsedAt: number;
}

const MAXIMUM_TOKEN_LENGTH = 128;
const CACHE_LIMIT = 100_000;
/** How exact the last use is. */
const TOUCH_MS = 60_000;

export function createSessions(deps: SessionDeps) {
  const { store, clock } = deps;
  const byHash = new Map<string, CachedSession>();
  const byId = new Map<number, CachedSession>();
  const used = new Map<number, number>();
  const listeners = new Set<(sessionId: number) => void>();

  function forget(session: CachedSession): void {
    byHash.delete(session.tokenHash);
    byId.delete(session.identity.sessionId);
  }

  function keep(session: CachedSession): void {
    const [oldest] = byHash.values();
    if (byHash.size >= CACHE_LIMIT && oldest !== undefined) forget(oldest);
    byHash.set(session.tokenHash, session);
    byId.set(session.identity.sessionId, session);
  }

  function use(session: CachedSession): Identity {
    const now = clock.now();
    if (now - session.lastUsedAt >= TOUCH_MS) {
      session.lastUsedAt = now;
      used.set(session.identity.sessionId, now);
    }
    return session.identity;
  }

  async function load(tokenHash: string): Promise<Identity | undefined> {
    const row = await store.session(tokenHash);
    if (row === undefined || row.expires_at <= clock.now()) return undefined;
    const session = {
      identity: { clientId: row.client_id, sessionId: row.id, role: row.role },
      tokenHash,
      expiresAt: row.expires_at,
      unlockedUntil: row.trading_unlocked_until,
      lastUsedAt: row.last_used_at,
    };
    keep(session);
    return use(session);
  }

  /** Memory first: what is ended must not answer while the store is asked. */
  function ended(ids: readonly number[]): void {
    for (const id of ids) {
      const cached = byId.get(id);
      if (cached !== undefined) forget(cached);
      used.delete(id);
      for (const listener of listeners) listener(id);
    }
  }

  return {
    /** Answers at once for a session in memory; most requests are. */
    authenticate(token: string): Identity | undefined | Promise<Identity | undefined> {
      if (token.length > MAXIMUM_TOKEN_LENGTH) return undefined;
      const tokenHash = hashToken(token);
      const cached = byHash.get(tokenHash);
      if (cached === undefined) return load(tokenHash);
      if (cached.expiresAt > clock.now()) return use(cached);
      forget(cached);
      return undefined;
    },
    /** @returns the token, which is nowhere kept as it is */
    async open(client: { id: number; role: Identity['role'] }, way: Way, from: Origin): Promise<string> {
      const token = newToken();
      const tokenHash = hashToken(token);
      const createdAt = clock.now();
      const expiresAt = createdAt + deps.lifetimeMs;
      const session = { ...from, tokenHash, clientId: client.id, createdAt, expiresAt, way };
      const sessionId = await store.insertSession(session);
      const identity = { clientId: client.id, sessionId, role: client.role };
      keep({ identity, tokenHash, expiresAt, unlockedUntil: 0, lastUsedAt: createdAt });
      return token;
    },
    async end(identity: Identity): Promise<void> {
      ended([identity.sessionId]);
      await store.deleteSessions(identity.clientId, [identity.sessionId]);
    },
    /** @returns false when the client has no such session */
    async endOne(clientId: number, sessionId: number): Promise<boolean> {
      const ids = await store.deleteSessions(clientId, [sessionId]);
      ended(ids);
      return ids.length > 0;
    },
    /** Ends all of a client, but for one that is named. @returns how many */
    async endAll(clientId: number, butSessionId?: number): Promise<number> {
      const all = await store.sessionsOf(clientId, 0);
      const ids = all.map(({ id }) => id).filter((id) => id !== butSessionId);
      ended(ids);
      await store.deleteSessions(clientId, ids);
      // One that was loaded from the store in between is gone there, and goes here.
      ended(ids);
      return ids.length;
    },
    async list(clientId: number): Promise<SessionRow[]> {
      const rows = await store.sessionsOf(clientId, clock.now());
      return rows
        .map((row) => ({ ...row, last_used_at: byId.get(row.id)?.lastUsedAt ?? row.last_used_at }))
        .sort((a, b) => b.last_used_at - a.last_used_at);
    },
    /** Writes down the last uses; run it now and then. */
    async flushUses(): Promise<void> {
      const uses = [...used];
      used.clear();
      if (uses.length === 0) return;
      await store.touch(
        uses.map(([id]) => id),
        uses.map(([, at]) => at),
      );
    },
    /** Ms since 1970; undefined while the session is locked for orders. */
    unlockedUntil(identity: Identity): number | undefined {
      const until = byId.get(identity.sessionId)?.unlockedUntil ?? 0;
      return until > clock.now() ? until : undefined;
    },
    async unlock(identity: Identity, until: number): Promise<void> {
      await store.unlockTrading(identity.sessionId, until);
      const cached = byId.get(identity.sessionId);
      if (cached !== undefined) cached.unlockedUntil = until;
    },
    /** Memory first: a lock that the store could not take must not leave this process open. */
    async lock(identity: Identity): Promise<void> {
      const cached = byId.get(identity.sessionId);
      if (cached !== undefined) cached.unlockedUntil = 0;
      await store.unlockTrading(identity.sessionId, 0);
    },
    /** Locks every session of a client for orders: whoever changes one of the client's passwords calls it. */
    async lockAll(clientId: number): Promise<void> {
      for (const session of byId.values()) if (session.identity.clientId === clientId) session.unlockedUntil = 0;
      await store.lockTrading(clientId);
    },
    onEnd(listener: (sessionId: number) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
