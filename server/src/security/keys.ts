/** API keys: bearer tokens of programs, with fewer rights than a session, an end, and a last use. */
import type { Identity } from '../platform/calls.ts';
import { hashToken, newToken } from '../platform/random-token.ts';
import type { KeyRow, SecurityStore } from './store.ts';

type Permission = 'read' | 'trade';

export interface NewKey {
  readonly label: string;
  readonly permissions: readonly Permission[];
  readonly days: number;
}

const PREFIX = 'ck_';
const SHOWN = 8;
const MAXIMUM_KEYS = 20;
const MAXIMUM_LENGTH = 128;
const DAY_MS = 86_400_000;
const TOUCH_MS = 60_000;
const CACHE_LIMIT = 10_000;

export const permissionsOf = ({ permissions }: Pick<KeyRow, 'permissions'>) => permissions.split(',') as Permission[];

export function createKeys({ store, clock }: { store: SecurityStore; clock: { now(): number } }) {
  const known = new Map<string, { row: KeyRow; usedAt: number }>();

  function forget(ids: readonly number[]): void {
    for (const [hash, { row }] of known) if (ids.includes(row.id)) known.delete(hash);
  }

  return {
    isKey: (token: string): boolean => token.startsWith(PREFIX),
    list: (clientId: number): Promise<KeyRow[]> => store.keys(clientId, clock.now()),
    /** @returns the key, this once; undefined when there are too many */
    async create(clientId: number, { label, permissions, days }: NewKey): Promise<string | undefined> {
      const now = clock.now();
      if ((await store.keys(clientId, now)).length >= MAXIMUM_KEYS) return undefined;
      const key = `${PREFIX}${newToken()}`;
      await store.insertKey({
        client_id: clientId,
        keyHash: hashToken(key),
        prefix: key.slice(0, SHOWN),
        label,
        permissions: [...new Set(permissions)].join(','),
        created_at: now,
        expires_at: now + days * DAY_MS,
      });
      return key;
    },
    async revoke(clientId: number, id?: number): Promise<number> {
      const ids = await store.deleteKeys(clientId, id);
      forget(ids);
      return ids.length;
    },
    async authenticate(token: string): Promise<Identity | undefined> {
      if (token.length > MAXIMUM_LENGTH) return undefined;
      const hash = hashToken(token);
      const now = clock.now();
      const row = known.get(hash)?.row ?? (await store.keyByHash(hash));
      if (row === undefined || row.expires_at <= now) return undefined;
      const usedAt = known.get(hash)?.usedAt ?? 0;
      if (now - usedAt >= TOUCH_MS) {
        if (known.size >= CACHE_LIMIT) known.clear();
        known.set(hash, { row, usedAt: now });
        await store.useKey(row.id, now);
      }
      // No session has such a number, so a key is never unlocked, stepped up or listed as one.
      return { clientId: row.client_id, sessionId: -row.id, role: row.role, permissions: permissionsOf(row) };
    },
  };
}

export type Keys = ReturnType<typeof createKeys>;
