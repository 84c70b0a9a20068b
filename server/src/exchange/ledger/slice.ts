/** The reconciler and its alarms as a slice. */
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Catalogue } from '../instruments/service.ts';
import { ledgerTables } from './personal-store.ts';
import { createReadBackStore, type ReadBack } from './read-back-store.ts';
import { createReconciler, type Reconciler } from './reconciler.ts';
import { createReconcilerStore, type ReconcilerStore } from './reconciler-store.ts';

export interface LedgerSlice extends Slice {
  readonly reconciler: Reconciler;
  readonly alarms: ReconcilerStore;
  readonly readBack: ReadBack;
  /** The batch at which the books were last found in order by this process; 0 before its first round. */
  readonly provenBatch: () => number;
}

export function createLedgerSlice(
  { config, database, logger, clock }: Platform,
  { catalogue }: { readonly catalogue: Catalogue },
): LedgerSlice {
  const alarms = createReconcilerStore(database.patient);
  const reconciler = createReconciler({
    store: alarms,
    marketOf: (id) => catalogue.byId(id)?.spec,
    logger,
    clock,
    everyMs: config.RECONCILE_SECONDS * 1000,
  });
  return {
    reconciler,
    alarms,
    readBack: createReadBackStore(database),
    provenBatch: reconciler.provenBatch,
    personalData: personalDataOf(database, ledgerTables),
    start: () => reconciler.start(),
    close: () => reconciler.close(),
  };
}
