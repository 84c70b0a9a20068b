/** How far each chain was read, and what was seen there: both are written in one transaction. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { BlockHeader } from '../chains/service.ts';

export type Cursor = {
  readonly network: NetworkName;
  readonly height: number;
  readonly hash: string;
  readonly stopped: '' | 'PAUSED' | 'SPLIT';
};

/** A payment to a client in a listed coin. */
export interface SeenDeposit {
  readonly owner: number;
  readonly coin: string;
  readonly asset: number;
  readonly address: string;
  readonly transaction: string;
  readonly output: string;
  readonly units: bigint;
  /** Smallest units of the ledger. */
  readonly amount: bigint;
  readonly isBelow: boolean;
  readonly height: number;
}

/** A payment that is not credited by itself. */
export interface Unlisted {
  readonly owner: number;
  readonly address: string;
  readonly transaction: string;
  readonly output: string;
  readonly contract: string;
  readonly units: bigint;
  readonly height: number;
}

export interface Step {
  readonly network: NetworkName;
  /** The hash at which the cursor must be. */
  readonly from: string;
  /** Ascending, at least one. */
  readonly blocks: readonly BlockHeader[];
  readonly seen: readonly SeenDeposit[];
  readonly unlisted: readonly Unlisted[];
  readonly now: number;
}

/** Hashes are kept of so many blocks; a branch that begins below them stops the reading. */
export const KEPT_BLOCKS = 256;
/** A token costs nothing to make, so what unknown ones are sent to an address is not kept without end. */
const UNLISTED_PER_ADDRESS = 100;

const holdCursor = (network: NetworkName, hash: string): Statement => ({
  sql: 'SELECT hold_chain_cursor($1, $2)',
  parameters: [network, hash],
});

function seenStatement({ network, seen, now }: Step): Statement {
  return {
    sql: `INSERT INTO deposits (network, owner, coin, asset, address, transaction, output, units, amount, is_below,
            height, state, seen_at, updated_at)
          SELECT $1, owner, coin, asset, address, transaction, output, units::numeric, amount, is_below, height,
                 CASE WHEN is_below THEN 'BELOW_MINIMUM' ELSE 'SEEN' END, $2, $2
          FROM unnest($3::int8[], $4::text[], $5::int4[], $6::text[], $7::text[], $8::text[], $9::text[], $10::int8[],
                      $11::bool[], $12::int8[])
            AS row (owner, coin, asset, address, transaction, output, units, amount, is_below, height)
          ON CONFLICT (network, transaction, output, address, coin, units) DO UPDATE SET
            height = excluded.height, updated_at = $2,
            state = CASE WHEN deposits.state <> 'REVERSED' THEN deposits.state
                         WHEN deposits.is_below THEN 'BELOW_MINIMUM' ELSE 'SEEN' END`,
    parameters: [
      network,
      now,
      seen.map(({ owner }) => owner),
      seen.map(({ coin }) => coin),
      seen.map(({ asset }) => asset),
      seen.map(({ address }) => address),
      seen.map(({ transaction }) => transaction),
      seen.map(({ output }) => output),
      seen.map(({ units }) => String(units)),
      seen.map(({ amount }) => amount),
      seen.map(({ isBelow }) => isBelow),
      seen.map(({ height }) => height),
    ],
  };
}

const unlistedStatements = ({ network, unlisted, now }: Step): Statement[] =>
  unlisted.map(({ transaction, output, address, owner, contract, units, height }) => ({
    sql: `INSERT INTO unlisted_deposits (network, transaction, output, address, owner, contract, units, height, seen_at)
          SELECT $1, $2, $3, $4, $5, $6, $7::text::numeric, $8, $9
          WHERE (SELECT count(*) FROM unlisted_deposits WHERE network = $1 AND address = $4) < ${UNLISTED_PER_ADDRESS}
          ON CONFLICT (network, transaction, output) DO UPDATE SET height = excluded.height`,
    parameters: [network, transaction, output, address, owner, contract, String(units), height, now],
  }));

