/** Index of the lowest set bit of a word that is not zero. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Index of the highest set bit of a word that is not zero. */
export function highestBit(word: number): number {
  return 31 - Math.clz32(word);
}

/** The bits above `bit` in a word (none above 31). */
export function bitsAbove(word: number, bit: number): number {
  return word & (-2 << bit);
}

/** The bits below `bit` in a word (none below 0). */
export function bitsBelow(word: number, bit: number): number {
  return word & ~(-1 << bit);
}

/**
 * A set of integers from 0 to its capacity that finds the next member above or below in a handful of steps: three
 * levels of words, each bit of an upper level saying that a word below it is not zero.
 */
export class BitIndex {
  #capacity = 0;
  #members = new Int32Array(0);
  #words = new Int32Array(0);
  #blocks = new Int32Array(0);

  get capacity(): number {
    return this.#capacity;
  }

  /** Makes room for the members 0 to capacity − 1 and keeps those that are there. */
  grow(capacity: number): void {
    this.#capacity = capacity;
    this.#members = widened(this.#members, Math.ceil(capacity / 32));
    this.#words = widened(this.#words, Math.ceil(capacity / 1024));
    this.#blocks = widened(this.#blocks, Math.ceil(capacity / 32768));
  }

  add(member: number): void {
    this.#members[member >> 5]! |= 1 << (member & 31);
    this.#words[member >> 10]! |= 1 << ((member >> 5) & 31);
    this.#blocks[member >> 15]! |= 1 << ((member >> 10) & 31);
  }

  remove(member: number): void {
    this.#members[member >> 5]! &= ~(1 << (member & 31));
    if (this.#members[member >> 5] !== 0) return;
    this.#words[member >> 10]! &= ~(1 << ((member >> 5) & 31));
    if (this.#words[member >> 10] !== 0) return;
    this.#blocks[member >> 15]! &= ~(1 << ((member >> 10) & 31));
  }

  /** The lowest member above `position`, or −1. */
  above(position: number): number {
    const inWord = bitsAbove(this.#members[position >> 5] ?? 0, position & 31);
    if (inWord !== 0) return (position & ~31) + lowestBit(inWord);
    const inBlock = bitsAbove(this.#words[position >> 10] ?? 0, (position >> 5) & 31);
    if (inBlock !== 0) return this.#lowestIn(((position >> 10) << 5) + lowestBit(inBlock));
    let block = position >> 15;
    let later = bitsAbove(this.#blocks[block] ?? 0, (position >> 10) & 31);
    while (later === 0) {
      block += 1;
      if (block >= this.#blocks.length) return -1;
      later = this.#blocks[block]!;
    }
    const word = (block << 5) + lowestBit(later);
    return this.#lowestIn((word << 5) + lowestBit(this.#words[word]!));
  }

  /** The highest member below `position`, or −1. */
  below(position: number): number {
    const inWord = bitsBelow(this.#members[position >> 5] ?? 0, position & 31);
    if (inWord !== 0) return (position & ~31) + highestBit(inWord);
    const inBlock = bitsBelow(this.#words[position >> 10] ?? 0, (position >> 5) & 31);
    if (inBlock !== 0) return this.#highestIn(((position >> 10) << 5) + highestBit(inBlock));
    let block = position >> 15;
    let earlier = bitsBelow(this.#blocks[block] ?? 0, (position >> 10) & 31);
    while (earlier === 0) {
      block -= 1;
      if (block < 0) return -1;
      earlier = this.#blocks[block] ?? 0;
    }
    const word = (block << 5) + highestBit(earlier);
    return this.#highestIn((word << 5) + highestBit(this.#words[word]!));
  }

  #lowestIn(word: number): number {
    return (word << 5) + lowestBit(this.#members[word]!);
  }

  #highestIn(word: number): number {
    return (word << 5) + highestBit(this.#members[word]!);
  }
}

function widened(words: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length);
  wider.set(words);
  return wider;
}
