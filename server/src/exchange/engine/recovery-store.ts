/** Reads the tables back into an empty exchange. */
import type { Side } from '@cambist/core/terms/order-terms.ts';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { readCopy } from '../../platform/copy-reader.ts';
import type { Database } from '../../platform/database.ts';
import { readUntriggeredOrders } from '../orders/conditional-store.ts';

export interface Recovered {
  /** Where the tables stand. */
  readonly projectedBatch: number;
  readonly lastTime: number;
}

const openOrdersSelect = `SELECT id, owner, market::int8, side::int8, price, quantity, remaining, priority
  FROM orders WHERE state = 0 ORDER BY priority`;

async function restoreOrders(database: Database, exchange: Exchange): Promise<void> {
  await readCopy(database.copyOut(openOrdersSelect), 8, (row) => {
    const [id = 0, owner = 0, market = 0, side = 0, price = 0, quantity = 0, remaining = 0, priority = 0] = row;
    exchange.restoreOrder(id, owner, market, side as Side, price, quantity, remaining, priority);
  });
}

/** Fills an empty exchange from the tables. */
export async function restoreFromTables(database: Database, exchange: Exchange): Promise<Recovered> {
  const [progress] = await database.query<{
    batch: number;
    last_order: number;
    last_trade: number;
    last_priority: number;
  }>('SELECT batch, last_order, last_trade, last_priority FROM projection');
  if (progress === undefined) throw new Error('The projection row is missing: the database is not one of ours');
  type Balance = { account: number; amount: bigint };
  for (const row of await database.query<Balance>('SELECT account, amount::numeric FROM balances ORDER BY account')) {
    exchange.restoreBalance(row.account, row.amount);
  }
  type State = { market: number; last_price: number; mark_price: number; halted: boolean; traded: boolean };
  const states = 'SELECT market, last_price, mark_price, halted, traded FROM market_states';
  for (const { market, last_price, mark_price, halted, traded } of await database.query<State>(states)) {
    exchange.restoreMarket(market, { lastPrice: last_price, markPrice: mark_price, halted, traded });
  }
  type Fee = { owner: number; maker_ppm: number; taker_ppm: number };
  for (const row of await database.query<Fee>('SELECT owner, maker_ppm, taker_ppm FROM fee_rates')) {
    exchange.restoreFees(row.owner, row.maker_ppm, row.taker_ppm);
  }
  await restoreOrders(database, exchange);
  for (const order of await readUntriggeredOrders(database)) exchange.restoreUntriggeredOrder(order);
  exchange.restoreCounters({
    lastOrderId: progress.last_order,
    lastTradeId: progress.last_trade,
    lastPriority: progress.last_priority,
  });
  const [last] = await database.query<{ time: number | null }>('SELECT max(time) AS time FROM journal');
  return { projectedBatch: progress.batch, lastTime: last?.time ?? 0 };
}
