import { vi } from 'vitest';

/** A busy machine takes its time; what works comes long before. */
const PATIENCE_MS = 30_000;

/** Waits for something that a running part brings about by itself. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  await vi.waitUntil(isTrue, { timeout: PATIENCE_MS, interval: 25 }).catch(() => {
    throw new Error(`never happened: ${what}`);
  });
}
