import type { EventSink } from '@cambist/core/events/event-sink.ts';

/** What a book traded, by its own account. */
export interface Tally {
  trades: number;
  lots: number;
}

/** Reads every event and every posting, and counts trades and lots. */
export class TallyReader implements EventSink, Tally {
  trades = 0;
  lots = 0;
  orders = 0;
  postings = 0;

  conditional(): void {}

  orderAccepted(): void {
    this.orders += 1;
  }

  trade(_time: number, _tradeId: number, _market: number, _price: number, quantity: number): void {
    this.trades += 1;
    this.lots += quantity;
  }

  orderChanged(): void {
    this.orders += 1;
  }

  ledger(_time: number, _reason: string, _reference: number, count: number): void {
    this.postings += count;
  }

  marketHalted(): void {}
  feesSet(): void {}
  referencePriceSet(): void {}
}
