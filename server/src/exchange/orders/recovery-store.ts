/** Orders, back from their tables: those that rest, TWAPs, and those that are untriggered. */
import { SELF_TRADE_MODES, TIMES_IN_FORCE, TYPES } from '@cambist/core/events/event-record.ts';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';
import { readCopy } from '../../platform/copy-reader.ts';
import type { Database } from '../../platform/database.ts';
import { restoreClientOrderIds } from './client-order-id-store.ts';
import { readUntriggeredOrders } from './conditional-store.ts';
import { restoreExitPlans } from './exit-plan-store.ts';
import { NO_ICEBERG, readIcebergs } from './iceberg-store.ts';
import { positionOf } from './position-columns.ts';
import { readTwaps } from './twap-store.ts';

interface Figures {
  readonly filledValue: bigint;
  readonly fee: bigint;
  readonly credit: bigint;
}

const NO_FIGURES: Figures = { filledValue: 0n, fee: 0n, credit: 0n };

/** Few open orders have traded, so what they traded is read apart. */
async function restoreOpen(database: Database, exchange: Exchange): Promise<void> {
  const figures = new Map<number, Figures>();
  const filled = 'SELECT id, filled_quote, fee, fee_credit FROM orders WHERE state = 0 AND filled > 0';
  await readCopy(database.copyOut(filled), 4, (row) => {
    figures.set(row.number(0), { filledValue: row.amount(1), fee: row.amount(2), credit: row.amount(3) });
  });
  const icebergs = await readIcebergs(database);
  const twaps = await readTwaps(database);
  const terms = 'side::int8 + type * 2 + time_in_force * 4 + self_trade * 16 + reduce_only * 64 + is_hedged * 128';
  const codes = `${terms} + market::int8 * 256`;
  const open = `SELECT id, owner, ${codes}, price, quantity, remaining, priority, created_at
    FROM orders WHERE state = 0 ORDER BY priority`;
  await readCopy(database.copyOut(open), 8, (row) => {
    const packed = row.number(2);
    const orderId = row.number(0);
    const side = (packed & 1) as Side;
    const position = { reduce_only: (packed >> 6) & 1, is_hedged: (packed >> 7) & 1 };
    const order = {
      orderId,
      owner: row.number(1),
      market: packed >> 8,
      side,
      type: TYPES[(packed >> 1) & 1]!,
      timeInForce: TIMES_IN_FORCE[(packed >> 2) & 3]!,
      selfTrade: SELF_TRADE_MODES[(packed >> 4) & 3]!,
      ...positionOf(side, position),
      price: row.number(3),
      quantity: row.number(4),
      remaining: row.number(5),
      priority: row.number(6),
      createdAt: row.number(7),
      ...(figures.get(orderId) ?? NO_FIGURES),
      ...(icebergs.get(orderId) ?? NO_ICEBERG),
    };
    const schedule = twaps.get(orderId);
    if (schedule === undefined) exchange.restoreOrder(order);
    else exchange.restoreTwap({ ...order, ...schedule, hidden: order.remaining });
  });
}

/** Call it after instruments and balances. */
export async function restoreOrders(database: Database, exchange: Exchange): Promise<void> {
  await restoreOpen(database, exchange);
  for (const order of await readUntriggeredOrders(database)) exchange.restoreUntriggeredOrder(order);
  await restoreClientOrderIds(database, exchange);
  await restoreExitPlans(database, exchange);
}
