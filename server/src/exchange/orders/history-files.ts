/** Histories as CSV, line by line, at a pace that leaves the exchange its time. */
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { csvLine, csvTime } from '../../platform/csv.ts';
import type { Pages, Stride } from './histories.ts';

interface FileColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number;
}

/** Names and words are those of the calls, for programs; they are not translated. */
export const orderColumns: readonly FileColumn<Order>[] = [
  { name: 'placed_at', value: (order) => csvTime(order.created_at) },
  { name: 'ended_at', value: (order) => csvTime(order.updated_at) },
  { name: 'id', value: (order) => order.id },
  { name: 'client_order_id', value: (order) => order.client_order_id ?? '' },
  { name: 'pair', value: (order) => order.coin_pair.pair_name },
  { name: 'side', value: (order) => order.delegate_type },
  { name: 'type', value: (order) => (order.twap ? 'twap' : order.type) },
  { name: 'trigger', value: (order) => order.trigger?.kind ?? '' },
  { name: 'time_in_force', value: (order) => order.time_in_force },
  { name: 'price', value: (order) => order.final_price },
  { name: 'quantity', value: (order) => order.number_of_order },
  { name: 'filled', value: (order) => order.filled },
  { name: 'average_price', value: (order) => order.average_price },
  { name: 'total', value: (order) => order.total },
  { name: 'fee', value: (order) => order.fee },
  { name: 'fee_coin', value: (order) => order.fee_coin },
  { name: 'state', value: (order) => order.state },
  { name: 'reason', value: (order) => order.reason },
];

export const fillColumns: readonly FileColumn<Fill>[] = [
  { name: 'time', value: (fill) => csvTime(fill.created_at) },
  { name: 'id', value: (fill) => fill.id },
  { name: 'order_id', value: (fill) => fill.order_id },
  { name: 'pair', value: (fill) => fill.coin_pair.pair_name },
  { name: 'side', value: (fill) => fill.delegate_type },
  { name: 'role', value: (fill) => fill.role },
  { name: 'price', value: (fill) => fill.price },
  { name: 'quantity', value: (fill) => fill.quantity },
  { name: 'total', value: (fill) => fill.total },
  { name: 'fee', value: (fill) => fill.fee },
  { name: 'fee_coin', value: (fill) => fill.fee_coin },
  { name: 'type', value: (fill) => fill.type ?? 'order' },
];

/** Small, so that no order waits long behind a statement of a file. */
export const FILE_STRIDE: Stride = { first: 40, most: 40 };
/** A file takes a third of the time at most; the rest is the exchange's. */
const REST_FACTOR = 2;

const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function* csvText<Row>(
  columns: readonly FileColumn<Row>[],
  pages: Pages<Row>,
): AsyncGenerator<string, void, void> {
  yield csvLine(columns.map(({ name }) => name));
  let begun = performance.now();
  for await (const page of pages) {
    const text = page.map((row) => csvLine(columns.map(({ value }) => value(row)))).join('');
    const worked = performance.now() - begun;
    if (text !== '') yield text;
    await rest(worked * REST_FACTOR);
    begun = performance.now();
  }
}

/**
 * A text of a client, for as long as its reader is admitted: a session that ends takes its file with it, broken off.
 * @param ended called before the last byte is sent, so that a client who asks for the next file at once is not refused
 */
export async function* guardedText(
  text: AsyncIterable<string>,
  isAdmitted: () => Promise<boolean>,
  ended: () => void,
): AsyncGenerator<string, void, void> {
  try {
    for await (const part of text) {
      if (!(await isAdmitted())) throw new Error('The reader of a file is no longer admitted');
      yield part;
    }
  } finally {
    ended();
  }
}

/** How many files are being written: one for each client, and a few for all together. */
export class FileSlots {
  readonly #maximum: number;
  readonly #taken = new Set<number>();

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** @returns how to give the slot back, or undefined where there is none for this client */
  take(clientId: number): (() => void) | undefined {
    if (this.#taken.has(clientId) || this.#taken.size >= this.#maximum) return undefined;
    this.#taken.add(clientId);
    let isTaken = true;
    return () => {
      // A second end must not take the slot of the client's next file.
      if (isTaken) this.#taken.delete(clientId);
      isTaken = false;
    };
  }
}
