/** What the last price may trigger in the reference exchange: only as much of it as something else confirms. */
import { BUY, SELL } from '../terms/order-terms.ts';
import type { ReferenceMarket, ReferenceState, UntriggeredRecord } from './reference-state.ts';
import { triggersOf } from './reference-triggers.ts';

type Passed = { readonly price: number; readonly since: number };

/** Shows prices to what waits. @returns what waits still */
type Reach = (time: number, market: number, falling: number, rising: number) => UntriggeredRecord[];

export class ReferenceLastPrices {
  readonly #state: ReferenceState;
  readonly #reach: Reach;

  constructor(state: ReferenceState, reach: Reach) {
    this.#state = state;
    this.#reach = reach;
    state.noteLast = (time, market) => this.note(time, market);
    state.restartLast = (time, market) => this.restart(time, market);
  }

  observe(time: number, id: number, last: number): void {
    if (this.#state.rules < 11) {
      this.#reach(time, id, last, last);
      return;
    }
    const market = this.#state.market(id)!;
    const confirming = this.#confirming(time, market);
    const [down, up] = [true, false].map((falls) =>
      this.#of(market, falls).filter(({ since }) => time - since >= 10_000),
    );
    const fallen = [confirming > 0 ? [Math.max(last, confirming)] : [], down!.map(({ price }) => price)].flat();
    const risen = [confirming > 0 ? [Math.min(last, confirming)] : [], up!.map(({ price }) => price)].flat();
    const waiting = this.#reach(time, id, Math.min(Number.POSITIVE_INFINITY, ...fallen), Math.max(0, ...risen));
    this.#follow(time, market, waiting);
  }

  note(time: number, id: number): void {
    // Nothing is below nothing, and nothing is above all.
    if (this.#state.rules >= 11)
      this.#follow(time, this.#state.market(id)!, this.#reach(time, id, Number.POSITIVE_INFINITY, 0));
  }

  restart(time: number, id: number): void {
    if (this.#state.rules < 11) return;
    this.forget(time, id);
    if (this.#reach(time, id, Number.POSITIVE_INFINITY, 0).length > 0)
      this.observe(time, id, this.#state.market(id)!.state.lastPrice);
  }

  forget(time: number, id: number): void {
    this.#become(time, this.#state.market(id)!, [], []);
  }

  due(time: number): number[] {
    const isDue = (market: ReferenceMarket) =>
      !this.#state.isPaused(market) && (this.#heldAt(market) ?? Number.POSITIVE_INFINITY) <= time;
    return this.#state.markets.filter(isDue).map(({ spec }) => spec.id);
  }

  nextAt(): number | undefined {
    const times = this.#state.markets.flatMap((market) => (market.state.pause ? [] : (this.#heldAt(market) ?? [])));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #heldAt({ state }: ReferenceMarket): number | undefined {
    if (state.halted || state.passed === undefined) return undefined;
    return Math.min(...state.passed.flat().map(({ since }) => since + 10_000));
  }

  /** The mark, or a price that was told within half a minute. */
  #confirming(time: number, { spec, state }: ReferenceMarket): number {
    if (spec.perpetual !== undefined) return state.markPrice;
    const isFresh = state.referenceAt > time && state.referenceAt <= time + 300_000;
    return isFresh ? Math.floor(state.reference / 1_048_576) : 0;
  }

  #of({ state }: ReferenceMarket, falls: boolean): readonly Passed[] {
    return state.passed?.[falls ? 0 : 1] ?? [];
  }

  /** What was passed and not come back from, in each direction in which something waits. */
  #follow(time: number, market: ReferenceMarket, waiting: readonly UntriggeredRecord[]): void {
    const last = market.state.lastPrice;
    const [falling, rising] = [true, false].map((falls) => {
      const isBeyond = (price: number) => (falls ? last <= price : last >= price);
      const isWaiting = waiting.some(
        (order) => waitingPrices(order, falls).some(isBeyond) || beats(order, falls, last),
      );
      if (!isWaiting) return [];
      const known = this.#of(market, falls).filter(({ since }) => time - since < 10_000 && since <= time);
      const still = known.filter(({ price }) => isBeyond(price));
      if (still.at(-1)?.price === last) return still;
      const [returned] = known.filter(({ price }) => !isBeyond(price));
      if (returned !== undefined) return [...still, { price: last, since: returned.since }];
      const second = (ms: number) => (ms - (ms % 1_000)) / 1_000;
      return [
        ...still.filter(({ since }, at) => at < still.length - 1 || second(since) < second(time)),
        { price: last, since: time },
      ];
    });
    this.#become(time, market, falling!, rising!);
  }

  #become(time: number, { spec, state }: ReferenceMarket, falling: readonly Passed[], rising: readonly Passed[]): void {
    const before = JSON.stringify(state.passed ?? [[], []]);
    const passed = [falling, rising] as const;
    if (JSON.stringify(passed) === before) return;
    state.passed = falling.length + rising.length === 0 ? undefined : passed;
    this.#state.events.push({ kind: 'triggers-passed', market: spec.id, passed, time });
  }
}

/** Whether a trailing order would follow a price. */
function beats({ trailing, side, best }: UntriggeredRecord, falls: boolean, last: number): boolean {
  if (trailing === undefined || best === 0 || (side === BUY) !== falls) return false;
  return side === SELL ? last > best : last < best;
}

function waitingPrices(order: UntriggeredRecord, falls: boolean): number[] {
  return triggersOf(order, falls).map(({ trigger }) => trigger);
}
