/** Writes a projection run in one transaction of bulk statements, exactly once. */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { quoteUnitsPerTickLot } from '@cambist/core/money/notional.ts';
import { ConstraintViolation, type Database, type Parameter, type Statement } from '../../platform/database.ts';
import { conditionalStatements } from '../orders/conditional-store.ts';
import { ORDER_TYPES, TIME_IN_FORCE } from './codec.ts';
import { isForgettable, type OrderChange, type ProjectionRun } from './projection.ts';

export interface ProjectionStore {
  write(run: ProjectionRun): Promise<void>;
}

/** Turns rows into the column arrays that unnest takes. */
function columns<T>(rows: readonly T[], ...pick: ((row: T) => string | number | bigint | boolean)[]): Parameter[] {
  return pick.map((column) => rows.map(column));
}

const STATE = { open: 0, filled: 1, cancelled: 2 } as const;
const WAITING = 3;

function stateOf({ last, conditional }: OrderChange): number {
  if (last !== undefined) return STATE[last.status];
  return conditional?.state === 'waiting' ? WAITING : STATE.open;
}

/** `batch = NULL` breaks the constraint when the tables are not where this run starts, and with it the transaction. */
function advance(run: ProjectionRun): Statement {
  const { counters } = run;
  return {
    sql: `UPDATE projection SET batch = CASE WHEN batch = $1 THEN $2::bigint END,
                 last_order = $3, last_trade = $4, last_priority = $5`,
    parameters: [run.fromBatch, run.toBatch, counters.lastOrderId, counters.lastTradeId, counters.lastPriority],
  };
}

/** An order that waited in an earlier run has its row; when it began does not change. */
const ON_CONFLICT = `ON CONFLICT (id) DO UPDATE
  SET type = excluded.type, time_in_force = excluded.time_in_force, price = excluded.price,
      quantity = excluded.quantity, quote_total = excluded.quote_total, remaining = excluded.remaining,
      filled = excluded.filled, filled_quote = excluded.filled_quote, fee = excluded.fee,
      fee_credit = excluded.fee_credit, state = excluded.state, reason = excluded.reason,
      priority = excluded.priority, updated_at = excluded.updated_at`;

function insertOrders(
  started: readonly OrderChange[],
  unitsOf: (market: number) => bigint,
  onConflict = '',
): Statement {
  const accepted = (change: OrderChange) => change.accepted as NonNullable<OrderChange['accepted']>;
  const asked = (change: OrderChange) => change.last?.quantity ?? accepted(change).quantity;
  return {
    sql: `INSERT INTO orders (id, owner, market, side, type, time_in_force, price, quantity, quote_total, remaining,
                              filled, filled_quote, fee, fee_credit, state, reason, priority, created_at, updated_at)
          SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::smallint[], $5::smallint[],
                               $6::smallint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[],
                               $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::smallint[],
                               $16::text[], $17::bigint[], $18::bigint[], $19::bigint[])
          ${onConflict}`,
    parameters: columns(
      started,
      (change) => change.id,
      (change) => accepted(change).owner,
      (change) => accepted(change).market,
      (change) => accepted(change).side,
      (change) => ORDER_TYPES.indexOf(accepted(change).type),
      (change) => TIME_IN_FORCE.indexOf(accepted(change).timeInForce),
      (change) => change.last?.price ?? accepted(change).price,
      asked,
      (change) => accepted(change).quoteTotal,
      (change) => change.last?.remaining ?? asked(change),
      (change) => change.filled,
      (change) => change.value.filledTicksLots * unitsOf(accepted(change).market),
      (change) => change.value.fee,
      (change) => change.value.credit,
      stateOf,
      (change) => (change.last && change.last.reason !== 'NONE' ? change.last.reason : ''),
      (change) => change.last?.priority ?? 0,
      (change) => change.startedAt ?? accepted(change).time,
      (change) => change.last?.time ?? accepted(change).time,
    ),
  };
}

