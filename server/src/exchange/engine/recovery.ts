/**
 * From the store back to memory: recovery-store.ts reads balances, orders and markets as the tables have them; this
 * applies the journal's batches that the tables do not have yet. The core is deterministic, so they end as before.
 */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { decodeEntries, type JournalEntry } from './codec.ts';
import type { CommittedBatch } from './feed.ts';
import type { JournalStore } from './journal-store.ts';

export interface ReplayedBatch {
  readonly batch: CommittedBatch;
  readonly entries: readonly (JournalEntry & { readonly reason: string })[];
}

/** Applies one journal row again. */
function replayRow(exchange: Exchange, row: { batch: number; time: number; commands: string }): ReplayedBatch {
  const entries = decodeEntries(row.commands).map((entry) => {
    const outcome = exchange.apply(row.time, entry.command);
    return { ...entry, reason: outcome.ok ? '' : outcome.reason };
  });
  return { batch: { batch: row.batch, time: row.time, events: exchange.takeEvents() }, entries };
}

const PAGE = 500;

/** Replays the journal after a batch, in order. Answers the last batch number. */
export async function replayJournal(
  journal: JournalStore,
  exchange: Exchange,
  after: number,
  onBatch: (batch: ReplayedBatch) => void,
): Promise<number> {
  let last = after;
  for (;;) {
    const rows = await journal.readAfter(last, PAGE);
    for (const row of rows) {
      if (row.batch !== last + 1) throw new Error(`The journal goes from batch ${last} to ${row.batch}`);
      onBatch(replayRow(exchange, row));
      last = row.batch;
    }
    if (rows.length < PAGE) return last;
  }
}
