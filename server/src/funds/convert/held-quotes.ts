/** Quotes that are held for the client who asked. In memory: they live for seconds, and one that is lost is asked anew. */
import { createExpiring } from '../../platform/expiring.ts';
import { newToken } from '../../platform/random-token.ts';

/** A client's newest quotes; more than one tab can be open, and a form asks again while an amount is typed. */
const PER_CLIENT = 8;
const LIMIT = 200_000;

interface Held<Quote> {
  readonly id: string;
  /** Counts quotes of all clients. */
  readonly number: number;
  readonly quote: Quote;
}

export function createHeldQuotes<Quote>(clock: { now(): number }, lifetimeMs: number) {
  const held = createExpiring<Held<Quote>>(clock, { lifetimeMs, limit: LIMIT });
  let count = 0;
  const slots = Array.from({ length: PER_CLIENT }, (_, slot) => slot);
  const numberIn = (clientId: number, slot: number) => held.peek(`${clientId}:${slot}`)?.number ?? 0;

  return {
    /** @returns what the client names it by */
    hold(clientId: number, quote: Quote): string {
      const id = newToken();
      const numbers = slots.map((slot) => numberIn(clientId, slot));
      count += 1;
      // One that is free, else that of the oldest.
      held.put(`${clientId}:${numbers.indexOf(Math.min(...numbers))}`, { id, quote, number: count });
      return id;
    },
    find(clientId: number, id: string): Quote | undefined {
      for (const slot of slots) {
        const entry = held.peek(`${clientId}:${slot}`);
        if (entry?.id === id) return entry.quote;
      }
      return undefined;
    },
  };
}
