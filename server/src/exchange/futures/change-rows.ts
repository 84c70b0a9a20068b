/** Changes of positions of a run, and what they move, as rows of a binary COPY. */
import { CAUSES, Cause, ChangeFigure, type PositionRecords } from '@cambist/core/events/position-records.ts';
import type { PositionCause } from '@cambist/core/margin/event.ts';
import {
  CopyRows,
  copyInto,
  placesOf,
  temporaryTable,
  writeInt64,
  writeNumber,
  writeSigned,
} from '../../platform/copy-rows.ts';
import type { Statement } from '../../platform/database.ts';
import { insertMoved } from '../ledger/position-moves.ts';
import { decoded } from './codes.ts';

/** Of the mode there is no history. */
export type ChangeCause = Exclude<PositionCause, 'mode'>;

/** Columns, with their bytes. Lots are below zero of a short position. */
const CHANGED = {
  ...({ id: 8, owner: 8, after_trade: 8, time: 8, lots: 8, cost: 8, margin: 8 } as const),
  ...({
    realised: 8,
    fee: 8,
    funding: 8,
    held: 8,
    to_margin: 8,
    to_funding: 8,
    to_insurance: 8,
    lots_change: 8,
  } as const),
  ...({ codes: 4, market: 2, asset: 2 } as const),
} as const;

// Constants of this module are folded into the compiled code; properties are loaded at every use.
const TO = placesOf(CHANGED);
const [ID, OWNER, AFTER_TRADE, TIME, LOTS, COST] = [TO.id, TO.owner, TO.after_trade, TO.time, TO.lots, TO.cost];
const [MARGIN, REALISED, FEE, FUNDING, LOTS_CHANGE] = [TO.margin, TO.realised, TO.fee, TO.funding, TO.lots_change];
const [HELD, TO_MARGIN, TO_FUNDING, TO_INSURANCE] = [TO.held, TO.to_margin, TO.to_funding, TO.to_insurance];
const [CODES, MARKET, ASSET] = [TO.codes, TO.market, TO.asset];
const { REALISED: REALISED_UNITS, FEE: FEE_UNITS, FUNDING_PAID } = ChangeFigure;
const { HELD: HELD_UNITS, MARGIN: MARGIN_UNITS, FUNDING: FUNDING_UNITS, INSURANCE: INSURANCE_UNITS } = ChangeFigure;

/** A cause in a row is one more than its index: arrays of SQL count from 1. */
const CAUSE_NAMES = CAUSES.map((cause) => `'${cause}'`);

const MAKE_CHANGED = temporaryTable('changed_positions', CHANGED);
const COPY_CHANGED = copyInto('changed_positions', CHANGED);
const CHANGES = decoded('changed_positions');
const SAME = [
  ...['id', 'owner', 'market', 'leg', 'time', 'cost', 'margin', 'leverage'],
  ...['realised', 'fee', 'funding', 'lots_change', 'is_isolated'],
].join(', ');
/** A trade comes right after the changes that it made. */
const BY_TRADE = [Cause.trade, Cause.liquidation].map((cause) => cause + 1).join(', ');
const INSERT_CHANGES = `
  INSERT INTO position_changes (${SAME}, direction, lots, cause, trade)
  SELECT ${SAME}, sign(lots), abs(lots), (ARRAY[${CAUSE_NAMES.join(', ')}])[cause],
         CASE WHEN cause IN (${BY_TRADE}) THEN after_trade + 1 ELSE 0 END
  FROM ${CHANGES} AS c`;
const INSERT_MOVED = insertMoved(`${CHANGES} AS c`);

export class ChangeRows {
  readonly #rows = new CopyRows(CHANGED);

  get size(): number {
    return this.#rows.size;
  }

  /** @param afterTrade the last trade before the change */
  add(id: number, records: PositionRecords, at: number, afterTrade: number): void {
    const row = this.#rows.add();
    const { view } = this.#rows;
    writeNumber(view, row + ID, id);
    writeNumber(view, row + OWNER, records.owner(at));
    writeNumber(view, row + AFTER_TRADE, afterTrade);
    writeNumber(view, row + TIME, records.time(at));
    writeSigned(view, row + LOTS, records.lots(at));
    const { words } = records;
    writeInt64(view, row + COST, words, records.costWord(at));
    writeInt64(view, row + MARGIN, words, records.marginWord(at));
    writeInt64(view, row + REALISED, words, records.figureWord(at, REALISED_UNITS));
    writeInt64(view, row + FEE, words, records.figureWord(at, FEE_UNITS));
    writeInt64(view, row + FUNDING, words, records.figureWord(at, FUNDING_PAID));
    writeInt64(view, row + HELD, words, records.figureWord(at, HELD_UNITS));
    writeInt64(view, row + TO_MARGIN, words, records.figureWord(at, MARGIN_UNITS));
    writeInt64(view, row + TO_FUNDING, words, records.figureWord(at, FUNDING_UNITS));
    writeInt64(view, row + TO_INSURANCE, words, records.figureWord(at, INSURANCE_UNITS));
    writeSigned(view, row + LOTS_CHANGE, records.lotsChange(at));
    view.setInt32(row + CODES, records.codes(at));
    view.setInt16(row + MARKET, records.market(at));
    view.setInt16(row + ASSET, records.asset(at));
  }

  /** Good until the next `add`. */
  statements(): Statement[] {
    const copy = this.#rows.finish();
    return [{ sql: MAKE_CHANGED }, { sql: COPY_CHANGED, copy }, { sql: INSERT_CHANGES }, { sql: INSERT_MOVED }];
  }

  clear(): void {
    this.#rows.reset();
  }
}
