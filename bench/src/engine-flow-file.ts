/**
 * Flows as files of 32-bit integers. A flow is made by running an exchange; the measured processes read it from a file,
 * so that the compiler has seen nothing there but the contender, as it would in a server.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Side } from '@cambist/core/terms/order-terms.ts';
import type { Flow, FlowStep } from './engine-flow.ts';

const KINDS: readonly FlowStep['kind'][] = ['limit', 'cancel', 'market', 'amend'];
const COLUMNS = 7;

export function writeFlow(path: string, { prefill, steps }: Flow): void {
  const words = new Int32Array(1 + (prefill.length + steps.length) * COLUMNS);
  words[0] = prefill.length;
  [...prefill, ...steps].forEach(({ kind, orderId, owner, side, price, quantity, remaining }, place) => {
    words.set([KINDS.indexOf(kind), orderId, owner, side, price, quantity, remaining], 1 + place * COLUMNS);
  });
  writeFileSync(path, words);
}

/** Makes objects of few steps at a time: all of them would be a heap that no server has, for its collector to go through. */
export class FlowFile {
  readonly #words: Int32Array;

  constructor(path: string) {
    const bytes = readFileSync(path);
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  /** Steps that fill the book, which come first. */
  get prefilling(): number {
    return this.#words[0]!;
  }

  /** All steps. */
  get length(): number {
    return (this.#words.length - 1) / COLUMNS;
  }

  steps(start: number, end: number): FlowStep[] {
    return Array.from({ length: Math.min(end, this.length) - start }, (_, index) => this.#step(start + index));
  }

  #step(place: number): FlowStep {
    const at = 1 + place * COLUMNS;
    const words = this.#words;
    return {
      ...{ kind: KINDS[words[at]!]!, orderId: words[at + 1]!, owner: words[at + 2]!, side: words[at + 3] as Side },
      ...{ price: words[at + 4]!, quantity: words[at + 5]!, remaining: words[at + 6]! },
    };
  }
}
