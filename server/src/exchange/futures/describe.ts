/** Positions, the wallet behind them and their histories in the shape of the contract: decimal strings. */
import type {
  FuturesAccount,
  FuturesPosition,
  MarginMode,
  PositionSide,
  PositionTerm,
  TermOffer,
} from '@cambist/contract/futures.ts';
import type {
  FundingPayment,
  Liquidation,
  PositionChangeRow as PositionChange,
} from '@cambist/contract/futures-histories.ts';
import type { PerpetualTermsOut } from '@cambist/contract/perpetuals.ts';
import { fundingOwed, nextFundingIndex } from '@cambist/core/margin/funding.ts';
import { LONG, perpetualTerms, SHORT } from '@cambist/core/margin/perpetual.ts';
import { averageEntry } from '@cambist/core/margin/position.ts';
import {
  daysOf,
  isBinding,
  MAXIMUM_FLOOR_PERCENT,
  MINIMUM_TARGET_PERCENT,
  TERM_DAYS,
} from '@cambist/core/margin/term.ts';
import { marginRatio } from '@cambist/core/margin/thresholds.ts';
import type { MarginWallet, PositionView } from '@cambist/core/margin/view.ts';
import { formatAmount, formatBriefly } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import { notional } from '@cambist/core/money/notional.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import { divFloor } from '@cambist/core/money/rounding.ts';
import { NET } from '@cambist/core/terms/order-terms.ts';
import { feePercent } from '../ledger/service.ts';
import { pairNames } from '../orders/describe.ts';
import type { PerpetualMarket } from './perpetual-market.ts';
import { positionId } from './position-id.ts';
import type { FundingRow, LiquidationRow, PositionChangeRow } from './store.ts';

/** Decimals of an average price beyond those of the market. */
const AVERAGE_DECIMALS = 2;
const RETURN_DECIMALS = 4;
/** Of a funding rate in parts per billion. */
const RATE_DECIMALS = 9;

/** One that is open. */
export type OpenPosition = PositionView & { readonly position: NonNullable<PositionView['position']> };

export const sideOf = (direction: number): PositionSide => (direction > 0 ? 'long' : 'short');
/** Which position of hedge mode something is of; nothing in one-way mode. */
export const legOf = (leg: number): { readonly position_side?: PositionSide } =>
  leg === NET ? {} : { position_side: sideOf(leg) };
export const modeOf = (isIsolated: boolean): MarginMode => (isIsolated ? 'isolated' : 'cross');
export const rateText = (ppb: number): string => formatAmount(BigInt(ppb), RATE_DECIMALS);

export const HOUR_MS = 3_600_000;
/** Parts per billion as a percentage. */
const PERCENT_DECIMALS = 7;
const percentOf = (ppb: number): string => formatAmount(BigInt(ppb), PERCENT_DECIMALS);
/** The same without zeros at the end. */
export const ratePercent = (ppb: number): string => formatBriefly(BigInt(ppb), PERCENT_DECIMALS);

/** Which terms a position may be opened with. */
export function describeOffer({ perpetual: { makerPpm, takerPpm } }: PerpetualMarket): TermOffer {
  return {
    days: [...TERM_DAYS],
    minimum_target_percent: String(MINIMUM_TARGET_PERCENT),
    maximum_floor_percent: String(MAXIMUM_FLOOR_PERCENT),
    fee_percent: feePercent(takerPpm),
    discount_percent: feePercent(Math.max(0, takerPpm - makerPpm)),
  };
}

/** Fees, tiers and funding of a perpetual. */
export function describeTerms({ perpetual, quote }: PerpetualMarket): PerpetualTermsOut {
  const { makerPpm, takerPpm, tiers, markClampPpm, funding } = perpetual;
  const money = (units: bigint) => formatAmount(units, quote.scale);
  return {
    maker_fee_percent: feePercent(makerPpm),
    taker_fee_percent: feePercent(takerPpm),
    tiers: tiers.map(({ maximumNotional, maximumLeverage, maintenancePpm }) => ({
      maximum_value: money(maximumNotional),
      maximum_leverage: maximumLeverage,
      maintenance_percent: feePercent(maintenancePpm),
    })),
    funding: {
      interval_hours: funding.intervalMs / HOUR_MS,
      interest_percent: percentOf(funding.interestPpb),
      damp_percent: percentOf(funding.dampPpb),
      cap_percent: percentOf(funding.capPpb),
      impact_value: money(funding.impactValue),
    },
    mark_clamp_percent: feePercent(markClampPpm),
  };
}

/** A fraction of what may be below zero, rounded towards zero, which has no sign; 1 where there is nothing to divide by. */
export function signedRatio(part: bigint, whole: bigint): string {
  const one = 10n ** BigInt(RETURN_DECIMALS);
  const size = whole <= 0n ? one : divFloor((part < 0n ? -part : part) * one, whole);
  const text = formatAmount(size, RETURN_DECIMALS);
  return part < 0n && size > 0n ? `-${text}` : text;
}

export function entryPrice(market: MarketSpec, lots: number, cost: bigint): string {
  const terms = perpetualTerms(market, market.perpetual!);
  const average = averageEntry(terms, { direction: 1, lots, cost }, AVERAGE_DECIMALS);
  return formatAmount(average, market.tickScale + AVERAGE_DECIMALS);
}

