/**
 * API keys: bearer tokens of programs, with fewer rights than a session, an end, and a last use. Kept in memory once
 * seen; a revocation wins over every reading in flight (`platform/revocation.ts`).
 */
import { createNetworks } from '../../platform/addresses.ts';
import type { Authority } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import { hashToken, newToken } from '../../platform/random-token.ts';
import { createRevocations } from '../../platform/revocation.ts';
import type { KeyRow, SecurityStore } from './store.ts';

type Permission = 'read' | 'trade';

export interface NewKey {
  readonly label: string;
  readonly permissions: readonly Permission[];
  /** Empty: from anywhere. */
  readonly networks: readonly string[];
  readonly days: number;
}

/** Which keys of a client end, by the numbers that stand in the place of a session's. */
export interface KeyEnding {
  readonly clientId: number;
  readonly includes: (sessionId: number) => boolean;
}

interface KeyDeps {
  readonly store: SecurityStore;
  readonly clock: { now(): number };
}

type KnownIdentity = Identity & { readonly expiresAt: number };

const PREFIX = 'ck_';
const SHOWN = 8;
const MAXIMUM_KEYS = 20;
const MAXIMUM_LENGTH = 128;
const DAY_MS = 86_400_000;
const TOUCH_MS = 60_000;
const CACHE_LIMIT = 10_000;

export const permissionsOf = ({ permissions }: Pick<KeyRow, 'permissions'>) => permissions.split(',') as Permission[];

export const networksOf = ({ networks }: Pick<KeyRow, 'networks'>) => (networks === '' ? [] : networks.split(','));

/** No session has such a number, so a key is never unlocked, stepped up or listed as one. */
const identityOf = (row: KeyRow): KnownIdentity => ({
  clientId: row.client_id,
  sessionId: -row.id,
  role: row.role,
  permissions: permissionsOf(row),
  ...(row.networks === '' ? {} : { networks: createNetworks(networksOf(row)) }),
  expiresAt: row.expires_at,
});

/** When each key was last used. */
function createUses({ store, clock }: KeyDeps) {
  const used = new Map<number, number>();

  /** The last use is as exact as a minute. */
  function use(identity: KnownIdentity): Identity | undefined {
    const [now, id] = [clock.now(), -identity.sessionId];
    if (identity.expiresAt <= now) return undefined;
    if (now - (used.get(id) ?? 0) >= TOUCH_MS) used.set(id, now);
    return identity;
  }

  return {
    use,
    usedAt: (id: number) => used.get(id),
    /** Writes down the last uses; run it now and then. */
    async flushUses(): Promise<void> {
      const uses = [...used];
      if (uses.length === 0) return;
      await store.touchKeys(
        uses.map(([id]) => id),
        uses.map(([, at]) => at),
      );
      for (const [id, at] of uses) if (used.get(id) === at) used.delete(id);
    },
  };
}

/** The keys that were seen, and who ends them. */
function createKnownKeys(deps: KeyDeps) {
  const { store } = deps;
  const { use, usedAt, flushUses } = createUses(deps);
  const known = new Map<string, KnownIdentity>();
  const listeners = new Set<(ending: KeyEnding) => void>();
  const revocations = createRevocations<KnownIdentity>();

  function load(hash: string): Promise<Identity | undefined> {
    return revocations.read(
      () => store.keyByHash(hash),
      (row, isRevoked) => {
        const identity = row && identityOf(row);
        if (identity === undefined || isRevoked(identity)) return undefined;
        if (known.size >= CACHE_LIMIT) known.clear();
        known.set(hash, identity);
        return use(identity);
      },
    );
  }

  function forget({ clientId, includes }: KeyEnding): void {
    for (const [hash, identity] of known) {
      if (identity.clientId === clientId && includes(identity.sessionId)) known.delete(hash);
    }
    for (const listener of listeners) listener({ clientId, includes });
  }

  /** @param write deletes them in the store, with whatever else belongs to the same transaction */
  function endBy<Result>(clientId: number, id: number | undefined, write: () => Promise<Result>): Promise<Result> {
    const includes = (sessionId: number) => sessionId < 0 && (id === undefined || sessionId === -id);
    return revocations.revoke({
      key: `keys of client ${clientId}: ${id ?? 'all'}`,
      matches: (identity) => identity.clientId === clientId && includes(identity.sessionId),
      forget: () => forget({ clientId, includes }),
      write,
      again: () => store.deleteKeys(clientId, id),
    });
  }

  return {
    endBy,
    usedAt,
    flushUses,
    /** Answers at once for a key in memory. */
    authenticate(token: string): Identity | undefined | Promise<Identity | undefined> {
      if (token.length > MAXIMUM_LENGTH) return undefined;
      const hash = hashToken(token);
      const identity = known.get(hash);
      return identity === undefined ? load(hash) : use(identity);
    },
    onEnd(listener: (ending: KeyEnding) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Ends what could not be ended while the store was away; run it now and then. */
    finishEndings: revocations.finish,
  };
}

export function createKeys(deps: KeyDeps) {
  const { store, clock } = deps;
  const { usedAt, ...known } = createKnownKeys(deps);

  return {
    ...known,
    isKey: (token: string): boolean => token.startsWith(PREFIX),
    async list(clientId: number): Promise<KeyRow[]> {
      const rows = await store.keys(clientId, clock.now());
      return rows.map((row) => ({ ...row, last_used_at: usedAt(row.id) ?? row.last_used_at }));
    },
    /** @returns the key, this once; undefined when there are too many */
    async create(by: Authority, { label, permissions, networks, days }: NewKey): Promise<string | undefined> {
      const now = clock.now();
      const key = `${PREFIX}${newToken()}`;
      const row = {
        client_id: by.clientId,
        keyHash: hashToken(key),
        prefix: key.slice(0, SHOWN),
        label,
        permissions: [...new Set(permissions)].join(','),
        networks: [...new Set(networks)].join(','),
        created_at: now,
        expires_at: now + days * DAY_MS,
      };
      return (await store.insertKey(by, row, MAXIMUM_KEYS)) ? key : undefined;
    },
    /** @param id all of the client without one. @returns how many there were */
    revoke: async (clientId: number, id?: number): Promise<number> =>
      (await known.endBy(clientId, id, () => store.deleteKeys(clientId, id))).length,
  };
}

export type Keys = ReturnType<typeof createKeys>;
