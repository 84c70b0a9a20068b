import { StateHasher } from '../collections/state-hash.ts';
import type { EventBatch } from '../events/event-batch.ts';
import { type Outcome, outcomeCode } from '../terms/outcome.ts';
import type { Counters } from './exchange.ts';

/**
 * What a batch of commands led to, in 16 hexadecimal digits: every outcome, how many events there were, the ids that
 * were given, and every balance that changed. Replay makes the same one, or stops.
 */
export function digestOf(outcomes: readonly Outcome[], events: EventBatch, counters: Counters): string {
  const hasher = new StateHasher();
  for (const outcome of outcomes) hasher.number(outcomeCode(outcome));
  hasher.number(events.end);
  // A position that has changed counts as the object that it was in the first journals.
  hasher.number(events.objects.length + events.positions.count);
  const { lastOrderId, lastTradeId, lastPriority, lastTransferId } = counters;
  for (const counter of [lastOrderId, lastTradeId, lastPriority, lastTransferId]) hasher.number(counter);
  const words = new Int32Array(events.balances.buffer, 0, events.balanceCount * 2);
  for (let index = 0; index < events.balanceCount; index += 1) {
    hasher.number(events.balanceKeys[index]!);
    hasher.words(words[index * 2]!, words[index * 2 + 1]!);
  }
  return hasher.digest();
}