function blockStatements({ network, blocks, now }: Step): Statement[] {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) throw new Error('A step has no block');
  return [
    {
      sql: `INSERT INTO chain_blocks (network, height, hash, parent)
            SELECT $1, height, hash, parent FROM unnest($2::int8[], $3::text[], $4::text[]) AS row (height, hash, parent)
            ON CONFLICT (network, height) DO UPDATE SET hash = excluded.hash, parent = excluded.parent`,
      parameters: [
        network,
        blocks.map(({ height }) => height),
        blocks.map(({ hash }) => hash),
        blocks.map(({ parent }) => parent),
      ],
    },
    {
      sql: 'DELETE FROM chain_blocks WHERE network = $1 AND height <= $2',
      parameters: [network, last.height - KEPT_BLOCKS],
    },
    {
      sql: `UPDATE chain_cursors SET height = $2, hash = $3, highest = greatest(highest, $2), updated_at = $4
            WHERE network = $1`,
      parameters: [network, last.height, last.hash, now],
    },
    // What was in other blocks of these heights is in none until it is seen again.
    {
      sql: 'UPDATE deposits SET height = NULL WHERE network = $1 AND height BETWEEN $2 AND $3',
      parameters: [network, first.height, last.height],
    },
  ];
}

/** What a reorganization needs. */
function createBranches(database: Database) {
  return {
    /** Of the blocks that were read last, newest first, below a height. */
    blocksBelow: (network: NetworkName, height: number): Promise<{ height: number; hash: string; parent: string }[]> =>
      database.query(
        'SELECT height, hash, parent FROM chain_blocks WHERE network = $1 AND height < $2 ORDER BY height DESC',
        [network, height],
      ),

    /** Goes back to a block that the chain still has. What came after it is decided as the new branch is read. */
    async rewind({ network, hash }: Cursor, to: { height: number; hash: string }, now: number): Promise<void> {
      await database.transaction([
        holdCursor(network, hash),
        {
          sql: 'UPDATE chain_cursors SET height = $2, hash = $3, updated_at = $4 WHERE network = $1',
          parameters: [network, to.height, to.hash, now],
        },
        { sql: 'DELETE FROM chain_blocks WHERE network = $1 AND height > $2', parameters: [network, to.height] },
        { sql: 'DELETE FROM unlisted_deposits WHERE network = $1 AND height > $2', parameters: [network, to.height] },
      ]);
    },
  };
}

export function createChainStore(database: Database) {
  return {
    ...createBranches(database),

    cursors: (): Promise<Cursor[]> =>
      database.query<Cursor>('SELECT network, height, hash, stopped FROM chain_cursors'),

    async cursor(network: NetworkName): Promise<Cursor | undefined> {
      const [row] = await database.query<Cursor>(
        'SELECT network, height, hash, stopped FROM chain_cursors WHERE network = $1',
        [network],
      );
      return row;
    },

    /** The block from which a chain is read: no address of it was shown before. */
    async begin(network: NetworkName, { height, hash, parent }: BlockHeader, now: number): Promise<void> {
      await database.transaction([
        {
          sql: `INSERT INTO chain_cursors (network, height, hash, highest, updated_at) VALUES ($1, $2, $3, $2, $4)
                ON CONFLICT DO NOTHING`,
          parameters: [network, height, hash, now],
        },
        {
          sql: 'INSERT INTO chain_blocks (network, height, hash, parent) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
          parameters: [network, height, hash, parent],
        },
      ]);
    },

    /** Writes what some blocks have brought, and moves the cursor to the last of them. */
    async advance(step: Step): Promise<void> {
      await database.transaction([
        holdCursor(step.network, step.from),
        ...blockStatements(step),
        ...(step.seen.length > 0 ? [seenStatement(step)] : []),
        ...unlistedStatements(step),
      ]);
    },

    /** @returns false where nothing was to change: a chain that is split goes on by its cursor alone */
    async pause(network: NetworkName, isPaused: boolean, now: number): Promise<boolean> {
      const rows = await database.query(
        'UPDATE chain_cursors SET stopped = $2, updated_at = $4 WHERE network = $1 AND stopped = $3 RETURNING network',
        [network, isPaused ? 'PAUSED' : '', isPaused ? '' : 'PAUSED', now],
      );
      return rows.length > 0;
    },

    async stop(network: NetworkName, stopped: 'SPLIT', now: number): Promise<void> {
      await database.query('UPDATE chain_cursors SET stopped = $2, updated_at = $3 WHERE network = $1', [
        network,
        stopped,
        now,
      ]);
    },
  };
}

export type ChainStore = ReturnType<typeof createChainStore>;
