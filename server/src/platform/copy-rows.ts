/**
 * Rows of one width in the form that `COPY … FROM STDIN (FORMAT binary)` reads: a header of 19 bytes, for each row a
 * 16-bit field count and for each field a 32-bit length and its bytes, big endian, and −1 as a count at the end. Source:
 * PostgreSQL manual, COPY, "Binary Format".
 *
 * Lengths are stamped once for each row that there is room for, and stay when the memory is used again. A row can be
 * written to until `finish`, so that what changes twice in a run is one row. Whoever writes knows the place of each value.
 */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const FIRST_ROWS = 64;
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const WORD_BYTES = 4;
const TO_HIGH_WORD = 2 ** -32;

/** Types by their bytes. */
const TYPES = { 2: 'smallint', 4: 'integer', 8: 'bigint' } as const;

/** Bytes of each column, in their order. */
export type ColumnWidths = Readonly<Record<string, keyof typeof TYPES>>;

/** Where in a row the value of each column begins, in bytes. */
export function placesOf<Widths extends ColumnWidths>(widths: Widths): { readonly [Name in keyof Widths]: number } {
  let end = COUNT_BYTES;
  const places = Object.entries(widths).map(([name, width]) => {
    end += LENGTH_BYTES + width;
    return [name, end - width];
  });
  return Object.fromEntries(places);
}

export const copyInto = (table: string, widths: ColumnWidths): string =>
  `COPY ${table} (${Object.keys(widths).join(', ')}) FROM STDIN (FORMAT binary)`;

/** A table to copy into: gone with the connection, and empty after each commit. */
export const temporaryTable = (table: string, widths: ColumnWidths): string =>
  `CREATE TEMPORARY TABLE IF NOT EXISTS ${table} (${Object.entries(widths)
    .map(([name, bytes]) => `${name} ${TYPES[bytes]}`)
    .join(', ')}) ON COMMIT DELETE ROWS`;

/** The upper half of a safe integer that is not below zero; its lower half is what `| 0` leaves. */
export const highWord = (value: number): number => (value * TO_HIGH_WORD) | 0;

/** Writes a safe integer that is not below zero, as a bigint. */
export function writeNumber(view: DataView, to: number, value: number): void {
  view.setInt32(to, highWord(value));
  view.setInt32(to + WORD_BYTES, value | 0);
}

/** Writes a safe integer, as a bigint. */
export function writeSigned(view: DataView, to: number, value: number): void {
  view.setInt32(to, Math.floor(value * TO_HIGH_WORD));
  view.setInt32(to + WORD_BYTES, value | 0);
}

/** Writes an int64 of records from its halves, the lower one at a word, so that it does not become an object. */
export function writeInt64(view: DataView, to: number, words: Int32Array, at: number): void {
  view.setInt32(to, words[at + 1]!);
  view.setInt32(to + WORD_BYTES, words[at]!);
}

export class CopyRows {
  readonly #widths: readonly number[];
  readonly #rowBytes: number;
  #bytes: Uint8Array<ArrayBuffer>;
  /** Over all rows. Another one after `add`, which may need more memory. */
  view: DataView;
  #end = HEADER.length;
  size = 0;

  constructor(widths: ColumnWidths) {
    this.#widths = Object.values(widths);
    this.#rowBytes = this.#widths.reduce((sum, width) => sum + LENGTH_BYTES + width, COUNT_BYTES);
    this.#bytes = new Uint8Array(HEADER.length + FIRST_ROWS * this.#rowBytes + COUNT_BYTES);
    this.#bytes.set(HEADER);
    this.view = new DataView(this.#bytes.buffer);
    this.#stamp(HEADER.length);
  }

  /** Begins a row, whose values are those of an earlier one until they are written, and returns where it begins. */
  add(): number {
    const at = this.#end;
    if (at + this.#rowBytes + COUNT_BYTES > this.#bytes.length) this.#grow();
    this.view.setInt16(at, this.#widths.length);
    this.#end = at + this.#rowBytes;
    this.size += 1;
    return at;
  }

  /** All rows with their end; good until the next `add`. */
  finish(): Uint8Array {
    this.view.setInt16(this.#end, -1);
    return this.#bytes.subarray(0, this.#end + COUNT_BYTES);
  }

  /** Begins again in the same memory: what `finish` answered is written over. */
  reset(): void {
    this.#end = HEADER.length;
    this.size = 0;
  }

  #grow(): void {
    const stamped = this.#end;
    const wider = new Uint8Array(this.#bytes.length * 2);
    wider.set(this.#bytes.subarray(0, stamped));
    this.#bytes = wider;
    this.view = new DataView(wider.buffer);
    this.#stamp(stamped);
  }

  /** Writes the lengths of every row that there is room for from a place on. */
  #stamp(from: number): void {
    for (let row = from; row + this.#rowBytes <= this.#bytes.length; row += this.#rowBytes) {
      let at = row + COUNT_BYTES;
      for (const width of this.#widths) {
        this.view.setInt32(at, width);
        at += LENGTH_BYTES + width;
      }
    }
  }
}
