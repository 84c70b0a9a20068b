/** Which of a client's orders a call is about. */
import type { MarketKind } from '@cambist/contract/trading.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';

/** A name says the kind itself. */
export interface WantedMarkets {
  readonly symbol?: string | undefined;
  /** Spot unless it says otherwise. */
  readonly market?: MarketKind | 'all' | undefined;
}

export interface WantedOrders extends WantedMarkets {
  /** Both where absent. */
  readonly side?: 'BUY' | 'SELL' | undefined;
}

export const SIDES = { BUY, SELL } as const;
