/** A client's orders and trades: a copy for the person. The books themselves stay. */
import type { PersonalTables } from '../../platform/personal-data.ts';
import { REASON_NAME } from './reasons.ts';

export const orderTables: PersonalTables = {
  exported: {
    orders: `SELECT *, ${REASON_NAME} AS reason_name FROM orders WHERE owner = $1 ORDER BY id`,
    client_order_ids: `SELECT client_order_ids.* FROM client_order_ids JOIN orders ON id = order_id
             WHERE owner = $1 ORDER BY order_id`,
    closings: `SELECT closings.* FROM closings JOIN orders ON id = order_id WHERE owner = $1 ORDER BY order_id`,
    exit_plans: `SELECT exit_plans.* FROM exit_plans JOIN orders ON id = order_id
             WHERE owner = $1 ORDER BY order_id`,
    icebergs: `SELECT icebergs.* FROM icebergs JOIN orders ON id = order_id WHERE owner = $1 ORDER BY order_id`,
    twaps: `SELECT twaps.* FROM twaps JOIN orders ON id = order_id WHERE owner = $1 ORDER BY order_id`,
    unplaced_orders: `SELECT unplaced_orders.* FROM unplaced_orders JOIN orders ON orders.id = order_id
             WHERE owner = $1 ORDER BY unplaced_orders.id`,
    trades: `SELECT id, market, price, quantity, time, maker_owner = $1 AS was_maker FROM trades
             WHERE maker_owner = $1 OR taker_owner = $1 ORDER BY id`,
  },
  erased: [],
};
