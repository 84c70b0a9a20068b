/** Sweeps at rest. Whatever moves one on holds only where it is still in the state in which it was read. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { type Authority, holdAuthority } from '../../platform/authority.ts';
import type { Database, Statement } from '../../platform/database.ts';
import type { PolicyChange, Sweep, SweepPolicy, SweepState, SweepWaits } from './service.ts';

const COLUMNS = 'id, network, coin, address, key_index, state, waits_for, units, top_up, created_at, updated_at';
const OPEN = `state NOT IN ('FINAL', 'FAILED')`;

/** @returns false where it has moved on since it was read; nothing was done then */
async function unlessMoved(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    (error: Error) => {
      if (/has moved on/.test(error.message)) return false;
      throw error;
    },
  );
}

function createSteps(database: Database) {
  function move(
    { id, state }: Sweep,
    to: Partial<Record<'state' | 'waits_for' | 'units' | 'top_up', string>>,
    now: number,
    others: readonly Statement[] = [],
  ): Promise<boolean> {
    const { state: next = state, waits_for: waits = '', units = null, top_up: topUp = null } = to;
    const work = database.transaction([
      { sql: 'SELECT hold_sweep($1, $2)', parameters: [id, state] },
      {
        sql: `UPDATE sweeps SET state = $2, waits_for = $3, units = coalesce($4::text::numeric, units),
                top_up = coalesce($5::text::numeric, top_up), updated_at = $6 WHERE id = $1`,
        parameters: [id, next, waits, units, topUp, now],
      },
      ...others,
    ]);
    return unlessMoved(work);
  }

  return {
    /** @param payment plans the payout of gas, in the same transaction */
    toppingUp: (sweep: Sweep, units: bigint, payment: Statement, now: number) =>
      move(sweep, { state: 'TOPPING_UP', top_up: String(units) }, now, [payment]),

    /** @param payment plans the payout from the address, in the same transaction */
    sending: (sweep: Sweep, units: bigint, payment: Statement, now: number) =>
      move(sweep, { state: 'SENDING', units: String(units) }, now, [payment]),

    ended: (sweep: Sweep, state: 'FINAL' | 'FAILED', waitsFor: SweepWaits, now: number) =>
      move(sweep, { state, waits_for: waitsFor }, now),

    async waits(sweep: Sweep, waitsFor: SweepWaits, now: number): Promise<void> {
      if (sweep.waits_for !== waitsFor) await move(sweep, { waits_for: waitsFor }, now);
    },
  };
}

export function createSweepStore(database: Database) {
  return {
    ...createSteps(database),

    /** Those of a network that have not ended, oldest first. */
    open: (network: NetworkName): Promise<Sweep[]> =>
      database.query<Sweep>(`SELECT ${COLUMNS} FROM sweeps WHERE network = $1 AND ${OPEN} ORDER BY id`, [network]),

    /** Those underway first, then the newest. */
    list: (limit: number): Promise<Sweep[]> =>
      database.query<Sweep>(`SELECT ${COLUMNS} FROM sweeps ORDER BY ${OPEN} DESC, id DESC LIMIT $1`, [limit]),

    states: () =>
      database.query<{ state: SweepState; count: number }>('SELECT state, count(*) FROM sweeps GROUP BY state'),

    /** Plans nothing where the address sends already, or where one of the coin has failed since a time. */
    async plan(
      { network, coin, address, key_index: index }: Pick<Sweep, 'network' | 'coin' | 'address' | 'key_index'>,
      failedSince: number,
      now: number,
    ): Promise<void> {
      await database.query(
        `INSERT INTO sweeps (network, coin, address, key_index, created_at, updated_at)
         SELECT $1, $2, $3, $4, $6, $6 WHERE NOT EXISTS (
           SELECT FROM sweeps WHERE network = $1 AND coin = $2 AND address = $3 AND state = 'FAILED'
             AND updated_at > $5 AND updated_at <= $6)
         ON CONFLICT (network, address) WHERE ${OPEN} DO NOTHING`,
        [network, coin, address, index, failedSince, now],
      );
    },

    policies: (): Promise<SweepPolicy[]> =>
      database.query<SweepPolicy>(
        'SELECT network, is_on, least_multiple, coin_price, coin_price_at FROM sweep_policy ORDER BY network',
      ),

    /** What an operator changes, while the operator may. A price that stays keeps its time. */
    async changePolicy(
      by: Authority,
      { network, is_on: isOn, least_multiple: multiple, coin_price: price }: PolicyChange,
      now: number,
    ): Promise<void> {
      const pricing = {
        sql: `UPDATE sweep_policy SET coin_price = $2, coin_price_at = CASE WHEN $2::text IS NULL THEN NULL ELSE $3::int8 END
              WHERE network = $1 AND coin_price IS DISTINCT FROM $2::text`,
        parameters: [network, price ?? null, now],
      };
      await database.transaction([
        holdAuthority(by),
        {
          sql: 'UPDATE sweep_policy SET is_on = $2, least_multiple = $3 WHERE network = $1',
          parameters: [network, isOn, multiple],
        },
        ...(price === undefined ? [] : [pricing]),
      ]);
    },
  };
}

export type SweepStore = ReturnType<typeof createSweepStore>;
