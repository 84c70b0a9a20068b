/** What is to be credited or taken back, and the commands for it: each is written before it is submitted. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Database, Row, Statement } from '../../platform/database.ts';
import type { CoinNetwork } from '../chains/service.ts';

/** The slice's numbers as the source of commands. */
export const CREDITS = 1;
export const REVERSALS = 2;

export type Owned = { readonly id: number; readonly owner: number };

/** A deposit that is deep enough to be credited. */
export type Due = Owned & {
  readonly coin: string;
  readonly asset: number;
  readonly network: NetworkName;
  readonly address: string;
  readonly units: bigint;
  /** Of its address and coin; below zero where it must be made good first. */
  readonly dust: bigint;
};

/** A command to the ledger. */
export type Movement = {
  readonly source: number;
  readonly sequence: number;
  /** Null for what is taken back. */
  readonly deposit: number | null;
  readonly owner: number;
  readonly asset: number;
  /** The whole of it. What is not from the funding or the futures wallet is from spot. */
  readonly amount: bigint;
  readonly funding: bigint;
  readonly future: bigint;
};

export type Debt = { readonly owner: number; readonly asset: number; readonly amount: bigint };

/** A deposit whose block is no longer part of the chain. */
export type Lost = Due & { readonly amount: bigint; readonly isCredited: boolean };

/** What a credit or its reversal changes in the dust of an address. */
export interface DustChange {
  readonly network: NetworkName;
  readonly address: string;
  readonly coin: string;
  readonly units: bigint;
}

const figures = (coins: readonly CoinNetwork[], figure: (coin: CoinNetwork) => number) =>
  [coins.map(({ coin }) => coin), coins.map(({ network }) => network), coins.map(figure)] as const;

const dueColumns = `deposits.id, deposits.owner, deposits.coin, deposits.asset, deposits.network, deposits.address,
  deposits.units, coalesce(deposit_dust.units, 0) AS dust`;
const withDust = `LEFT JOIN deposit_dust ON deposit_dust.network = deposits.network
  AND deposit_dust.address = deposits.address AND deposit_dust.coin = deposits.coin`;

function planStatement(source: number, movements: readonly Omit<Movement, 'sequence' | 'source'>[]): Statement {
  return {
    sql: `INSERT INTO deposit_movements (source, sequence, deposit, owner, asset, amount, funding, future)
          SELECT $1, (SELECT coalesce(max(sequence), 0) FROM deposit_movements WHERE source = $1) + position, deposit,
                 owner, asset, amount, funding, future
          FROM unnest($2::int8[], $3::int8[], $4::int4[], $5::int8[], $6::int8[], $7::int8[]) WITH ORDINALITY
            AS row (deposit, owner, asset, amount, funding, future, position)`,
    parameters: [
      source,
      movements.map(({ deposit }) => deposit),
      movements.map(({ owner }) => owner),
      movements.map(({ asset }) => asset),
      movements.map(({ amount }) => amount),
      movements.map(({ funding }) => funding),
      movements.map(({ future }) => future),
    ],
  };
}

function dustStatement(changes: readonly DustChange[]): Statement {
  return {
    sql: `INSERT INTO deposit_dust (network, address, coin, units)
          SELECT network, address, coin, sum(units::numeric)
          FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS row (network, address, coin, units)
          GROUP BY network, address, coin
          ON CONFLICT (network, address, coin) DO UPDATE SET units = deposit_dust.units + excluded.units`,
    parameters: [
      changes.map(({ network }) => network),
      changes.map(({ address }) => address),
      changes.map(({ coin }) => coin),
      changes.map(({ units }) => String(units)),
    ],
  };
}

function doneStatement(source: number, movements: readonly Movement[]): Statement {
  return {
    sql: 'UPDATE deposit_movements SET is_done = true WHERE source = $1 AND sequence = ANY ($2::int8[])',
    parameters: [source, movements.map(({ sequence }) => sequence)],
  };
}

