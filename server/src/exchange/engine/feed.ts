/** What the trading slice tells the rest of the server, after the commit and never before. */
import type { Command } from '@cambist/core/exchange/command.ts';
import type { Outcome } from '@cambist/core/terms/outcome.ts';
import type { ExchangeEvent } from '@cambist/core/events/event.ts';
import type { Exchange } from '@cambist/core/exchange/exchange.ts';

export interface CommittedBatch {
  readonly batch: number;
  /** Ms since 1970. */
  readonly time: number;
  readonly events: readonly ExchangeEvent[];
}

/**
 * Listeners are called synchronously, in order, before the next batch is applied: what they read from the exchange
 * during the call is the state right after this batch. They must be quick and must not throw.
 */
export interface BatchFeed {
  subscribe(listener: (batch: CommittedBatch) => void): () => void;
}

/** The readable half of the exchange. */
export type ExchangeView = Pick<
  Exchange,
  | 'markets'
  | 'balance'
  | 'accountsOf'
  | 'openOrder'
  | 'openOrdersOf'
  | 'untriggeredOrder'
  | 'isMarkWatched'
  | 'levelQuantity'
  | 'levelOrders'
  | 'depth'
  | 'bestPrice'
  | 'marketState'
>;

/** A command without what the sequencer adds (`orderId` on a new order). */
export type Submission = Command extends infer C
  ? C extends { kind: 'place-order' | 'place-conditional-order' }
    ? Omit<C, 'orderId'>
    : C
  : never;

export interface Submitted {
  readonly outcome: Outcome;
  /** Of the new order, or of the order that the command named; 0 for others. */
  readonly orderId: number;
  readonly batch: number;
}

export interface Sequencer {
  /** Resolves after the commit. Throws `Overloaded` when the queue is full and `Unavailable` while there is no store. */
  submit(submission: Submission): Promise<Submitted>;
}