function updateOrders(changed: readonly OrderChange[], unitsOf: (market: number) => bigint): Statement {
  const last = (change: OrderChange) => change.last as NonNullable<OrderChange['last']>;
  return {
    sql: `UPDATE orders SET price = n.price, quantity = n.quantity, remaining = n.remaining,
                 filled = orders.filled + n.filled, filled_quote = orders.filled_quote + n.filled_quote,
                 fee = orders.fee + n.fee, fee_credit = orders.fee_credit + n.fee_credit, state = n.state,
                 reason = n.reason, priority = n.priority, updated_at = n.updated_at
          FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
                      $7::bigint[], $8::bigint[], $9::smallint[], $10::text[], $11::bigint[], $12::bigint[])
               AS n (id, price, quantity, remaining, filled, filled_quote, fee, fee_credit, state, reason, priority,
                     updated_at)
          WHERE orders.id = n.id`,
    parameters: columns(
      changed,
      (change) => change.id,
      (change) => last(change).price,
      (change) => last(change).quantity,
      (change) => last(change).remaining,
      (change) => change.filled,
      (change) => change.value.filledTicksLots * unitsOf(last(change).market),
      (change) => change.value.fee,
      (change) => change.value.credit,
      (change) => STATE[last(change).status],
      (change) => (last(change).reason === 'NONE' ? '' : last(change).reason),
      (change) => last(change).priority,
      (change) => last(change).time,
    ),
  };
}

function orderStatements(run: ProjectionRun, unitsOf: (market: number) => bigint): Statement[] {
  const changes = [...run.orders.values()];
  const waited = changes.filter((change) => change.conditional);
  const started = changes.filter(
    (change) => change.accepted && !change.conditional && !(isForgettable(change) && change.filled === 0),
  );
  const changed = changes.filter((change) => !change.accepted && change.last);
  const forgotten = changed.filter((change) => isForgettable(change) && change.filled === 0);
  const statements: Statement[] = [];
  if (started.length > 0) statements.push(insertOrders(started, unitsOf));
  if (waited.length > 0) statements.push(insertOrders(waited, unitsOf, ON_CONFLICT));
  if (changed.length > 0) statements.push(updateOrders(changed, unitsOf));
  if (forgotten.length > 0) {
    statements.push({
      sql: 'DELETE FROM orders WHERE filled = 0 AND id = ANY ($1::bigint[])',
      parameters: [forgotten.map(({ id }) => id)],
    });
  }
  return statements;
}

function insertTrades({ trades }: ProjectionRun): Statement {
  return {
    sql: `INSERT INTO trades (id, market, price, quantity, taker_side, maker_order, taker_order, maker_owner,
                              taker_owner, maker_fee, taker_fee, maker_credit, taker_credit, time)
          SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::bigint[], $5::smallint[], $6::bigint[],
                               $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
                               $12::bigint[], $13::bigint[], $14::bigint[])`,
    parameters: columns(
      trades,
      (trade) => trade.tradeId,
      (trade) => trade.market,
      (trade) => trade.price,
      (trade) => trade.quantity,
      (trade) => trade.takerSide,
      (trade) => trade.maker.orderId,
      (trade) => trade.taker.orderId,
      (trade) => trade.maker.owner,
      (trade) => trade.taker.owner,
      (trade) => trade.maker.fee,
      (trade) => trade.taker.fee,
      (trade) => trade.maker.credit,
      (trade) => trade.taker.credit,
      (trade) => trade.time,
    ),
  };
}

/** An array inside an array column travels as its own text: unnest would flatten a second dimension. */
function insertLedger({ ledger }: ProjectionRun): Statement {
  return {
    sql: `INSERT INTO ledger_transactions (batch, sequence, reason, reference, accounts, amounts, time)
          SELECT batch, sequence, reason, reference, accounts::bigint[], amounts::bigint[], time
          FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[])
               AS n (batch, sequence, reason, reference, accounts, amounts, time)`,
    parameters: columns(
      ledger,
      (row) => row.batch,
      (row) => row.sequence,
      (row) => row.reason,
      (row) => row.reference,
      (row) => `{${row.accounts.join(',')}}`,
      (row) => `{${row.amounts.join(',')}}`,
      (row) => row.time,
    ),
  };
}

