/** What owners have in perpetual markets as a run leaves it: a row of a binary COPY for each leg. */
import { copyInt64, doublesOf, lineWords, widerWords } from '@cambist/core/collections/records.ts';
import type { PositionRecords } from '@cambist/core/events/position-records.ts';
import type { PositionTerm } from '@cambist/core/margin/term.ts';
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
import { decoded } from './codes.ts';
import { TERM } from './term-columns.ts';

/**
 * Columns, with their bytes. Lots are below zero of a short position. An index of funding is wider than a bigint: its upper half is a
 * column of its own.
 */
const CHANGED = {
  ...({ owner: 8, lots: 8, cost: 8, margin: 8, funding_low: 8, funding_high: 8, since: 8 } as const),
  ...({ term_started_at: 8, term_ends_at: 8, term_target: 8, term_floor: 8, term_discount: 8 } as const),
  ...({ codes: 4, market: 2, is_older: 2 } as const),
} as const;

// Constants of this module are folded into the compiled code; properties are loaded at every use.
const TO = placesOf(CHANGED);
const [OWNER, LOTS, COST, MARGIN, SINCE] = [TO.owner, TO.lots, TO.cost, TO.margin, TO.since];
const [FUNDING_LOW, FUNDING_HIGH] = [TO.funding_low, TO.funding_high];
const [STARTED, ENDS] = [TO.term_started_at, TO.term_ends_at];
const [TARGET, FLOOR, DISCOUNT] = [TO.term_target, TO.term_floor, TO.term_discount];
const [CODES, MARKET, IS_OLDER] = [TO.codes, TO.market, TO.is_older];
const WORD_BITS = 64n;

const MAKE_CHANGED = temporaryTable('positions_after', CHANGED);
const COPY_CHANGED = copyInto('positions_after', CHANGED);
const SAME = ['cost', 'margin', 'leverage', 'is_isolated', 'is_hedged', ...TERM];
const MADE = ['direction', 'lots', 'funding_index', 'since'];
/** A position that had this direction before the run was opened then, unless the run says otherwise. */
const UPSERT = `
  INSERT INTO positions (owner, market, leg, ${[...SAME, ...MADE].join(', ')})
  SELECT n.owner, n.market, n.leg, ${SAME.map((name) => `n.${name}`).join(', ')}, sign(n.lots), abs(n.lots),
         n.funding_high * 18446744073709551616::numeric + n.funding_low,
         CASE WHEN n.is_older = 1 AND p.direction = sign(n.lots) THEN p.since ELSE n.since END
  FROM ${decoded('positions_after')} AS n
  LEFT JOIN positions AS p ON p.owner = n.owner AND p.market = n.market AND p.leg = n.leg
  ON CONFLICT (owner, market, leg) DO UPDATE
  SET ${[...SAME, ...MADE].map((name) => `${name} = excluded.${name}`).join(', ')}`;

/**
 * The last state of a leg is a record of 64 bytes, one cache line, as a leg is traded some times in a run: three doubles, two
 * int64, then words.
 */
const RECORD_WORDS = 16;
const KEPT_OWNER = 0;
const KEPT_SINCE = 1;
const KEPT_LOTS = 2;
const KEPT_COST = 3;
const KEPT_MARGIN = 4;
const KEPT_MARKET = 10;
const KEPT_CODES = 11;
const KEPT_IS_OLDER = 12;
const KEPT_FUNDING = 13;
const KEPT_TERM = 14;
const FIRST_RECORDS = 256;

export class PositionRows {
  readonly #rows = new CopyRows(CHANGED);
  #words = lineWords(FIRST_RECORDS * RECORD_WORDS);
  #doubles = doublesOf(this.#words);
  /** The first free word. */
  #end = 0;
  /** Where the record of a holding begins, plus one, by its place; 0 for none. */
  #kept = new Int32Array(FIRST_RECORDS);
  /** Places of the holdings that have one. */
  #places = new Int32Array(FIRST_RECORDS);
  /** What records name, from 1 on; 0 is none. */
  #fundingIndexes: bigint[] = [];
  #terms: PositionTerm[] = [];

  get size(): number {
    return this.#end / RECORD_WORDS;
  }

