/**
 * Follows the prices of all markets by the events alone, and states that no order traded beyond the band of its moment. One that meets an
 * older order at a price better than the band has that price, which its maker stated.
 */
import type { ExchangeEvent, MarketPausing, TradeEvent } from '../events/event.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { INITIAL_MARKET_STATE, type MarketState } from '../instruments/market-state.ts';
import { invariant } from '../invariant.ts';
import type { MarketSpec } from '../money/market.ts';
import { maximumTicks } from '../money/notional.ts';
import { divCeil, divFloor } from '../money/rounding.ts';
import { BUY } from '../terms/order-terms.ts';
import { BAND_FROM_REFERENCE } from '../terms/rules.ts';

const MILLION = 1_000_000n;
const SCALE = 1_048_576n;
const FIVE_MINUTES = 300_000n;
/** In parts of a tick, the reference after so long with one last price. */
const LONG_AGO = 67_108_864n;

type Prices = { -readonly [Name in keyof MarketState]: MarketState[Name] } & {
  tradedAt?: number;
  /** When its first trade gave it a price: before it there is no band for the order that made it. */
  beganAt?: number;
};

export class BandAuditor {
  readonly #exchange: Exchange;
  readonly #specs = new Map<number, MarketSpec>();
  readonly #prices = new Map<number, Prices>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  observe(event: ExchangeEvent): void {
    switch (event.kind) {
      case 'market-changed':
        this.#specs.set(event.market.id, event.market);
        this.#prices.set(event.market.id, { ...event.state });
        break;
      case 'market-paused':
        this.#observePause(event);
        this.#prices.set(event.market, { ...event.state });
        break;
      case 'market-resumed': {
        const { pause } = this.#of(event.market);
        // Before it began it was written by a clock that was ahead.
        const isOver = pause !== undefined && (event.time >= pause.until || event.time < pause.until - 300_000);
        invariant(isOver, 'a pause ends when its time is over');
        this.#prices.set(event.market, { ...event.state });
        break;
      }
      case 'triggers-passed':
        this.#of(event.market).passed = event.passed.flat().length === 0 ? undefined : event.passed;
        break;
      case 'reference-price-set':
        Object.assign(this.#of(event.market), { lastPrice: event.price });
        if (event.reference !== undefined) this.#tell(event.market, event);
        break;
      case 'reference-told':
        this.#tell(event.market, event);
        break;
      case 'mark-price-set':
        this.#of(event.market).markPrice = event.price;
        break;
      case 'perpetual-priced':
        this.#of(event.market).markPrice = event.mark;
        break;
      case 'trade':
        this.#observeTrade(event);
    }
  }

  /** Prices are those of the events. */
  audit(): void {
    for (const { id } of this.#exchange.markets()) {
      const [known, state] = [this.#of(id), this.#exchange.marketState(id)];
      for (const name of ['lastPrice', 'markPrice', 'reference', 'referenceAt'] as const)
        invariant(known[name] === state[name], 'a price is as the events left it', { id, name, is: state[name] });
      const isSame = known.pause?.until === state.pause?.until && known.pause?.reference === state.pause?.reference;
      invariant(isSame, 'a pause is as its event says', { id });
      const isAsPassed = JSON.stringify(known.passed) === JSON.stringify(state.passed);
      invariant(isAsPassed, 'what the last price has passed is as its event says', { id });
    }
  }

  /** Nothing pauses a market but a trade of this moment near the end of its band. */
  #observePause({ market, time, state }: MarketPausing): void {
    const [spec, prices, { pause }] = [this.#specs.get(market)!, this.#of(market), state];
    const reference = divFloor(this.#reference(prices, time), SCALE);
    const [lowest, highest] = this.#band(spec, prices, time);
    const end = pause!.isAbove ? highest : lowest;
    const [left, width] = [Math.abs(end - prices.lastPrice), Math.abs(end - Number(reference))];
    const isAtEdge = prices.tradedAt === time && left * 10 <= width;
    invariant(isAtEdge && pause!.until === time + 300_000, 'a market pauses at the edge of its band', { market, left });
    const goesOn = { reference: state.lastPrice * Number(SCALE), referenceAt: pause!.until };
    invariant(
      state.reference === goesOn.reference && state.referenceAt === goesOn.referenceAt,
      'it goes on from there',
    );
  }

  #tell(market: number, { reference, referenceAt }: Partial<Pick<MarketState, 'reference' | 'referenceAt'>>): void {
    Object.assign(this.#of(market), { reference, referenceAt });
  }

  #observeTrade({ market, price, time, takerSide, reference }: TradeEvent): void {
    const [spec, prices] = [this.#specs.get(market)!, this.#of(market)];
    if (prices.lastPrice === 0) prices.beganAt = time;
    if (this.#exchange.rules >= BAND_FROM_REFERENCE && prices.beganAt !== time) {
      const [lowest, highest] = this.#band(spec, prices, time);
      const isWithin = takerSide === BUY ? price <= highest : price >= lowest;
      invariant(isWithin, 'no order trades beyond the band', { market, price, lowest, highest });
    }
    if (reference !== undefined) {
      const moved = prices.reference === 0 ? BigInt(prices.lastPrice || price) * SCALE : this.#reference(prices, time);
      invariant(BigInt(reference) === moved, 'a reference moves by time alone', { market, reference });
      this.#tell(market, { reference, referenceAt: time });
    }
    prices.lastPrice = price;
    invariant(prices.pause === undefined || prices.pause.until <= time, 'nothing is traded in a pause', { market });
    prices.traded = true;
    prices.tradedAt = time;
  }

  /** In parts of a tick. */
  #reference({ reference, referenceAt, lastPrice }: Prices, time: number): bigint {
    const last = BigInt(lastPrice) * SCALE;
    const elapsed = BigInt(Math.max(0, time - referenceAt));
    if (reference === 0 || elapsed >= LONG_AGO) return last;
    const weighted = BigInt(reference) * FIVE_MINUTES + last * elapsed;
    const divide = last > BigInt(reference) ? divFloor : divCeil;
    return divide(weighted, FIVE_MINUTES + elapsed);
  }

  #band(spec: MarketSpec, prices: Prices, time: number): readonly [lowest: number, highest: number] {
    const isMarked = spec.perpetual !== undefined && prices.markPrice > 0;
    const middle = isMarked ? BigInt(prices.markPrice) : divFloor(this.#reference(prices, time), SCALE);
    const ppm = BigInt(spec.priceBandPpm);
    if (ppm === 0n || middle === 0n) return [1, maximumTicks(spec)];
    const lowest = Number(divCeil(middle * (MILLION - ppm), MILLION));
    return [lowest, Number(divFloor(middle * (MILLION + ppm), MILLION))];
  }

  #of(market: number): Prices {
    const known = this.#prices.get(market) ?? { ...INITIAL_MARKET_STATE };
    this.#prices.set(market, known);
    return known;
  }
}
