/** The second exchange, as the process sees it: one request at a time; see follower-worker.ts for what it does. */
import type { TransferLeg } from '@cambist/core/ledger/transfer.ts';
import { startWorkerCalls, type Unnumbered } from '../../platform/worker-calls.ts';
import type { FollowerAnswer, FollowerAnswers, FollowerRequest } from './follower-worker.ts';
import type { JournalRow } from './journal.ts';
import type { FollowerBase } from './restore.ts';

export interface Follower {
  /** The last batch that it has applied. */
  batch(): number;
  /** Applies rows that follow on. @returns how many commands @throws an error named ReplayDiffers where a digest differs */
  apply(rows: readonly JournalRow[]): Promise<number>;
  /** Writes its state as a file. */
  write(): Promise<FollowerAnswers['write']>;
  /** Of a transfer that is pending in it; none for another. */
  pendingLegs(transferId: number): Promise<readonly TransferLeg[]>;
  /** The thread is gone: what it was asked last says nothing of the journal. */
  hasEnded(): boolean;
  end(): Promise<void>;
}

/** @throws when the state that it is to begin from can't be read */
export async function startFollower(base: FollowerBase, directory: string): Promise<Follower> {
  const script = new URL('./follower-worker.ts', import.meta.url);
  const facts = { base, directory };
  const worker = await startWorkerCalls<FollowerRequest, FollowerAnswer>(script, facts, 'The second computation');
  let { batch } = base;

  const ask = async <Value>(request: Unnumbered<FollowerRequest>): Promise<Value> => {
    const { value, error } = await worker.ask(request);
    if (error !== undefined) throw Object.assign(new Error(error.message), { name: error.name });
    return value as Value;
  };

  return {
    batch: () => batch,
    async apply(rows) {
      const commands = await ask<number>({ kind: 'apply', rows });
      batch = rows.at(-1)?.batch ?? batch;
      return commands;
    },
    write: () => ask({ kind: 'write' }),
    pendingLegs: (transferId) => ask({ kind: 'legs', transferId }),
    hasEnded: worker.hasEnded,
    end: worker.end,
  };
}
