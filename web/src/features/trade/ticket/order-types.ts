import type { AnswerOf } from '@cambist/contract/call.ts';
import type { getOrder, placeConditionalOrder, placeOrder } from '@cambist/contract/trading.ts';
import type { z } from 'zod';

export type Minimums = AnswerOf<typeof getOrder>['price'];
type PlainBody = z.input<NonNullable<(typeof placeOrder)['body']>>;
export type ConditionalBody = z.input<NonNullable<(typeof placeConditionalOrder)['body']>>;

/** The call that an entry becomes. */
export type OrderRequest =
  | { readonly conditional: false; readonly body: PlainBody }
  | { readonly conditional: true; readonly body: ConditionalBody };
