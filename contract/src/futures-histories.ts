/** What has become of positions in perpetual futures: their changes, their funding and their liquidations. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { decimalOut, page, pairName, positionSide, timeMs } from './fields.ts';
import { marginMode, pair } from './futures.ts';
import { isInOrder, notInOrder, when } from './histories.ts';

const tag = 'Futures';

const historyFilter = { symbol: pairName.optional(), ...when };

/**
 * Why a position changed: `liquidation` is an order that the exchange made for its owner; `cover` takes what it has won where
 * another loss is to be paid; `compensation` is what the insurance pays beside a liquidation; `settlement` is the end of a market.
 */
export const positionCause = z.enum([
  ...([
    'trade',
    'liquidation',
    'deleveraging',
    'funding',
    'leverage',
    'margin',
    'cover',
    'compensation',
    'settlement',
  ] as const),
]);

export const positionChange = z.object({
  id: z.string(),
  coin_pair: pair,
  cause: positionCause,
  /** Of a change by a trade. */
  trade_id: z.string().nullable(),
  /** What is open afterwards; null where nothing is. */
  side: positionSide.nullable(),
  /** In hedge mode only: of which of the two positions it is. */
  position_side: positionSide.optional(),
  quantity: decimalOut,
  /** What came or went: below zero is sold. */
  quantity_change: decimalOut,
  /** The average price of what is open; null where nothing is. */
  opening_price: decimalOut.nullable(),
  margin: decimalOut,
  leverage: z.number().int(),
  margin_mode: marginMode,
  /** What was closed has brought, before its fee. */
  realised: decimalOut,
  fee: decimalOut,
  /** Paid with this change; below zero was received. */
  funding: decimalOut,
  created_at: timeMs,
});

export type PositionChangeRow = z.infer<typeof positionChange>;

/** From the change that opened it to the one that left nothing, or turned it round. */
export const closedPosition = z.object({
  /** Of the change that closed it. */
  id: z.string(),
  coin_pair: pair,
  side: positionSide,
  /** In hedge mode only; the same as `side`. */
  position_side: positionSide.optional(),
  /** Why the last of it was closed. */
  cause: positionCause,
  /** When it was closed. */
  leverage: z.number().int(),
  margin_mode: marginMode,
  /** All that was opened, in one trade or in many, and closed. */
  quantity: decimalOut,
  /** Averages of all trades that opened it, and of all that closed it. */
  entry_price: decimalOut,
  exit_price: decimalOut,
  /** Before fees and funding. */
  realised: decimalOut,
  /** Of opening and closing. */
  fee: decimalOut,
  /** Paid while it was open; below zero was received. */
  funding: decimalOut,
  /** `realised` − `fee` − `funding`. */
  net: decimalOut,
  opened_at: timeMs,
  /** When it was closed. */
  created_at: timeMs,
});

export type ClosedPosition = z.infer<typeof closedPosition>;

export const fundingPayment = z.object({
  /** Of the settlement: in hedge mode both positions have a row of it, and a page may have one row more to hold both. */
  id: z.string(),
  coin_pair: pair,
  side: positionSide,
  /** In hedge mode only; the same as `side`. */
  position_side: positionSide.optional(),
  /** Open at the settlement. */
  quantity: decimalOut,
  rate: decimalOut,
  mark_price: decimalOut,
  /** Quantity × mark price × rate: below zero was received. It leaves the wallet with the next change of the position. */
  amount: decimalOut,
  created_at: timeMs,
});

export type FundingPayment = z.infer<typeof fundingPayment>;

export const liquidation = z.object({
  id: z.string(),
  /** `deleveraged`: closed against a position that was liquidated and that no order took. */
  kind: z.enum(['liquidated', 'deleveraged']),
  coin_pair: pair,
  /** Of the position. */
  side: positionSide,
  /** In hedge mode only; the same as `side`. */
  position_side: positionSide.optional(),
  quantity: decimalOut,
  /** The mark price of a liquidation, the closing price of a deleveraging. */
  price: decimalOut,
  value: decimalOut,
  /** What the account had, and what its positions had to have; null of a deleveraging. */
  equity: decimalOut.nullable(),
  maintenance_margin: decimalOut.nullable(),
  created_at: timeMs,
});

export type Liquidation = z.infer<typeof liquidation>;

const listOf = page.extend(historyFilter).strict().refine(isInOrder, notInOrder);
const fileOf = z.strictObject(historyFilter).refine(isInOrder, notInOrder);

export const positionHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/history/positions',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Each change of the client’s positions, newest first',
  query: listOf,
  answer: z.object({ changes: z.array(positionChange) }),
});

export const closedPositions = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/history/closed',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'The client’s positions that were closed, newest first; times are those of closing',
  query: listOf,
  answer: z.object({ closed: z.array(closedPosition) }),
});

export const fundingHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/history/funding',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Funding of the client’s positions, newest first',
  query: listOf,
  answer: z.object({ funding: z.array(fundingPayment) }),
});

export const liquidationHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/futures/history/liquidations',
  access: 'holder',
  keys: 'read',
  tag,
  summary: 'Liquidations and deleveragings of the client’s positions, newest first',
  query: listOf,
  answer: z.object({ liquidations: z.array(liquidation) }),
});

/** As the files of other histories. */
function fileCall(name: string, what: string) {
  return defineCall({
    methods: ['GET'],
    path: `/api/v3/futures/history/${name}.csv`,
    access: 'holder',
    keys: 'read',
    tag,
    summary: `${what} as a CSV file, newest first, with the filters of the list`,
    query: fileOf,
    answer: z.string(),
  });
}

export const positionHistoryFile = fileCall('positions', 'Each change of the client’s positions');
export const closedPositionsFile = fileCall('closed', 'Positions that were closed');
export const fundingHistoryFile = fileCall('funding', 'Funding of the client’s positions');
export const liquidationHistoryFile = fileCall('liquidations', 'Liquidations and deleveragings');
