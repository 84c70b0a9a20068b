/**
 * Tells the exchange what a market is worth elsewhere. While that is fresh it is the reference that the band of a spot market is measured
 * from, whatever is traded. Where nothing is traded it is the last price too, which stops wait for and clients see.
 */
import type { ExchangeView } from '../engine/feed.ts';
import type { MarketInfo } from '../instruments/service.ts';
import type { Maker } from './maker.ts';
import type { OrderSender } from './order-sender.ts';

interface Deps {
  readonly sender: Pick<OrderSender, 'submit'>;
  readonly view: Pick<ExchangeView, 'marketState'>;
  readonly maker: Pick<Maker, 'best' | 'mayQuote'>;
  /** A market's price has left the band, within which alone it can be quoted. */
  readonly onBandLeft: (market: MarketInfo) => void;
}

const TELL_EVERY_MS = 1_000;
/** A reference is told again after this, well before it is no longer fresh, or once it has moved by a thousandth. */
const REFERENCE_EVERY_MS = 10_000;
/**
 * A price beyond the band is told once it has stayed about there so long, like a volatility pause of an exchange: what is wrong with a feed is
 * seen meanwhile.
 */
export const BAND_PAUSE_MS = 300_000;

/** A reference that is beyond the band: about where, and since when. */
interface Pause {
  readonly reference: number;
  readonly since: number;
}

export class Teller {
  readonly #deps: Deps;
  /** When a market may be told of again; not while it is being told of. */
  readonly #nextAt = new Map<number, number>();
  readonly #pauses = new Map<number, Pause>();
  /** What was told for a market's reference last, and when. */
  readonly #references = new Map<number, { readonly price: number; readonly at: number }>();
  /**
   * Markets whose last price was told with quotes around it. Where it only moved the band, in the process before too, what it has passed
   * is not triggered yet.
   */
  readonly #triggered = new Set<number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** A market without a price, as in a halt: what comes after that has not stayed where it was. */
  forget(market: number): void {
    this.#pauses.delete(market);
  }

  /** @param reference ticks, with a fraction */
  tellWhenDue(market: MarketInfo, reference: number, now: number): void {
    const { id, perpetual } = market.spec;
    // The band of a perpetual is measured from its mark, which follows.
    const isWithin = perpetual !== undefined || this.#deps.maker.mayQuote(market, reference);
    const hasWaited = this.#hasWaited(market, reference, isWithin, now);
    const isDue = isWithin ? this.#isPassed(id, reference) : hasWaited;
    if (now < (this.#nextAt.get(id) ?? 0)) return;
    if (isDue) void this.#tell(id, reference, isWithin, now);
    else if (perpetual === undefined && isWithin && this.#isOld(id, reference, now))
      void this.#tellReference(id, reference, now);
  }

  /** Whether the reference that was told last is no longer about the price, or soon not fresh. */
  #isOld(market: number, reference: number, now: number): boolean {
    if (this.#deps.view.marketState(market).lastPrice === 0) return false;
    const told = this.#references.get(market);
    if (told === undefined || now - told.at >= REFERENCE_EVERY_MS) return true;
    return Math.abs(reference - told.price) * 1_000 > told.price;
  }

  /** While others trade: the last price is theirs. */
  async #tellReference(market: number, reference: number, now: number): Promise<void> {
    this.#nextAt.set(market, Number.POSITIVE_INFINITY);
    const price = Math.max(1, Math.round(reference));
    await this.#deps.sender.submit({ kind: 'set-reference-price', market, price, isReferenceOnly: true });
    this.#references.set(market, { price, at: now });
    this.#nextAt.set(market, now + TELL_EVERY_MS);
  }

  async #tell(market: number, reference: number, triggers: boolean, now: number): Promise<void> {
    this.#nextAt.set(market, Number.POSITIVE_INFINITY);
    if (!triggers) this.#triggered.delete(market);
    const terms = { kind: 'set-reference-price', market, price: Math.max(1, Math.round(reference)) } as const;
    const submitted = await this.#deps.sender.submit(triggers ? terms : { ...terms, triggersNothing: true });
    this.#references.set(market, { price: terms.price, at: now });
    this.#nextAt.set(market, now + TELL_EVERY_MS);
    if (!triggers || submitted?.outcome.ok !== true) return;
    this.#triggered.add(market);
    this.#pauses.delete(market);
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

  /**
   * Whether a price has waited for the whole pause, never further away than a band. It need not wait again until the quotes are around it:
   * they meet orders of before first, which take the last price back to where these are.
   */
  #hasWaited(market: MarketInfo, reference: number, isWithin: boolean, now: number): boolean {
    const { id, priceBandPpm } = market.spec;
    const pause = this.#pauses.get(id);
    const isNear =
      pause !== undefined && Math.abs(reference - pause.reference) * 1_000_000 <= pause.reference * priceBandPpm;
    if (isNear && now - pause.since >= BAND_PAUSE_MS) return true;
    if (isWithin) this.#pauses.delete(id);
    else if (!isNear) this.#pauses.set(id, { reference, since: now });
    if (!isWithin && pause === undefined) this.#deps.onBandLeft(market);
    return false;
  }
}
