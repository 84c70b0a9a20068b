/** Alerts by price, so that a trade looks only at those that it reaches. */
import { SortedList } from '@cambist/core/collections/sorted-list.ts';
import type { AlertRow, TradeRow, Triggering } from './store.ts';

const MINUTE_MS = 60_000;

/** The alert that a price reaches first comes last. */
const nearest = {
  above: (left: AlertRow, right: AlertRow) => right.price - left.price || right.id - left.id,
  below: (left: AlertRow, right: AlertRow) => left.price - right.price || right.id - left.id,
};

export const isReached = ({ above, price }: Pick<AlertRow, 'above' | 'price'>, traded: number): boolean =>
  above ? traded >= price : traded <= price;

/** An alert after a trade has triggered it. */
export function triggeredBy(alert: AlertRow, { price, time }: TradeRow): AlertRow {
  const repeats = alert.pause_minutes > 0;
  return {
    ...alert,
    done: !repeats,
    paused_until: repeats ? time + alert.pause_minutes * MINUTE_MS : 0,
    times_triggered: alert.times_triggered + 1,
    triggered_price: price,
    triggered_at: time,
  };
}

export class AlertIndex {
  readonly #byId = new Map<number, AlertRow>();
  readonly #counts = new Map<number, number>();
  readonly #byMarket = new Map<number, { above: SortedList<AlertRow>; below: SortedList<AlertRow> }>();
  /** Those that have triggered and are silent; the first to come back last. */
  readonly #paused = new SortedList<AlertRow>(
    (left, right) => right.paused_until - left.paused_until || right.id - left.id,
  );

  #changes = 0;

  /** Grows with whatever may have changed here. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Makes it hold exactly these. */
  become(alerts: readonly AlertRow[]): void {
    const there = new Set(alerts.map(({ id }) => id));
    for (const id of [...this.#byId.keys()]) if (!there.has(id)) this.remove(id);
    for (const alert of alerts) if (!this.#byId.has(alert.id)) this.add(alert);
  }

  countOf(clientId: number): number {
    return this.#counts.get(clientId) ?? 0;
  }

  /** Of all alerts that may still trigger. */
  markets(): readonly number[] {
    return [...new Set([...this.#byId.values()].map(({ market }) => market))];
  }

  add(alert: AlertRow): void {
    this.#changes += 1;
    this.#byId.set(alert.id, alert);
    this.#counts.set(alert.client_id, (this.#counts.get(alert.client_id) ?? 0) + 1);
    if (alert.paused_until > 0) this.#paused.add(alert);
    else this.#listOf(alert).add(alert);
  }

  remove(id: number): void {
    this.#changes += 1;
    const alert = this.#byId.get(id);
    if (alert === undefined) return;
    this.#forget(alert);
    this.#paused.remove(alert);
    this.#listOf(alert).remove(alert);
  }

  /** Takes out what a trade triggers, nearest first; what repeats comes back after its pause. */
  observe(trade: TradeRow): Triggering[] {
    this.#endPauses(trade.time);
    const lists = this.#byMarket.get(trade.market);
    if (lists === undefined) return [];
    const triggerings: Triggering[] = [];
    const early: AlertRow[] = [];
    for (const list of [lists.above, lists.below]) {
      for (let next = list.last; next !== undefined && isReached(next, trade.price); next = list.last) {
        list.pop();
        // A trade from before the alert, seen again after a restart, is not for it; what is told is seen once.
        if (trade.id > 0 && trade.id <= next.after_trade) early.push(next);
        else triggerings.push(this.#trigger(next, trade));
      }
      for (const alert of early.splice(0)) list.add(alert);
    }
    return triggerings;
  }

  #trigger(alert: AlertRow, trade: TradeRow): Triggering {
    this.#changes += 1;
    const triggered = triggeredBy(alert, trade);
    if (triggered.done) {
      this.#forget(triggered);
    } else {
      this.#byId.set(triggered.id, triggered);
      this.#paused.add(triggered);
    }
    return { alert: triggered, trade };
  }

  #endPauses(now: number): void {
    const paused = this.#paused;
    for (let next = paused.last; next !== undefined && next.paused_until <= now; next = paused.last) {
      paused.pop();
      this.#listOf(next).add(next);
    }
  }

  #listOf({ market, above }: AlertRow): SortedList<AlertRow> {
    const lists = this.#byMarket.get(market) ?? {
      above: new SortedList(nearest.above),
      below: new SortedList(nearest.below),
    };
    this.#byMarket.set(market, lists);
    return above ? lists.above : lists.below;
  }

  #forget({ id, client_id }: AlertRow): void {
    this.#byId.delete(id);
    this.#counts.set(client_id, (this.#counts.get(client_id) ?? 1) - 1);
  }
}
