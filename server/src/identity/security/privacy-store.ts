/** Everything that is kept about one person, and its end. The ledger and its orders stay: they are the exchange's books. */
import { byExchange, holdAuthority } from '../../platform/authority.ts';
import type { Database } from '../../platform/database.ts';

/** What an export holds, each a list of rows. No hash, secret or key is in it: they are no use to the person. */
const parts: Readonly<Record<string, string>> = {
  account: `SELECT id, email, mobile_number, unique_id, referral, provider, locale, verified, name, gender, date_of_birth,
              address, status, freeze_reason, withdraw_limit, one_step, whitelist_only, created_at
            FROM clients WHERE id = $1`,
  connected_accounts: 'SELECT provider, subject, email, connected_at FROM identities WHERE client_id = $1',
  sessions:
    'SELECT way, created_at, last_used_at, expires_at, user_agent, address, place FROM sessions WHERE client_id = $1',
  known_devices: 'SELECT created_at, last_used_at, expires_at FROM devices WHERE client_id = $1',
  sign_ins: 'SELECT at, way, outcome, user_agent, address, place FROM sign_ins WHERE client_id = $1 ORDER BY id',
  passkeys: 'SELECT label, created_at, last_used_at FROM passkeys WHERE client_id = $1',
  withdrawal_addresses: 'SELECT label, coin, network, address, created_at FROM whitelist WHERE client_id = $1',
  api_keys:
    'SELECT label, prefix, permissions, created_at, expires_at, last_used_at FROM api_keys WHERE client_id = $1',
  withdrawal_holds: 'SELECT kind, reason, from_at, until_at FROM holds WHERE client_id = $1 ORDER BY id',
  acts: 'SELECT at, act, reason FROM audit WHERE client_id = $1 ORDER BY id',
  favorites: 'SELECT market FROM favorites WHERE client_id = $1',
  price_alerts: 'SELECT * FROM price_alerts WHERE client_id = $1',
  notifications: 'SELECT * FROM notifications WHERE client_id = $1',
  support: `SELECT messages.* FROM support_messages AS messages
              JOIN support_conversations ON support_conversations.id = messages.conversation_id
              JOIN support_customers ON support_customers.id = support_conversations.customer_id
            WHERE support_customers.client_id = $1`,
  balances: 'SELECT account, amount::text FROM balances WHERE account / 2097152 = $1',
  orders: 'SELECT * FROM orders WHERE owner = $1 ORDER BY id',
  trades: `SELECT id, market, price, quantity, time, maker_owner = $1 AS was_maker FROM trades
           WHERE maker_owner = $1 OR taker_owner = $1 ORDER BY id`,
  ledger: `SELECT batch, sequence, reason, time, account, amount::text FROM ledger_entries WHERE owner = $1
           ORDER BY batch, sequence`,
};

/** Rows that are about the person alone. */
const personal = ['sessions', 'identities', 'past_passwords', 'totp', 'recovery_codes', 'passkeys', 'whitelist'];
const alsoPersonal = ['api_keys', 'data_exports', 'sign_ins', 'price_alerts', 'notifications', 'favorites', 'devices'];

export function createPrivacyStore(database: Database) {
  return {
    async gather(clientId: number): Promise<Record<string, unknown>> {
      const gathered: Record<string, unknown> = {};
      for (const [name, sql] of Object.entries(parts)) {
        const rows = await database.query<{ row: string }>(
          `SELECT row_to_json(part)::text AS row FROM (${sql}) AS part`,
          [clientId],
        );
        gathered[name] = rows.map(({ row }) => JSON.parse(row) as unknown);
      }
      return gathered;
    },
    async dueDeletions(now: number, after: number): Promise<number[]> {
      const rows = await database.query<{ id: number }>(
        'SELECT id FROM clients WHERE deletion_at <= $1 AND deleted_at IS NULL AND id > $2 ORDER BY id LIMIT 100',
        [now, after],
      );
      return rows.map(({ id }) => id);
    },
    /**
     * Leaves a row without a person, so that the books still add up.
     * @returns false when the deletion was taken back meanwhile; then nothing was done
     */
    async anonymise(clientId: number, now: number): Promise<boolean> {
      const deletions = [...personal, ...alsoPersonal].map((table) => ({
        sql: `DELETE FROM ${table} WHERE client_id = $1
              AND EXISTS (SELECT 1 FROM clients WHERE id = $1 AND deleted_at IS NOT NULL)`,
        parameters: [clientId],
      }));
      const rows = await database.transaction([
        holdAuthority(byExchange(clientId)),
        {
          sql: `UPDATE clients SET email = '', email_key = 'deleted:' || id, password_hash = '',
                  transaction_password_hash = '', mobile_number = '', mobile_verified_at = NULL, referral = '', name = '',
                  gender = '', date_of_birth = '', address = '', anti_phishing_code = '', deletion_at = NULL,
                  deleted_at = $2, auth_epoch = auth_epoch + 1
                WHERE id = $1 AND deletion_at <= $2 AND deleted_at IS NULL RETURNING id`,
          parameters: [clientId, now],
        },
        ...deletions,
      ]);
      return rows[1]?.length === 1;
    },
  };
}

export type PrivacyStore = ReturnType<typeof createPrivacyStore>;
