import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Database } from '../../platform/database.ts';
import { readUntriggeredOrders, restoreTriggers } from './conditional-store.ts';

/** Puts conditional orders back: those that are untriggered, and what triggered those that are open. */
export function restoreUntriggered(database: Database, views: OrderViews) {
  return async (exchange: Exchange): Promise<void> => {
    for (const order of await readUntriggeredOrders(database)) exchange.restoreUntriggeredOrder(order);
    await restoreTriggers(database, views);
  };
}
