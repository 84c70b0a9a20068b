/** What the engine gives the rest of the server, after the commit and never before. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import type { Command } from '@cambist/core/exchange/command.ts';
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import type { Counters } from '@cambist/core/exchange/exchange.ts';
import type { CancelReason } from '@cambist/core/orders/order-state.ts';
import type { OrderView } from '@cambist/core/orders/order-view.ts';
import type { Outcome, RejectReason } from '@cambist/core/terms/outcome.ts';

export interface CommittedBatch {
  readonly batch: number;
  /** Ms since 1970. */
  readonly time: number;
  /** Good during the call alone: its records are written to again afterwards. */
  readonly events: EventBatch;
  /** As they were right after the batch. */
  readonly counters: Counters;
}

/**
 * Listeners are called synchronously, in order of the batches. The exchange's memory may be ahead of the batch by then,
 * so a listener reads the events and not the memory. It must be quick and must not throw.
 */
export interface BatchFeed {
  subscribe(listener: (batch: CommittedBatch) => void): () => void;
}

/** The readable half of the exchange: memory, which may be ahead of the commit. */
export type ExchangeView = Pick<
  FastExchange,
  | 'assets'
  | 'markets'
  | 'defaults'
  | 'feesOf'
  | 'balance'
  | 'accountsOf'
  | 'openOrder'
  | 'openOrdersOf'
  | 'untriggeredOrder'
  | 'untriggeredOrdersOf'
  | 'untriggeredOrdersIn'
  | 'twap'
  | 'twaps'
  | 'twapsIn'
  | 'pendingTransfers'
  | 'isMarkWatched'
  | 'depth'
  | 'bestPrice'
  | 'marketState'
  | 'bandPrice'
  | 'perpetualState'
  | 'openInterest'
  | 'positionsOf'
  | 'holdings'
  | 'marginWalletOf'
>;

/** A command without what the sequencer adds: the id of a new order or transfer. */
export type Submission = Command extends infer C
  ? C extends { kind: 'place-order' | 'close-position' | 'place-conditional-order' | 'place-twap' }
    ? Omit<C, 'orderId'>
    : C extends { kind: 'transfer' }
      ? Omit<C, 'transferId'>
      : C
  : never;

/** A position was closed by several orders, as it had more lots than the market's largest. */
export interface ClosedParts {
  readonly firstOrderId: number;
  /** Those between are of the others. */
  readonly lastOrderId: number;
  /** That were to be traded, that are, and that rest in the book. */
  readonly lots: number;
  readonly filled: number;
  readonly open: number;
  /** Why the last order was cancelled, or one behind it refused; NONE where neither was. */
  readonly reason: CancelReason | RejectReason;
}

export interface Submitted {
  readonly outcome: Outcome;
  /** Of the new order or transfer, or of the one that the command named; 0 for others. */
  readonly id: number;
  readonly batch: number;
  /** Ms; of the batch. */
  readonly time: number;
  /** The order that the command placed, amended or cancelled, as it left it. */
  readonly order: OrderView | undefined;
  /** How many orders the command ended. */
  readonly ended: number;
  /** Of a command that closed a position; absent where one order was enough. */
  readonly parts?: ClosedParts | undefined;
}

/** Nothing was done: try again in a moment. */
export class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  /** After how many seconds it may be worth another try. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 1) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** It is not known whether it was done: ask again under the same key. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

export interface Sequencer {
  /**
   * Resolves after the commit.
   * @throws NotAccepted while the queue is full or the store is away; nothing was done then
   * @throws OutcomeUnknown when the process ends with the command applied and its commit not known
   */
  submit(submission: Submission): Promise<Submitted>;
}
