/**
 * Versions of what commands lead to. A row of the journal is replayed under the version that it was written under, so what a version
 * has changed is kept beside it as it was.
 */

/**
 * A triggered order that only reduces is as many orders as the market's largest needs, and what rests to close the same gives way
 * to each of them once nothing refuses it. Before, it was one order, and what gave way was lost where that was refused.
 */
export const CLOSES_IN_PARTS = 3;

/**
 * No triggered order is refused for its size, which was right when it was taken: it is as many orders as the market's largest needs,
 * whatever it does, and may be as small as it is. Such orders are checked as the one that they stand for. An exit covers all that its
 * entry has filled, and a new trigger is not refused for a quantity that is not new. Before, all of that was so for what only reduces.
 * An entry that may bring an exit counts for the limits of whatever is placed, and not of other entries alone.
 */
export const TRIGGERS_ANY_SIZE = 4;
export const NEWEST_RULES = 4;
