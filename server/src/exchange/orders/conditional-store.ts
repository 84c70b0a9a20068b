/** Waiting orders at rest: what the projection writes of them, and how they are read back. */
import type { UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { SelfTradeMode, Side } from '@cambist/core/terms/order-terms.ts';
import type { Database, Parameter, Statement } from '../../platform/database.ts';
import { SELF_TRADE_MODES, TIME_IN_FORCE, TRIGGER_SOURCES } from '../engine/codec.ts';
import type { ConditionalRun } from '../engine/conditional-projection.ts';

/** Columns of `conditional_orders` beside an order's own; all null for an order that never waited. */
export type ConditionalColumns = {
  readonly source: number | null;
  readonly self_trade: number;
  readonly profit_trigger: number;
  readonly profit_price: number;
  readonly stop_trigger: number;
  readonly stop_price: number;
  readonly callback_ppm: number;
  readonly callback_ticks: number;
  readonly activation: number;
  readonly best: number;
  readonly standing: number;
  readonly fired_leg: string;
  readonly fired_price: number;
  readonly fired_at: number;
};

export const conditionalColumns = `source, self_trade, profit_trigger, profit_price, stop_trigger, stop_price,
  callback_ppm, callback_ticks, activation, best, standing, fired_leg, fired_price, fired_at`;

export const STANDINGS = ['waiting', 'fired', 'ended'] as const;

/** What an order waited for, from its columns; undefined for one that never waited. */
export function triggersOf(
  row: ConditionalColumns,
): Pick<UntriggeredOrder, 'source' | 'takeProfit' | 'stop' | 'trailing' | 'best'> | undefined {
  if (row.source === null) return undefined;
  const { callback_ppm: callbackPpm, callback_ticks: callbackTicks, activation } = row;
  const leg = (trigger: number, price: number) => (trigger === 0 ? undefined : { trigger, price });
  return {
    source: TRIGGER_SOURCES[row.source]!,
    takeProfit: leg(row.profit_trigger, row.profit_price),
    stop: leg(row.stop_trigger, row.stop_price),
    trailing: callbackPpm + callbackTicks === 0 ? undefined : { callbackPpm, callbackTicks, activation },
    best: row.best,
  };
}

type UntriggeredRow = ConditionalColumns & {
  readonly id: number;
  readonly owner: number;
  readonly market: number;
  readonly side: number;
  readonly time_in_force: number;
  readonly quantity: number;
  readonly quote_total: bigint;
};

/** Every order that waits, oldest first. */
export async function readUntriggeredOrders(database: Database): Promise<UntriggeredOrder[]> {
  const rows = await database.query<UntriggeredRow>(
    `SELECT id, owner, orders.market, orders.side, time_in_force, quantity, quote_total::numeric, ${conditionalColumns}
     FROM orders JOIN conditional_orders USING (id) WHERE state = 3 ORDER BY id`,
  );
  return rows.map((row) => ({
    orderId: row.id,
    owner: row.owner,
    market: row.market,
    side: row.side as Side,
    timeInForce: TIME_IN_FORCE[row.time_in_force]!,
    quantity: row.quantity,
    quoteTotal: row.quote_total,
    selfTrade: SELF_TRADE_MODES[row.self_trade] as SelfTradeMode,
    ...triggersOf(row)!,
  }));
}

function moveStatement({ moves }: ConditionalRun): Statement {
  const rows = [...moves.values()];
  return {
    sql: `UPDATE conditional_orders SET best = n.best
          FROM unnest($1::smallint[], $2::smallint[], $3::smallint[], $4::bigint[]) AS n (market, side, source, best)
          WHERE standing = 0 AND conditional_orders.best > 0 AND conditional_orders.market = n.market
                AND conditional_orders.side = n.side AND conditional_orders.source = n.source
                AND CASE n.side WHEN 1 THEN conditional_orders.best < n.best ELSE conditional_orders.best > n.best END`,
    parameters: [
      rows.map(({ market }) => market),
      rows.map(({ side }) => side),
      rows.map(({ source }) => TRIGGER_SOURCES.indexOf(source)),
      rows.map(({ best }) => best),
    ],
  };
}

function upsertStatement({ changes }: ConditionalRun): Statement {
  const rows = [...changes.values()].sort((left, right) => left.order.orderId - right.order.orderId);
  const pick = (column: (row: (typeof rows)[number]) => string | number): Parameter => rows.map(column);
  return {
    sql: `INSERT INTO conditional_orders (id, market, side, source, self_trade, profit_trigger, profit_price,
                 stop_trigger, stop_price, callback_ppm, callback_ticks, activation, best, standing, fired_leg,
                 fired_price, fired_at)
          SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::smallint[], $5::smallint[],
                               $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::integer[], $11::bigint[],
                               $12::bigint[], $13::bigint[], $14::smallint[], $15::text[], $16::bigint[], $17::bigint[])
          ON CONFLICT (id) DO UPDATE
          SET profit_trigger = excluded.profit_trigger, profit_price = excluded.profit_price,
              stop_trigger = excluded.stop_trigger, stop_price = excluded.stop_price, best = excluded.best,
              standing = excluded.standing, fired_leg = excluded.fired_leg, fired_price = excluded.fired_price,
              fired_at = excluded.fired_at`,
    parameters: [
      pick(({ order }) => order.orderId),
      pick(({ order }) => order.market),
      pick(({ order }) => order.side),
      pick(({ order }) => TRIGGER_SOURCES.indexOf(order.source)),
      pick(({ order }) => SELF_TRADE_MODES.indexOf(order.selfTrade)),
      pick(({ order }) => order.takeProfit?.trigger ?? 0),
      pick(({ order }) => order.takeProfit?.price ?? 0),
      pick(({ order }) => order.stop?.trigger ?? 0),
      pick(({ order }) => order.stop?.price ?? 0),
      pick(({ order }) => order.trailing?.callbackPpm ?? 0),
      pick(({ order }) => order.trailing?.callbackTicks ?? 0),
      pick(({ order }) => order.trailing?.activation ?? 0),
      pick(({ order }) => order.best),
      pick(({ state }) => STANDINGS.indexOf(state)),
      pick(({ fired }) => fired?.leg ?? ''),
      pick(({ fired }) => fired?.price ?? 0),
      pick(({ fired }) => fired?.time ?? 0),
    ],
  };
}

/** The moves first: the rows of this run say themselves how far their orders have come. */
export function conditionalStatements(run: ConditionalRun): Statement[] {
  const statements: Statement[] = [];
  if (run.moves.size > 0) statements.push(moveStatement(run));
  if (run.changes.size > 0) statements.push(upsertStatement(run));
  return statements;
}
