/**
 * Tells the exchange what a market is worth where nothing is traded in it: its last price is what its band is measured from, what stops by
 * the last price wait for, and what clients see.
 */
import type { ExchangeView } from '../engine/feed.ts';
import type { MarketInfo } from '../instruments/service.ts';
import type { Maker } from './maker.ts';
import type { OrderSender } from './order-sender.ts';

interface Deps {
  readonly sender: OrderSender;
  readonly view: Pick<ExchangeView, 'marketState'>;
  readonly maker: Maker;
  /** A market's reference has left the band around its last price, within which nothing can be quoted. */
  readonly onBandLeft: (market: MarketInfo) => void;
}

const TELL_EVERY_MS = 1_000;
/**
 * A price beyond the band is told once it has stayed there so long, like a volatility pause of an exchange: what is wrong with a feed is
 * seen meanwhile.
 */
export const BAND_PAUSE_MS = 300_000;

export class Teller {
  readonly #deps: Deps;
  readonly #toldAt = new Map<number, number>();
  /** Since when the reference of a market has been beyond its band. */
  readonly #outsideSince = new Map<number, number>();
  /**
   * Markets whose last price was told with quotes around it. Where it only moved the band, in the process before too, what it has passed
   * is not triggered yet.
   */
  readonly #triggered = new Set<number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @param reference ticks, with a fraction */
  tellWhenDue(market: MarketInfo, reference: number, now: number): void {
    const { id } = market.spec;
    const isWithin = this.#isWithinBand(market, reference, now);
    const isDue = isWithin ? this.#isPassed(id, reference) : now - this.#outsideSince.get(id)! >= BAND_PAUSE_MS;
    if (!isDue || now - (this.#toldAt.get(id) ?? 0) < TELL_EVERY_MS) return;
    this.#toldAt.set(id, now);
    if (isWithin) this.#triggered.add(id);
    else this.#triggered.delete(id);
    const price = Math.max(1, Math.round(reference));
    const terms = { kind: 'set-reference-price', market: id, price } as const;
    void this.#deps.sender.submit(isWithin ? terms : { ...terms, triggersNothing: true });
  }

  /** Whether the quotes have followed a price to where the last one would not be traded at any more. */
  #isPassed(id: number, reference: number): boolean {
    const { maker, view } = this.#deps;
    const { bid, ask } = maker.best(id);
    if (reference < bid || reference > ask) return false;
    if (!this.#triggered.has(id)) return bid > 0 && ask < Number.POSITIVE_INFINITY;
    const { lastPrice } = view.marketState(id);
    return lastPrice < bid || lastPrice > ask;
  }

  /** The band of a perpetual is measured from its mark, which follows. */
  #isWithinBand(market: MarketInfo, reference: number, now: number): boolean {
    const { maker, onBandLeft } = this.#deps;
    const { id, perpetual } = market.spec;
    const isWithin = perpetual !== undefined || maker.mayQuote(market, reference);
    if (isWithin) this.#outsideSince.delete(id);
    else if (!this.#outsideSince.has(id)) {
      this.#outsideSince.set(id, now);
      onBandLeft(market);
    }
    return isWithin;
  }
}
