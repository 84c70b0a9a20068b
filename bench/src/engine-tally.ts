import type { EventBatch, EventReader } from '@cambist/core/events/event-batch.ts';
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';

/** What a book traded, by its own account. */
export interface Tally {
  trades: number;
  lots: number;
}

/** Reads every order and every trade, and counts trades and lots. */
export class TallyReader implements EventReader, Tally {
  trades = 0;
  lots = 0;
  orders = 0;

  order(): void {
    this.orders += 1;
  }

  trade(events: EventBatch, at: number): void {
    this.trades += 1;
    this.lots += events.lots(at);
  }

  /** Reads what an exchange has written since the last time. */
  drain(exchange: FastExchange): void {
    const batch = exchange.takeBatch();
    batch.read(this);
    exchange.recycle(batch);
  }
}
