/** How much each hot wallet is to have, and what goes to and comes from cold ones. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { type Authority, holdAuthority } from '../../platform/authority.ts';
import { ConstraintViolation, type Database, type Statement } from '../../platform/database.ts';
import { type Terms, terms, writeJson } from '../chains/service.ts';

/** Smallest units of the chain. */
export type Bounds = {
  readonly network: NetworkName;
  readonly coin: string;
  /** Below it a refill up to the target is asked for. */
  readonly low: bigint;
  readonly target: bigint;
  /** Above it, what is above the target goes to the cold wallet. */
  readonly high: bigint;
};

export type MoveState = 'PLANNED' | 'SENDING' | 'FINAL' | 'FAILED' | 'CANCELLED';

export interface Move {
  readonly id: number;
  readonly kind: 'to-cold' | 'refill';
  readonly network: NetworkName;
  readonly coin: string;
  readonly contract: string | null;
  /** Canonical, as they were when it was planned. */
  readonly hot: string;
  readonly cold: string;
  readonly units: bigint;
  /** Of a refill. */
  readonly terms: Terms | null;
  readonly state: MoveState;
  readonly createdAt: number;
  readonly updatedAt: number;
}

type Row = Omit<Move, 'terms'> & { readonly terms: string | null };

const SELECT = `SELECT id, kind, network, coin, contract, hot_address AS hot, cold_address AS cold, units, terms, state,
  created_at AS "createdAt", updated_at AS "updatedAt" FROM wallet_moves`;
const OPEN = `state IN ('PLANNED', 'SENDING')`;

const moveOf = (row: Row): Move => ({
  ...row,
  terms: row.terms === null ? null : terms.parse(JSON.parse(row.terms)),
});

function createMoves(database: Database) {
  const read = async (where: string, parameters: readonly (string | number)[]) =>
    (await database.query<Row>(`${SELECT} ${where}`, parameters)).map(moveOf);

  /** @returns false where it has moved on since it was read; nothing was done then */
  async function move(
    { id, state }: Move,
    to: MoveState,
    now: number,
    { before = [], after = [] }: { before?: readonly Statement[]; after?: readonly Statement[] } = {},
  ): Promise<boolean> {
    const statements = [
      ...before,
      { sql: 'SELECT hold_wallet_move($1, $2)', parameters: [id, state] },
      { sql: 'UPDATE wallet_moves SET state = $2, updated_at = $3 WHERE id = $1', parameters: [id, to, now] },
      ...after,
    ];
    return database.transaction(statements).then(
      () => true,
      (error: Error) => {
        if (/has moved on/.test(error.message)) return false;
        throw error;
      },
    );
  }

  return {
    open: (network: NetworkName) => read(`WHERE network = $1 AND ${OPEN} ORDER BY id`, [network]),
    /** Those underway first, then the newest. */
    list: (limit: number) => read(`ORDER BY ${OPEN} DESC, id DESC LIMIT $1`, [limit]),
    async find(id: number): Promise<Move | undefined> {
      return (await read('WHERE id = $1', [id]))[0];
    },

    /** @param payment plans the payout, in the same transaction */
    sending: (of: Move, payment: Statement, now: number, by?: Authority) =>
      move(of, 'SENDING', now, { before: by === undefined ? [] : [holdAuthority(by)], after: [payment] }),

    ended: (of: Move, state: 'FINAL' | 'FAILED', now: number) => move(of, state, now),

    /** It was not signed in its time. */
    lapsed: (of: Move, now: number) => move(of, 'CANCELLED', now),

    cancelled: (of: Move, by: Authority, now: number) => move(of, 'CANCELLED', now, { before: [holdAuthority(by)] }),
  };
}

function createPlanning(database: Database) {
  return {
    /** Plans nothing where the coin is on its way already, or a payment of it has failed since a time. @returns whether it did */
    async plan(
      {
        kind,
        network,
        coin,
        contract,
        hot,
        cold,
        units,
        terms: of,
      }: Omit<Move, 'id' | 'state' | 'createdAt' | 'updatedAt'>,
      { failedSince, now, told = [] }: { failedSince: number; now: number; told?: readonly Statement[] },
    ): Promise<boolean> {
      const [row] = await database.query(
        // One of the future was written by a clock that was ahead.
        `SELECT id FROM wallet_moves
         WHERE network = $1 AND coin = $2 AND state = 'FAILED' AND updated_at > $3 AND updated_at <= $4 LIMIT 1`,
        [network, coin, failedSince, now],
      );
      if (row !== undefined) return false;
      const insert = {
        sql: `INSERT INTO wallet_moves (kind, network, coin, contract, hot_address, cold_address, units, terms, created_at,
                updated_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7::text::numeric, $8, $9, $9)`,
        parameters: [kind, network, coin, contract, hot, cold, String(units), of && writeJson(of), now],
      };
      return database.transaction([insert, ...told]).then(
        () => true,
        (error: unknown) => {
          // Another process has planned it.
          if (error instanceof ConstraintViolation) return false;
          throw error;
        },
      );
    },
  };
}

export function createColdStore(database: Database) {
  return {
    ...createMoves(database),
    ...createPlanning(database),

    bounds: (): Promise<Bounds[]> =>
      database.query<Bounds>('SELECT network, coin, low, target, high FROM wallet_bounds ORDER BY network, coin'),

    /** What an operator sets, while the operator may. */
    async saveBounds(by: Authority, { network, coin, low, target, high }: Bounds): Promise<void> {
      await database.transaction([
        holdAuthority(by),
        {
          sql: `INSERT INTO wallet_bounds (network, coin, low, target, high)
                VALUES ($1, $2, $3::text::numeric, $4::text::numeric, $5::text::numeric)
                ON CONFLICT (network, coin) DO UPDATE SET low = excluded.low, target = excluded.target, high = excluded.high`,
          parameters: [network, coin, String(low), String(target), String(high)],
        },
      ]);
    },

    async removeBounds(by: Authority, network: NetworkName, coin: string): Promise<void> {
      await database.transaction([
        holdAuthority(by),
        { sql: 'DELETE FROM wallet_bounds WHERE network = $1 AND coin = $2', parameters: [network, coin] },
      ]);
    },
  };
}

export type ColdStore = ReturnType<typeof createColdStore>;