/** Missing rows first, then the changes in the order of the keys, so that two writers could never lock crosswise. */
function balanceStatements({ balances }: ProjectionRun): Statement[] {
  const moved = [...balances].sort(([left], [right]) => left - right);
  if (moved.length === 0) return [];
  const accounts = moved.map(([account]) => account);
  return [
    {
      sql: `INSERT INTO balances (account, amount) SELECT account, 0 FROM unnest($1::bigint[]) AS n (account)
            ON CONFLICT (account) DO NOTHING`,
      parameters: [accounts],
    },
    {
      sql: `UPDATE balances SET amount = balances.amount + n.amount
            FROM unnest($1::bigint[], $2::bigint[]) AS n (account, amount) WHERE balances.account = n.account`,
      parameters: [accounts, moved.map(([, amount]) => amount)],
    },
  ];
}

function upsertMarkets(run: ProjectionRun): Statement {
  const markets = [...run.markets];
  return {
    sql: `INSERT INTO market_states (market, last_price, mark_price, halted, traded)
          SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::boolean[])
          ON CONFLICT (market) DO UPDATE
          SET last_price = excluded.last_price, mark_price = excluded.mark_price, halted = excluded.halted,
              traded = excluded.traded`,
    parameters: columns(
      markets,
      ([market]) => market,
      ([, state]) => state.lastPrice,
      ([, state]) => state.markPrice,
      ([, state]) => state.halted,
      ([, state]) => state.traded,
    ),
  };
}

function upsertFees({ fees }: ProjectionRun): Statement {
  const rows = [...fees];
  return {
    sql: `INSERT INTO fee_rates (owner, maker_ppm, taker_ppm)
          SELECT * FROM unnest($1::bigint[], $2::integer[], $3::integer[])
          ON CONFLICT (owner) DO UPDATE SET maker_ppm = excluded.maker_ppm, taker_ppm = excluded.taker_ppm`,
    parameters: columns(
      rows,
      ([owner]) => owner,
      ([, rate]) => rate.makerPpm,
      ([, rate]) => rate.takerPpm,
    ),
  };
}

function insertKeys({ keys }: ProjectionRun): Statement {
  return {
    sql: `INSERT INTO idempotency_keys (owner, key, fingerprint, order_id, batch, reason, time)
          SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[])
          ON CONFLICT (owner, key) DO NOTHING`,
    parameters: columns(
      keys,
      (row) => row.owner,
      (row) => row.key,
      (row) => row.fingerprint,
      (row) => row.orderId,
      (row) => row.batch,
      (row) => row.reason,
      (row) => row.time,
    ),
  };
}

export function createProjectionStore(database: Database, markets: readonly MarketSpec[]): ProjectionStore {
  const units = new Map(markets.map((market) => [market.id, quoteUnitsPerTickLot(market)]));
  const unitsOf = (market: number) => units.get(market) ?? 0n;
  return {
    async write(run) {
      const statements = [advance(run), ...orderStatements(run, unitsOf)];
      statements.push(...conditionalStatements(run.conditional), ...balanceStatements(run));
      if (run.trades.length > 0) statements.push(insertTrades(run));
      if (run.ledger.length > 0) statements.push(insertLedger(run));
      if (run.markets.size > 0) statements.push(upsertMarkets(run));
      if (run.fees.size > 0) statements.push(upsertFees(run));
      if (run.keys.length > 0) statements.push(insertKeys(run));
      try {
        await database.transaction(statements);
      } catch (error) {
        // A lost acknowledgement: the run is there already.
        if (!(error instanceof ConstraintViolation)) throw error;
        const [row] = await database.query<{ batch: number }>('SELECT batch FROM projection');
        if (row?.batch !== run.toBatch) throw error;
      }
    },
  };
}
