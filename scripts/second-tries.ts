/** Says at the end of a run which tests passed only at a later try, so that none does so in silence. */
import type { Reporter, TestModule } from 'vitest/node';

type Tried = Pick<TestModule, 'children'>;

/** `file > suite > test` of each test that failed before it passed. */
export function secondTries(modules: readonly Tried[]): string[] {
  return modules.flatMap(({ children }) =>
    [...children.allTests()]
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => `${test.module.relativeModuleId} > ${test.fullName}`),
  );
}

export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const names = secondTries(modules);
    if (names.length === 0) return;
    const list = names.map((name) => `  ${name}`).join('\n');
    console.error(`\n!!! ${names.length} passed only at a second try; what needs one is a defect:\n${list}\n`);
  }
}
