/** The sessions that were seen, by token, number and client, and when each was last used. Never more than so many. */
import type { Identity } from '../../platform/calls.ts';

export interface CachedSession {
  readonly identity: Identity & { readonly expiresAt: number };
  readonly tokenHash: string;
  unlockedUntil: number;
  lastUsedAt: number;
}

const LIMIT = 100_000;
/** How exact the last use is. */
const TOUCH_MS = 60_000;

export function createSessionMemory() {
  const byHash = new Map<string, CachedSession>();
  const byId = new Map<number, CachedSession>();
  const byClient = new Map<number, Set<CachedSession>>();
  const used = new Map<number, number>();

  function forget(session: CachedSession): void {
    const { clientId, sessionId } = session.identity;
    byHash.delete(session.tokenHash);
    byId.delete(sessionId);
    const own = byClient.get(clientId);
    own?.delete(session);
    if (own?.size === 0) byClient.delete(clientId);
  }

  return {
    byHash: (tokenHash: string) => byHash.get(tokenHash),
    byId: (sessionId: number) => byId.get(sessionId),
    forget,
    /** @returns the one that is there already, where two readings brought the same */
    keep(session: CachedSession): CachedSession {
      const known = byHash.get(session.tokenHash);
      if (known !== undefined) return known;
      const [oldest] = byHash.values();
      if (byHash.size >= LIMIT && oldest !== undefined) forget(oldest);
      const { clientId, sessionId } = session.identity;
      byHash.set(session.tokenHash, session);
      byId.set(sessionId, session);
      byClient.set(clientId, (byClient.get(clientId) ?? new Set()).add(session));
      return session;
    },
    use(session: CachedSession, now: number): Identity {
      if (now - session.lastUsedAt >= TOUCH_MS) {
        session.lastUsedAt = now;
        used.set(session.identity.sessionId, now);
      }
      return session.identity;
    },
    forgetAll(clientId: number, isMeant: (sessionId: number) => boolean): void {
      for (const session of [...(byClient.get(clientId) ?? [])]) {
        const { sessionId } = session.identity;
        if (!isMeant(sessionId)) continue;
        forget(session);
        used.delete(sessionId);
      }
    },
    lockAll(clientId: number): void {
      for (const session of byClient.get(clientId) ?? []) session.unlockedUntil = 0;
    },
    takeUses(): [number, number][] {
      const uses = [...used];
      used.clear();
      return uses;
    },
  };
}

export type SessionMemory = ReturnType<typeof createSessionMemory>;
