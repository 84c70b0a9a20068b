/** The reconciler and its alarms as a slice. */
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import { type AlarmStore, createAlarmStore } from './alarm-store.ts';
import { createMovementStore, type MovementStore } from './movement-store.ts';
import { ledgerTables } from './personal-store.ts';
import { createReadBackStore, type ReadBack } from './read-back-store.ts';
import { Reconciler } from './reconciler.ts';
import { ReconcilerStore } from './reconciler-store.ts';

export interface LedgerSlice extends Slice {
  readonly reconciler: Reconciler;
  readonly alarms: AlarmStore;
  readonly readBack: ReadBack;
  readonly movements: MovementStore;
  /** The batch at which the books were last found in order by this process; 0 before its first pass. */
  readonly provenBatch: () => number;
}

export function createLedgerSlice(
  { config, database, logger, clock }: Platform,
  { catalogue, engine }: { readonly catalogue: Catalogue; readonly engine: Engine },
): LedgerSlice {
  const alarms = createAlarmStore(database.patient);
  const { exchange, sequencer, projector } = engine;
  const reconciler = new Reconciler({
    store: new ReconcilerStore(database.patient),
    alarms,
    memory: {
      exchange,
      feed: sequencer,
      caughtUp: () => projector.caughtUp(),
      settled: () => sequencer.settled(),
    },
    marketOf: (id) => catalogue.byId(id)?.spec,
    logger,
    clock,
    everyMs: config.RECONCILE_SECONDS * 1000,
  });
  return {
    reconciler,
    alarms,
    readBack: createReadBackStore(database),
    movements: createMovementStore(database),
    provenBatch: () => reconciler.provenBatch(),
    personalData: personalDataOf(database, ledgerTables, () => projector.caughtUp()),
    // Without durability the tables stay as they were at the start.
    start: () => (config.DURABILITY === 'commit' ? reconciler.start() : undefined),
    close: () => reconciler.close(),
  };
}
