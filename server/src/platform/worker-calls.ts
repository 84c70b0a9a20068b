/** Requests to a thread of our own, each answered once under its number. The thread answers 0 when it is ready. */
import { Worker } from 'node:worker_threads';

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A request as the caller writes it: the number is added here. */
export type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

export interface WorkerCalls<Request, Answer> {
  /** @throws the error that ended the thread, or that it was ended */
  ask(request: Unnumbered<Request>): Promise<Answer>;
  hasEnded(): boolean;
  end(): Promise<void>;
}

/**
 * @param name what the thread is, for errors
 * @param patienceMs how long it may take to be ready; then it is ended
 * @throws what the thread throws before it is ready, or that it is not
 */
export async function startWorkerCalls<Request extends { readonly id: number }, Answer extends { readonly id: number }>(
  script: URL,
  workerData: unknown,
  name: string,
  patienceMs?: number,
): Promise<WorkerCalls<Request, Answer>> {
  const worker = new Worker(script, { workerData });
  const waiting = new Map<number, Waiting<Answer>>();
  let ended: Error | undefined;
  let lastId = 0;

  const fail = (error: Error) => {
    ended ??= error;
    for (const entry of waiting.values()) entry.reject(ended);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`${name} stopped with code ${code}`)));
  worker.on('message', (answer: Answer) => {
    const entry = waiting.get(answer.id);
    waiting.delete(answer.id);
    entry?.resolve(answer);
  });

  const wait = (id: number) => new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }));
  const lost =
    patienceMs === undefined
      ? undefined
      : setTimeout(() => {
          fail(new Error(`${name} was not ready within ${patienceMs / 1000} s`));
          void worker.terminate();
        }, patienceMs);
  await wait(0).finally(() => clearTimeout(lost));
  return {
    async ask(request) {
      if (ended !== undefined) throw ended;
      lastId += 1;
      const answer = wait(lastId);
      worker.postMessage({ id: lastId, ...request });
      return answer;
    },
    hasEnded: () => ended !== undefined,
    async end() {
      ended ??= new Error(`${name} is closed`);
      await worker.terminate();
    },
  };
}
