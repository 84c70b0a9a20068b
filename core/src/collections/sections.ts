/**
 * A binary file of named sections, each a row of columns: typed arrays and texts, laid on eight bytes so that a reader
 * takes them as views without a copy. The first unit says how long the file is and what its bytes add up to; a file
 * that was cut short or changed is refused before anything is read from it.
 */
import { StateHasher } from './state-hash.ts';

/** The file is not one that this version can read, or not as it was written. */
export class UnreadableSections extends Error {
  override readonly name = 'UnreadableSections';
}

export type Column = Float64Array | Int32Array | BigInt64Array | Uint8Array;

/** Read as the machine lays out its words: a file from one with the other byte order is refused. */
const MAGIC = 0x54534243;
const FORMAT = 1;
/** Words of the first unit: magic, format, two words of the bytes' hash, words in all, and sections. */
const HASH = 2;
const LENGTH = 4;
const SECTIONS = 5;
const HEADER_WORDS = 6;
/** Before each column: its kind and how many values. */
const COLUMN_WORDS = 2;

const KINDS = [Float64Array, Int32Array, BigInt64Array, Uint8Array] as const;

/** Words that a column takes, whole units of eight bytes. */
const wordsOf = (byteLength: number) => Math.ceil(byteLength / 8) * 2;

/** Gathers columns and lays them into one buffer when it is done. */
export class SectionWriter {
  readonly #columns: Column[] = [];
  #sections = 0;

  /** Begins a section. The version is that of its columns: a reader takes no other. */
  section(name: string, version: number): void {
    this.#sections += 1;
    this.text(name);
    this.column(Int32Array.of(version));
  }

  /** The array must stay as it is until `finish`. */
  column(values: Column): void {
    this.#columns.push(values);
  }

  text(value: string): void {
    this.column(new TextEncoder().encode(value));
  }

  finish(): Uint8Array<ArrayBuffer> {
    let length = HEADER_WORDS;
    for (const column of this.#columns) length += COLUMN_WORDS + wordsOf(column.byteLength);
    const words = new Int32Array(length);
    const bytes = new Uint8Array(words.buffer);
    let at = HEADER_WORDS;
    for (const column of this.#columns) {
      words[at] = KINDS.findIndex((kind) => column instanceof kind);
      words[at + 1] = column.length;
      at += COLUMN_WORDS;
      bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at * 4);
      at += wordsOf(column.byteLength);
    }
    words[0] = MAGIC;
    words[1] = FORMAT;
    words[LENGTH] = length;
    words[SECTIONS] = this.#sections;
    const [low, high] = hashOf(words);
    words[HASH] = low;
    words[HASH + 1] = high;
    return bytes;
  }
}

/** Reads sections in the order in which they were written. */
export class SectionReader {
  readonly #words: Int32Array;
  #at = HEADER_WORDS;

  /** @throws UnreadableSections unless the bytes are those that a writer finished */
  constructor(bytes: Uint8Array) {
    if (bytes.byteLength % 8 !== 0 || bytes.byteLength < HEADER_WORDS * 4) fail('it was cut short');
    const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
    if (words[0] !== MAGIC) fail('it is not a file of sections of this byte order');
    if (words[1] !== FORMAT) fail(`it is of format ${words[1]}`);
    if (words[LENGTH] !== words.length) fail(`it has ${words.length} words instead of ${words[LENGTH]}`);
    const [low, high] = hashOf(words);
    if (words[HASH] !== low || words[HASH + 1] !== high) fail('its bytes are not those that were written');
    this.#words = words;
  }

  /**
   * @param versions those that the caller can read
   * @returns which of them it is
   * @throws UnreadableSections when another section comes next, or one of another version
   */
  section(name: string, ...versions: readonly number[]): number {
    const found = this.text();
    const [version = 0] = this.column(Int32Array);
    if (found !== name || !versions.includes(version))
      fail(`section ${name} ${versions.join(' or ')} is ${found} ${version}`);
    return version;
  }

  /** Whether a section of this name comes next: for one that is written only where it holds something. */
  begins(name: string): boolean {
    const start = this.#at;
    if (start >= this.#words.length) return false;
    const found = this.text();
    this.#at = start;
    return found === name;
  }

  /** A view of the file. */
  column<Kind extends (typeof KINDS)[number]>(kind: Kind): InstanceType<Kind> {
    const words = this.#words;
    const [code, length] = [words[this.#at], words[this.#at + 1]];
    if (code !== KINDS.indexOf(kind) || length === undefined) fail(`a column of ${kind.name} is missing`);
    const start = this.#at + COLUMN_WORDS;
    const next = start + wordsOf(length! * kind.BYTES_PER_ELEMENT);
    if (next > words.length) fail('a column is longer than the file');
    this.#at = next;
    return new kind(words.buffer as ArrayBuffer, words.byteOffset + start * 4, length) as InstanceType<Kind>;
  }

  text(): string {
    return new TextDecoder().decode(this.column(Uint8Array));
  }
}

/** What the words after the hash add up to. */
function hashOf(words: Int32Array): readonly [number, number] {
  const hasher = new StateHasher();
  for (let at = LENGTH; at < words.length; at += 2) hasher.words(words[at]!, words[at + 1]!);
  return hasher.halves();
}

function fail(problem: string): never {
  throw new UnreadableSections(`The file can't be read: ${problem}`);
}
