/** How near positions are to automatic deleveraging: in which fifth of their side of the market they stand. */
import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import type { Direction } from '@cambist/core/margin/perpetual.ts';
import type { OpenPosition } from './describe.ts';

/** The last fifth is closed first. */
export const LIGHTS = 5;
/** How long the bounds between fifths are used. */
const FRESH_MS = 10_000;
/** Positions of a side that the bounds are taken from: more would not move a light. */
const SAMPLES = 1_000;

interface Bounds {
  readonly until: number;
  /** Ranks at which the second fifth begins, the third, and so on. */
  readonly ranks: readonly bigint[];
}

export class DeleveragingLights {
  readonly #exchange: Pick<FastExchange, 'openPositions' | 'deleveragingRankOf'>;
  readonly #clock: { now(): number };
  /** By market and direction. */
  readonly #bounds = new Map<string, Bounds>();

  constructor(exchange: Pick<FastExchange, 'openPositions' | 'deleveragingRankOf'>, clock: { now(): number }) {
    this.#exchange = exchange;
    this.#clock = clock;
  }

  /** 1 to 5; the only position of its side is first. */
  of({ owner, market, leg, position }: OpenPosition): number {
    const rank = this.#exchange.deleveragingRankOf(owner, market, leg);
    if (rank === undefined) return 1;
    return 1 + this.#boundsOf(market, position.direction).filter((bound) => rank >= bound).length;
  }

  #boundsOf(market: number, direction: Direction): readonly bigint[] {
    const key = `${market} ${direction}`;
    const now = this.#clock.now();
    const known = this.#bounds.get(key);
    if (known !== undefined && now < known.until) return known.ranks;
    const ranks = this.#ranks(market, direction);
    const starts = Array.from({ length: LIGHTS - 1 }, (_, fifth) => Math.floor((ranks.length * (fifth + 1)) / LIGHTS));
    const bounds = starts.flatMap((start) => ranks[start] ?? []);
    this.#bounds.set(key, { until: now + FRESH_MS, ranks: bounds });
    return bounds;
  }

  /** Ascending. */
  #ranks(market: number, direction: Direction): readonly bigint[] {
    const ranks: bigint[] = [];
    for (const { owner, leg } of this.#exchange.openPositions(market, direction)) {
      if (ranks.length === SAMPLES) break;
      const rank = this.#exchange.deleveragingRankOf(owner, market, leg);
      if (rank !== undefined) ranks.push(rank);
    }
    return ranks.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  }
}
