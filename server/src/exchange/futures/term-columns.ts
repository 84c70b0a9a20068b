/** The term of a position in its table: all columns 0 without one. */
import type { PositionTerm } from '@cambist/core/margin/term.ts';

export const TERM = ['term_started_at', 'term_ends_at', 'term_target', 'term_floor', 'term_discount'] as const;

export const termColumnsOf = (term: PositionTerm | undefined) =>
  [term?.startedAt ?? 0, term?.endsAt ?? 0, term?.target ?? 0n, term?.floor ?? 0n, term?.discount ?? 0n] as const;
