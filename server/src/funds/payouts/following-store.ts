/** What happens to payouts on their chain, and what that has cost. */
import type { Statement } from '../../platform/database.ts';
import type { Attempt, CostScale, Ending, InBlock, KeptPayout, Update } from './kept-payout.ts';
import type { WaitsFor } from './service.ts';

/**
 * What is not booked is kept, and booked with a later one: what the ledger's decimals do not hold, and all of it without a
 * scale.
 */
function costStatements({ id, network }: KeptPayout, cost: bigint, scale: CostScale | undefined): Statement[] {
  if (cost === 0n) return [];
  if (scale === undefined) {
    const sql = 'UPDATE payout_networks SET cost_rest = cost_rest + $2::text::numeric WHERE network = $1';
    return [{ sql, parameters: [network, String(cost)] }];
  }
  return [
    {
      sql: `INSERT INTO payout_costs (sequence, payout, asset, amount)
            SELECT (SELECT coalesce(max(sequence), 0) + 1 FROM payout_costs), $1, $2, amount
            FROM (SELECT (div(cost_rest + $3::text::numeric, $4::text::numeric) * $5::text::numeric)::int8 AS amount
                  FROM payout_networks WHERE network = $6) AS booked
            WHERE amount > 0`,
      parameters: [id, scale.asset, String(cost), String(scale.divisor), String(scale.multiplier), network],
    },
    {
      sql: `UPDATE payout_networks SET cost_rest = mod(cost_rest + $2::text::numeric, $3::text::numeric)
            WHERE network = $1`,
      parameters: [network, String(cost), String(scale.divisor)],
    },
  ];
}

/** What happens to a payout on its chain. */
export function createFollowing(update: Update) {
  const columns = ({ transaction, height, confirmations, cost, isUndone }: InBlock) => ({
    ...{ transaction, height, confirmations, waits_for: '', is_undone: isUndone },
    cost: String(cost),
  });
  return {
    waits: (payout: KeptPayout, waitsFor: WaitsFor, now: number) => update(payout, { waits_for: waitsFor }, now),

    /** A node has an attempt. */
    sent: (payout: KeptPayout, { attempt }: Attempt, height: number, now: number) =>
      update(payout, { state: 'BROADCAST', waits_for: '' }, now, [
        {
          sql: 'UPDATE payout_attempts SET sent_height = coalesce(sent_height, $3) WHERE payout = $1 AND attempt = $2',
          parameters: [payout.id, attempt, height],
        },
      ]),

    mined: (payout: KeptPayout, block: InBlock, now: number) =>
      update(payout, { state: 'MINED', ...columns(block) }, now),

    /** Its block is no longer part of the chain. */
    unmined: (payout: KeptPayout, now: number) =>
      update(
        payout,
        {
          ...{ state: 'BROADCAST', height: null, confirmations: 0, cost: null, is_undone: false },
          transaction: payout.attempts.findLast(({ raw }) => raw !== null)?.transaction ?? null,
        },
        now,
      ),

    /** In a block that stays. */
    ended: (
      payout: KeptPayout,
      state: 'FINAL' | 'FAILED',
      block: InBlock,
      { scale, charged, carried, told }: Ending,
      now: number,
    ) => {
      const charging = carried.map((one) => ({
        sql: 'UPDATE payouts SET charged = $2 WHERE id = $1',
        parameters: [one.id, one.charged ?? null],
      }));
      const others = [...costStatements(payout, block.cost, scale), ...charging, ...told];
      return update(payout, { state, ...columns(block), charged: charged ?? null }, now, others);
    },

    /** Without having paid, and without a cost. */
    failed: (payout: KeptPayout, others: readonly Statement[], now: number) =>
      update(
        payout,
        { state: 'FAILED', waits_for: '', height: null, confirmations: 0, cost: null, is_undone: false },
        now,
        others,
      ),
  };
}
