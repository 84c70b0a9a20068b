/** A database with many open orders, for benches of what happens then. */
import {
  accountKey,
  BUCKET_KEYS,
  Bucket,
  OWNER_KEYS,
  SystemOwner,
  WALLET_KEYS,
  Wallet,
} from '@cambist/core/ledger/account.ts';
import type { Database } from '@cambist/server/platform/database.ts';

/**
 * Puts so many open buy orders of 1,000 clients into the tables, as if they had been placed: orders, what they hold,
 * what paid for it, and the counters. Quicker than placing a million, and read back the same way.
 */
export async function fill(database: Database, count: number): Promise<void> {
  const owners = 1000;
  const each = count / owners;
  await database.query(
    `INSERT INTO orders (id, owner, market, side, type, time_in_force, price, quantity, quote_total, remaining, filled,
                         filled_quote, fee, fee_credit, state, reason, priority, created_at, updated_at)
     SELECT 1000 + n, 5000 + n % ${owners}, 0, 0, 0, 0, 500000 + n % 20000, 20, 0, 20, 0, 0, 0, 0, 0, 0, n, 0, 0
     FROM generate_series(1, $1::int) AS n`,
    [count],
  );
  // Held: price × quantity of each owner's orders, in the quote asset's smallest units (10^2 for a tick × a lot).
  await database.query(
    `INSERT INTO balances (account, amount)
     SELECT owner * ${OWNER_KEYS} + ${accountKey(0, Wallet.SPOT, Bucket.HELD, 0)} + asset.id, sum(price * remaining) * 100
     FROM orders, (SELECT id FROM assets WHERE code = 'USDT') AS asset WHERE state = 0 AND owner >= 5000
     GROUP BY owner, asset.id
     ON CONFLICT (account) DO UPDATE SET amount = excluded.amount`,
  );
  const paidBy = accountKey(SystemOwner.DEVELOPMENT, Wallet.SPOT, Bucket.AVAILABLE, 0);
  await database.query(
    `INSERT INTO balances (account, amount)
     SELECT ${paidBy} + asset.id, -sum(price * remaining) * 100
     FROM orders, (SELECT id FROM assets WHERE code = 'USDT') AS asset WHERE state = 0 AND owner >= 5000 GROUP BY asset.id
     ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount`,
  );
  // As if the reconciler had proven all of it.
  await database.query(
    `INSERT INTO reconciled_balances (account, amount)
     SELECT account / ${WALLET_KEYS} * ${WALLET_KEYS} + account % ${BUCKET_KEYS}, sum(amount) FROM balances GROUP BY 1
     ON CONFLICT (account) DO UPDATE SET amount = excluded.amount`,
  );
  await database.query('UPDATE reconciliation SET (batch, trade) = (SELECT batch, last_trade FROM projection)');
  await database.query(
    `UPDATE projection SET last_order = greatest(last_order, 1000 + $1::bigint), last_priority = greatest(last_priority, $1::bigint)`,
    [count],
  );
  await database.query('ANALYZE orders');
  if (each < 1) throw new Error('Give at least 1,000 orders');
}
