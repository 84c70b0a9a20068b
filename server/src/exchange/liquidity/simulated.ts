/**
 * Seeded prices that go on where the history ended. A price stands still for some seconds and then jumps; volatility
 * comes in bursts. What clients trade pulls the price along once it has lasted: as far as the reference of the market, in which a price counts
 * by its time, is from what this price has been in the same time. One trade of any size moves neither it nor the index that is made from it.
 * Now and then a price is squeezed: it runs some percent within a minute, and part of that comes back within minutes.
 */

import { REFERENCE_TIME_MS } from '@cambist/core/money/reference-price.ts';
import type { Catalogue } from '../instruments/service.ts';
import { createRandom, type MarketData, mixSeed, type Random } from '../market-data/service.ts';
import { movesPerSecond } from './pace.ts';
import type { Reference } from './reference.ts';
import { drawSqueeze, NO_SQUEEZE, runOf, type Squeeze, squeezeAt } from './squeeze.ts';

interface Deps {
  readonly catalogue: Catalogue;
  /** Where the history of a market that has not traded yet has ended. */
  readonly marketData: Pick<MarketData, 'lastPrice'>;
  /** What the band is measured from: ticks, moved by the time of prices; 0 before the first. */
  readonly bandPrice: (market: number) => number;
  readonly clock: { now(): number };
  readonly seed: number;
}

interface Process {
  level: number;
  /** What the price has been, as the reference of the market is what the last price has been. */
  average: number;
  burst: number;
  momentum: number;
  nextMove: number;
  readonly random: Random;
  readonly deviation: number;
  readonly meanPauseMs: number;
  squeeze: Squeeze;
  /** Numbers of their own, so that moves do not shift squeezes. */
  readonly squeezes: Random;
}

const DAY_SECONDS = 86_400;
const BURST_PERSISTENCE = 0.97;
const BURST_SHOCK = 0.13;
const MOMENTUM_KEPT = 0.7;
/** Moves that were missed while the process slept are not all caught up. */
const CATCH_UP = 20;

/** Once a squeeze is past, what is left of it becomes part of the level, and the next one is drawn. */
function endSqueeze(process: Process, now: number): void {
  const { endsAt, size, returns } = process.squeeze;
  if (now < endsAt) return;
  process.level += size * (1 - returns);
  process.squeeze = drawSqueeze(process.squeezes, now);
}

/** The part of the way that an average goes in a time. */
const shareOf = (ms: number): number => 1 - Math.exp(-ms / REFERENCE_TIME_MS);

function move(process: Process, reference: number): void {
  const { random } = process;
  const squeezed = squeezeAt(process.squeeze, process.nextMove);
  process.burst = BURST_PERSISTENCE * process.burst + BURST_SHOCK * random.normal();
  const step = process.deviation * Math.exp(process.burst - 0.15) * random.normal();
  const pauseMs = -Math.log(1 - random.uniform()) * process.meanPauseMs;
  const share = shareOf(pauseMs);
  if (reference > 0) process.level += share * (Math.log(reference) - process.average);
  process.level += step;
  process.average += share * (process.level + squeezed - process.average);
  // Without volatility there is no step, and no direction.
  const direction = step === 0 ? 0 : Math.max(-1, Math.min(1, step / process.deviation));
  process.momentum = MOMENTUM_KEPT * process.momentum + (1 - MOMENTUM_KEPT) * direction;
  process.nextMove += pauseMs;
}

export function createSimulatedReference({ catalogue, marketData, bandPrice, clock, seed }: Deps): Reference {
  const processes = new Map<number, Process>();

  /** A market's price process; undefined while it has no price to begin from. One that is listed later begins then. */
  function processOf(id: number): Process | undefined {
    const known = processes.get(id);
    const market = catalogue.byId(id);
    if (known !== undefined || market === undefined) return known;
    const price = bandPrice(id) || marketData.lastPrice(id);
    if (price === 0) return undefined;
    const now = clock.now();
    const pauseSeconds = 1 / movesPerSecond(market.dailyTurnover);
    const squeezes = createRandom(mixSeed(seed, id, 0x59e));
    const process = {
      level: Math.log(price),
      average: Math.log(price),
      burst: 0,
      momentum: 0,
      nextMove: now,
      random: createRandom(mixSeed(seed, id, now % 2 ** 31)),
      deviation: (market.dailyVolatility / 100) * Math.sqrt(pauseSeconds / DAY_SECONDS),
      meanPauseMs: pauseSeconds * 1000,
      // A market without volatility has none of any kind.
      squeeze: market.dailyVolatility === 0 ? NO_SQUEEZE : drawSqueeze(squeezes, now),
      squeezes,
    };
    processes.set(id, process);
    return process;
  }

  function advance(market: number): Process | undefined {
    const process = processOf(market);
    if (process === undefined) return undefined;
    const now = clock.now();
    endSqueeze(process, now);
    for (let count = 0; process.nextMove <= now && count < CATCH_UP; count += 1) {
      move(process, bandPrice(market));
    }
    if (process.nextMove <= now) process.nextMove = now + process.meanPauseMs;
    return process;
  }

  return {
    async start() {
      for (const { spec } of catalogue.markets) processOf(spec.id);
    },
    price(market) {
      const process = advance(market);
      return process && Math.exp(process.level + squeezeAt(process.squeeze, clock.now()));
    },
    momentum(market) {
      const process = processes.get(market);
      return process === undefined ? 0 : runOf(process.squeeze, clock.now()) || process.momentum;
    },
    close: async () => undefined,
  };
}
