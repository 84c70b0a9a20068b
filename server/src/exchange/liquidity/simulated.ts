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
  const direction = Math.max(-1, Math.min(1, step / process.deviation));
  process.momentum = MOMENTUM_KEPT * process.momentum + (1 - MOMENTUM_KEPT) * direction;
  process.nextMove += -Math.log(1 - random.uniform()) * process.meanPauseMs;
}

export function createSimulatedReference({ catalogue, marketData, clock, seed }: Deps): Reference {
  let processes: Process[] = [];

  function advance(market: number): Process {
    const process = processes[market]!;
    const now = clock.now();
    for (let count = 0; process.nextMove <= now && count < CATCH_UP; count += 1) {
      move(process, marketData.lastPrice(market));
    }
    if (process.nextMove <= now) process.nextMove = now + process.meanPauseMs;
    return process;
  }

  return {
    async start() {
      const now = clock.now();
      processes = catalogue.markets.map(({ spec, dailyTurnover, dailyVolatility }) => {
        const pauseSeconds = 1 / movesPerSecond(dailyTurnover);
        return {
          level: Math.log(marketData.lastPrice(spec.id)),
          burst: 0,
          momentum: 0,
          nextMove: now,
          random: createRandom(mixSeed(seed, spec.id, now % 2 ** 31)),
          deviation: (dailyVolatility / 100) * Math.sqrt(pauseSeconds / DAY_SECONDS),
          meanPauseMs: pauseSeconds * 1000,
        };
      });
    },
    price: (market) => Math.exp(advance(market).level),
    momentum: (market) => processes[market]!.momentum,
    close: async () => undefined,
  };
}
