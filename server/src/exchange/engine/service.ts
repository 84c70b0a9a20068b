/** What slices of other quarters use of the engine: its feed, and what a projection part of their own needs. */

export { createClockStore } from './clock-store.ts';
export { Columns } from './columns.ts';
export type { BatchFeed, CommittedBatch, Sequencer, Submission, Submitted } from './feed.ts';
export { NotAccepted, OutcomeUnknown } from './feed.ts';
export type { KeyedResult } from './idempotency.ts';
export { keyTimes } from './idempotency-store.ts';
export type { CommandKey } from './journal.ts';
export type { PartRun, ProjectionPart } from './projection.ts';