  put(records: PositionRecords, at: number): void {
    const place = records.place(at);
    if (place >= this.#kept.length) this.#kept = widened(this.#kept, place + 1);
    const known = this.#kept[place]! - 1;
    const kept = known < 0 ? this.#begin(place) : known;
    const words = this.#words;
    const doubles = this.#doubles;
    const half = kept >> 1;
    const lots = records.lots(at);
    if (known < 0 || !isOneWay(doubles[half | KEPT_LOTS]!, lots)) {
      doubles[half | KEPT_SINCE] = records.time(at);
      words[kept | KEPT_IS_OLDER] = known < 0 ? 1 : 0;
    }
    doubles[half | KEPT_OWNER] = records.owner(at);
    doubles[half | KEPT_LOTS] = lots;
    copyInt64(records.words, records.costWord(at) >> 1, words, half | KEPT_COST);
    copyInt64(records.words, records.marginWord(at) >> 1, words, half | KEPT_MARGIN);
    words[kept | KEPT_MARKET] = records.market(at);
    words[kept | KEPT_CODES] = records.codes(at);
    words[kept | KEPT_FUNDING] = this.#listed(records.fundingIndex(at));
    const term = records.term(at);
    words[kept | KEPT_TERM] = term === undefined ? 0 : this.#terms.push(term);
  }

  /** Good until the next `put`. */
  statements(): Statement[] {
    this.#rows.reset();
    for (let kept = 0; kept < this.#end; kept += RECORD_WORDS) this.#write(kept);
    return [{ sql: MAKE_CHANGED }, { sql: COPY_CHANGED, copy: this.#rows.finish() }, { sql: UPSERT }];
  }

  clear(): void {
    for (let index = 0; index < this.size; index += 1) this.#kept[this.#places[index]!] = 0;
    this.#end = 0;
    this.#fundingIndexes = [];
    this.#terms = [];
  }

  #begin(place: number): number {
    const kept = this.#end;
    if (kept === this.#words.length) {
      this.#words = widerWords(this.#words, kept * 2);
      this.#doubles = doublesOf(this.#words);
    }
    if (this.size === this.#places.length) this.#places = widened(this.#places, this.size + 1);
    this.#places[this.size] = place;
    this.#kept[place] = kept + 1;
    this.#end = kept + RECORD_WORDS;
    return kept;
  }

  /** Most changes of a run are of one index. */
  #listed(fundingIndex: bigint): number {
    if (fundingIndex === 0n) return 0;
    const { length } = this.#fundingIndexes;
    if (length > 0 && this.#fundingIndexes[length - 1] === fundingIndex) return length;
    return this.#fundingIndexes.push(fundingIndex);
  }

  #write(kept: number): void {
    const row = this.#rows.add();
    const { view } = this.#rows;
    const words = this.#words;
    const doubles = this.#doubles;
    const half = kept >> 1;
    writeNumber(view, row + OWNER, doubles[half | KEPT_OWNER]!);
    writeNumber(view, row + SINCE, doubles[half | KEPT_SINCE]!);
    writeSigned(view, row + LOTS, doubles[half | KEPT_LOTS]!);
    writeInt64(view, row + COST, words, 2 * (half | KEPT_COST));
    writeInt64(view, row + MARGIN, words, 2 * (half | KEPT_MARGIN));
    view.setInt32(row + CODES, words[kept | KEPT_CODES]!);
    view.setInt16(row + MARKET, words[kept | KEPT_MARKET]!);
    view.setInt16(row + IS_OLDER, words[kept | KEPT_IS_OLDER]!);
    this.#writeFunding(row, this.#fundingIndexes[words[kept | KEPT_FUNDING]! - 1] ?? 0n);
    this.#writeTerm(row, this.#terms[words[kept | KEPT_TERM]! - 1]);
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
    view.setBigInt64(row + DISCOUNT, term?.discount ?? 0n);
  }
}

/** Whether both are long, both short, or both none. */
const isOneWay = (one: number, other: number): boolean => one * other > 0 || one === other;

/** At least so long, and at least twice as long as before. */
function widened(words: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(Math.max(length, words.length * 2));
  wider.set(words);
  return wider;
}
