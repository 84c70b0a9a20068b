/**
 * Seeded prices that go on where the history ended. A price stands still for some seconds and then jumps; volatility
 * comes in bursts. What clients trade pulls the price along, so a large order moves this market as it would a real one.
 */

import type { Catalogue } from '../instruments/service.ts';
import { createRandom, type MarketData, mixSeed, type Random } from '../market-data/service.ts';
import { movesPerSecond } from './pace.ts';
import type { Reference } from './reference.ts';

interface Deps {
  readonly catalogue: Catalogue;
  readonly marketData: Pick<MarketData, 'lastPrice'>;
  readonly clock: { now(): number };
  readonly seed: number;
}

interface Process {
  level: number;
  burst: number;
  momentum: number;
  nextMove: number;
  readonly random: Random;
  readonly deviation: number;
  readonly meanPauseMs: number;
}

const DAY_SECONDS = 86_400;
const BURST_PERSISTENCE = 0.97;
const BURST_SHOCK = 0.13;
/** Which part of the way to the last trade the price goes with each move. */
const PULL = 0.1;
const MOMENTUM_KEPT = 0.7;
/** Moves that were missed while the process slept are not all caught up. */
const CATCH_UP = 20;

function move(process: Process, lastPrice: number): void {
  const { random } = process;
  process.burst = BURST_PERSISTENCE * process.burst + BURST_SHOCK * random.normal();
  const step = process.deviation * Math.exp(process.burst - 0.15) * random.normal();
  if (lastPrice > 0) process.level += PULL * (Math.log(lastPrice) - process.level);
  process.level += step;
  // Without volatility there is no step, and no direction.
  const direction = step === 0 ? 0 : Math.max(-1, Math.min(1, step / process.deviation));
  process.momentum = MOMENTUM_KEPT * process.momentum + (1 - MOMENTUM_KEPT) * direction;
  process.nextMove += -Math.log(1 - random.uniform()) * process.meanPauseMs;
}

export function createSimulatedReference({ catalogue, marketData, clock, seed }: Deps): Reference {
  const processes = new Map<number, Process>();

  /** A market's price process; undefined while it has no price to begin from. One that is listed later begins then. */
  function processOf(id: number): Process | undefined {
    const known = processes.get(id);
    const market = catalogue.byId(id);
    if (known !== undefined || market === undefined) return known;
    const price = marketData.lastPrice(id);
    if (price === 0) return undefined;
    const now = clock.now();
    const pauseSeconds = 1 / movesPerSecond(market.dailyTurnover);
    const process = {
      level: Math.log(price),
      burst: 0,
      momentum: 0,
      nextMove: now,
      random: createRandom(mixSeed(seed, id, now % 2 ** 31)),
      deviation: (market.dailyVolatility / 100) * Math.sqrt(pauseSeconds / DAY_SECONDS),
      meanPauseMs: pauseSeconds * 1000,
    };
    processes.set(id, process);
    return process;
  }

  function advance(market: number): Process | undefined {
    const process = processOf(market);
    if (process === undefined) return undefined;
    const now = clock.now();
    for (let count = 0; process.nextMove <= now && count < CATCH_UP; count += 1) {
      move(process, marketData.lastPrice(market));
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
      return process === undefined ? undefined : Math.exp(process.level);
    },
    momentum: (market) => processes.get(market)?.momentum ?? 0,
    close: async () => undefined,
  };
}
