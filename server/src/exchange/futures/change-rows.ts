/** Changes of positions of a run, as rows of a binary COPY. */
import { CAUSES, ChangeFigure, type PositionRecords } from '@cambist/core/events/position-records.ts';
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

/** Of the mode there is no history. */
export type ChangeCause = Exclude<PositionCause, 'mode'>;

/** Columns, with their bytes. */
const CHANGED = {
  ...({ id: 8, owner: 8, trade: 8, time: 8, lots: 8, cost: 8, margin: 8, realised: 8, fee: 8, funding: 8 } as const),
  ...({ lots_change: 8, market: 2, leg: 2, cause: 2, direction: 2, leverage: 2, is_isolated: 2 } as const),
} as const;

// Constants of this module are folded into the compiled code; properties are loaded at every use.
const TO = placesOf(CHANGED);
const [ID, OWNER, TRADE, TIME, LOTS, COST] = [TO.id, TO.owner, TO.trade, TO.time, TO.lots, TO.cost];
const [MARGIN, REALISED, FEE, FUNDING, LOTS_CHANGE] = [TO.margin, TO.realised, TO.fee, TO.funding, TO.lots_change];
const [MARKET, LEG, CAUSE, DIRECTION, LEVERAGE] = [TO.market, TO.leg, TO.cause, TO.direction, TO.leverage];
const IS_ISOLATED = TO.is_isolated;
const { REALISED: REALISED_UNITS, FEE: FEE_UNITS, FUNDING_PAID } = ChangeFigure;

/** A cause in a row is one more than its index: arrays of SQL count from 1. */
const CAUSE_NAMES = CAUSES.map((cause) => `'${cause}'`);

const MAKE_CHANGED = temporaryTable('changed_positions', CHANGED);
const COPY_CHANGED = copyInto('changed_positions', CHANGED);
const SAME = [
  ...['id', 'owner', 'market', 'leg', 'time', 'trade', 'direction', 'lots', 'cost', 'margin', 'leverage'],
  ...['realised', 'fee', 'funding'],
];
const INSERT_CHANGES = `
  INSERT INTO position_changes (${SAME.join(', ')}, lots_change, cause, is_isolated)
  SELECT ${SAME.join(', ')}, lots_change, (ARRAY[${CAUSE_NAMES.join(', ')}])[cause], is_isolated = 1
  FROM changed_positions`;

export class ChangeRows {
  readonly #rows = new CopyRows(CHANGED);

  get size(): number {
    return this.#rows.size;
  }

  /** @param trade that has made the change; 0 for none */
  add(id: number, records: PositionRecords, at: number, trade: number): void {
    const row = this.#rows.add();
    const { view } = this.#rows;
    const lots = records.lots(at);
    writeNumber(view, row + ID, id);
    writeNumber(view, row + OWNER, records.owner(at));
    writeNumber(view, row + TRADE, trade);
    writeNumber(view, row + TIME, records.time(at));
    writeNumber(view, row + LOTS, Math.abs(lots));
    const { words } = records;
    writeInt64(view, row + COST, words, records.costWord(at));
    writeInt64(view, row + MARGIN, words, records.marginWord(at));
    writeInt64(view, row + REALISED, words, records.figureWord(at, REALISED_UNITS));
    writeInt64(view, row + FEE, words, records.figureWord(at, FEE_UNITS));
    writeInt64(view, row + FUNDING, words, records.figureWord(at, FUNDING_PAID));
    writeSigned(view, row + LOTS_CHANGE, records.lotsChange(at));
    view.setInt16(row + MARKET, records.market(at));
    view.setInt16(row + LEG, records.leg(at));
    view.setInt16(row + CAUSE, records.cause(at) + 1);
    view.setInt16(row + DIRECTION, Math.sign(lots));
    view.setInt16(row + LEVERAGE, records.leverage(at));
    view.setInt16(row + IS_ISOLATED, records.isIsolated(at) ? 1 : 0);
  }

  /** Good until the next `add`. */
  statements(): Statement[] {
    return [{ sql: MAKE_CHANGED }, { sql: COPY_CHANGED, copy: this.#rows.finish() }, { sql: INSERT_CHANGES }];
  }

  clear(): void {
    this.#rows.reset();
  }
}
