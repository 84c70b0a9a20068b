/** Client order ids at rest: what the projection writes of them, and how they are read back. */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import type { ClientOrderId } from '@cambist/core/orders/client-order-ids.ts';
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Database, Statement } from '../../platform/database.ts';

/** A column of a statement that reads `orders`; null for an order without one. */
export const clientOrderIdColumn =
  '(SELECT client_order_id FROM client_order_ids WHERE order_id = orders.id) AS client_order_id';

/** Whether the order of an expression is a conversion, see `conversions.ts`. */
export const isConversionOf = (order: string): string =>
  `EXISTS (SELECT FROM client_order_ids WHERE order_id = ${order} AND client_order_id LIKE 'convert:%')`;

export function clientOrderIdStatement(given: readonly ClientOrderId[]): Statement {
  return {
    sql: `INSERT INTO client_order_ids (order_id, client_order_id) SELECT * FROM unnest($1::bigint[], $2::text[])`,
    parameters: [given.map(({ orderId }) => orderId), given.map(({ clientOrderId }) => clientOrderId)],
  };
}

type Row = { readonly id: number; readonly owner: number; readonly client_order_id: string };

/** Those of open and untriggered orders, which alone are still in use. */
async function readClientOrderIds(database: Database): Promise<ClientOrderId[]> {
  const rows = await database.query<Row>(
    `SELECT id, owner, client_order_id FROM client_order_ids JOIN orders ON id = order_id WHERE state IN (0, 3)`,
  );
  return rows.map(({ id, owner, client_order_id: clientOrderId }) => ({ orderId: id, owner, clientOrderId }));
}

export async function restoreClientOrderIds(database: Database, exchange: Exchange): Promise<void> {
  for (const one of await readClientOrderIds(database)) exchange.restoreClientOrderId(one);
}

export async function restoreNamedViews(database: Database, views: OrderViews): Promise<void> {
  for (const one of await readClientOrderIds(database)) views.restoreClientOrderId(one);
}
