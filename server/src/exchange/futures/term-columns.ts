/** The term of a position in its table: all columns 0 without one. */
import type { PositionTerm } from '@cambist/core/margin/term.ts';

export const TERM = ['term_started_at', 'term_ends_at', 'term_target', 'term_floor'] as const;

/** As they are read: money as `numeric`. */
export const READ_TERM = 'term_started_at, term_ends_at, term_target::numeric, term_floor::numeric';

export type TermColumns = {
  readonly term_started_at: number;
  readonly term_ends_at: number;
  readonly term_target: bigint;
  readonly term_floor: bigint;
};

export const termColumnsOf = (term: PositionTerm | undefined) =>
  [term?.startedAt ?? 0, term?.endsAt ?? 0, term?.target ?? 0n, term?.floor ?? 0n] as const;

export function termIn(row: TermColumns): PositionTerm | undefined {
  const { term_started_at: startedAt, term_ends_at: endsAt, term_target: target, term_floor: floor } = row;
  return endsAt === 0 ? undefined : { startedAt, endsAt, target, floor };
}
