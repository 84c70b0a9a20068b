/**
 * Who confirms a transfer, each by reading for itself: the journal, the ledger's tables, the balances of both wallets, the
 * reconciler, and the second computation of the whole state, of which snapshots are written.
 */
import type { WitnessName } from '@cambist/contract/transfers.ts';
import type { ReadBack, StoredLeg } from '../../exchange/ledger/service.ts';
import type { Testimony, Witness } from './confirmer.ts';
import { accountsOf } from './ledger.ts';
import { type ReadBackSources, readBack } from './read-back.ts';
import type { Transfer } from './store.ts';

/** In the order in which they are asked, and required where fewer than all are. */
export const WITNESS_NAMES: readonly WitnessName[] = ['JOURNAL', 'TABLES', 'BALANCES', 'RECONCILER', 'SNAPSHOT'];

export interface WitnessSources extends ReadBackSources {
  /** Whether the journal or its archive holds a batch. */
  readonly journalHolds: (batch: number) => Promise<boolean>;
  readonly ledger: Pick<ReadBack, 'legsOf' | 'balances'>;
  /** Whether the reconciler has found an owner's books in order at a batch or later. */
  readonly hasProven: (batch: number, owner: number) => boolean;
  /** The legs of a transfer that is pending in the second computation; undefined until that has come to a batch. */
  readonly snapshotLegs: (transferId: number, batch: number) => Promise<readonly StoredLeg[] | undefined>;
}

const once = (isTrue: boolean): Testimony => (isTrue ? 'confirmed' : 'waiting');

const isHeld = (legs: readonly StoredLeg[], transfer: Transfer): Testimony =>
  isOneLeg(legs, transfer) ? 'confirmed' : 'mismatch';

function isOneLeg(legs: readonly StoredLeg[], transfer: Transfer): boolean {
  const [leg] = legs;
  const { payer, receiver } = accountsOf(transfer);
  return legs.length === 1 && leg?.from === payer && leg.to === receiver && leg.amount === transfer.amount;
}

/** Both wallets, and the reserve that holds at least what is being moved. */
async function balancesAgree(transfer: Transfer, sources: WitnessSources): Promise<Testimony> {
  const { payer, reserve, receiver } = accountsOf(transfer);
  const read = await readBack([reserve, payer, receiver], sources);
  if (read === 'unknown') return 'waiting';
  return read !== 'mismatch' && (read[0] ?? 0n) >= transfer.amount ? 'confirmed' : 'mismatch';
}

export function createWitnesses(sources: WitnessSources, count: number): readonly Witness[] {
  const { journalHolds, caughtUp, ledger, hasProven, snapshotLegs } = sources;
  const testimonies: Readonly<Record<WitnessName, Witness['testify']>> = {
    JOURNAL: async ({ batch }) => once(await journalHolds(batch)),
    TABLES: async (transfer) => {
      await caughtUp();
      return isHeld(await ledger.legsOf(transfer.id), transfer);
    },
    BALANCES: (transfer) => balancesAgree(transfer, sources),
    RECONCILER: async ({ batch, owner }) => once(hasProven(batch, owner)),
    SNAPSHOT: async (transfer) => {
      const legs = await snapshotLegs(transfer.id, transfer.batch);
      return legs === undefined ? 'waiting' : isHeld(legs, transfer);
    },
  };
  return WITNESS_NAMES.slice(0, count).map((name) => ({ name, testify: testimonies[name] }));
}
