/** Starts the load in its process. */
import { fork } from 'node:child_process';
import type { LoadPlan, LoadResult } from './load-process.ts';

export function applyLoad(plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./load-process.ts', import.meta.url));
    child.once('message', (result) => resolve(result as LoadResult));
    child.once('error', reject);
    child.send(plan);
  });
}
