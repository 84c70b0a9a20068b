/**
 * Writes down which files a process of the tests had when it ended by itself, so that they can be run again. V8 aborts now and
 * then where many embedded databases are opened and closed in one process (https://github.com/nodejs/node/issues/64500), and all
 * that is told of it is that a worker exited.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

type Ran = Pick<TestModule, 'relativeModuleId' | 'state'>;

const isExit = ({ cause }: SerializedError) => cause?.message === 'Worker exited unexpectedly';

/** @returns none where something else went wrong as well, which running them again would hide */
export function lostFiles(modules: readonly Ran[], errors: readonly SerializedError[]): string[] {
  if (errors.length === 0 || !errors.every(isExit)) return [];
  return modules.filter((module) => module.state() === 'pending').map(({ relativeModuleId }) => relativeModuleId);
}

export class LostFiles implements Reporter {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    writeFileSync(this.#path, lostFiles(modules, errors).join('\n'));
  }
}
