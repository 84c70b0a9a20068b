/**
 * Sessions: opaque random tokens, stored as SHA-256 (256 random bits need no slow hash), kept in memory once seen.
 * One process owns the memory, so ending a session ends it at once.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Identity } from '../platform/calls.ts';
import type { AccountStore } from './store.ts';

export interface SessionDeps {
  readonly store: AccountStore;
  readonly clock: { now(): number };
  readonly lifetimeMs: number;
}

interface CachedSession {
  readonly identity: Identity;
  readonly tokenHash: string;
  readonly expiresAt: number;
  unlockedUntil: number;
}

const TOKEN_BYTES = 32;
const MAXIMUM_TOKEN_LENGTH = 128;
const CACHE_LIMIT = 100_000;

const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url');

export function createSessions(deps: SessionDeps) {
  const { store, clock } = deps;
  const byHash = new Map<string, CachedSession>();
  const byId = new Map<number, CachedSession>();
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

  async function load(tokenHash: string): Promise<Identity | undefined> {
    const row = await store.session(tokenHash);
    if (row === undefined || row.expires_at <= clock.now() || row.status === 'FREEZE_ACCOUNT') return undefined;
    const identity = { clientId: row.client_id, sessionId: row.id, role: row.role };
    keep({ identity, tokenHash, expiresAt: row.expires_at, unlockedUntil: row.trading_unlocked_until });
    return identity;
  }

  return {
    /** Answers at once for a session in memory; most requests are. */
    authenticate(token: string): Identity | undefined | Promise<Identity | undefined> {
      if (token.length > MAXIMUM_TOKEN_LENGTH) return undefined;
      const tokenHash = hashToken(token);
      const cached = byHash.get(tokenHash);
      if (cached === undefined) return load(tokenHash);
      if (cached.expiresAt > clock.now()) return cached.identity;
      forget(cached);
      return undefined;
    },
    /** @returns the token, which is nowhere kept as it is */
    async open(client: { id: number; role: Identity['role'] }, from: { userAgent: string; address: string }) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const tokenHash = hashToken(token);
      const createdAt = clock.now();
      const expiresAt = createdAt + deps.lifetimeMs;
      const userAgent = from.userAgent.slice(0, 300);
      const session = { tokenHash, clientId: client.id, createdAt, expiresAt, userAgent, address: from.address };
      const sessionId = await store.insertSession(session);
      const identity = { clientId: client.id, sessionId, role: client.role };
      keep({ identity, tokenHash, expiresAt, unlockedUntil: 0 });
      return token;
    },
    async end(identity: Identity): Promise<void> {
      await store.deleteSession(identity.sessionId);
      const cached = byId.get(identity.sessionId);
      if (cached !== undefined) forget(cached);
      for (const listener of listeners) listener(identity.sessionId);
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
