/**
 * Brings each pending transfer to its end: asks its witnesses in rounds, posts it once all that it needs have confirmed
 * it, and voids it when one finds something else or they are silent for too long. A decision is in the table before the
 * ledger is told, so a restart carries out the same one.
 */
import type { WitnessName } from '@cambist/contract/transfers.ts';
import type { Statement } from '../../platform/database.ts';
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
  /** Adds to the change that ends a transfer what tells its owner of that. */
  readonly told: (transfer: Transfer, change: Statement) => Statement;
  readonly alarm: (kind: string, detail: string) => Promise<void>;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

export class Confirmer {
  readonly #deps: ConfirmerDeps;
  readonly #pending = new Map<number, Transfer>();
  /** Reserved in the ledger while the database did not take the row: written before anything else is. */
  readonly #unwritten = new Map<number, NewTransfer>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isOpen = true;

  constructor(deps: ConfirmerDeps) {
    this.#deps = deps;
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** One that is underway. */
  find(id: number): Transfer | undefined {
    return this.#pending.get(id);
  }

  /**
   * Takes in a transfer that was just reserved: its row is written, and its witnesses are asked from now on. A row that
   * cannot be written now is written later: what is committed stays committed.
   */
  async take(reserved: Reserved): Promise<Transfer> {
    const transfer = this.#adopt(reserved);
    await this.#write(transfer.id).catch((err: unknown) =>
      this.#deps.logger.warn({ err, transfer: transfer.id }, 'The row of a transfer could not be written yet'),
    );
    return transfer;
  }

  /** After a start: what the ledger has reserved gets its row, and what has ended meanwhile is written down. */
  async restore(): Promise<void> {
    const { store, ledger } = this.#deps;
    const rows = new Map((await store.pending()).map((transfer) => [transfer.id, transfer]));
    const reserved = ledger.pending();
    for (const one of reserved) if (!rows.has(one.id)) this.#adopt(one);
    const open = new Set(reserved.map(({ id }) => id));
    for (const transfer of rows.values()) {
      if (!open.has(transfer.id) && transfer.decision === '') {
        throw new Error(`Transfer ${transfer.id} has ended in the ledger without a decision`);
      }
      this.#follow(transfer);
    }
  }

  /** One round now, after the one that is running. */
  async check(): Promise<void> {
    await this.#running;
    await this.#round();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  #schedule(): void {
    const isBusy = this.#timer !== undefined || this.#running !== undefined;
    if (!this.#isOpen || isBusy || this.#pending.size === 0) return;
    const { everyMs, logger } = this.#deps;
    this.#timer = setTimeout(
      guarded(logger, 'transfers', () => this.#start()),
      everyMs,
    ).unref();
  }

  #start(): void {
    this.#timer = undefined;
    this.#running = this.#round().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
  }

  async #round(): Promise<void> {
    for (const transfer of [...this.#pending.values()]) {
      try {
        await this.#advance(transfer);
      } catch (err) {
        const facts = { err, transfer: transfer.id };
        this.#deps.logger.warn(facts, 'A transfer could not be confirmed; it is tried again');
      }
    }
  }

  #follow(transfer: Transfer): void {
    this.#pending.set(transfer.id, transfer);
    this.#schedule();
  }

  #adopt(reserved: Reserved): Transfer {
    const added = { ...reserved, required: this.#deps.witnesses.length };
    this.#unwritten.set(added.id, added);
    const fresh = { confirmed: {}, decision: '', reason: '', state: 'PENDING', updatedAt: reserved.createdAt } as const;
    const transfer = { ...added, ...fresh };
    this.#follow(transfer);
    return transfer;
  }

  async #write(id: number): Promise<void> {
    const row = this.#unwritten.get(id);
    if (row === undefined) return;
    await this.#deps.store.add(row);
    this.#unwritten.delete(id);
  }

  async #advance(transfer: Transfer): Promise<void> {
    await this.#write(transfer.id);
    if (transfer.decision !== '') return this.#carryOut(transfer);
    const { witnesses, clock, patienceMs } = this.#deps;
    const heard = await this.#hear(transfer);
    if (heard.decision !== '') return this.#carryOut(heard);
    if (witnesses.every(({ name }) => heard.confirmed[name] !== undefined)) {
      return this.#carryOut(await this.#decide(heard, 'post', ''));
    }
    if (clock.now() - heard.createdAt < patienceMs) return;
    return this.#carryOut(await this.#decide(heard, 'void', 'NOT_CONFIRMED'));
  }

  /** Asks all that have not confirmed yet. One that cannot answer now is asked again in the next round. */
  async #hear(transfer: Transfer): Promise<Transfer> {
    const { store, witnesses, clock, alarm } = this.#deps;
    let heard = transfer;
    for (const witness of witnesses) {
      if (heard.confirmed[witness.name] !== undefined) continue;
      const testimony = await witness.testify(heard);
      if (testimony === 'mismatch') {
        await alarm('transfer-contradicted', `${witness.name} does not have transfer ${heard.id} as it was reserved`);
        return this.#decide(heard, 'void', 'MISMATCH');
      }
      if (testimony === 'waiting') continue;
      const now = clock.now();
      await store.confirm(heard.id, { [witness.name]: now }, now);
      heard = { ...heard, confirmed: { ...heard.confirmed, [witness.name]: now }, updatedAt: now };
      this.#changed(heard);
    }
    return heard;
  }

  async #decide(transfer: Transfer, decision: 'post' | 'void', reason: Reversal): Promise<Transfer> {
    await this.#deps.store.decide(transfer.id, decision, reason, this.#deps.clock.now());
    const decided = { ...transfer, decision, reason };
    this.#pending.set(transfer.id, decided);
    return decided;
  }

  async #carryOut(transfer: Transfer): Promise<void> {
    const { store, ledger, clock } = this.#deps;
    if (transfer.decision === '') return;
    await ledger.end(transfer.id, transfer.decision);
    const state = transfer.decision === 'post' ? 'COMPLETED' : 'REVERSED';
    const ended: Transfer = { ...transfer, state, updatedAt: clock.now() };
    await store.end(ended.id, state, ended.updatedAt, (change) => this.#deps.told(ended, change));
    this.#changed(ended);
  }

  /** Keeps what was written, and passes it on. */
  #changed(transfer: Transfer): void {
    if (transfer.state === 'PENDING') this.#pending.set(transfer.id, transfer);
    else this.#pending.delete(transfer.id);
    this.#deps.onChange(transfer);
  }
}
