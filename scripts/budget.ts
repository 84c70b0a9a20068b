/** The budget of `npm test`: CPU seconds of each project, in test-budget.json. A commit that raises it says why. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A run may exceed its budget by this share before it fails. */
const TOLERANCE = 0.15;

export interface Budget {
  /** Of each project, on the machine where it was measured. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  /** CPU seconds of the reference work (`cpu.ts`) on that machine. */
  readonly referenceSeconds: number;
}

export interface Cost {
  readonly project: string;
  /** undefined where the system does not tell it. */
  readonly cpuSeconds: number | undefined;
}

export const readBudget = (): Budget => JSON.parse(readFileSync(join(import.meta.dirname, 'test-budget.json'), 'utf8'));

/**
 * Compares measured CPU time with the budget, scaled to the speed of this machine.
 * @param referenceSeconds CPU seconds of the reference work on this machine
 * @returns one sentence for each project that costs too much or has no budget
 */
export function budgetFaults(budget: Budget, costs: readonly Cost[], referenceSeconds: number): string[] {
  const speed = referenceSeconds / budget.referenceSeconds;
  return costs.flatMap(({ project, cpuSeconds }) => {
    if (cpuSeconds === undefined) return [];
    const allowed = budget.cpuSeconds[project];
    if (allowed === undefined) return [`${project} has no budget in scripts/test-budget.json`];
    const most = allowed * speed * (1 + TOLERANCE);
    if (cpuSeconds <= most) return [];
    return [
      `${project} took ${cpuSeconds.toFixed(0)} CPU seconds; its budget allows ${most.toFixed(0)} on this machine. ` +
        'Make its tests cheaper, move them to the full suite, or raise scripts/test-budget.json and say why.',
    ];
  });
}
