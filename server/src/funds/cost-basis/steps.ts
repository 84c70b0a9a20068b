/**
 * What a step does to what coins have cost. Whatever brings coins to a client without a trade brings them at the last price
 * of that moment; whatever takes them away takes their cost with them.
 */
import type { Step } from './feed.ts';
import { acquire, NO_POSITION, type Position, sell, takeOut } from './position.ts';

/** In USDT units; undefined where no price is known. */
export type ValueOf = (step: Step) => bigint | undefined;

const DAY_MS = 86_400_000;

/** Positions by owner and asset. */
export type Positions = Map<string, Position>;

export const positionKey = (owner: number, asset: number): string => `${owner}:${asset}`;

/** Puts a step into the positions. Money itself has no cost. @param money the asset that costs are counted in */
export function applyStep(positions: Positions, step: Step, money: number, worthOf: ValueOf): void {
  const { owner, given, received, time } = step;
  const change = (asset: number, to: (position: Position) => Position) => {
    const key = positionKey(owner, asset);
    if (asset !== money) positions.set(key, to(positions.get(key) ?? NO_POSITION));
  };
  if (given !== undefined && received === undefined) change(given.asset, (held) => takeOut(held, given.units));
  const isTrade = given !== undefined && received !== undefined;
  if (isTrade) change(given.asset, (held) => sell(held, given.units, worthOf(step), Math.floor(time / DAY_MS)));
  if (received !== undefined) change(received.asset, (held) => acquire(held, received.units, worthOf(step)));
}
