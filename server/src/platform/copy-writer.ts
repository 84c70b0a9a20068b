/**
 * Writes rows in the form that `COPY … FROM STDIN (FORMAT binary)` reads: a header of 19 bytes, for each row a 16-bit
 * field count and for each field a 32-bit length and its bytes, big endian, and −1 as a count at the end. Source:
 * PostgreSQL manual, COPY, "Binary Format". Numbers are written from words, so that no int64 becomes an object.
 */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const FIRST_CAPACITY = 1 << 14;
/** The longest field is a text of some words. */
const LONGEST_FIELD = 256;
const TWO_32 = 2 ** 32;

export class CopyWriter {
  readonly #columns: number;
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #end = HEADER.length;
  rows = 0;

  /** @param columns how many fields each row has */
  constructor(columns: number) {
    this.#columns = columns;
    this.#bytes.set(HEADER);
  }

  /** Begins again, in the same memory: what `finish` answered is written over. */
  reset(): void {
    this.#end = HEADER.length;
    this.rows = 0;
  }

  /** Begins a row; its fields follow in the order of the columns. */
  row(): void {
    if (this.#end + this.#columns * 16 + LONGEST_FIELD > this.#bytes.length) this.#grow();
    this.#view.setInt16(this.#end, this.#columns);
    this.#end += 2;
    this.rows += 1;
  }

  int2(value: number): void {
    this.#view.setInt32(this.#end, 2);
    this.#view.setInt16(this.#end + 4, value);
    this.#end += 6;
  }

  /** A safe integer as int8. */
  int8(value: number): void {
    const view = this.#view;
    const at = this.#end;
    view.setInt32(at, 8);
    view.setInt32(at + 4, Math.floor(value / TWO_32));
    view.setInt32(at + 8, value | 0);
    this.#end = at + 12;
  }

  /** An int64 from its halves. */
  words(low: number, high: number): void {
    const view = this.#view;
    const at = this.#end;
    view.setInt32(at, 8);
    view.setInt32(at + 4, high);
    view.setInt32(at + 8, low);
    this.#end = at + 12;
  }

  /** A short text, as its bytes in UTF-8. */
  text(bytes: Uint8Array): void {
    this.#view.setInt32(this.#end, bytes.length);
    this.#bytes.set(bytes, this.#end + 4);
    this.#end += 4 + bytes.length;
  }

  /** All rows with their end; good until `reset`. */
  finish(): Uint8Array {
    this.#view.setInt16(this.#end, -1);
    return this.#bytes.subarray(0, this.#end + 2);
  }

  #grow(): void {
    const wider = new Uint8Array(this.#bytes.length * 2);
    wider.set(this.#bytes);
    this.#bytes = wider;
    this.#view = new DataView(wider.buffer);
  }
}
