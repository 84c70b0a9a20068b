/** Devices that an account knows, and the networks that it was signed in to from. Secrets are only ever stored hashed. */
import type { Database } from '../../platform/database.ts';
import type { TimesAhead } from '../../platform/times-ahead.ts';

export function createDeviceStore(database: Database) {
  return {
    async deviceOf(clientId: number, secretHash: string, now: number): Promise<number | undefined> {
      const [row] = await database.query<{ id: number }>(
        'SELECT id FROM devices WHERE secret_hash = $2 AND client_id = $1 AND expires_at > $3',
        [clientId, secretHash, now],
      );
      return row?.id;
    },
    /** Whether any account knows it: only what was made here is ever kept. */
    async isKnown(secretHash: string, now: number): Promise<boolean> {
      const rows = await database.query(
        'SELECT 1 AS one FROM devices WHERE secret_hash = $1 AND expires_at > $2 LIMIT 1',
        [secretHash, now],
      );
      return rows.length > 0;
    },
    /** The ones that were used last stay, as many as are allowed. */
    async saveDevice(
      clientId: number,
      device: { readonly secretHash: string; readonly now: number; readonly expiresAt: number },
      most: number,
    ): Promise<void> {
      await database.transaction([
        {
          sql: `INSERT INTO devices (client_id, secret_hash, created_at, last_used_at, expires_at)
                VALUES ($1, $2, $3, $3, $4)
                ON CONFLICT (secret_hash, client_id) DO UPDATE
                SET last_used_at = excluded.last_used_at, expires_at = excluded.expires_at`,
          parameters: [clientId, device.secretHash, device.now, device.expiresAt],
        },
        {
          sql: `DELETE FROM devices WHERE id IN (
                  SELECT id FROM devices WHERE client_id = $1 ORDER BY last_used_at DESC, id DESC OFFSET $2)`,
          parameters: [clientId, most],
        },
      ]);
    },
    async deleteExpiredDevices(now: number): Promise<void> {
      await database.query('DELETE FROM devices WHERE expires_at <= $1', [now]);
    },
    /** Addresses of successful sign-ins. */
    async addressesSince(clientId: number, since: number): Promise<string[]> {
      const rows = await database.query<{ address: string }>(
        `SELECT DISTINCT address FROM sign_ins WHERE client_id = $1 AND at > $2 AND outcome = 'success' LIMIT 1000`,
        [clientId, since],
      );
      return rows.map(({ address }) => address);
    },
  };
}

export type DeviceStore = ReturnType<typeof createDeviceStore>;

export const deviceTimes: readonly TimesAhead[] = [
  {
    name: 'known browsers',
    table: 'devices',
    where: 'greatest(created_at, last_used_at) > $1',
    set: 'created_at = least(created_at, $1), last_used_at = $1, expires_at = $1::int8 + expires_at - last_used_at',
  },
];
