/** What positions of perpetuals move, as rows of the ledger: a trade of a perpetual has no postings of its own. */
import { CAUSES, MOVES, type PositionRecords } from '@cambist/core/events/position-records.ts';
import type { LossCovered, PositionCause } from '@cambist/core/margin/event.ts';
import { CopyRows, copyInto, placesOf, temporaryTable, writeInt64, writeNumber } from '../../platform/copy-rows.ts';
import type { Statement } from '../../platform/database.ts';

/** By what a position was changed, or that the insurance paid what its owner could not. */
export type PositionReason = `position-${Exclude<PositionCause, 'mode'>}` | 'loss-covered';

/** A change of a position moves its owner's three accounts and four of the exchange at most. */
const PLACES = Array.from({ length: MOVES }, (_, index) => index + 1);
/** Columns, with their bytes: an account and an amount for each move that there may be, of which `moves` are meant. */
const MOVED = {
  ...({ batch: 8, sequence: 8, reference: 8, time: 8, after_trade: 8, reason: 2, moves: 2 } as const),
  ...(Object.fromEntries(PLACES.flatMap((place) => [`account${place}`, `amount${place}`].map((name) => [name, 8]))) as {
    readonly account1: 8;
  }),
} as const;
const TO = placesOf(MOVED);
const [BATCH, SEQUENCE, REFERENCE, TIME] = [TO.batch, TO.sequence, TO.reference, TO.time];
const [AFTER_TRADE, REASON, MOVES_AT, FIRST_ACCOUNT] = [TO.after_trade, TO.reason, TO.moves, TO.account1];
/** Bytes from an account to its amount, and from there to the next account: a length and a value. */
const TO_NEXT = 4 + 8;

/** A reason in a row is one more than its index, and a cause has its own. */
const REASON_NAMES: readonly string[] = [...CAUSES.map((cause) => `position-${cause}`), 'loss-covered'];
const LOSS_COVERED = CAUSES.length + 1;

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

  /** @param reference the market */
  add(batch: number, sequence: number, records: PositionRecords, at: number, afterTrade: number): void {
    const row = this.#begin(batch, sequence, records.market(at), records.time(at), afterTrade);
    const { view } = this.#rows;
    let to = row + FIRST_ACCOUNT;
    let count = 0;
    for (let move = 0; move < MOVES; move += 1) {
      if (!records.isMoved(at, move)) continue;
      writeNumber(view, to, records.account(at, move));
      writeInt64(view, to + TO_NEXT, records.words, records.figureWord(at, move));
      to += 2 * TO_NEXT;
      count += 1;
    }
    view.setInt16(row + REASON, records.cause(at) + 1);
    view.setInt16(row + MOVES_AT, count);
  }

  /** Its reference is the owner, as it is of no one market. */
  addCovered(batch: number, sequence: number, { owner, moves, time }: LossCovered, afterTrade: number): void {
    const row = this.#begin(batch, sequence, owner, time, afterTrade);
    const { view } = this.#rows;
    view.setInt16(row + REASON, LOSS_COVERED);
    view.setInt16(row + MOVES_AT, moves.length);
    let to = row + FIRST_ACCOUNT;
    for (const { account, amount } of moves) {
      writeNumber(view, to, account);
      view.setBigInt64(to + TO_NEXT, amount);
      to += 2 * TO_NEXT;
    }
  }

  #begin(batch: number, sequence: number, reference: number, time: number, afterTrade: number): number {
    const row = this.#rows.add();
    const { view } = this.#rows;
    writeNumber(view, row + BATCH, batch);
    writeNumber(view, row + SEQUENCE, sequence);
    writeNumber(view, row + REFERENCE, reference);
    writeNumber(view, row + TIME, time);
    writeNumber(view, row + AFTER_TRADE, afterTrade);
    return row;
  }

  /** Good until the next `add`. */
  statements(): Statement[] {
    return [{ sql: MAKE_MOVED }, { sql: COPY_MOVED, copy: this.#rows.finish() }, { sql: INSERT_MOVED }];
  }

  clear(): void {
    this.#rows.reset();
  }
}