/** @param wallet what backs a position that is cross */
export function describePosition(market: MarketSpec, view: OpenPosition, wallet: MarginWallet): FuturesPosition {
  const money = (units: bigint) => formatAmount(units, market.quote.scale);
  const price = (ticks: number | undefined) => (ticks === undefined ? null : formatTicks(ticks, market));
  const { direction, lots, cost } = view.position;
  const margin = view.isIsolated ? view.margin : view.initial;
  const backing = view.margin + view.profit - view.funding;
  return {
    id: positionId(view),
    coin_pair: pairNames(market),
    side: sideOf(direction),
    ...legOf(view.leg),
    quantity: formatLots(lots, market),
    leverage: view.leverage,
    margin_mode: modeOf(view.isIsolated),
    opening_price: entryPrice(market, lots, cost),
    cost: money(cost),
    mark_price: formatTicks(view.mark, market),
    value: money(view.value),
    margin: money(margin),
    total_top_up: money(view.isIsolated ? view.margin - view.initial : 0n),
    total_asset: money(margin + view.profit - view.funding),
    income: money(view.profit),
    rate_of_return: signedRatio(view.profit, view.initial),
    funding_owed: money(view.funding),
    maintenance_margin: money(view.required),
    estimated_force_parity: price(view.liquidationPrice),
    bankruptcy_price: price(view.ruinPrice),
    margin_ratio: view.isIsolated ? marginRatio(view.required, backing) : marginRatio(wallet.required, wallet.equity),
  };
}

/** What decides is what decides in the core: the income at the mark less the funding that is owed. */
export function describeTerm({ scale }: Asset, view: OpenPosition, time: number): PositionTerm | null {
  const { term, isIsolated, margin, initial, profit, funding } = view;
  if (term === undefined) return null;
  const income = profit - funding;
  const figures = { income, total: (isIsolated ? margin : initial) + income };
  return {
    days: daysOf(term),
    started_at: term.startedAt,
    ends_at: term.endsAt,
    target_income: formatAmount(term.target, scale),
    funds_floor: formatAmount(term.floor, scale),
    fee_discount: formatAmount(term.discount ?? 0n, scale),
    may_close: !isBinding(term, figures, time),
  };
}

export function describeAccount({ code, scale }: Asset, wallet: MarginWallet): FuturesAccount {
  const money = (units: bigint) => formatAmount(units, scale);
  return {
    coin: code,
    balance: money(wallet.balance + wallet.held + wallet.margin),
    equity: money(wallet.total),
    free: money(wallet.free),
    order_margin: money(wallet.held),
    position_margin: money(wallet.margin + wallet.initial),
    unrealised: money(wallet.profit),
    maintenance_margin: money(wallet.required),
    margin_ratio: marginRatio(wallet.required, wallet.equity),
  };
}

export function describeChange(market: MarketSpec, row: PositionChangeRow): PositionChange {
  const money = (units: bigint) => formatAmount(units, market.quote.scale);
  const isOpen = row.lots > 0;
  return {
    id: String(row.id),
    coin_pair: pairNames(market),
    cause: row.cause,
    trade_id: row.trade === 0 ? null : String(row.trade),
    side: isOpen ? sideOf(row.direction) : null,
    ...legOf(row.leg),
    quantity: formatLots(row.lots, market),
    quantity_change: formatLots(row.lots_change, market),
    opening_price: isOpen ? entryPrice(market, row.lots, row.cost) : null,
    margin: money(row.margin),
    leverage: row.leverage,
    margin_mode: modeOf(row.is_isolated),
    realised: money(row.realised),
    fee: money(row.fee),
    funding: money(row.funding),
    created_at: row.time,
  };
}

/**
 * What the interval cost, in settlement units, below zero where it was received: from the core's own rule. It was paid together
 * with others when the position was touched.
 */
export function fundingAmount(market: MarketSpec, row: FundingRow): bigint {
  const paid = nextFundingIndex(perpetualTerms(market, market.perpetual!), 0n, BigInt(row.rate), row.mark);
  return fundingOwed(row.direction > 0 ? LONG : SHORT, row.lots, 0n, paid);
}

export function describeFunding(market: MarketSpec, row: FundingRow): FundingPayment {
  const amount = fundingAmount(market, row);
  return {
    id: String(row.id),
    coin_pair: pairNames(market),
    side: sideOf(row.direction),
    ...legOf(row.leg),
    quantity: formatLots(row.lots, market),
    rate: rateText(row.rate),
    mark_price: formatTicks(row.mark, market),
    amount: formatAmount(amount, market.quote.scale),
    created_at: row.time,
  };
}

export function describeLiquidation(market: MarketSpec, row: LiquidationRow): Liquidation {
  const money = (units: bigint) => formatAmount(units, market.quote.scale);
  const isLiquidated = row.against === 0;
  return {
    id: String(row.id),
    kind: isLiquidated ? 'liquidated' : 'deleveraged',
    coin_pair: pairNames(market),
    side: sideOf(row.direction),
    ...legOf(row.leg),
    quantity: formatLots(row.lots, market),
    price: formatTicks(row.price, market),
    value: money(notional(market, row.price, row.lots)),
    equity: isLiquidated ? money(row.equity) : null,
    maintenance_margin: isLiquidated ? money(row.required) : null,
    created_at: row.time,
  };
}
