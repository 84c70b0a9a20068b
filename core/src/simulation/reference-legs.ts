/** Legs of positions in the reference exchange. */
import type { HoldingRecord } from '../margin/holding-record.ts';
import { LONG } from '../margin/perpetual.ts';
import { BUY, type PositionLeg, type PositionSide, SELL, type Side } from '../terms/order-terms.ts';

const LEGS: Readonly<Record<PositionSide, PositionLeg>> = { long: 1, short: -1 };

/** What an order or a command is of. */
export const legNamed = ({ positionSide }: { readonly positionSide?: PositionSide | undefined }): PositionLeg =>
  positionSide === undefined ? 0 : LEGS[positionSide];

export const closes = (side: Side, { position }: HoldingRecord): boolean =>
  position !== undefined && (position.direction === LONG ? side === SELL : side === BUY);
