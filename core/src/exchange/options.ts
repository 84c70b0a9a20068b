import { MAXIMUM_OPEN_ORDERS } from '../matching/order-pool.ts';

export interface ExchangeOptions {
  /** Open orders that one owner may have over all markets; one more is refused with ACCOUNT_LIMIT. */
  readonly maximumOpenOrdersPerOwner: number;
}

export const DEFAULT_OPTIONS: ExchangeOptions = { maximumOpenOrdersPerOwner: MAXIMUM_OPEN_ORDERS };
