/** Index, mark and funding in the reference exchange: everything that was ever sampled is kept and looked through again. */
import type { SetIndexPrice } from '../margin/commands.ts';
import { notionalOf, perpetualTerms } from '../margin/perpetual.ts';
import type { PerpetualState } from '../margin/pricing.ts';
import type { MarketSpec } from '../money/market.ts';
import { maximumTicks } from '../money/notional.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { shownOf } from './reference-matching.ts';
import type { ReferencePerpetuals } from './reference-perpetuals.ts';
import { isWithin, type Refusal } from './reference-rules.ts';
import type { PricingHistory, ReferenceMarket, ReferenceState } from './reference-state.ts';

const BILLION = 1_000_000_000n;
const MINUTE = 60_000;

const begun = (): PricingHistory => ({
  ...{ index: 0, indexAt: 0, pricedAt: 0, basis: [], premiums: [], sampledAt: 0, nextFundingAt: 0, paid: [] },
});

const total = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);
const within = (value: bigint, reach: bigint) => (value > reach ? reach : value < -reach ? -reach : value);

export class ReferencePricing {
  readonly #state: ReferenceState;
  readonly #perpetuals: ReferencePerpetuals;

  constructor(state: ReferenceState, perpetuals: ReferencePerpetuals) {
    this.#state = state;
    this.#perpetuals = perpetuals;
  }

  stateOf(market: number): PerpetualState {
    const { index, indexAt, pricedAt, basis, premiums, sampledAt, nextFundingAt, paid } = this.#of(market);
    return {
      index,
      indexAt,
      basis: basis.filter(({ time }) => time >= pricedAt - 30_000).slice(-32),
      premiumSum: total(premiums),
      premiumCount: premiums.length,
      sampledAt,
      nextFundingAt,
      fundingIndex: total(paid),
    };
  }

  restore(market: number, { premiumSum, premiumCount, fundingIndex, ...state }: PerpetualState): void {
    const premiums = Array.from({ length: premiumCount }, (_, place) => (place === 0 ? premiumSum : 0n));
    const pricedAt = state.basis.at(-1)?.time ?? state.indexAt;
    this.#state.pricing.set(market, { ...state, basis: [...state.basis], premiums, pricedAt, paid: [fundingIndex] });
  }

  setIndex(time: number, { market: id, price }: SetIndexPrice): Refusal {
    const market = this.#state.market(id);
    if (market === undefined) return 'UNKNOWN_MARKET';
    if (market.spec.perpetual === undefined) return 'INVALID_MARKET';
    if (market.state.delisted) return 'MARKET_DELISTED';
    if (!isWithin(price, 0, maximumTicks(market.spec))) return 'INVALID_PRICE';
    const known = this.#of(id);
    known.index = price;
    known.indexAt = time;
    if (price === 0) this.#priced(time, market);
    else this.#follow(time, market, known);
    return undefined;
  }

