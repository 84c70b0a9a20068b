/**
 * Says at the end of a run which tests passed only at a later try, and which were skipped since something was not there, so
 * that neither happens in silence.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Begins a line of a failure that tells what a page showed then. */
export const SCENE = 'shown: ';

type Tried = Pick<TestModule, 'children'>;

/** What was wrong at first, and where. */
function firstFailure(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const [place] = error?.stacks ?? [];
  const at = place === undefined ? '' : ` (line ${place.line})`;
  const lines = error?.message.split('\n') ?? [];
  const isScene = (line: string) => line.startsWith(SCENE);
  const said = lines.filter((line) => !isScene(line)).slice(0, 4);
  return [`${said.join(' | ')}${at}`, ...lines.filter(isScene)].join('\n    ');
}

/** `file > suite > test` of each test that failed before it passed, and what failed. */
export function secondTries(modules: readonly Tried[]): string[] {
  return modules.flatMap(({ children }) =>
    [...children.allTests()]
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => `${test.module.relativeModuleId} > ${test.fullName}\n    ${firstFailure(test)}`),
  );
}

/** How many tests have skipped themselves, by the reason that they gave. */
function skipped(modules: readonly Tried[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const test of modules.flatMap(({ children }) => [...children.allTests()])) {
    const result = test.result();
    const note = result.state === 'skipped' ? (result.note ?? '') : '';
    if (note !== '') counts.set(note, (counts.get(note) ?? 0) + 1);
  }
  return counts;
}

export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const [note, count] of skipped(modules)) console.error(`\n!!! ${count} tests were skipped: ${note}\n`);
    const names = secondTries(modules);
    if (names.length === 0) return;
    const list = names.map((name) => `  ${name}`).join('\n');
    console.error(`\n!!! ${names.length} passed only at a second try; what needs one is a defect:\n${list}\n`);
  }
}
