import { describe, expect, it } from 'vitest';
import { budgetFaults, readBudget } from './budget.ts';

const budget = { referenceSeconds: 0.2, cpuSeconds: { unit: 100, server: 400 } };

describe('the budget of npm test', () => {
  it('allows 15 % above it, and no more', () => {
    expect(budgetFaults(budget, [{ project: 'unit', cpuSeconds: 114 }], 0.2)).toEqual([]);
    expect(budgetFaults(budget, [{ project: 'unit', cpuSeconds: 116 }], 0.2)).toEqual([
      expect.stringMatching(/^unit took 116 CPU seconds; its budget allows 115 on this machine/),
    ]);
  });

  it('is scaled to the speed of the machine', () => {
    expect(budgetFaults(budget, [{ project: 'server', cpuSeconds: 900 }], 0.4)).toEqual([]);
    expect(budgetFaults(budget, [{ project: 'server', cpuSeconds: 240 }], 0.1)).toHaveLength(1);
  });

  it('has a figure for each project, and asks for one', () => {
    expect(Object.keys(readBudget().cpuSeconds)).toEqual(['unit', 'mocking', 'server', 'attack', 'browser']);
    expect(budgetFaults(budget, [{ project: 'new', cpuSeconds: 1 }], 0.2)).toHaveLength(1);
  });

  it('holds nothing where CPU time cannot be measured', () => {
    expect(budgetFaults(budget, [{ project: 'unit', cpuSeconds: undefined }], 0.2)).toEqual([]);
  });
});