  #follow(time: number, market: ReferenceMarket, known: PricingHistory): void {
    const { spec, state } = market;
    const { index } = known;
    const { intervalMs, impactValue } = spec.perpetual!.funding;
    // The clock was ahead, and was set right.
    if (known.sampledAt > time) {
      known.sampledAt = time;
      known.basis = this.stateOf(spec.id).basis.filter((sample) => sample.time <= time);
      known.nextFundingAt = Math.min(known.nextFundingAt, this.#nextAfter(time, intervalMs));
    }
    known.pricedAt = time;
    const [bid, ask] = [BUY, SELL].map((side) => this.#state.queue(spec.id, side as Side)[0]?.price);
    if (bid !== undefined && ask !== undefined)
      known.basis.push({ time, ticks: this.#basis(market, index, bid + ask) });
    const due = known.nextFundingAt || this.#nextAfter(time, intervalMs);
    known.nextFundingAt = due;
    state.markPrice = this.#mark(market, known, Math.min(intervalMs, Math.max(0, due - time)));
    if (time - known.sampledAt >= MINUTE) {
      known.sampledAt = time;
      const above = this.#impact(spec, BUY, impactValue) - index;
      const below = index - this.#impact(spec, SELL, impactValue);
      let ticks = 0;
      if (above > 0 && Number.isFinite(above)) ticks += above;
      if (below > 0 && Number.isFinite(below)) ticks -= below;
      const { capPpb, dampPpb } = spec.perpetual!.funding;
      const most = this.#state.rules < 6 ? BILLION ** 2n : BigInt(capPpb + dampPpb);
      known.premiums.push(within((BigInt(ticks) * BILLION) / BigInt(index), most));
    }
    const isDue = time >= due;
    const rate = this.#rate(market, known);
    if (isDue) {
      const lot = rate * notionalOf(perpetualTerms(spec, spec.perpetual!), state.markPrice, 1);
      known.paid.push(lot);
      known.premiums = [];
      known.nextFundingAt = this.#nextAfter(time, intervalMs);
      this.#perpetuals.accrue(spec.id, lot);
    }
    this.#priced(time, market);
    if (isDue) {
      const facts = { ratePpb: Number(rate), mark: state.markPrice, fundingIndex: total(known.paid) };
      this.#state.events.push({ kind: 'funding-settled', market: spec.id, ...facts, time });
    }
  }

  #nextAfter(time: number, intervalMs: number): number {
    return time - (time % intervalMs) + intervalMs;
  }

  /** Half a tick goes down. */
  #basis({ spec }: ReferenceMarket, index: number, bothSides: number): number {
    const ticks = Math.floor(bothSides / 2) - index;
    if (this.#state.rules < 6) return ticks;
    const room = (BigInt(index) * BigInt(spec.perpetual!.markClampPpm)) / 1_000_000n;
    return Number(within(BigInt(ticks), room));
  }

  /** The middle of three prices, kept near the index. */
  #mark({ spec, state }: ReferenceMarket, known: PricingHistory, leftMs: number): number {
    const { index } = known;
    const { markClampPpm, funding } = spec.perpetual!;
    const basis = this.stateOf(spec.id).basis.map(({ ticks }) => ticks);
    const meanBasis = basis.length === 0 ? 0 : Math.floor(basis.reduce((sum, one) => sum + one, 0) / basis.length);
    const product = BigInt(index) * this.#rate({ spec, state }, known) * BigInt(leftMs);
    const divisor = BILLION * BigInt(funding.intervalMs);
    // Rounded down, below zero too.
    const byFunding = index + Number((product - (((product % divisor) + divisor) % divisor)) / divisor);
    const [, middle] = [state.lastPrice || index, byFunding, index + meanBasis].sort((a, b) => a - b);
    const room = Math.floor((index * markClampPpm) / 1_000_000);
    const near = Math.min(Math.max(middle!, index - room, 1), index + room);
    return Math.min(Math.max(1, near), maximumTicks(spec));
  }

  #rate({ spec }: ReferenceMarket, { premiums }: PricingHistory): bigint {
    const { interestPpb, dampPpb, capPpb } = spec.perpetual!.funding;
    const least = this.#state.rules < 6 ? 1 : 60;
    const mean = total(premiums) / BigInt(Math.max(least, premiums.length));
    return within(mean + within(BigInt(interestPpb) - mean, BigInt(dampPpb)), BigInt(capPpb));
  }

  /** Lot by lot; NaN where the side is not worth it. */
  #impact(spec: MarketSpec, side: Side, value: bigint): number {
    const terms = perpetualTerms(spec, spec.perpetual!);
    let [lots, paid] = [0n, 0n];
    for (const order of this.#state.queue(spec.id, side)) {
      for (let lot = 0; lot < shownOf(order); lot += 1) {
        if (paid >= value) break;
        paid += notionalOf(terms, order.price, 1);
        lots += 1n;
      }
    }
    return paid < value ? Number.NaN : Number(paid / (lots * terms.unitsPerTickLot));
  }

  #priced(time: number, market: ReferenceMarket): void {
    const { spec, state } = market;
    const ratePpb = Number(this.#rate(market, this.#of(spec.id)));
    const facts = { mark: state.markPrice, ratePpb, state: this.stateOf(spec.id) };
    this.#state.events.push({ kind: 'perpetual-priced', market: spec.id, ...facts, time });
  }

  #of(market: number): PricingHistory {
    const known = this.#state.pricing.get(market) ?? begun();
    this.#state.pricing.set(market, known);
    return known;
  }
}
