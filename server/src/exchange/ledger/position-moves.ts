/** What positions of perpetuals move, as rows of the ledger: a trade of a perpetual has no postings of its own. */
import { CAUSES, MOVED_ACCOUNTS, MOVES, type PositionRecords } from '@cambist/core/events/position-records.ts';
import { OWNER_KEYS } from '@cambist/core/ledger/account.ts';
import type { PositionCause } from '@cambist/core/margin/event.ts';
import { CopyRows, copyInto, placesOf, temporaryTable, writeInt64, writeNumber } from '../../platform/copy-rows.ts';
import type { Statement } from '../../platform/database.ts';

/** By what a position was changed, or that the insurance paid what its owner could not. */
export type PositionReason = `position-${Exclude<PositionCause, 'mode'>}` | 'loss-covered';

/** Columns, with their bytes: an amount for each account that may move, 0 for one that does not. Accounts follow from the owner. */
const MOVED = {
  ...({ batch: 8, sequence: 8, owner: 8, time: 8, after_trade: 8 } as const),
  ...(Object.fromEntries(MOVED_ACCOUNTS.map((_, move) => [`amount${move}`, 8])) as { readonly amount0: 8 }),
  ...({ market: 2, asset: 2, cause: 2 } as const),
} as const;
const TO = placesOf(MOVED);
const [BATCH, SEQUENCE, OWNER, TIME, AFTER_TRADE] = [TO.batch, TO.sequence, TO.owner, TO.time, TO.after_trade];
const [FIRST_AMOUNT, MARKET, ASSET, CAUSE] = [TO.amount0, TO.market, TO.asset, TO.cause];
/** Bytes from an amount to the next one: a length and a value. */
const TO_NEXT = 4 + 8;

/** A cause in a row is one more than its index: arrays of SQL count from 1. */
const REASONS = CAUSES.map((cause) => `'position-${cause}'`).join(', ');

const MAKE_MOVED = temporaryTable('moved_by_positions', MOVED);
const COPY_MOVED = copyInto('moved_by_positions', MOVED);
/** Without those that do not move. */
const arrayOf = (entryOf: (move: number) => string) =>
  `array_remove(ARRAY[${MOVED_ACCOUNTS.map((_, move) => entryOf(move)).join(', ')}], NULL)`;
const ACCOUNTS = arrayOf((move) => {
  const { key, isOwn } = MOVED_ACCOUNTS[move]!;
  return `CASE WHEN amount${move} <> 0 THEN ${isOwn ? `owner * ${OWNER_KEYS} + ` : ''}${key} + asset END`;
});
const INSERT_MOVED = `
  INSERT INTO ledger_transactions (batch, sequence, reason, reference, accounts, amounts, time, transfer, detail, after_trade)
  SELECT batch, sequence, (ARRAY[${REASONS}])[cause], market, ${ACCOUNTS}, ${arrayOf((move) => `nullif(amount${move}, 0)`)},
         time, 0, '', after_trade
  FROM moved_by_positions`;

/** What positions moved in a run, as rows of a binary COPY. */
export class MoveRows {
  readonly #rows = new CopyRows(MOVED);

  get size(): number {
    return this.#rows.size;
  }

  add(batch: number, sequence: number, records: PositionRecords, at: number, afterTrade: number): void {
    const row = this.#rows.add();
    const { view } = this.#rows;
    const { words } = records;
    writeNumber(view, row + BATCH, batch);
    writeNumber(view, row + SEQUENCE, sequence);
    writeNumber(view, row + OWNER, records.owner(at));
    writeNumber(view, row + TIME, records.time(at));
    writeNumber(view, row + AFTER_TRADE, afterTrade);
    for (let move = 0; move < MOVES; move += 1)
      writeInt64(view, row + FIRST_AMOUNT + move * TO_NEXT, words, records.figureWord(at, move));
    view.setInt16(row + MARKET, records.market(at));
    view.setInt16(row + ASSET, records.asset(at));
    view.setInt16(row + CAUSE, records.cause(at) + 1);
  }

  /** Good until the next `add`. */
  statements(): Statement[] {
    return [{ sql: MAKE_MOVED }, { sql: COPY_MOVED, copy: this.#rows.finish() }, { sql: INSERT_MOVED }];
  }

  clear(): void {
    this.#rows.reset();
  }
}
