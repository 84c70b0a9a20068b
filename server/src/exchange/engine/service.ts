/** What slices of other quarters use of the engine: its feed, and what a projection part of their own needs. */
export { Columns } from './columns.ts';
export type { BatchFeed, CommittedBatch, Sequencer, Submission, Submitted } from './feed.ts';
export { NotAccepted, OutcomeUnknown } from './feed.ts';
export type { KeyedResult } from './idempotency.ts';
export type { PartRun, ProjectionPart } from './projection.ts';
