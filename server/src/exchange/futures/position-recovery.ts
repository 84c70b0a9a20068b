/** Positions, back from their table: there may be hundreds of thousands, so they go from the bytes of a copy into columns. */
import type { Exchange } from '@cambist/core/exchange/exchange.ts';
import { extendSign, flagsOf, holdingColumns, writeFundingIndex } from '@cambist/core/margin/holding-columns.ts';
import { type PositionTerm, withDiscount } from '@cambist/core/margin/term.ts';
import { type CopyRow, readCopy } from '../../platform/copy-reader.ts';
import type { Database } from '../../platform/database.ts';
import { TERM } from './term-columns.ts';

type Recovered = Pick<Exchange, 'restoreHoldings'>;

/** What a funding index is divided by, as it may be wider than 64 bits. */
const PART = 10n ** 18n;
const IS_WIDE = 'funding_index NOT BETWEEN -9223372036854775808 AND 9223372036854775807';
/** Small numbers as one: fewer fields are read the quicker. */
const [LEG, DIRECTION, ISOLATED, HEDGED, LEVERAGE, MARKET] = [0, 2, 4, 5, 6, 16];
const [TWO_BITS, LEVERAGE_BITS] = [3, 1023];
const PACKED = `((leg + 1) << ${LEG}) + ((direction + 1) << ${DIRECTION}) + (is_isolated::int << ${ISOLATED})
                + (is_hedged::int << ${HEDGED}) + (leverage::int << ${LEVERAGE}) + (market::int8 << ${MARKET})`;
/** All of them int8, for a binary copy: a hundred thousand rows are read as numbers and not as texts. */
const READ = ['owner', PACKED, 'lots', 'cost', 'margin', `CASE WHEN ${IS_WIDE} THEN 0 ELSE funding_index END`];
const READ_RARE = ['owner', PACKED, `div(funding_index, ${PART})`, `mod(funding_index, ${PART})`, ...TERM];
const copyOf = (columns: readonly string[], where = 'true') =>
  `SELECT ${columns.map((column) => `(${column})::int8`).join(', ')} FROM positions WHERE ${where}
   ORDER BY owner, market, leg`;

/** What few positions have: a term, or an index of funding that is wider than 64 bits. */
interface Rare {
  readonly owner: number;
  readonly packed: number;
  readonly fundingIndex: bigint;
  readonly term: PositionTerm | undefined;
}

async function readRare(database: Database): Promise<readonly Rare[]> {
  const rare: Rare[] = [];
  await readCopy(database.copyOut(copyOf(READ_RARE, `term_ends_at <> 0 OR ${IS_WIDE}`)), READ_RARE.length, (row) => {
    const [startedAt, endsAt] = [row.number(4), row.number(5)];
    const term = { startedAt, endsAt, target: row.amount(6), floor: row.amount(7) };
    rare.push({
      owner: row.number(0),
      packed: row.number(1),
      fundingIndex: row.amount(2) * PART + row.amount(3),
      term: endsAt === 0 ? undefined : withDiscount(term, row.amount(8)),
    });
  });
  return rare;
}

/** Positions that are handed over at once. */
const AT_ONCE = 4_096;

/** Takes rows in the order of those that have something rare. */
class PositionReader {
  readonly #exchange: Recovered;
  readonly #rare: readonly Rare[];
  #nextRare = 0;
  readonly #columns = holdingColumns(AT_ONCE);

  constructor(exchange: Recovered, rare: readonly Rare[]) {
    this.#exchange = exchange;
    this.#rare = rare;
  }

  add(row: CopyRow): void {
    const columns = this.#columns;
    if (columns.size === AT_ONCE) this.flush();
    const at = columns.size;
    columns.size += 1;
    const [owner, packed] = [row.number(0), row.number(1)];
    const rare = this.#takeRare(owner, packed);
    // Below 2^16 all but the market, which has fifteen bits.
    const [leg, direction] = [((packed >> LEG) & TWO_BITS) - 1, ((packed >> DIRECTION) & TWO_BITS) - 1];
    const [isIsolated, isHedged] = [((packed >> ISOLATED) & 1) === 1, ((packed >> HEDGED) & 1) === 1];
    columns.owner[at] = owner;
    columns.market[at] = packed >> MARKET;
    columns.leverage[at] = (packed >> LEVERAGE) & LEVERAGE_BITS;
    columns.flags[at] = flagsOf(leg, direction, isIsolated, isHedged, rare?.term !== undefined);
    columns.lots[at] = row.number(2);
    row.words(3, columns.cost.words, at);
    row.words(4, columns.margin.words, at);
    row.words(5, columns.fundingLow.words, at);
    extendSign(columns, at);
    if (rare === undefined) return;
    writeFundingIndex(columns, at, rare.fundingIndex);
    if (rare.term !== undefined) columns.terms.set(at, rare.term);
  }

  flush(): void {
    this.#exchange.restoreHoldings(this.#columns);
    this.#columns.size = 0;
    this.#columns.terms.clear();
  }

  #takeRare(owner: number, packed: number): Rare | undefined {
    const next = this.#rare[this.#nextRare];
    if (next === undefined || next.owner !== owner || next.packed !== packed) return undefined;
    this.#nextRare += 1;
    return next;
  }
}

export async function restorePositions(database: Database, exchange: Recovered): Promise<void> {
  const reader = new PositionReader(exchange, await readRare(database));
  await readCopy(database.copyOut(copyOf(READ)), READ.length, (row) => reader.add(row));
  reader.flush();
}
