/**
 * The headline counter: 8,140,681 on 2024-11-12, twelve more every 30 s and 300 fewer every hour, which makes 27,360 a
 * day. It is a figure of marketing, and marked as one until the operator has counted.
 */
const START = 8_140_681;
const STARTED_AT = Date.UTC(2024, 10, 12);
const STEP_MS = 30_000;
const STEP = 12;
const HOUR_MS = 3_600_000;
const HOURLY_DROP = 300;

/** @param timeMs ms since 1970; before the start the counter stands still */
export function counterAt(timeMs: number): number {
  const elapsed = Math.max(0, timeMs - STARTED_AT);
  return START + STEP * Math.floor(elapsed / STEP_MS) - HOURLY_DROP * Math.floor(elapsed / HOUR_MS);
}

/** How long the figure of now still holds, in ms. */
export function untilNextStep(timeMs: number): number {
  return STEP_MS - ((((timeMs - STARTED_AT) % STEP_MS) + STEP_MS) % STEP_MS);
}
