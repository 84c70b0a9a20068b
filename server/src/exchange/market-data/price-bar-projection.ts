/**
 * Bars of marks and indexes in their table, written with the batches that priced them: after a kill none is lost and none is
 * counted twice. A run gathers minutes; the statement makes hours and days of them.
 */
import type { PerpetualPriced } from '@cambist/core/margin/event.ts';
import type { Statement } from '../../platform/database.ts';
import { Columns } from '../engine/columns.ts';
import type { CommittedBatch } from '../engine/feed.ts';
import type { PartRun, ProjectionPart } from '../engine/projection.ts';
import { MINUTE_MS } from './frames.ts';
import { type PriceKind, priceKinds } from './price-series.ts';
import { upsertPriceBars } from './store.ts';

interface Minute {
  readonly market: number;
  readonly kind: PriceKind;
  readonly time: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
}

/** More minutes than will ever have passed since 1970. */
const MINUTES_PER_SERIES = 1_000_000_000;
const COLUMNS = 7;

class PriceBarRun implements PartRun {
  readonly #minutes = new Map<number, Minute>();

  add({ events }: CommittedBatch): void {
    for (const event of events.objects) if (event.kind === 'perpetual-priced') this.#price(event);
  }

  statements(): Statement[] {
    if (this.#minutes.size === 0) return [];
    const columns = new Columns(COLUMNS);
    for (const { market, kind, time, open, high, low, close } of this.#minutes.values()) {
      columns.add(market, priceKinds.indexOf(kind), time, open, high, low, close);
    }
    return [upsertPriceBars(columns.parameters())];
  }

  /** Without an index the mark stands still: neither has a bar then. */
  #price({ market, mark, time, state: { index } }: PerpetualPriced): void {
    if (index === 0) return;
    this.#observe(market, 'mark', time, mark);
    this.#observe(market, 'index', time, index);
  }

  #observe(market: number, kind: PriceKind, time: number, price: number): void {
    const minute = Math.floor(time / MINUTE_MS);
    const key = (market * priceKinds.length + priceKinds.indexOf(kind)) * MINUTES_PER_SERIES + minute;
    const known = this.#minutes.get(key);
    if (known === undefined) {
      const prices = { open: price, high: price, low: price, close: price };
      this.#minutes.set(key, { market, kind, time: minute * MINUTE_MS, ...prices });
      return;
    }
    known.high = Math.max(known.high, price);
    known.low = Math.min(known.low, price);
    known.close = price;
  }
}

export const priceBarProjection: ProjectionPart = {
  name: 'price bars',
  tables: ['price_bars'],
  start: () => new PriceBarRun(),
};
