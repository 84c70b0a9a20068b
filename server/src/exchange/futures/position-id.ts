/** The ids of positions, as clients know them: a market's own id, and others for the two of hedge mode. */
import { NET, type PositionLeg } from '@cambist/core/terms/order-terms.ts';

/** More than there are ids of markets. */
const MARKETS = 2 ** 15;
const LEGS: readonly number[] = [NET, 1, -1];

interface Place {
  readonly market: number;
  readonly leg: number;
}

export const positionNumber = ({ market, leg }: Place): number => LEGS.indexOf(leg) * MARKETS + market;

export const positionId = (place: Place): string => String(positionNumber(place));

/** Undefined for what is no position's id. */
export function placeOf(id: string): { readonly market: number; readonly leg: PositionLeg } | undefined {
  const leg = LEGS[Math.floor(Number(id) / MARKETS)];
  return leg === undefined ? undefined : { market: Number(id) % MARKETS, leg: leg as PositionLeg };
}
