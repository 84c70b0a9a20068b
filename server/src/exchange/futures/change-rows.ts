/** Changes of positions of a run, as rows of a binary COPY. */
import type { PositionCause, PositionChanged } from '@cambist/core/margin/event.ts';
import { CopyRows, copyInto, placesOf, temporaryTable, writeNumber } from '../../platform/copy-rows.ts';
import type { Statement } from '../../platform/database.ts';

/** Of the mode there is no history. */
export type ChangeCause = Exclude<PositionCause, 'mode'>;

/** Columns, with their bytes. */
const CHANGED = {
  ...({ id: 8, owner: 8, trade: 8, time: 8, lots: 8, cost: 8, margin: 8, realised: 8, fee: 8, funding: 8 } as const),
  ...({ lots_before: 8, market: 2, leg: 2, cause: 2, direction: 2, leverage: 2, is_isolated: 2 } as const),
  ...({ direction_before: 2, is_before_known: 2 } as const),
} as const;

// Constants of this module are folded into the compiled code; properties are loaded at every use.
const TO = placesOf(CHANGED);
const [ID, OWNER, TRADE, TIME, LOTS, COST] = [TO.id, TO.owner, TO.trade, TO.time, TO.lots, TO.cost];
const [MARGIN, REALISED, FEE, FUNDING, LOTS_BEFORE] = [TO.margin, TO.realised, TO.fee, TO.funding, TO.lots_before];
const [MARKET, LEG, CAUSE, DIRECTION, LEVERAGE] = [TO.market, TO.leg, TO.cause, TO.direction, TO.leverage];
const [IS_ISOLATED, DIRECTION_BEFORE, IS_BEFORE_KNOWN] = [TO.is_isolated, TO.direction_before, TO.is_before_known];

/** What stands for a cause in a row; codes count from 1 in this order. */
const CAUSE_CODES: Readonly<Record<ChangeCause, number>> = {
  trade: 1,
  liquidation: 2,
  deleveraging: 3,
  funding: 4,
  leverage: 5,
  margin: 6,
  cover: 7,
  compensation: 8,
  settlement: 9,
};
const CAUSE_NAMES = Object.keys(CAUSE_CODES).map((cause) => `'${cause}'`);

const MAKE_CHANGED = temporaryTable('changed_positions', CHANGED);
const COPY_CHANGED = copyInto('changed_positions', CHANGED);
const SAME = [
  ...['id', 'owner', 'market', 'leg', 'time', 'trade', 'direction', 'lots', 'cost', 'margin', 'leverage'],
  ...['realised', 'fee', 'funding'],
];
/** Where the run does not know what was open before, the table of positions still has it. */
const INSERT_CHANGES = `
  INSERT INTO position_changes (${SAME.join(', ')}, cause, is_isolated, lots_change)
  SELECT ${SAME.map((name) => `n.${name}`).join(', ')}, (ARRAY[${CAUSE_NAMES.join(', ')}])[n.cause], n.is_isolated = 1,
         n.direction * n.lots - CASE WHEN n.is_before_known = 1 THEN n.direction_before * n.lots_before
                                     ELSE coalesce(p.direction * p.lots, 0) END
  FROM changed_positions AS n
  LEFT JOIN positions AS p ON p.owner = n.owner AND p.market = n.market AND p.leg = n.leg`;

export class ChangeRows {
  readonly #rows = new CopyRows(CHANGED);

  get size(): number {
    return this.#rows.size;
  }

  /** @param before what is known of the same leg before. @returns where the row begins, for `setTrade` */
  add(id: number, event: PositionChanged, cause: ChangeCause, before: PositionChanged | undefined): number {
    const row = this.#rows.add();
    const { view } = this.#rows;
    const { position } = event;
    writeNumber(view, row + ID, id);
    writeNumber(view, row + OWNER, event.owner);
    writeNumber(view, row + TRADE, 0);
    writeNumber(view, row + TIME, event.time);
    writeNumber(view, row + LOTS, position?.lots ?? 0);
    view.setBigInt64(row + COST, position?.cost ?? 0n);
    view.setBigInt64(row + MARGIN, event.margin);
    view.setBigInt64(row + REALISED, event.realised);
    view.setBigInt64(row + FEE, event.fee);
    view.setBigInt64(row + FUNDING, event.funding);
    writeNumber(view, row + LOTS_BEFORE, before?.position?.lots ?? 0);
    view.setInt16(row + MARKET, event.market);
    view.setInt16(row + LEG, event.leg);
    view.setInt16(row + CAUSE, CAUSE_CODES[cause]);
    view.setInt16(row + DIRECTION, position?.direction ?? 0);
    view.setInt16(row + LEVERAGE, event.leverage);
    view.setInt16(row + IS_ISOLATED, event.isIsolated ? 1 : 0);
    view.setInt16(row + DIRECTION_BEFORE, before?.position?.direction ?? 0);
    view.setInt16(row + IS_BEFORE_KNOWN, before === undefined ? 0 : 1);
    return row;
  }

  /** Names the trade that has made a change. */
  setTrade(row: number, trade: number): void {
    writeNumber(this.#rows.view, row + TRADE, trade);
  }

  /** Before positions are written: it asks what was open before the run. Good until the next `add`. */
  statements(): Statement[] {
    return [{ sql: MAKE_CHANGED }, { sql: COPY_CHANGED, copy: this.#rows.finish() }, { sql: INSERT_CHANGES }];
  }

  clear(): void {
    this.#rows.reset();
  }
}
