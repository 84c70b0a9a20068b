/** The second computation and its snapshots as a slice. It ends after the engine, whose last batch it still takes. */
import type { Platform, Slice } from '../../platform/slice.ts';
import type { AlarmStore } from '../ledger/alarm-store.ts';
import type { Engine } from './engine.ts';
import { snapshotFolder } from './slice.ts';
import { type SnapshotFigures, Snapshots } from './snapshots.ts';

export interface SnapshotsSlice extends Slice {
  /** Undefined without durability: there is no journal to follow. */
  readonly snapshots: Snapshots | undefined;
  readonly snapshotFigures: () => SnapshotFigures;
  readonly snapshotLegs: Snapshots['pendingLegs'];
}

const NO_FIGURES: SnapshotFigures = { verifiedBatch: 0, snapshotBatch: 0, snapshotFailures: 0 };

export function createSnapshotsSlice(
  { config, logger, clock }: Platform,
  { engine, alarms }: { readonly engine: Engine; readonly alarms: Pick<AlarmStore, 'raise'> },
): SnapshotsSlice {
  const { exchange, journal, projector } = engine;
  const { store, newest, refused } = engine.snapshots;
  const raise = async (kind: string, detail: string) => {
    await alarms.raise(kind, detail, clock.now());
  };
  const deps = {
    ...{ journal, store, newest, logger, clock, raise },
    directory: snapshotFolder(config),
    projected: () => projector.batch(),
    memory: exchange,
    followMs: config.FOLLOW_SECONDS * 1000,
    everyMs: config.SNAPSHOT_SECONDS * 1000,
  };
  const base = engine.snapshots.takeBase();
  const snapshots = base && new Snapshots(deps, base);
  return {
    snapshots,
    snapshotLegs: async (transferId, batch) => snapshots?.pendingLegs(transferId, batch),
    snapshotFigures: () => snapshots?.figures() ?? NO_FIGURES,
    async start() {
      for (const { batch, reason } of refused) {
        await raise('snapshot-refused', `batch ${batch}: ${reason}`);
        await store.forget(batch);
      }
      snapshots?.start();
    },
    close: () => snapshots?.close(),
  };
}
