/** What stands in for a stream while it is silent: a task that is repeated, never twice at once. */
import { useEffect, useRef } from 'react';
import { pacedMs } from './away.ts';

export type PollTask = (signal: AbortSignal) => Promise<void>;

/** The next turn begins `intervalMs` after the last has ended, later while the server is away; a failed one is logged. */
export function startPolling(intervalMs: number, task: PollTask): () => void {
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = async () => {
    try {
      await task(stopped.signal);
    } catch (error) {
      if (!stopped.signal.aborted) console.error('A poll failed', error);
    }
    if (!stopped.signal.aborted) timer = setTimeout(() => void turn(), pacedMs(intervalMs));
  };
  void turn();
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}

/** Polls while `active`; ends with the screen. */
export function usePolling(active: boolean, intervalMs: number, task: PollTask): void {
  const latest = useRef(task);
  useEffect(() => {
    latest.current = task;
  });
  useEffect(() => {
    if (active) return startPolling(intervalMs, (signal) => latest.current(signal));
  }, [active, intervalMs]);
}
