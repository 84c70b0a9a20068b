/** A file of the server being saved: how much of it has come, and a way to stop it. */
import { useEffect, useRef, useState } from 'react';

/** So often is a figure that grows worth drawing again. */
const STEP_BYTES = 100_000;

export interface SavingOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

export interface SavingState {
  /** Bytes so far; undefined while nothing is being saved. */
  readonly bytes: number | undefined;
  readonly begin: () => Promise<void>;
  readonly stop: () => void;
}

/** It ends with the part of the screen that asked for it. */
export function useSaving(
  save: (options: SavingOptions) => Promise<void>,
  onError: (error: unknown) => void,
): SavingState {
  const [bytes, setBytes] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function begin(): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setBytes(0);
    const onProgress = (now: number) =>
      setBytes((shown = 0) => (now - shown >= STEP_BYTES || shown === 0 ? now : shown));
    try {
      await save({ signal: stop.signal, onProgress });
    } catch (error) {
      if (!stop.signal.aborted) onError(error);
    }
    setBytes(undefined);
  }

  return { bytes, begin, stop: () => running.current?.abort() };
}
