/** Which suite runs: `npm test` is what a change needs, `npm run test:all` sets `TEST_SUITE=all` and runs everything. */
export const isFullSuite = process.env.TEST_SUITE === 'all';

const FEW_SEEDS = 2;

/** Seeds of a simulation: from 1 to a count in the full suite, the first few in `npm test`. */
export const seedsTo = (count: number): readonly number[] =>
  Array.from({ length: isFullSuite ? count : Math.min(count, FEW_SEEDS) }, (_, index) => index + 1);
