/** The second exchange, as the process sees it: one request at a time; see follower-worker.ts for what it does. */
import { Worker } from 'node:worker_threads';
import type { TransferLeg } from '@cambist/core/ledger/transfer.ts';
import type { FollowerAnswer, FollowerAnswers, FollowerRequest } from './follower-worker.ts';
import type { JournalRow } from './journal.ts';
import type { FollowerBase } from './restore.ts';

type Unnumbered = FollowerRequest extends infer R ? (R extends FollowerRequest ? Omit<R, 'id'> : never) : never;

interface Waiting {
  resolve(answer: FollowerAnswer): void;
  reject(error: Error): void;
}

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
  const worker = new Worker(new URL('./follower-worker.ts', import.meta.url), { workerData: { base, directory } });
  const waiting = new Map<number, Waiting>();
  let ended: Error | undefined;
  let lastId = 0;
  let { batch } = base;

  const fail = (error: Error) => {
    ended ??= error;
    for (const entry of waiting.values()) entry.reject(ended);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`The second computation ended with code ${code}`)));
  worker.on('message', (answer: FollowerAnswer) => {
    const entry = waiting.get(answer.id);
    waiting.delete(answer.id);
    const { error } = answer;
    if (error === undefined) entry?.resolve(answer);
    else entry?.reject(Object.assign(new Error(error.message), { name: error.name }));
  });

  const wait = (id: number) => new Promise<FollowerAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
  const ask = async <Value>(request: Unnumbered): Promise<Value> => {
    if (ended !== undefined) throw ended;
    lastId += 1;
    const answer = wait(lastId);
    worker.postMessage({ id: lastId, ...request });
    return (await answer).value as Value;
  };

  await wait(0);
  return {
    batch: () => batch,
    async apply(rows) {
      const commands = await ask<number>({ kind: 'apply', rows });
      batch = rows.at(-1)?.batch ?? batch;
      return commands;
    },
    write: () => ask({ kind: 'write' }),
    pendingLegs: (transferId) => ask({ kind: 'legs', transferId }),
    hasEnded: () => ended !== undefined,
    async end() {
      ended ??= new Error('The second computation was ended');
      await worker.terminate();
    },
  };
}
