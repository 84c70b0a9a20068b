/** Positions and wallets as their owners see them, by the very functions that the engine decides with. */
import type { HoldingRecord } from './holding-record.ts';
import type { PerpetualTerms } from './perpetual.ts';
import { initialMargin, notionalOf, requirement } from './perpetual.ts';
import { unrealised } from './position.ts';
import { bankruptcyPrice, liquidationPrice, type OppositeLeg, ruinPrice } from './thresholds.ts';

/** Money is in settlement units, prices are in ticks. */
export interface PositionView extends HoldingRecord {
  /** 0 until there is one. */
  readonly mark: number;
  /** What the lots are worth at the mark. */
  readonly value: bigint;
  /** What closing at the mark would bring, before its fee; below zero for a loss. */
  readonly profit: bigint;
  /** Funding that is owed and not paid yet; below zero where some is to be received. */
  readonly funding: bigint;
  /** What the leverage asks for, of what the position has cost. */
  readonly initial: bigint;
  /** Maintenance and the fee of closing: with no more than that it is liquidated. */
  readonly required: bigint;
  /** Undefined where no price does it. */
  readonly liquidationPrice: number | undefined;
  /** Where its owner has nothing left. Undefined where something is left at every price. */
  readonly ruinPrice: number | undefined;
  /** The worst at which an order may close it, the other leg at its mark. Undefined where it leaves a debt at any. */
  readonly bankruptcyPrice: number | undefined;
}

/** What backs an owner's positions of one asset; money in settlement units. */
export interface MarginWallet {
  /** Not reserved by orders; cross positions are backed by it. */
  readonly balance: bigint;
  /** Reserved by orders. */
  readonly held: bigint;
  /** For new orders, or to be taken out. */
  readonly free: bigint;
  /** In isolated positions. */
  readonly margin: bigint;
  /** What all positions would bring at their marks, less funding that they owe. */
  readonly profit: bigint;
  /** Of the cross positions: initial margin, and what they must have. */
  readonly initial: bigint;
  readonly required: bigint;
  /** What cross positions have: balance, held, and what they would bring. With no more than `required` they are liquidated. */
  readonly equity: bigint;
  /** All of it, isolated positions included. */
  readonly total: bigint;
}

/** Of an owner who is not known. */
export const EMPTY_WALLET: MarginWallet = {
  ...{ balance: 0n, held: 0n, free: 0n, margin: 0n, profit: 0n, initial: 0n, required: 0n, equity: 0n, total: 0n },
};

/** What a view is made of. */
export interface Valued {
  readonly record: HoldingRecord;
  readonly terms: PerpetualTerms;
  readonly mark: number;
  /** Of the position. */
  readonly owed: bigint;
  /** Where both legs of hedge mode are cross. */
  readonly opposite?: OppositeLeg | undefined;
}

/**
 * Pure.
 * @param backing what backs the position beside itself: an isolated one's margin, else the wallet with the other cross positions
 * less what these must have; the position's own funding is not taken off yet
 */
export function positionView({ record, terms, mark, owed, opposite }: Valued, backing: bigint): PositionView {
  const { position, leverage } = record;
  const none = { mark, value: 0n, profit: 0n, funding: 0n, initial: 0n, required: 0n };
  const never = { liquidationPrice: undefined, ruinPrice: undefined, bankruptcyPrice: undefined };
  if (position === undefined) return { ...record, ...none, ...never };
  const value = notionalOf(terms, mark, position.lots);
  const left = backing - owed;
  return {
    ...record,
    mark,
    value,
    profit: mark === 0 ? 0n : unrealised(terms, position, mark),
    funding: owed,
    initial: initialMargin(position.cost, leverage),
    required: requirement(terms, value),
    liquidationPrice: liquidationPrice(terms, position, left, opposite),
    ruinPrice: ruinPrice(terms, position, left, opposite),
    bankruptcyPrice: bankruptcyPrice(terms, position, left),
  };
}
