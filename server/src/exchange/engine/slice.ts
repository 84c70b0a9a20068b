/** The engine as a slice: its start, its end, and what it forgets. */
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { type Catalogue, openCatalogue } from '../instruments/service.ts';
import { type Engine, startEngine } from './engine.ts';
import type { ProjectionPart } from './projection.ts';

/** A reader of the tables does not wait for it: they are written first. */
const GATHER_MS = 500;
/** Commands of a batch, and words of events that the tables may lag: 200 MB, a minute of the steady rate. */
const LIMITS = { batch: 2000, backlog: 50_000_000 };
const HOUR_MS = 3_600_000;
const TEN_SECONDS_MS = 10_000;
const MINUTE_MS = 60_000;

export const snapshotFolder = ({ DATA_DIR }: Config): string => join(DATA_DIR, 'snapshots');

export interface EngineSlice extends Slice {
  readonly engine: Engine;
  /** What is traded. */
  readonly catalogue: Catalogue;
}

export async function createEngineSlice(
  { config, database, logger, clock, onFatal }: Platform,
  parts: readonly ProjectionPart[],
): Promise<EngineSlice> {
  const engine = await startEngine({
    parts,
    database,
    clock,
    logger,
    limits: { ...LIMITS, queue: config.QUEUE_LIMIT, unavailableMs: config.UNAVAILABLE_SECONDS * 1000 },
    gatherMs: GATHER_MS,
    directory: snapshotFolder(config),
    isFollowed: config.DURABILITY === 'commit',
    onFatal,
  });
  const catalogue = await openCatalogue(engine.exchange, engine.sequencer, config.QUEUE_LIMIT);
  // Other tables name the markets that were just listed.
  await engine.projector.caughtUp();
  if (config.DURABILITY === 'none') engine.stopKeeping();
  const journalMs = config.JOURNAL_HOURS * HOUR_MS;
  /** Orders go on where the tables do not: only lists stay as they are, and those who ask for them wait. */
  const checkTables = async () => {
    if (engine.projector.writingForMs() > MINUTE_MS) throw new Error('The tables have not taken a run for a minute');
  };
  return {
    engine,
    catalogue,
    jobs: [
      { name: 'check that tables follow', everyMs: TEN_SECONDS_MS, run: checkTables },
      { name: 'archive journal', everyMs: HOUR_MS, run: () => engine.journal.archive(clock.now() - journalMs) },
      { name: 'forget idempotency keys', everyMs: HOUR_MS, run: () => engine.idempotency.forgetOld() },
    ],
    close: engine.close,
  };
}
