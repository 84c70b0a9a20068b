/** Counts the results of a run of tests, from Vitest's JSON report. */

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files that failed without a failed test: at an import, or in a hook that runs before or after the tests. */
  readonly failedFiles: number;
}

export function countTests(report: TestReport): TestCounts {
  const failedFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
    failedFiles: failedFiles.length,
  };
}

export function sumCounts(counts: readonly TestCounts[]): TestCounts {
  const sum = (key: keyof TestCounts) => counts.reduce((total, one) => total + one[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), failedFiles: sum('failedFiles') };
}

/** @param status - the exit status of the run; an error outside every file fails the run, and no count shows it */
export function closingLine({ passed, failed, skipped, failedFiles }: TestCounts, status: number): string {
  const line = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  if (failedFiles > 0)
    return `${line}, ${failedFiles} ${failedFiles === 1 ? 'file' : 'files'} failed to start or to end`;
  return status !== 0 && failed === 0 ? `${line}, but the run failed: see the errors above` : line;
}
