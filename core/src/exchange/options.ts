import { MAXIMUM_OPEN_ORDERS } from '../matching/order-pool.ts';

export interface ExchangeOptions {
  /** Open orders that one owner may have over all markets; one more is refused with ACCOUNT_LIMIT. */
  readonly maximumOpenOrdersPerOwner: number;
  /** Orders that may wait for a price, of one owner in one market; one more is refused with WAITING_LIMIT. */
  readonly maximumWaitingOrdersPerOwner: number;
  /** The same of all owners together: no command can set off more orders than this. */
  readonly maximumWaitingOrdersPerMarket: number;
}

export const DEFAULT_OPTIONS: ExchangeOptions = {
  maximumOpenOrdersPerOwner: MAXIMUM_OPEN_ORDERS,
  maximumWaitingOrdersPerOwner: 50,
  maximumWaitingOrdersPerMarket: 20_000,
};
