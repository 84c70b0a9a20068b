/** What a client's orders have come to: lists with filters, and the same as files of any length. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { delegateType, LAST_TIME_MS, page, pairName, rowId } from './fields.ts';
import { msg } from './locales.ts';
import { fill, marketKinds, order, orderState } from './trading.ts';

const tag = 'Histories';
const timeProblem = msg('A time is a whole number of milliseconds since 1970');

/** As it comes in a query. */
const time = z
  .string()
  .trim()
  .regex(/^\d{1,16}$/, timeProblem)
  .transform(Number)
  .refine((ms) => ms <= LAST_TIME_MS, timeProblem);

export const when = {
  from: time.optional().describe('Ms since 1970, included; of an order, when it was placed'),
  to: time.optional().describe('The last millisecond that is wanted'),
};

export const isInOrder = ({ from, to }: { from?: number | undefined; to?: number | undefined }) =>
  from === undefined || to === undefined || from <= to;
export const notInOrder = { path: ['from'], message: 'The first date may not be after the last' };

const orderFilter = {
  /** Every market that has had this name, delisted ones too. */
  symbol: pairName.optional(),
  /** Where no `symbol` says it. */
  market: marketKinds.default('spot'),
  side: delegateType.optional(),
  /**
   * `conditional` is every order with a trigger, whatever it placed; `limit` and `market` are those that are neither that
   * nor a TWAP nor a conversion.
   */
  type: z.enum(['limit', 'market', 'conditional', 'twap', 'convert']).optional(),
  state: orderState.extract(['APPROVED', 'DISSAPROVED']).optional(),
  ...when,
};

const fillFilter = {
  symbol: pairName.optional(),
  /** Where neither `symbol` nor `order_id` says it. */
  market: marketKinds.optional().describe('Where neither symbol nor order_id is given; left out it is spot'),
  side: delegateType.optional(),
  role: z.enum(['maker', 'taker']).optional(),
  /** Fills of this order only. */
  order_id: rowId.optional(),
  ...when,
};

export const orderHistories = defineCall({
  methods: ['GET'],
  path: '/api/v3/trades/order-histories',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Orders that have ended, newest first',
  query: page.extend(orderFilter).strict().refine(isInOrder, notInOrder),
  answer: z.object({ orders: z.array(order) }),
});

export const tradeHistories = defineCall({
  methods: ['GET'],
  path: '/api/v3/trades/trade-histories',
  access: 'holder',
  keys: 'read',
  tag,
  summary: "The client's own fills, newest first",
  query: page.extend(fillFilter).strict().refine(isInOrder, notInOrder),
  answer: z.object({ trades: z.array(fill) }),
});

/** One file at a time for each client; a text that a spreadsheet would take for a formula begins with an apostrophe. */
export const orderHistoryFile = defineCall({
  methods: ['GET'],
  path: '/api/v3/trades/order-histories.csv',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Orders that have ended as a CSV file of any length, newest first, with the filters of the list',
  query: z.strictObject(orderFilter).refine(isInOrder, notInOrder),
  answer: z.string(),
});

export const tradeHistoryFile = defineCall({
  methods: ['GET'],
  path: '/api/v3/trades/trade-histories.csv',
  access: 'holder',
  keys: 'read',
  tag,
  summary: "The client's own fills as a CSV file of any length, newest first, with the filters of the list",
  query: z.strictObject(fillFilter).refine(isInOrder, notInOrder),
  answer: z.string(),
});
