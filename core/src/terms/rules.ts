/**
 * Versions of what commands lead to. A row of the journal is replayed under the version that it was written under, so what a version
 * has changed is kept beside it as it was.
 */

/**
 * A triggered order that only reduces is as many orders as the market's largest needs, and what rests to close the same gives way
 * to each of them once nothing refuses it. Before, it was one order, and what gave way was lost where that was refused.
 */
export const CLOSES_IN_PARTS = 3;
export const NEWEST_RULES = 3;
