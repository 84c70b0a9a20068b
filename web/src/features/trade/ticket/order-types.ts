import type { AnswerOf } from '@cambist/contract/call.ts';
import type { getOrder, placeOrder } from '@cambist/contract/trading.ts';
import type { z } from 'zod';

export type Minimums = AnswerOf<typeof getOrder>['price'];
export type BodyOfOrder = z.input<NonNullable<(typeof placeOrder)['body']>>;
