/** Exits attached to entries at rest: what the projection writes of them, and how they are read back. */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { TRIGGER_SOURCES } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { ExitPlan } from '@cambist/core/orders/exits/exit-plan.ts';
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Database, Statement } from '../../platform/database.ts';

/** Joined to `orders`; all null for an order without exits. */
export type ExitColumns = {
  readonly exit_source: number | null;
  readonly exit_profit_trigger: number;
  readonly exit_profit_price: number;
  readonly exit_stop_trigger: number;
  readonly exit_stop_price: number;
  readonly exit_id: number;
  readonly taken: bigint;
};

export const exitColumns = `exit_plans.source AS exit_source, exit_plans.profit_trigger AS exit_profit_trigger,
  exit_plans.profit_price AS exit_profit_price, exit_plans.stop_trigger AS exit_stop_trigger,
  exit_plans.stop_price AS exit_stop_price, exit_id, taken::numeric`;
export const exitJoin = 'exit_plans ON exit_plans.order_id = orders.id';

type Entry = { readonly id: number; readonly owner: number; readonly market: number };

/** The exits of an order's row; undefined where it has none, or where they were given up. */
export function exitPlanOf(row: ExitColumns & Entry): ExitPlan | undefined {
  if (row.exit_source === null || row.exit_profit_trigger + row.exit_stop_trigger === 0) return undefined;
  const leg = (trigger: number, price: number) => (trigger === 0 ? undefined : { trigger, price });
  return {
    orderId: row.id,
    owner: row.owner,
    market: row.market,
    source: TRIGGER_SOURCES[row.exit_source]!,
    takeProfit: leg(row.exit_profit_trigger, row.exit_profit_price),
    stop: leg(row.exit_stop_trigger, row.exit_stop_price),
    exitId: row.exit_id,
    taken: row.taken,
  };
}

export function exitPlanStatement(plans: readonly ExitPlan[]): Statement {
  return {
    sql: `INSERT INTO exit_plans (order_id, source, profit_trigger, profit_price, stop_trigger, stop_price, exit_id, taken)
          SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
                               $7::bigint[], $8::bigint[])
          ON CONFLICT (order_id) DO UPDATE
          SET profit_trigger = excluded.profit_trigger, profit_price = excluded.profit_price,
              stop_trigger = excluded.stop_trigger, stop_price = excluded.stop_price, exit_id = excluded.exit_id,
              taken = excluded.taken`,
    parameters: [
      plans.map(({ orderId }) => orderId),
      plans.map(({ source }) => TRIGGER_SOURCES.indexOf(source)),
      plans.map(({ takeProfit }) => takeProfit?.trigger ?? 0),
      plans.map(({ takeProfit }) => takeProfit?.price ?? 0),
      plans.map(({ stop }) => stop?.trigger ?? 0),
      plans.map(({ stop }) => stop?.price ?? 0),
      plans.map(({ exitId }) => exitId),
      plans.map(({ taken }) => taken),
    ],
  };
}

/** Those of open entries, which alone still follow fills. */
async function readExitPlans(database: Database): Promise<ExitPlan[]> {
  const rows = await database.query<ExitColumns & Entry>(
    `SELECT id, owner, market, ${exitColumns} FROM orders JOIN ${exitJoin} WHERE state = 0`,
  );
  return rows.flatMap((row) => exitPlanOf(row) ?? []);
}

export async function restoreExitPlans(database: Database, exchange: Exchange): Promise<void> {
  for (const plan of await readExitPlans(database)) exchange.restoreExitPlan(plan);
}

export async function restorePlannedViews(database: Database, views: OrderViews): Promise<void> {
  for (const plan of await readExitPlans(database)) views.restoreExitPlan(plan);
}