function createReading(database: Database) {
  return {
    /**
     * Oldest first. Nothing is due while an earlier command of the source is not done. Each coin of a network is looked at by
     * itself, in the order of an index, so that a round reads what it takes, however many wait and whatever the planner knows.
     */
    due: (coins: readonly CoinNetwork[], limit: number): Promise<Due[]> =>
      database.query<Due>(
        `SELECT ${dueColumns}
         FROM (SELECT next.id
               FROM unnest($1::text[], $2::text[], $3::int4[]) AS figure (coin, network, credited_at)
                 JOIN chain_cursors ON chain_cursors.network = figure.network AND chain_cursors.stopped = ''
                 CROSS JOIN LATERAL (
                   SELECT id FROM deposits
                   WHERE network = figure.network AND coin = figure.coin AND state = 'SEEN' AND NOT is_refused
                     AND height <= chain_cursors.height - figure.credited_at + 1
                   ORDER BY height, id LIMIT $4
                 ) AS next
               ORDER BY next.id LIMIT $4) AS first
           JOIN deposits ON deposits.id = first.id
           ${withDust}
         ORDER BY deposits.id`,
        [...figures(coins, (coin) => coin.credited_at), limit],
      ),

    /** All of them: memory must know every debtor. */
    debts: (): Promise<Debt[]> =>
      database.query<Debt>('SELECT owner, asset, amount::numeric FROM deposit_debts ORDER BY owner, asset'),

    /** Of each source in their order. */
    undone: (): Promise<Movement[]> =>
      database.query<Movement>(
        `SELECT source::int4, sequence, deposit, owner, asset, amount::numeric, funding::numeric, future::numeric
         FROM deposit_movements
         WHERE source IN (${CREDITS}, ${REVERSALS}) AND NOT is_done ORDER BY source, sequence`,
      ),

    byIds: (ids: readonly number[]): Promise<Due[]> =>
      database.query<Due>(`SELECT ${dueColumns} FROM deposits ${withDust} WHERE deposits.id = ANY ($1::int8[])`, [ids]),

    /** Deposits that were in a branch which the chain has left behind, and in none of its blocks up to the same height. */
    lost: (): Promise<Lost[]> =>
      database.query<Lost>(
        `SELECT ${dueColumns}, deposits.amount::numeric, deposits.state IN ('CREDITED', 'UNLOCKED') AS "isCredited"
         FROM deposits JOIN chain_cursors ON chain_cursors.network = deposits.network ${withDust}
         WHERE deposits.height IS NULL AND deposits.state <> 'REVERSED'
           AND chain_cursors.height >= chain_cursors.highest AND chain_cursors.stopped = ''
           AND NOT EXISTS (SELECT FROM deposit_movements WHERE deposit = deposits.id AND NOT is_done)
         ORDER BY deposits.id LIMIT 500`,
      ),
  };
}

function createChanges(write: Rounds['write']) {
  return {
    /** What is deep enough may be withdrawn. */
    async unlock(coins: readonly CoinNetwork[], now: number): Promise<Owned[]> {
      const sql = `UPDATE deposits SET state = 'UNLOCKED', updated_at = $4
         FROM chain_cursors, unnest($1::text[], $2::text[], $3::int4[]) AS figure (coin, network, unlocked_at)
         WHERE deposits.state = 'CREDITED' AND chain_cursors.network = deposits.network AND chain_cursors.stopped = ''
           AND figure.coin = deposits.coin AND figure.network = deposits.network
           AND deposits.height <= chain_cursors.height - figure.unlocked_at + 1
         RETURNING deposits.id, deposits.owner`;
      const [rows = []] = await write([{ sql, parameters: [...figures(coins, (coin) => coin.unlocked_at), now] }]);
      return rows.map(({ id, owner }) => ({ id: Number(id), owner: Number(owner) }));
    },

    /** Ends lost deposits; what was credited is owed from now on. */
    async reverse(
      lost: readonly Lost[],
      dust: readonly DustChange[],
      now: number,
      notices: readonly Statement[],
    ): Promise<void> {
      const credited = lost.filter(({ isCredited }) => isCredited);
      await write([
        { sql: 'SELECT hold_lost_deposits($1::int8[])', parameters: [lost.map(({ id }) => id)] },
        {
          sql: `UPDATE deposits SET state = 'REVERSED', updated_at = $2 WHERE id = ANY ($1::int8[])`,
          parameters: [lost.map(({ id }) => id), now],
        },
        {
          sql: `INSERT INTO deposit_debts (owner, asset, amount)
                SELECT owner, asset, sum(amount)::int8
                FROM unnest($1::int8[], $2::int4[], $3::int8[]) AS row (owner, asset, amount) GROUP BY owner, asset
                ON CONFLICT (owner, asset) DO UPDATE SET amount = deposit_debts.amount + excluded.amount`,
          parameters: [
            credited.map(({ owner }) => owner),
            credited.map(({ asset }) => asset),
            credited.map(({ amount }) => amount),
          ],
        },
        dustStatement(dust),
        ...notices,
      ]);
    },
  };
}

