/**
 * Brings each pending transfer to its end: asks its witnesses in rounds, posts it once all that it needs have confirmed
 * it, and voids it when one finds something else or they are silent for too long. A decision is in the table before the
 * ledger is told, so a restart carries out the same one.
 */
import type { WitnessName } from '@cambist/contract/transfers.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Logger } from '../../platform/logger.ts';
import type { NewTransfer, Reversal, Transfer, TransferStore } from './store.ts';

/** `waiting`: not there yet, ask again. `mismatch`: there, and not what the transfer says. */
export type Testimony = 'confirmed' | 'waiting' | 'mismatch';

export interface Witness {
  readonly name: WitnessName;
  testify(transfer: Transfer): Promise<Testimony>;
}

/** A transfer that the ledger has reserved. */
export type Reserved = Omit<NewTransfer, 'required'>;

/** What the confirmer asks of the ledger. */
export interface PendingLedger {
  /** Resolves once the end of a transfer is committed, also when an earlier attempt was. */
  end(id: number, decision: 'post' | 'void'): Promise<void>;
  /** Every transfer between wallets that is reserved and not ended. */
  pending(): readonly Reserved[];
}

export interface ConfirmerDeps {
  readonly store: TransferStore;
  readonly ledger: PendingLedger;
  /** Those that are required, in the order in which they can be expected. */
  readonly witnesses: readonly Witness[];
  /** After this long without all of its confirmations a transfer is reversed. */
  readonly patienceMs: number;
  readonly everyMs: number;
  /** Called after each change that was written. Must not throw. */
  readonly onChange: (transfer: Transfer) => void;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

export function createConfirmer(deps: ConfirmerDeps) {
  const { store, ledger, witnesses, clock, logger } = deps;
  const pending = new Map<number, Transfer>();
  /** Reserved in the ledger while the database did not take the row: written before anything else is. */
  const unwritten = new Map<number, NewTransfer>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isOpen = true;

  /** Keeps what was written, and tells it. */
  function changed(transfer: Transfer): Transfer {
    if (transfer.state === 'PENDING') pending.set(transfer.id, transfer);
    else pending.delete(transfer.id);
    deps.onChange(transfer);
    return transfer;
  }

  async function decide(transfer: Transfer, decision: 'post' | 'void', reason: Reversal): Promise<Transfer> {
    await store.decide(transfer.id, decision, reason, clock.now());
    const decided = { ...transfer, decision, reason };
    pending.set(transfer.id, decided);
    return decided;
  }

  async function carryOut(transfer: Transfer): Promise<void> {
    if (transfer.decision === '') return;
    await ledger.end(transfer.id, transfer.decision);
    const state = transfer.decision === 'post' ? 'COMPLETED' : 'REVERSED';
    const now = clock.now();
    await store.end(transfer.id, state, now);
    changed({ ...transfer, state, updatedAt: now });
  }

  /** Asks everybody who has not confirmed yet. One that cannot answer now is asked again in the next round. */
  async function hear(transfer: Transfer): Promise<Transfer> {
    let heard = transfer;
    for (const witness of witnesses) {
      if (heard.confirmed[witness.name] !== undefined) continue;
      const testimony = await witness.testify(heard);
      if (testimony === 'mismatch') {
        logger.error({ transfer: heard.id, witness: witness.name }, 'ALARM: a witness contradicts a transfer');
        return decide(heard, 'void', 'MISMATCH');
      }
      if (testimony === 'waiting') continue;
      const now = clock.now();
      await store.confirm(heard.id, { [witness.name]: now }, now);
      heard = changed({ ...heard, confirmed: { ...heard.confirmed, [witness.name]: now }, updatedAt: now });
    }
    return heard;
  }

  async function advance(transfer: Transfer): Promise<void> {
    await write(transfer.id);
    if (transfer.decision !== '') return carryOut(transfer);
    const heard = await hear(transfer);
    if (heard.decision !== '') return carryOut(heard);
    if (witnesses.every(({ name }) => heard.confirmed[name] !== undefined)) {
      return carryOut(await decide(heard, 'post', ''));
    }
    if (clock.now() - heard.createdAt < deps.patienceMs) return;
    return carryOut(await decide(heard, 'void', 'NOT_CONFIRMED'));
  }

  async function round(): Promise<void> {
    for (const transfer of [...pending.values()]) {
      try {
        await advance(transfer);
      } catch (err) {
        logger.warn({ err, transfer: transfer.id }, 'A transfer could not be confirmed; it is tried again');
      }
    }
  }

  function schedule(): void {
    if (!isOpen || timer !== undefined || running !== undefined || pending.size === 0) return;
    timer = setTimeout(guarded(logger, 'transfers', start), deps.everyMs).unref();
  }

  function start(): void {
    timer = undefined;
    running = round().finally(() => {
      running = undefined;
      schedule();
    });
  }

  function follow(transfer: Transfer): void {
    if (!pending.has(transfer.id)) pending.set(transfer.id, transfer);
    schedule();
  }

  async function write(id: number): Promise<void> {
    const row = unwritten.get(id);
    if (row === undefined) return;
    await store.add(row);
    unwritten.delete(id);
  }

  function adopt(reserved: Reserved): Transfer {
    const added = { ...reserved, required: witnesses.length };
    unwritten.set(added.id, added);
    const fresh = { confirmed: {}, decision: '', reason: '', state: 'PENDING', updatedAt: reserved.createdAt } as const;
    const transfer = { ...added, ...fresh };
    follow(transfer);
    return transfer;
  }

  return {
    /**
     * Takes in a transfer that was just reserved: its row is written, and its witnesses are asked from now on. A row that
     * cannot be written now is written later: what is committed stays committed.
     */
    async take(reserved: Reserved): Promise<Transfer> {
      const transfer = adopt(reserved);
      await write(transfer.id).catch((err: unknown) =>
        logger.warn({ err, transfer: transfer.id }, 'The row of a transfer could not be written; it is tried again'),
      );
      return transfer;
    },
    /** After a start: what the ledger has reserved gets its row, and what has ended meanwhile is written down. */
    async restore(): Promise<void> {
      const rows = new Map((await store.pending()).map((transfer) => [transfer.id, transfer]));
      const reserved = ledger.pending();
      for (const one of reserved) if (!rows.has(one.id)) adopt(one);
      const open = new Set(reserved.map(({ id }) => id));
      for (const transfer of rows.values()) {
        if (!open.has(transfer.id) && transfer.decision === '') {
          throw new Error(`Transfer ${transfer.id} has ended in the ledger and nobody decided it`);
        }
        follow(transfer);
      }
    },
    /** One round now; for tests and for whoever knows that a witness has just learned something. */
    async check(): Promise<void> {
      await running;
      await round();
    },
    pendingCount: () => pending.size,
    async close(): Promise<void> {
      isOpen = false;
      clearTimeout(timer);
      timer = undefined;
      await running;
    },
  };
}

export type Confirmer = ReturnType<typeof createConfirmer>;
