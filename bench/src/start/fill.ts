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
 * Puts so many open buy orders of 1,000 clients (or so many) into the tables, as if they had been placed: orders, what they
 * hold, what paid for it, and the counters. Quicker than placing a million, and read back the same way.
 */
export async function fill(database: Database, count: number, owners = 1000): Promise<void> {
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
  await reconcile(database);
  await database.query(
    `UPDATE projection SET last_order = greatest(last_order, 1000 + $1::bigint), last_priority = greatest(last_priority, $1::bigint)`,
    [count],
  );
  await database.query('ANALYZE orders');
  if (each < 1) throw new Error(`Give at least ${owners} orders`);
}

/** Perpetuals that a client has positions in, and clients for so many positions. */
const MARKETS = 10;
const ownersOf = (positions: number) => positions / MARKETS;
/** 20 lots at 500,000 ticks, 10^2 units for a tick × a lot, with ten times leverage. */
const [COST, MARGIN] = [1_000_000_000, 100_000_000];

const futuresAccount = (bucket: Bucket) =>
  `owner * ${OWNER_KEYS} + ${accountKey(0, Wallet.FUTURE, bucket, 0)} + asset.id`;

/**
 * What positions are compared with: as many open orders of as many clients, each with as many balances: what its orders hold,
 * and what is available for futures.
 */
export async function fillOrdersBesidePositions(database: Database, count: number): Promise<void> {
  await database.query(
    `INSERT INTO balances (account, amount)
     SELECT ${futuresAccount(Bucket.AVAILABLE)}, ${MARKETS * MARGIN}
     FROM generate_series(5000, 4999 + $1::bigint) AS owner, (SELECT id FROM assets WHERE code = 'USDT') AS asset`,
    [ownersOf(count)],
  );
  await payFor(database, count * MARGIN);
  await fill(database, count, ownersOf(count));
}

/**
 * Puts so many open positions into the tables, as if they had been traded at one price: of each client ten, one for each of ten
 * perpetuals, half of them isolated, half of the clients long and the others short.
 */
export async function fillPositions(database: Database, count: number): Promise<void> {
  await database.query(
    `WITH perpetuals AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM markets WHERE symbol LIKE '%-SWAP' LIMIT ${MARKETS})
     INSERT INTO positions (owner, market, direction, lots, cost, margin, leverage, is_isolated, funding_index, since)
     SELECT 5000 + n, perpetuals.id, CASE n % 2 WHEN 0 THEN 1 ELSE -1 END, 20, ${COST},
            CASE place % 2 WHEN 0 THEN ${MARGIN} ELSE 0 END, 10, place % 2 = 0, 0, 0
     FROM generate_series(0, $1::int - 1) AS n, perpetuals`,
    [ownersOf(count)],
  );
  // The margin of isolated ones in an account of its own, that of cross ones among what is available.
  await database.query(
    `INSERT INTO balances (account, amount)
     SELECT CASE WHEN is_isolated THEN ${futuresAccount(Bucket.MARGIN)} ELSE ${futuresAccount(Bucket.AVAILABLE)} END,
            count(*) * ${MARGIN}
     FROM positions, (SELECT id FROM assets WHERE code = 'USDT') AS asset WHERE owner >= 5000
     GROUP BY 1`,
  );
  await payFor(database, count * MARGIN);
  await reconcile(database);
  await database.query('ANALYZE positions');
  const [made] = await database.query<{ readonly count: number }>(
    'SELECT count(*)::integer AS count FROM positions WHERE owner >= 5000',
  );
  if (made?.count !== count) throw new Error(`There are ${made?.count} positions in place of ${count}`);
}

/** Takes USDT of clients from whom they have it of. */
async function payFor(database: Database, amount: number): Promise<void> {
  const paidBy = accountKey(SystemOwner.DEVELOPMENT, Wallet.SPOT, Bucket.AVAILABLE, 0);
  await database.query(
    `INSERT INTO balances (account, amount) SELECT ${paidBy} + id, -$1::bigint FROM assets WHERE code = 'USDT'
     ON CONFLICT (account) DO UPDATE SET amount = balances.amount + excluded.amount`,
    [amount],
  );
}

/** As if the reconciler had proven all that is in the tables. */
async function reconcile(database: Database): Promise<void> {
  await database.query(
    `INSERT INTO reconciled_balances (account, amount)
     SELECT account / ${WALLET_KEYS} * ${WALLET_KEYS} + account % ${BUCKET_KEYS}, sum(amount) FROM balances GROUP BY 1
     ON CONFLICT (account) DO UPDATE SET amount = excluded.amount`,
  );
  await database.query('UPDATE reconciliation SET (batch, trade) = (SELECT batch, last_trade FROM projection)');
}