/** Commands that the ledger did not take. */
function createRefusals(write: Rounds['write']) {
  return {
    /** Forgets commands that the ledger did not take, from a sequence on: their sequences are given again. */
    async forget(source: number, from: number): Promise<void> {
      await write([
        {
          sql: 'DELETE FROM deposit_movements WHERE source = $1 AND sequence >= $2 AND NOT is_done',
          parameters: [source, from],
        },
      ]);
    },

    /** Leaves a deposit to an operator, and forgets its command and those behind it. */
    async refuse({ deposit, sequence }: Movement, now: number, alarm: Statement): Promise<void> {
      await write([
        {
          sql: 'DELETE FROM deposit_movements WHERE source = $1 AND sequence >= $2 AND NOT is_done',
          parameters: [CREDITS, sequence],
        },
        { sql: 'UPDATE deposits SET is_refused = true, updated_at = $2 WHERE id = $1', parameters: [deposit, now] },
        alarm,
      ]);
    },
  };
}

interface Rounds {
  /** Before anything is read: what is written from then on fails once another round has written. */
  begin(): Promise<void>;
  write(statements: readonly Statement[]): Promise<Row[][]>;
}

/** What was read holds until it is written: each transaction takes the number that the one before has left. */
function createRounds(database: Database): Rounds {
  let round = -1;
  return {
    async begin() {
      const [row] = await database.query<{ round: number }>('SELECT round FROM deposit_rounds');
      round = row?.round ?? -1;
    },
    async write(statements) {
      const hold = { sql: 'SELECT hold_deposit_round($1)', parameters: [round] };
      const [, ...rows] = await database.transaction([hold, ...statements]);
      round += 1;
      return rows;
    },
  };
}

export function createCreditingStore(database: Database) {
  const { begin, write } = createRounds(database);
  return {
    begin,
    ...createReading(database),
    ...createChanges(write),
    ...createRefusals(write),

    /** Gives each command the next sequence of its source. */
    async plan(
      credits: readonly Omit<Movement, 'sequence' | 'source'>[],
      reversals: readonly Omit<Movement, 'sequence' | 'source'>[],
    ): Promise<void> {
      const statements = [
        ...(credits.length > 0 ? [planStatement(CREDITS, credits)] : []),
        ...(reversals.length > 0 ? [planStatement(REVERSALS, reversals)] : []),
      ];
      if (statements.length > 0) await write(statements);
    },

    /** The ledger has these credits. */
    async credited(
      movements: readonly Movement[],
      dust: readonly DustChange[],
      now: number,
      notices: readonly Statement[],
    ): Promise<void> {
      await write([
        doneStatement(CREDITS, movements),
        {
          sql: `UPDATE deposits SET state = 'CREDITED', amount = row.amount, updated_at = $3
                FROM unnest($1::int8[], $2::int8[]) AS row (id, amount) WHERE deposits.id = row.id`,
          parameters: [movements.map(({ deposit }) => deposit), movements.map(({ amount }) => amount), now],
        },
        dustStatement(dust),
        ...notices,
      ]);
    },

    /** The ledger has taken these amounts back. */
    async takenBack(movements: readonly Movement[]): Promise<void> {
      const owed = movements.flatMap(({ owner, asset, amount }): Statement[] => [
        {
          sql: 'DELETE FROM deposit_debts WHERE owner = $1 AND asset = $2 AND amount <= $3',
          parameters: [owner, asset, amount],
        },
        {
          sql: 'UPDATE deposit_debts SET amount = amount - $3 WHERE owner = $1 AND asset = $2 AND amount > $3',
          parameters: [owner, asset, amount],
        },
      ]);
      await write([doneStatement(REVERSALS, movements), ...owed]);
    },
  };
}

export type CreditingStore = ReturnType<typeof createCreditingStore>;
