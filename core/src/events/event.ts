/** What happened, in the order in which it happened. Events are facts: nothing downstream recomputes them. */
import type { OrderLimits } from '../instruments/commands.ts';
import type { MarketState } from '../instruments/market-state.ts';
import type { TransferReason } from '../ledger/movements.ts';
import type { Origin, TransferLeg } from '../ledger/transfer.ts';
import type { PositionChanged, PositionEvent } from '../margin/event.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import type { ReferenceState } from '../money/reference-price.ts';
import type { ClientOrderIdGiven } from '../orders/client-order-ids.ts';
import type { ConditionalEvent } from '../orders/conditional/event.ts';
import type { PassedPrices } from '../orders/conditional/passed-prices.ts';
import type { ExitPlanChanged } from '../orders/exits/exit-plan.ts';
import type { OrderState } from '../orders/order-state.ts';
import type { TwapChanged } from '../orders/twap/twap.ts';
import type { Side } from '../terms/order-terms.ts';

/**
 * An order as it stands after a change: accepted, partly filled, amended or ended. Everything that is known of it is
 * here, so that no reader has to add up events.
 */
export interface OrderEvent {
  readonly kind: 'order';
  readonly time: number;
  readonly order: OrderState;
  /** The first event of an order that was placed directly. */
  readonly isNew: boolean;
  /** What rested of it in the book before: ticks and lots; 0 lots when it did not rest. */
  readonly before: { readonly price: number; readonly lots: number };
  /** Lots that rest in the book now, at the order's price. */
  readonly resting: number;
  /** Smallest units of what the order pays with: above zero moved to held, below zero back to available. */
  readonly held: bigint;
}

/** One side of a trade. The fee is in the asset that this side receives: base for the buyer, quote for the seller. */
export interface TradeSide {
  readonly orderId: number;
  readonly owner: number;
  /** Units of the received asset, already reduced by the credit. */
  readonly fee: bigint;
  /** Quote units of fee credit that were used first. */
  readonly credit: bigint;
}

/** A trade at the maker's price. The maker's order event follows it. */
export interface TradeEvent {
  readonly kind: 'trade';
  readonly time: number;
  readonly tradeId: number;
  readonly market: number;
  readonly price: number;
  readonly quantity: number;
  readonly takerSide: Side;
  readonly maker: TradeSide;
  readonly taker: TradeSide;
  /** The market's reference price after it, in parts of a tick; absent where it has not changed. */
  readonly reference?: number;
}

/** A stage of a transfer, and the postings that it made. */
export interface TransferEvent {
  readonly kind: 'transfer';
  readonly time: number;
  readonly stage: 'posted' | 'pending' | 'post' | 'void';
  readonly transferId: number;
  readonly reason: TransferReason;
  readonly reference: number;
  readonly detail: string;
  /** As the transfer was submitted. */
  readonly legs: readonly TransferLeg[];
  /** What moved in this stage. */
  readonly moves: readonly TransferLeg[];
  readonly origin: Origin | undefined;
}

/** A last price that was told and not traded. A market's first price is `market-changed`. */
export interface ReferencePriceSet {
  readonly kind: 'reference-price-set';
  readonly time: number;
  readonly market: number;
  /** Ticks. */
  readonly price: number;
  /** The market's reference after it, as `ReferenceState` has it; absent where there is none. */
  readonly reference?: number;
  readonly referenceAt?: number;
}

/** What the last price has passed of what waits for it; all of it, and nothing while it is empty. */
export interface TriggersPassed {
  readonly kind: 'triggers-passed';
  readonly time: number;
  readonly market: number;
  readonly passed: PassedPrices;
}

/** A pause begins or is over, with the market as it is then. */
export interface MarketPausing {
  readonly kind: 'market-paused' | 'market-resumed';
  readonly time: number;
  readonly market: number;
  readonly state: MarketState;
}

/** A price of other markets was told for the reference alone. */
export interface ReferenceTold extends ReferenceState {
  readonly kind: 'reference-told';
  readonly time: number;
  readonly market: number;
  /** Ticks. */
  readonly price: number;
}

/** An asset or a market as it is after it was listed or changed; the fees and limits of all after they were set. */
export type InstrumentEvent =
  | { readonly kind: 'asset-listed'; readonly time: number; readonly asset: Asset }
  | { readonly kind: 'market-changed'; readonly time: number; readonly market: MarketSpec; readonly state: MarketState }
  | MarketPausing
  | TriggersPassed
  | ReferencePriceSet
  | ReferenceTold
  | {
      readonly kind: 'fees-set';
      readonly time: number;
      readonly owner: number;
      readonly makerPpm: number;
      readonly takerPpm: number;
    }
  | {
      readonly kind: 'default-fees-set';
      readonly time: number;
      readonly makerPpm: number;
      readonly takerPpm: number;
    }
  | { readonly kind: 'limits-set'; readonly time: number; readonly limits: OrderLimits };

/** Events that are rare beside orders and trades, and so are objects from the beginning. */
export type ObjectEvent =
  | TransferEvent
  | InstrumentEvent
  | ConditionalEvent
  | ClientOrderIdGiven
  | ExitPlanChanged
  | TwapChanged
  | PositionEvent;

export type ExchangeEvent = OrderEvent | TradeEvent | PositionChanged | ObjectEvent;

type WithoutTime<Event> = Event extends ExchangeEvent ? Omit<Event, 'time'> : never;
/** An event whose time the log knows. */
export type UntimedEvent = WithoutTime<ObjectEvent>;
