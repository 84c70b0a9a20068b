/** Which suite runs: `npm test` is what a change needs, `npm run test:all` sets `TEST_SUITE=all` and runs everything. */
export const isFullSuite = process.env.TEST_SUITE === 'all';
