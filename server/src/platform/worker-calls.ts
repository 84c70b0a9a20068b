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

/** Of a thread that may cease to answer without an end. */
export interface Watch {
  /** How long it may take to be ready; then it is ended. */
  readonly readyMs?: number | undefined;
  /** Called again and again after so long in which something waited and nothing was answered. @param end ends the thread */
  readonly silenceMs: number;
  onSilence(end: () => void): void;
}

/**
 * @param name what the thread is, for errors
 * @throws what the thread throws before it is ready, or that it is not
 */
export async function startWorkerCalls<Request extends { readonly id: number }, Answer extends { readonly id: number }>(
  script: URL,
  workerData: unknown,
  name: string,
  watch?: Watch,
): Promise<WorkerCalls<Request, Answer>> {
  const worker = new Worker(script, { workerData });
  const waiting = new Map<number, Waiting<Answer>>();
  let ended: Error | undefined;
  let lastId = 0;
  let heardAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const fail = (error: Error) => {
    clearInterval(timer);
    ended ??= error;
    for (const entry of waiting.values()) entry.reject(ended);
    waiting.clear();
  };
  // What waits is told once the thread has ended.
  const end = (error: Error) => {
    ended ??= error;
    return worker.terminate();
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`${name} stopped with code ${code}`)));
  worker.on('message', (answer: Answer) => {
    heardAt = performance.now();
    const entry = waiting.get(answer.id);
    waiting.delete(answer.id);
    entry?.resolve(answer);
  });

  function wait(id: number): Promise<Answer> {
    if (waiting.size === 0) heardAt = performance.now();
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  async function untilReady({ readyMs }: Partial<Watch>): Promise<void> {
    const late = () => void end(new Error(`${name} was not ready within ${Number(readyMs) / 1000} s`));
    const patience = readyMs === undefined ? undefined : setTimeout(late, readyMs);
    await wait(0).finally(() => clearTimeout(patience));
  }

  function watchOver({ silenceMs, onSilence }: Watch): void {
    const look = () => {
      const isSilent = waiting.size > 0 && performance.now() - heardAt >= silenceMs;
      if (isSilent) onSilence(() => void end(new Error(`${name} does not answer`)));
    };
    timer = setInterval(look, silenceMs).unref();
  }

  await untilReady(watch ?? {});
  if (watch !== undefined && ended === undefined) watchOver(watch);
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
      await end(new Error(`${name} is closed`));
    },
  };
}
