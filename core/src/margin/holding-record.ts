import type { PositionLeg } from '../terms/order-terms.ts';
import type { Position } from './position.ts';
import type { PositionTerm } from './term.ts';

/** A holding as others know it. */
export interface HoldingRecord {
  readonly owner: number;
  readonly market: number;
  readonly leg: PositionLeg;
  readonly leverage: number;
  readonly isIsolated: boolean;
  readonly isHedged: boolean;
  readonly position: Position | undefined;
  readonly margin: bigint;
  readonly fundingIndex: bigint;
  readonly term: PositionTerm | undefined;
}
