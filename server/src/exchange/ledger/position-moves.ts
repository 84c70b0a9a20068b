/** What positions of perpetuals move, as rows of the ledger: a trade of a perpetual has no postings of its own. */
import type { ObjectEvent } from '@cambist/core/events/event.ts';
import { invariant } from '@cambist/core/invariant.ts';
import type { Posting } from '@cambist/core/ledger/account.ts';
import type { PositionCause } from '@cambist/core/margin/event.ts';
import { CopyRows, copyInto, placesOf, temporaryTable, writeNumber } from '../../platform/copy-rows.ts';
import type { Statement } from '../../platform/database.ts';

/** By what a position was changed, or that the insurance paid what its owner could not. */
export type PositionReason = `position-${Exclude<PositionCause, 'mode'>}` | 'loss-covered';

export interface PositionMoves {
  readonly reason: PositionReason;
  /** The market; of a loss that was covered the owner, as it is of no one market. */
  readonly reference: number;
  readonly moves: readonly Posting[];
}

/** A text for each cause, as one put together for each change would cost more than its row. */
const REASONS: Readonly<Record<Exclude<PositionCause, 'mode'>, PositionReason>> = {
  trade: 'position-trade',
  liquidation: 'position-liquidation',
  deleveraging: 'position-deleveraging',
  funding: 'position-funding',
  leverage: 'position-leverage',
  margin: 'position-margin',
  cover: 'position-cover',
  compensation: 'position-compensation',
  settlement: 'position-settlement',
};

/** @returns undefined for an event of another kind, and for one that moved nothing */
export function positionMovesOf(event: ObjectEvent): PositionMoves | undefined {
  if (event.kind === 'loss-covered') return { reason: 'loss-covered', reference: event.owner, moves: event.moves };
  if (event.kind !== 'position-changed' || event.cause === 'mode' || event.moves.length === 0) return undefined;
  return { reason: REASONS[event.cause], reference: event.market, moves: event.moves };
}

/** An event of a position moves its owner's three accounts and four of the exchange at most. */
const MOST_MOVES = 7;
const PLACES = Array.from({ length: MOST_MOVES }, (_, index) => index + 1);
/** Columns, with their bytes: an account and an amount for each move that there may be, of which `moves` are meant. */
const MOVED = {
  ...({ batch: 8, sequence: 8, reference: 8, time: 8, after_trade: 8, reason: 2, moves: 2 } as const),
  ...(Object.fromEntries(PLACES.flatMap((place) => [`account${place}`, `amount${place}`].map((name) => [name, 8]))) as {
    readonly account1: 8;
  }),
} as const;
const TO = placesOf(MOVED);
const [BATCH, SEQUENCE, REFERENCE, TIME] = [TO.batch, TO.sequence, TO.reference, TO.time];
const [AFTER_TRADE, REASON, MOVES, FIRST_ACCOUNT] = [TO.after_trade, TO.reason, TO.moves, TO.account1];
/** Bytes from an account to its amount, and from there to the next account: a length and a value. */
const TO_NEXT = 4 + 8;

/** Codes count from 1 in this order. */
const REASON_NAMES: readonly PositionReason[] = [...Object.values(REASONS), 'loss-covered'];
const REASON_CODES: ReadonlyMap<PositionReason, number> = new Map(
  REASON_NAMES.map((reason, index) => [reason, index + 1]),
);

const MAKE_MOVED = temporaryTable('moved_by_positions', MOVED);
const COPY_MOVED = copyInto('moved_by_positions', MOVED);
const firstMoves = (name: string) => `(ARRAY[${PLACES.map((place) => name + place).join(', ')}])[1:moves]`;
const INSERT_MOVED = `
  INSERT INTO ledger_transactions (batch, sequence, reason, reference, accounts, amounts, time, transfer, detail, after_trade)
  SELECT batch, sequence, (ARRAY[${REASON_NAMES.map((reason) => `'${reason}'`).join(', ')}])[reason], reference,
         ${firstMoves('account')}, ${firstMoves('amount')}, time, 0, '', after_trade
  FROM moved_by_positions`;

/** What positions moved in a run, as rows of a binary COPY. */
export class MoveRows {
  readonly #rows = new CopyRows(MOVED);

  get size(): number {
    return this.#rows.size;
  }

  add(
    batch: number,
    sequence: number,
    { reason, reference, moves }: PositionMoves,
    time: number,
    afterTrade: number,
  ): void {
    const { length } = moves;
    invariant(length <= MOST_MOVES, 'a position moves no more accounts than a row has room for', { length });
    const row = this.#rows.add();
    const { view } = this.#rows;
    writeNumber(view, row + BATCH, batch);
    writeNumber(view, row + SEQUENCE, sequence);
    writeNumber(view, row + REFERENCE, reference);
    writeNumber(view, row + TIME, time);
    writeNumber(view, row + AFTER_TRADE, afterTrade);
    view.setInt16(row + REASON, REASON_CODES.get(reason)!);
    view.setInt16(row + MOVES, length);
    let at = row + FIRST_ACCOUNT;
    for (const { account, amount } of moves) {
      writeNumber(view, at, account);
      view.setBigInt64(at + TO_NEXT, amount);
      at += 2 * TO_NEXT;
    }
  }

  /** Good until the next `add`. */
  statements(): Statement[] {
    return [{ sql: MAKE_MOVED }, { sql: COPY_MOVED, copy: this.#rows.finish() }, { sql: INSERT_MOVED }];
  }

  clear(): void {
    this.#rows.reset();
  }
}
