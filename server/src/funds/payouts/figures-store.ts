/** What payouts have cost and brought in, and what was compared with the ledger. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Database } from '../../platform/database.ts';
import { payerCoinsIn } from './kept-payout.ts';
import type { Moved } from './moved.ts';
import type { Purpose, WaitsFor } from './service.ts';

/** Of withdrawals of a coin on a network that have ended in a block. */
export type Margin = {
  readonly network: NetworkName;
  readonly coin: string;
  /** Smallest units of the ledger. */
  readonly charged: bigint;
  /** Smallest units of the chain's own coin. */
  readonly cost: bigint;
  readonly count: number;
  /** Of them, those that the chain has undone: nothing was charged for them. */
  readonly undone: number;
};

/** Of what the exchange has sent between its own addresses. */
export type OwnCost = Pick<Margin, 'network' | 'cost' | 'count'>;

export type CustodyCheck = {
  readonly coin: string;
  /** Smallest units of the ledger, as are those of chains. */
  readonly ledger: bigint;
  readonly chains: bigint;
  readonly is_stopped: boolean;
};

/** Ended, and paid or undone there. */
const IN_BLOCK = `(state = 'FINAL' OR (state = 'FAILED' AND is_undone))`;

/** What payouts have changed on chains that the ledger may not have yet, and what they have brought in. */
export function createFigures(database: Database) {
  return {
    margins: (since: number): Promise<Margin[]> =>
      database.query<Margin>(
        `SELECT network, coin, coalesce(sum(charged) FILTER (WHERE state = 'FINAL'), 0)::numeric AS charged,
                coalesce(sum(cost), 0)::numeric AS cost, count(*) AS count, count(*) FILTER (WHERE state = 'FAILED') AS undone
         FROM payouts WHERE purpose = 'withdrawal' AND ${IN_BLOCK} AND updated_at >= $1
         GROUP BY network, coin ORDER BY network, coin`,
        [since],
      ),

    ownCosts: (since: number): Promise<OwnCost[]> =>
      database.query<OwnCost>(
        `SELECT network, coalesce(sum(cost), 0)::numeric AS cost, count(*) AS count
         FROM payouts WHERE purpose <> 'withdrawal' AND ${IN_BLOCK} AND updated_at >= $1 GROUP BY network ORDER BY network`,
        [since],
      ),

    /** Payments of withdrawals that are in a block, of these references or not final yet. */
    inBlocks: (references: readonly number[]) =>
      database.query<{ reference: number; network: NetworkName; coin: string; units: bigint }>(
        `SELECT reference, network, coin, units FROM payouts
         WHERE purpose = 'withdrawal' AND NOT is_undone AND (state = 'MINED' OR (state = 'FINAL' AND reference = ANY ($1::int8[])))`,
        [references],
      ),

    /** What transactions in blocks have cost and the ledger does not have, by network. */
    costsToCome: () =>
      database.query<{ network: NetworkName; units: bigint; booking: bigint }>(
        `SELECT network, cost_rest + (SELECT coalesce(sum(cost), 0) FROM payouts
                                      WHERE payouts.network = payout_networks.network AND state = 'MINED') AS units,
                (SELECT coalesce(sum(amount), 0) FROM payout_costs JOIN payouts ON payouts.id = payout
                 WHERE payouts.network = payout_networks.network AND NOT is_done)::numeric AS booking
         FROM payout_networks`,
      ),

    /** Networks with open payouts that have waited for one of these causes since before a moment, ms since 1970. */
    heldUp: <Cause extends WaitsFor>(causes: readonly Cause[], since: number) =>
      database.query<{ network: NetworkName; waits_for: Cause }>(
        `SELECT DISTINCT network, waits_for FROM payouts
         WHERE state NOT IN ('FINAL', 'FAILED') AND waits_for = ANY ($1::text[]) AND updated_at <= $2
         ORDER BY network, waits_for`,
        [causes, since],
      ),

    custody: (): Promise<CustodyCheck[]> =>
      database.query<CustodyCheck>('SELECT coin, ledger, chains, is_stopped FROM custody_checks ORDER BY coin'),

    async keepCustody({ coin, ledger, chains, is_stopped: isStopped }: CustodyCheck, now: number): Promise<void> {
      await database.query(
        `INSERT INTO custody_checks (coin, ledger, chains, is_stopped, checked_at)
         VALUES ($1, $2::text::numeric, $3::text::numeric, $4, $5)
         ON CONFLICT (coin) DO UPDATE SET ledger = excluded.ledger, chains = excluded.chains,
           is_stopped = excluded.is_stopped, checked_at = excluded.checked_at`,
        [coin, String(ledger), String(chains), isStopped, now],
      );
    },
  };
}

/** What the exchange's own addresses have paid each other, and will pay. */
export function createWalletFigures(database: Database) {
  return {
    /** From and to clients' addresses, in blocks and not final: what has ended is in the account of addresses. */
    async betweenWallets(): Promise<Moved[]> {
      const rows = await database.query<Omit<Moved, 'coins'> & { readonly text: string | null }>(
        `SELECT purpose, network, coin, CASE purpose WHEN 'sweep' THEN payer ELSE address END AS client, units,
                coalesce(cost, 0)::numeric AS cost, is_undone AS "isUndone", payer_coins AS text
         FROM payouts WHERE state = 'MINED' AND purpose IN ('top-up', 'sweep')`,
      );
      return rows.map(({ text, ...row }) => ({ ...row, coins: payerCoinsIn(text) }));
    },

    /** What the hot wallet will pay in a coin and is in no block yet. */
    async owedBy(network: NetworkName, coin: string): Promise<bigint> {
      const [row] = await database.query<{ units: bigint }>(
        `SELECT coalesce(sum(units), 0)::numeric AS units FROM payouts
         WHERE network = $1 AND coin = $2 AND payer = '' AND state IN ('PLANNED', 'SIGNED', 'BROADCAST')`,
        [network, coin],
      );
      return row?.units ?? 0n;
    },

    /** What each of these transactions is for, of those that are the exchange's own. */
    async purposes(network: NetworkName, transactions: readonly string[]): Promise<ReadonlyMap<string, Purpose>> {
      const rows = await database.query<{ transaction: string; purpose: Purpose }>(
        `SELECT payout_attempts.transaction, purpose FROM payout_attempts JOIN payouts ON payouts.id = payout
         WHERE payout_attempts.transaction = ANY ($2::text[]) AND network = $1`,
        [network, transactions],
      );
      return new Map(rows.map(({ transaction, purpose }) => [transaction, purpose]));
    },
  };
}

/** Movements of the ledger for what transactions have cost. */
export type Cost = {
  readonly sequence: number;
  readonly payout: number;
  readonly asset: number;
  readonly amount: bigint;
};

export function createCosts(database: Database) {
  return {
    /** In their order. */
    undoneCosts: (): Promise<Cost[]> =>
      database.query<Cost>(
        `SELECT sequence, payout, asset, amount::numeric FROM payout_costs WHERE NOT is_done ORDER BY sequence LIMIT 100`,
      ),
    async costDone({ sequence }: Cost): Promise<void> {
      await database.query('UPDATE payout_costs SET is_done = true WHERE sequence = $1', [sequence]);
    },
  };
}
