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

/** Others raise alarms too, whether or not a pass comes to its end. */
const COUNT_MS = 5000;

export interface LedgerSlice extends Slice {
  readonly reconciler: Reconciler;
  readonly alarms: AlarmStore;
  readonly readBack: ReadBack;
  readonly movements: MovementStore;
  readonly holdersOf: ReadBack['holdersOf'];
  /** Whether this process has found an owner's books in order at a batch or later; asks for that where it has not. */
  readonly hasProven: (batch: number, owner: number) => boolean;
}

export function createLedgerSlice(
  { config, database, logger, clock }: Platform,
  { catalogue, engine }: { readonly catalogue: Catalogue; readonly engine: Engine },
): LedgerSlice {
  const alarms = createAlarmStore(database.patient);
  const { exchange, sequencer, projector } = engine;
  const readBack = createReadBackStore(database);
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
    readBack,
    holdersOf: readBack.holdersOf,
    movements: createMovementStore(database),
    hasProven: (batch, owner) => reconciler.hasProven(batch, owner),
    personalData: personalDataOf(database, ledgerTables, () => projector.caughtUp()),
    jobs: [{ name: 'count alarms', everyMs: COUNT_MS, atStart: true, run: () => reconciler.countAlarms() }],
    // Without durability the tables stay as they were at the start.
    start: () => (config.DURABILITY === 'commit' ? reconciler.start() : undefined),
    close: () => reconciler.close(),
  };
}
