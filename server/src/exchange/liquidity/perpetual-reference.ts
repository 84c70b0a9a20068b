/**
 * What perpetuals are quoted around: the price of the coin's spot market, and in a simulated market a little more or less than
 * that, which changes slowly, so that funding has something to follow.
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

interface Basis {
  value: number;
  movedAt: number;
  readonly random: Random;
}

const STEP_MS = 5_000;
/** Steps that were missed while the process slept are not all caught up. */
const CATCH_UP = 20;
/** Which part of the way home the basis goes with each step: half of it in about half an hour. */
const RETURN = 0.002;
/** Its deviation over a long time, as a fraction of the price. */
const DEVIATION = 0.0004;
const STEP_DEVIATION = DEVIATION * Math.sqrt(2 * RETURN);
const MOST = 0.003;

function move(basis: Basis): void {
  const next = basis.value * (1 - RETURN) + STEP_DEVIATION * basis.random.normal();
  basis.value = Math.max(-MOST, Math.min(MOST, next));
  basis.movedAt += STEP_MS;
}

export function createPerpetualReference({ reference, catalogue, clock, seed, isSimulated }: Deps): Reference {
  const bases = new Map<number, Basis>();

  function basisOf(market: number): number {
    if (!isSimulated) return 0;
    const now = clock.now();
    const basis = bases.get(market) ?? { value: 0, movedAt: now, random: createRandom(mixSeed(seed, market)) };
    bases.set(market, basis);
    for (let count = 0; basis.movedAt + STEP_MS <= now && count < CATCH_UP; count += 1) move(basis);
    if (basis.movedAt + STEP_MS <= now) basis.movedAt = now;
    return basis.value;
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
