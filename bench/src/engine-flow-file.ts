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

export function readFlow(path: string): Flow {
  const bytes = readFileSync(path);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const steps: FlowStep[] = [];
  for (let at = 1; at < words.length; at += COLUMNS) {
    const [kind = 0, orderId = 0, owner = 0, side = 0, price = 0, quantity = 0, remaining = 0] = words.subarray(at);
    steps.push({ kind: KINDS[kind]!, orderId, owner, side: side as Side, price, quantity, remaining });
  }
  return { prefill: steps.slice(0, words[0]), steps: steps.slice(words[0]) };
}
