/**
 * What perpetuals are quoted around: the price of the coin's spot market, and in a simulated market a little more or less than
 * that. Part of the difference lasts for half a day and part for half an hour, so that some intervals are paid by longs, some by
 * shorts, and hardly two the same.
 */
import type { Catalogue } from '../instruments/service.ts';
import { createRandom, mixSeed, type Random } from '../market-data/service.ts';
import type { Reference } from './reference.ts';

interface Deps {
  readonly reference: Reference;
  readonly catalogue: Catalogue;
  readonly clock: { now(): number };
  readonly seed: number;
  /** Whether what a perpetual costs more than its coin is made up; without it a perpetual costs the same. */
  readonly isSimulated: boolean;
}

/** A value that comes home to 0: half of it is gone after a half-life, and it deviates from 0 by a fraction of the price. */
interface Component {
  readonly halfLifeMs: number;
  readonly deviation: number;
}

/** What a crowd on one side pays for staying there, and what the day's trades do. */
const COMPONENTS: readonly Component[] = [
  { halfLifeMs: 12 * 3_600_000, deviation: 0.000_9 },
  { halfLifeMs: 30 * 60_000, deviation: 0.000_3 },
];

interface Basis {
  /** Of each component, as a fraction of the price. */
  readonly values: number[];
  movedAt: number;
  readonly random: Random;
}

const STEP_MS = 5_000;
const MOST = 0.003;

/** From the distribution that a component has in the long run: a new start is like any other moment. */
function begin(seed: number, now: number): Basis {
  const random = createRandom(seed);
  return { values: COMPONENTS.map(({ deviation }) => deviation * random.normal()), movedAt: now, random };
}

/** The exact step of an Ornstein-Uhlenbeck process, however long it is: time in which nothing was asked needs no catching up. */
function move(basis: Basis, elapsedMs: number): void {
  for (const [place, { halfLifeMs, deviation }] of COMPONENTS.entries()) {
    const kept = 2 ** (-elapsedMs / halfLifeMs);
    basis.values[place] = kept * basis.values[place]! + deviation * Math.sqrt(1 - kept * kept) * basis.random.normal();
  }
  basis.movedAt += elapsedMs;
}

const total = ({ values }: Basis): number => Math.max(-MOST, Math.min(MOST, values[0]! + values[1]!));

export function createPerpetualReference({ reference, catalogue, clock, seed, isSimulated }: Deps): Reference {
  const bases = new Map<number, Basis>();

  function basisOf(market: number): number {
    if (!isSimulated) return 0;
    const now = clock.now();
    const basis = bases.get(market) ?? begin(mixSeed(seed, market), now);
    bases.set(market, basis);
    const elapsedMs = now - basis.movedAt;
    if (elapsedMs >= STEP_MS) move(basis, elapsedMs);
    return total(basis);
  }

  const spotOf = (coin: string) => catalogue.markets.find((market) => market.coin === coin)?.spec;

  return {
    start: reference.start,
    price(id) {
      const market = catalogue.byId(id);
      if (market?.spec.perpetual === undefined) return reference.price(id);
      const spot = spotOf(market.coin);
      const price = spot && reference.price(spot.id);
      if (spot === undefined || price === undefined) return undefined;
      return price * 10 ** (market.spec.tickScale - spot.tickScale) * (1 + basisOf(id));
    },
    momentum(id) {
      const market = catalogue.byId(id);
      const spot = market?.spec.perpetual && spotOf(market.coin);
      return reference.momentum(spot?.id ?? id);
    },
    close: reference.close,
  };
}
