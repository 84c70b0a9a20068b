import type { OrderLimits } from '../instruments/commands.ts';
import { MAXIMUM_OPEN_ORDERS } from '../matching/order-pool.ts';

/** Before `set-limits` says otherwise. */
export const INITIAL_LIMITS: OrderLimits = {
  maximumOpenOrdersPerOwner: MAXIMUM_OPEN_ORDERS,
  maximumUntriggeredOrdersPerOwner: 50,
  maximumUntriggeredOrdersPerMarket: 20_000,
};
