// The budget of `npm test`: CPU seconds of each project, in test-budget.json. Raising it is a decision of its own commit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/** A run may exceed its budget by this share before it fails. */
const TOLERANCE = 0.15;

/** @returns CPU seconds for each project, and those of the reference work on the machine where they were measured */
export const readBudget = () => JSON.parse(readFileSync(join(root, 'scripts/test-budget.json'), 'utf8'));

/**
 * Compares measured CPU time with the budget, scaled to the speed of this machine.
 * @param budget `{ cpuSeconds: { [project]: number }, referenceSeconds }`
 * @param results `{ project, cpuSeconds }` for each project; a project without a measurement is left out
 * @param referenceSeconds CPU seconds of the reference work on this machine
 * @returns one sentence for each project that costs too much or has no budget
 */
export function budgetFaults(budget, results, referenceSeconds) {
  const speed = referenceSeconds / budget.referenceSeconds;
  return results.flatMap(({ project, cpuSeconds }) => {
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
