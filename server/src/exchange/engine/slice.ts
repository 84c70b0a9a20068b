/** The engine as a slice: its start, its end, and what it forgets. */
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Catalogue } from '../instruments/service.ts';
import { type Engine, startEngine } from './engine.ts';

const GATHER_MS = 50;
const LIMITS = { batch: 2000, backlog: 500_000 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface EngineSlice extends Slice {
  readonly engine: Engine;
}

export async function createEngineSlice(
  { config, database, logger, clock, onFatal }: Platform,
  catalogue: Catalogue,
): Promise<EngineSlice> {
  const engine = await startEngine({
    database,
    markets: catalogue.specs,
    clock,
    logger,
    limits: { ...LIMITS, queue: config.QUEUE_LIMIT, unavailableMs: config.UNAVAILABLE_SECONDS * 1000 },
    gatherMs: GATHER_MS,
    isDurable: config.DURABILITY === 'commit',
    onFatal,
  });
  const ago = (ms: number) => clock.now() - ms;
  return {
    engine,
    jobs: [
      { name: 'prune journal', everyMs: HOUR_MS, run: () => engine.journal.prune(ago(config.JOURNAL_HOURS * HOUR_MS)) },
      { name: 'forget idempotency keys', everyMs: HOUR_MS, run: () => engine.idempotency.forgetBefore(ago(DAY_MS)) },
    ],
    close: engine.close,
  };
}
