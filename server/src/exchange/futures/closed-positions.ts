/**
 * Positions that were closed, each from the change that opened it to the one that left nothing, or turned it round. All figures
 * follow from the changes between: what was opened and closed, at which values, and what it brought and cost.
 */
import type { ClosedPosition } from '@cambist/contract/futures-histories.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots } from '@cambist/core/money/price.ts';
import { csvTime } from '../../platform/csv.ts';
import type { Database } from '../../platform/database.ts';
import type { FileColumn } from '../../platform/files.ts';
import { pairNames } from '../orders/describe.ts';
import type { ChangeCause } from './change-rows.ts';
import { entryPrice, legOf, modeOf, sideOf } from './describe.ts';
import { type HistoryFilter, parametersOf, WANTED } from './store.ts';

/** Lots as in the core, money in settlement units; `id` is that of the change that closed it. */
export type ClosedRow = {
  readonly id: number;
  readonly market: number;
  readonly leg: number;
  readonly direction: number;
  readonly cause: ChangeCause;
  readonly leverage: number;
  readonly is_isolated: boolean;
  readonly opened_at: number;
  readonly closed_at: number;
  /** All that were opened, and so all that were closed. */
  readonly lots: number;
  readonly entry_value: bigint;
  readonly exit_value: bigint;
  readonly realised: bigint;
  readonly fee: bigint;
  readonly funding: bigint;
};

/** Signed lots after a change and before it; both conditions are those of the indexes. */
const AFTER = '(direction * lots)';
const BEFORE = '(direction * lots - lots_change)';
const CLOSES = `${BEFORE} <> 0 AND ${AFTER} * ${BEFORE} <= 0`;
const OPENS = `lots <> 0 AND ${AFTER} * ${BEFORE} <= 0`;

/**
 * A change that turns a position round closes one and opens the next. Its fee is divided by lots: the part of what was closed is
 * rounded towards zero, the rest is of what was opened.
 */
const CLOSED = `
  SELECT c.id, c.market, c.leg, o.direction, c.cause, c.leverage, c.is_isolated, o.time AS opened_at,
         c.time AS closed_at, f.*
  FROM (SELECT * FROM position_changes WHERE ${CLOSES} AND ${WANTED}) AS c
  CROSS JOIN LATERAL (
    SELECT id, time, direction FROM position_changes
    WHERE ${OPENS} AND owner = c.owner AND market = c.market AND leg = c.leg AND id < c.id
    ORDER BY id DESC LIMIT 1) AS o
  CROSS JOIN LATERAL (
    SELECT sum(CASE WHEN p.id = o.id THEN p.lots WHEN p.id < c.id AND p.lots_change * o.direction > 0
                    THEN abs(p.lots_change) ELSE 0 END)::bigint AS lots,
           sum(CASE WHEN p.id = o.id THEN p.cost WHEN p.id < c.id AND p.lots_change * o.direction > 0
                    THEN p.cost - p.cost_before ELSE 0 END)::numeric AS entry_value,
           sum(CASE WHEN p.id = c.id THEN p.cost_before + o.direction * p.realised
                    WHEN p.id > o.id AND p.lots_change * o.direction < 0
                    THEN p.cost_before - p.cost + o.direction * p.realised ELSE 0 END)::numeric AS exit_value,
           sum(CASE WHEN p.id = o.id THEN 0 ELSE p.realised END)::numeric AS realised,
           sum(CASE WHEN p.id = o.id THEN p.fee - p.closing_fee WHEN p.id = c.id THEN p.closing_fee
                    ELSE p.fee END)::numeric AS fee,
           sum(CASE WHEN p.id = o.id THEN 0 ELSE p.funding END)::numeric AS funding
    FROM (
      SELECT id, lots, lots_change, cost, realised, fee, funding, lag(cost) OVER (ORDER BY id) AS cost_before,
             CASE WHEN ${AFTER} = 0 THEN fee WHEN ${AFTER} * ${BEFORE} >= 0 THEN 0
                  ELSE div(fee::numeric * abs(${BEFORE}), abs(lots_change)) END AS closing_fee
      FROM position_changes
      WHERE owner = c.owner AND market = c.market AND leg = c.leg AND id BETWEEN o.id AND c.id) AS p) AS f
  ORDER BY c.id DESC`;

export const readClosed =
  ({ patient }: Database) =>
  (filter: HistoryFilter) =>
    patient.query<ClosedRow>(CLOSED, parametersOf(filter));

export function describeClosed(market: MarketSpec, row: ClosedRow): ClosedPosition {
  const money = (units: bigint) => formatAmount(units, market.quote.scale);
  const { lots, realised, fee, funding } = row;
  return {
    id: String(row.id),
    coin_pair: pairNames(market),
    side: sideOf(row.direction),
    ...legOf(row.leg),
    cause: row.cause,
    leverage: row.leverage,
    margin_mode: modeOf(row.is_isolated),
    quantity: formatLots(lots, market),
    entry_price: entryPrice(market, lots, row.entry_value),
    exit_price: entryPrice(market, lots, row.exit_value),
    realised: money(realised),
    fee: money(fee),
    funding: money(funding),
    net: money(realised - fee - funding),
    opened_at: row.opened_at,
    created_at: row.closed_at,
  };
}

/** Names and words are those of the call, for programs; they are not translated. */
export const closedColumns: readonly FileColumn<ClosedPosition>[] = [
  { name: 'closed', value: (row) => csvTime(row.created_at) },
  { name: 'opened', value: (row) => csvTime(row.opened_at) },
  { name: 'id', value: (row) => row.id },
  { name: 'pair', value: (row) => row.coin_pair.pair_name },
  { name: 'side', value: (row) => row.side },
  { name: 'position_side', value: (row) => row.position_side ?? '' },
  { name: 'cause', value: (row) => row.cause },
  { name: 'quantity', value: (row) => row.quantity },
  { name: 'leverage', value: (row) => row.leverage },
  { name: 'margin_mode', value: (row) => row.margin_mode },
  { name: 'entry_price', value: (row) => row.entry_price },
  { name: 'exit_price', value: (row) => row.exit_price },
  { name: 'realised', value: (row) => row.realised },
  { name: 'fee', value: (row) => row.fee },
  { name: 'funding', value: (row) => row.funding },
  { name: 'net', value: (row) => row.net },
];
