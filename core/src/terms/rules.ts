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
 * What was large enough when it was placed is executed when it is triggered, though its market asks for more by then, or it is worth
 * less at the price of then; and an exit is moved however small it is. Before, it ended there with a refusal. An entry that may bring
 * an exit counts for the limits of whatever is placed, and not of other entries alone.
 */
export const TRIGGERS_ANY_SIZE = 4;
export const NEWEST_RULES = 4;
