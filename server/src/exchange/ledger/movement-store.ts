/** Transfers one after another, as what they did to the holdings of clients: for whoever follows them with the trades. */
import { BUCKET_KEYS, OWNER_KEYS, SystemOwner, WALLET_KEYS } from '@cambist/core/ledger/account.ts';
import type { TransferReason } from '@cambist/core/ledger/movements.ts';
import { OWNED_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import type { Database } from '../../platform/database.ts';
import { PLACES, type PositionReason } from './position-moves.ts';

/** Where a row of the ledger is among all of them. */
export type LedgerPlace = { readonly batch: number; readonly sequence: number };

/** What a row of the ledger changed in all wallets of one owner together; null where it changed nothing that counts. */
export type Movement = LedgerPlace & {
  /** The last trade before it. */
  readonly after_trade: number;
  readonly time: number;
  readonly owner: number | null;
  readonly asset: number;
  /** Smallest units; below zero where they left. */
  readonly amount: bigint;
};

/**
 * Between wallets of one owner, and into and out of what is reserved, the sum is zero. Fee credit is no holding: it can
 * neither be sold nor taken out. What spot trades moved is in the table of trades; what positions did is among these rows.
 */
const MOVEMENTS = `WITH page AS MATERIALIZED (
    SELECT batch, sequence, reason, accounts, amounts, after_trade, time FROM ledger_transactions
    WHERE (batch, sequence) > ($1::bigint, $2::int) ORDER BY batch, sequence LIMIT $3
  )
  SELECT batch, sequence, after_trade, time, owner, coalesce(asset, 0) AS asset, coalesce(amount, 0) AS amount
  FROM page LEFT JOIN LATERAL (
    SELECT account / ${OWNER_KEYS} AS owner, account % ${BUCKET_KEYS} AS asset, sum(amount)::numeric AS amount
    FROM unnest(accounts, amounts) AS entry (account, amount)
    WHERE page.reason NOT IN ('order-holds', 'trade') AND account / ${OWNER_KEYS} > $4
          AND account % ${OWNER_KEYS} / ${WALLET_KEYS} IN (${OWNED_WALLETS.map(({ number }) => number).join(', ')})
    GROUP BY 1, 2 HAVING sum(amount) <> 0
  ) AS moved ON true
  ORDER BY batch, sequence, owner, asset`;

/** What a row of the ledger changed in some accounts together. */
export type AccountMovement = LedgerPlace & {
  readonly reason: TransferReason | PositionReason;
  /** Its number; 0 where it is none. */
  readonly transfer: number;
  /** Its number among all rows of the ledger; of what a position moved it is the id of the change. */
  readonly row: number;
  /** What it belongs to. */
  readonly reference: number;
  readonly after_trade: number;
  readonly time: number;
  readonly amount: bigint;
  /** What of it was the fee of a position's trade. */
  readonly fee: bigint;
};

/** A transfer that was reserved first has a row for each of its two stages, which its reason says at its end. */
const OF_ACCOUNTS = `
  SELECT batch, sequence::int8, batch * ${PLACES} + sequence AS row, regexp_replace(reason, '-(pending|post|void)$', '') AS reason, transfer, reference, time,
         after_trade,
         (SELECT coalesce(sum(amount), 0)::numeric FROM unnest(accounts, amounts) AS entry (account, amount)
          WHERE account = ANY ($1::bigint[])) AS amount,
         (SELECT coalesce(sum(amount), 0)::numeric FROM unnest(accounts, amounts) AS entry (account, amount)
          WHERE reason LIKE 'position-%' AND account / ${OWNER_KEYS} = ${SystemOwner.FEES}) AS fee
  FROM ledger_transactions
  WHERE accounts && $1::bigint[] AND reason NOT IN ('order-holds', 'trade')
        AND after_trade >= $2 AND (after_trade, batch, sequence) < ($3::bigint, $4::bigint, $5::bigint)
  ORDER BY after_trade DESC, batch DESC, sequence DESC LIMIT $6`;

export function createMovementStore({ patient }: Database) {
  return {
    /**
     * Transfers of some accounts, newest first: after this trade or a later one, and before a place that is told by the
     * last trade before it, its batch and its sequence.
     */
    movementsOf(
      accounts: readonly number[],
      trade: number,
      before: readonly [afterTrade: number, batch: number, sequence: number],
      limit: number,
    ): Promise<AccountMovement[]> {
      return patient.query<AccountMovement>(OF_ACCOUNTS, [accounts, trade, ...before, limit]);
    },
    /**
     * Of the rows after a place, oldest first; at least one for each row.
     * @param limit rows of the ledger that are looked at, at most
     * @param above owners up to this one are left out
     */
    movementsAfter({ batch, sequence }: LedgerPlace, limit: number, above: number): Promise<Movement[]> {
      return patient.query<Movement>(MOVEMENTS, [batch, sequence, limit, above]);
    },
  };
}

export type MovementStore = ReturnType<typeof createMovementStore>;
