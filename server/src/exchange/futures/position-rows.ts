/** What owners have in perpetual markets as a run leaves it: a row of a binary COPY for each leg, written when a record comes. */
import { IntegerMap } from '@cambist/core/collections/integer-map.ts';
import type { PositionRecords } from '@cambist/core/events/position-records.ts';
import type { PositionTerm } from '@cambist/core/margin/term.ts';
import { CopyRows, copyInto, placesOf, temporaryTable, writeInt64, writeNumber } from '../../platform/copy-rows.ts';
import type { Statement } from '../../platform/database.ts';
import { TERM } from './term-columns.ts';

/** Columns, with their bytes. An index of funding is wider than a bigint: its upper half is a column of its own. */
const CHANGED = {
  ...({ owner: 8, lots: 8, cost: 8, margin: 8, funding_low: 8, funding_high: 8, since: 8 } as const),
  ...({ term_started_at: 8, term_ends_at: 8, term_target: 8, term_floor: 8 } as const),
  ...({ market: 2, leg: 2, direction: 2, leverage: 2, is_isolated: 2, is_hedged: 2, is_older: 2 } as const),
} as const;

// Constants of this module are folded into the compiled code; properties are loaded at every use.
const TO = placesOf(CHANGED);
const [OWNER, LOTS, COST, MARGIN, SINCE] = [TO.owner, TO.lots, TO.cost, TO.margin, TO.since];
const [FUNDING_LOW, FUNDING_HIGH] = [TO.funding_low, TO.funding_high];
const [STARTED, ENDS, TARGET, FLOOR] = [TO.term_started_at, TO.term_ends_at, TO.term_target, TO.term_floor];
const [MARKET, LEG, DIRECTION, LEVERAGE] = [TO.market, TO.leg, TO.direction, TO.leverage];
const [IS_ISOLATED, IS_HEDGED, IS_OLDER] = [TO.is_isolated, TO.is_hedged, TO.is_older];
const WORD_BITS = 64n;

const MAKE_CHANGED = temporaryTable('positions_after', CHANGED);
const COPY_CHANGED = copyInto('positions_after', CHANGED);
const SAME = ['direction', 'lots', 'cost', 'margin', 'leverage', ...TERM];
const MADE = ['is_isolated', 'is_hedged', 'funding_index', 'since'];
/** A position that had this direction before the run was opened then, unless the run says otherwise. */
const UPSERT = `
  INSERT INTO positions (owner, market, leg, ${[...SAME, ...MADE].join(', ')})
  SELECT n.owner, n.market, n.leg, ${SAME.map((name) => `n.${name}`).join(', ')}, n.is_isolated = 1, n.is_hedged = 1,
         n.funding_high * 18446744073709551616::numeric + n.funding_low,
         CASE WHEN n.is_older = 1 AND p.direction = n.direction THEN p.since ELSE n.since END
  FROM positions_after AS n
  LEFT JOIN positions AS p ON p.owner = n.owner AND p.market = n.market AND p.leg = n.leg
  ON CONFLICT (owner, market, leg) DO UPDATE
  SET ${[...SAME, ...MADE].map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** A market is below 2^15, and a leg is -1 to 1. */
const keyOf = (owner: number, market: number, leg: number) => (owner * 2 ** 15 + market) * 4 + leg + 1;

export class PositionRows {
  readonly #rows = new CopyRows(CHANGED);
  /** Where the row of a leg begins. */
  readonly #places = new IntegerMap();

  get size(): number {
    return this.#rows.size;
  }

  put(records: PositionRecords, at: number): void {
    const owner = records.owner(at);
    const market = records.market(at);
    const leg = records.leg(at);
    const key = keyOf(owner, market, leg);
    const found = this.#places.get(key);
    const row = found === 0 ? this.#begin(key, owner, market, leg) : found;
    const lots = records.lots(at);
    const direction = Math.sign(lots);
    const { view } = this.#rows;
    if (found === 0 || view.getInt16(row + DIRECTION) !== direction) {
      writeNumber(view, row + SINCE, records.time(at));
      view.setInt16(row + IS_OLDER, found === 0 ? 1 : 0);
      view.setInt16(row + DIRECTION, direction);
    }
    writeNumber(view, row + LOTS, Math.abs(lots));
    writeInt64(view, row + COST, records.words, records.costWord(at));
    writeInt64(view, row + MARGIN, records.words, records.marginWord(at));
    view.setInt16(row + LEVERAGE, records.leverage(at));
    view.setInt16(row + IS_ISOLATED, records.isIsolated(at) ? 1 : 0);
    view.setInt16(row + IS_HEDGED, records.isHedged(at) ? 1 : 0);
    this.#writeFunding(row, records.fundingIndex(at));
    this.#writeTerm(row, records.term(at));
  }

  /** Good until the next `put`. */
  statements(): Statement[] {
    return [{ sql: MAKE_CHANGED }, { sql: COPY_CHANGED, copy: this.#rows.finish() }, { sql: UPSERT }];
  }

  clear(): void {
    this.#rows.reset();
    this.#places.clear();
  }

  #begin(key: number, owner: number, market: number, leg: number): number {
    const row = this.#rows.add();
    const { view } = this.#rows;
    this.#places.add(key, row);
    writeNumber(view, row + OWNER, owner);
    view.setInt16(row + MARKET, market);
    view.setInt16(row + LEG, leg);
    return row;
  }

  #writeFunding(row: number, index: bigint): void {
    const { view } = this.#rows;
    const low = BigInt.asIntN(64, index);
    view.setBigInt64(row + FUNDING_LOW, low);
    view.setBigInt64(row + FUNDING_HIGH, index === low ? 0n : (index - low) >> WORD_BITS);
  }

  #writeTerm(row: number, term: PositionTerm | undefined): void {
    const { view } = this.#rows;
    writeNumber(view, row + STARTED, term?.startedAt ?? 0);
    writeNumber(view, row + ENDS, term?.endsAt ?? 0);
    view.setBigInt64(row + TARGET, term?.target ?? 0n);
    view.setBigInt64(row + FLOOR, term?.floor ?? 0n);
  }
}
