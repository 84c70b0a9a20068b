/**
 * glibc puts a large block 16 bytes after the start of a page. A view that begins 48 bytes later begins a cache line, so
 * that a record of 64 bytes is one line and not two. Elsewhere this costs 48 bytes and nothing depends on it.
 */
const BEFORE_LINE = 48;

/** Zeroed words for records of 16 or 8, laid on cache lines. Other views of them come from `doublesOf` and `int64sOf`. */
export function lineWords(length: number): Int32Array<ArrayBuffer> {
  return new Int32Array(new ArrayBuffer(BEFORE_LINE + length * 4), BEFORE_LINE, length);
}

/** The same words in a larger buffer, the rest of it zero. */
export function widerWords(words: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const wider = lineWords(length);
  wider.set(words);
  return wider;
}

export function doublesOf(words: Int32Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  return new Float64Array(words.buffer, words.byteOffset, words.length >> 1);
}

export function int64sOf(words: Int32Array<ArrayBuffer>): BigInt64Array<ArrayBuffer> {
  return new BigInt64Array(words.buffer, words.byteOffset, words.length >> 1);
}

/** Amounts, also as words, the low one first: an int64 that is read becomes an object until the code is hot. */
export class Int64Column {
  readonly units: BigInt64Array;
  readonly words: Int32Array;

  constructor(units: BigInt64Array) {
    this.units = units;
    this.words = new Int32Array(units.buffer, units.byteOffset, units.length * 2);
  }
}

/** Copies an int64 from words to words, each by its index among int64. */
export function copyInt64(from: Int32Array, index: number, to: Int32Array, at: number): void {
  to[at * 2] = from[index * 2]!;
  to[at * 2 + 1] = from[index * 2 + 1]!;
}
