/** What the tables say of an order's position, as the core's orders have it. */
import { IS_HEDGED, IS_REDUCING, type PositionTerms, positionTermsOf } from '@cambist/core/events/event-record.ts';
import type { Side } from '@cambist/core/terms/order-terms.ts';

/** 1 where it is so. */
export type PositionColumns = { readonly reduce_only: number; readonly is_hedged: number };

export const positionOf = (side: Side, row: PositionColumns): PositionTerms | undefined =>
  positionTermsOf(side, row.reduce_only * IS_REDUCING + row.is_hedged * IS_HEDGED);
