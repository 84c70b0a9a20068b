/**
 * From the store back to memory: each room's store restores what its tables hold; this applies the journal's batches
 * that the tables do not have yet. The core is deterministic, so every batch leads to the digest that it led to before.
 */

import type { FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import { digestOf } from '@cambist/core/exchange/digest.ts';
import type { CommittedBatch } from './feed.ts';
import { decodeEntries, JOURNAL_VERSION, type JournalEntry, type JournalRow } from './journal.ts';
import type { JournalStore } from './journal-store.ts';

/** A batch of the journal leads to something else than it led to when it was written. */
export class ReplayDiffers extends Error {
  override readonly name = 'ReplayDiffers';
}

export type ReplayedEntry = JournalEntry & { readonly id: number; readonly reason: string };

const PAGE = 1000;

/** Applies one journal row again, under its rules. @throws ReplayDiffers when it does not lead to its digest */
export function replayRow(exchange: FastExchange, row: JournalRow, onBatch: OnBatch): void {
  const entries = decodeEntries(row);
  exchange.rules = row.version;
  const outcomes = entries.map(({ command }) => exchange.apply(row.time, command));
  exchange.rules = JOURNAL_VERSION;
  const events = exchange.takeBatch();
  const counters = exchange.counters();
  const digest = digestOf(outcomes, events, counters);
  if (row.digest !== null && row.digest !== digest) {
    throw new ReplayDiffers(
      `Batch ${row.batch} of the journal led to ${row.digest} when it was written and leads to ${digest} now. ` +
        'The tables, the journal or the rules are not those that wrote it; nothing was changed.',
    );
  }
  const replayed = entries.map((entry, index): ReplayedEntry => {
    const outcome = outcomes[index]!;
    const { command } = entry;
    const id = 'orderId' in command ? command.orderId : 'transferId' in command ? command.transferId : 0;
    return { ...entry, id, reason: outcome.ok ? '' : outcome.reason };
  });
  onBatch({ batch: row.batch, time: row.time, events, counters }, replayed);
  exchange.recycle(events);
}

type OnBatch = (batch: CommittedBatch, entries: readonly ReplayedEntry[]) => void;

/**
 * Applies the journal after a batch, to its end or through another one, and calls with every batch on the way.
 * @returns the last batch
 * @throws ReplayDiffers when a batch does not lead to its digest
 */
export async function replayJournal(
  journal: Pick<JournalStore, 'readAfter'>,
  exchange: FastExchange,
  after: number,
  onBatch: OnBatch,
  through = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  let last = after;
  for (;;) {
    const rows = await journal.readAfter(last, Math.min(PAGE, through - last));
    for (const row of rows) {
      if (row.batch !== last + 1) throw new Error(`The journal goes from batch ${last} to ${row.batch}`);
      replayRow(exchange, row, onBatch);
      last = row.batch;
    }
    if (rows.length < PAGE || last === through) return last;
  }
}
