/** How far closing or reversing a position has come, where the book or the account did not allow all of it. */
import type { ClosedInParts } from '@cambist/contract/futures.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { add, compare, decimal } from '../decimal.ts';
import { formatExact } from '../format.ts';

export interface Partly {
  readonly message: 'partly';
  /** As text, the second with the coin. */
  readonly filled: string;
  readonly amount: string;
}

interface Answer {
  readonly order?: Order | undefined;
  readonly in_parts?: ClosedInParts | undefined;
}

/** Undefined where all was traded or the rest is in the book. */
export function partlyClosed({ order, in_parts }: Answer): Partly | undefined {
  if (order === undefined) return undefined;
  const one = { quantity: order.number_of_order, filled: order.filled, open: order.remaining };
  const { quantity, filled, open } = in_parts ?? (order.state === 'DISSAPROVED' ? { ...one, open: '0' } : one);
  if (compare(add(decimal(filled), decimal(open)), decimal(quantity)) >= 0) return undefined;
  const coin = order.coin_pair.pair_name.split('-')[0] ?? '';
  return {
    message: 'partly',
    filled: formatExact(decimal(filled)),
    amount: `${formatExact(decimal(quantity))} ${coin}`,
  };
}
