import { UNIT_WORDS } from './event-record.ts';

const FIRST_CAPACITY = 1 << 15;
/** The longest record; room for one is made before any is written. */
const LONGEST_RECORD = 2 * UNIT_WORDS;

// Constants of this module are folded into the compiled code; imported ones are loaded at every use.
const UNIT = UNIT_WORDS;

/** One reused buffer of records, seen as words, doubles and int64. */
export class EventBuffer {
  words = new Int32Array(FIRST_CAPACITY);
  doubles = new Float64Array(this.words.buffer);
  units = new BigInt64Array(this.words.buffer);
  /** The first free word. */
  end = 0;

  /** Starts a record of one unit and returns its place. */
  start(kind: number): number {
    const at = this.end;
    if (at + LONGEST_RECORD > this.words.length) this.#grow();
    this.end = at + UNIT;
    this.words[at] = kind | 0;
    return at;
  }

  /** Adds a unit to the record that `start` has just begun and returns the unit's place. */
  extend(): number {
    const at = this.end;
    this.end = at + UNIT;
    return at;
  }

  #grow(): void {
    const wider = new Int32Array(this.words.length * 2);
    wider.set(this.words);
    this.words = wider;
    this.doubles = new Float64Array(wider.buffer);
    this.units = new BigInt64Array(wider.buffer);
  }
}
