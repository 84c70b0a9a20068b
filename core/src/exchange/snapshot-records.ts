/** What there is little of, as texts of a snapshot: instruments, transfers, untriggered orders, client order ids and counters. */
import type { SectionReader, SectionWriter } from '../collections/sections.ts';
import { boolean, type Field, integer, type Json, list, optional, record, text } from '../commands/define-command.ts';
import type { OrderLimits } from '../instruments/commands.ts';
import type { Delisting, MarketPause, MarketState } from '../instruments/market-state.ts';
import { MAXIMUM_DETAIL, MAXIMUM_LEGS, type Origin } from '../ledger/transfer.ts';
import type { PendingTransfer } from '../ledger/transfers.ts';
import { columnsOf, type HoldingColumns, loadColumns, saveColumns } from '../margin/holding-columns.ts';
import type { PerpetualState } from '../margin/pricing.ts';
import type { Asset, MarketSpec } from '../money/market.ts';
import type { ReferenceState } from '../money/reference-price.ts';
import type { ClientOrderId } from '../orders/client-order-ids.ts';
import type { UntriggeredOrder } from '../orders/conditional/conditional-order.ts';
import type { PassedPrice, PassedPrices } from '../orders/conditional/passed-prices.ts';
import type { ExitPlan } from '../orders/exits/exit-plan.ts';
import type { TwapOrder } from '../orders/twap/twap.ts';
import { NET } from '../terms/order-terms.ts';
import { COMMAND_FIELDS as fields } from './command-codec.ts';
import type { Defaults, Exchange, FeeRates } from './exchange.ts';

interface SavedMarket
  extends Omit<MarketSpec, 'base' | 'quote'>,
    Omit<MarketState, keyof ReferenceState | 'pause' | 'passed' | 'delisting'> {
  /** Asset ids. */
  readonly base: number;
  readonly quote: number;
  /** Absent in snapshots of before there were references. */
  readonly reference: number | undefined;
  readonly referenceAt: number | undefined;
  readonly pause: MarketPause | undefined;
  readonly passed: PassedPrices | undefined;
  readonly delisting: Delisting | undefined;
}

const asset = record<Asset>({ id: fields.asset, code: text(16), scale: fields.scale });
const defaults = record<Defaults>({
  fees: record<FeeRates>({ makerPpm: fields.ppm, takerPpm: fields.ppm }),
  limits: record<OrderLimits>(fields.orderLimits),
});
const passedPrices = optional(list(list(record<PassedPrice>({ price: fields.ticks, since: fields.id }), 100), 2));
const market = record<SavedMarket>({
  id: fields.market,
  symbol: text(50),
  base: fields.asset,
  quote: fields.asset,
  tickScale: fields.scale,
  lotScale: fields.scale,
  ...fields.marketLimits,
  lastPrice: fields.ticks,
  markPrice: fields.ticks,
  halted: boolean,
  traded: boolean,
  delisted: boolean,
  perpetual: fields.perpetual,
  reference: optional(fields.id),
  referenceAt: optional(fields.id),
  pause: optional(record<MarketPause>({ until: fields.id, reference: fields.ticks, isAbove: boolean })),
  passed: passedPrices as Field<PassedPrices | undefined>,
  delisting: fields.delisting,
});
const pending = record<PendingTransfer>({
  transferId: fields.id,
  reason: fields.reason,
  reference: fields.id,
  legs: list(fields.transferLeg, MAXIMUM_LEGS),
  detail: text(MAXIMUM_DETAIL),
});
const origin = record<Origin>({ source: integer(1, 65_535), sequence: fields.id });
const untriggered = record<UntriggeredOrder>({
  orderId: fields.id,
  ...fields.conditionalTerms,
  createdAt: fields.id,
  best: fields.ticks,
  entryId: optional(fields.id),
  reduceOnly: optional(boolean),
  positionSide: fields.positionSide,
});

function save<Value>(to: SectionWriter, field: Field<Value>, values: readonly Value[]): void {
  to.text(JSON.stringify(values.map((value) => field.encode(value))));
}

function load<Value>(from: SectionReader, field: Field<Value>): Value[] {
  return (JSON.parse(from.text()) as Json[]).map((one) => field.decode(one));
}

export function saveInstruments(to: SectionWriter, exchange: Exchange): void {
  to.section('instruments', 1);
  save(to, defaults, [exchange.defaults()]);
  save(to, asset, exchange.assets());
  const markets = exchange.markets().map((spec) => {
    const state = { pause: undefined, passed: undefined, delisting: undefined, ...exchange.marketState(spec.id) };
    return { ...spec, ...state, base: spec.base.id, quote: spec.quote.id };
  });
  save(to, market, markets);
}

export function loadInstruments(from: SectionReader, exchange: Exchange): void {
  from.section('instruments', 1);
  for (const one of load(from, defaults)) exchange.restoreDefaults(one);
  const assets = new Map(load(from, asset).map((one) => [one.id, one]));
  for (const one of assets.values()) exchange.restoreAsset(one);
  for (const { base, quote, reference = 0, referenceAt = 0, pause, passed, delisting, ...saved } of load(
    from,
    market,
  )) {
    const { lastPrice, markPrice, halted, traded, delisted, ...terms } = saved;
    const spec = { ...terms, base: assets.get(base)!, quote: assets.get(quote)! };
    exchange.restoreMarket(spec, {
      lastPrice,
      markPrice,
      halted,
      traded,
      delisted,
      reference,
      referenceAt,
      pause,
      passed,
      delisting,
    });
  }
}

export function saveTransfers(to: SectionWriter, exchange: Exchange): void {
  to.section('transfers', 1);
  save(to, pending, exchange.pendingTransfers());
  save(to, origin, exchange.sequences());
}

export function loadTransfers(from: SectionReader, exchange: Exchange): void {
  from.section('transfers', 1);
  for (const one of load(from, pending)) exchange.restorePendingTransfer(one);
  for (const one of load(from, origin)) exchange.restoreSequence(one);
}

export function saveUntriggered(to: SectionWriter, orders: readonly UntriggeredOrder[]): void {
  to.section('untriggered orders', 1);
  save(to, untriggered, orders);
}

export function loadUntriggered(from: SectionReader, exchange: Exchange): void {
  from.section('untriggered orders', 1);
  for (const one of load(from, untriggered)) exchange.restoreUntriggeredOrder(one);
}

export function saveClientOrderIds(to: SectionWriter, ids: readonly ClientOrderId[]): void {
  to.section('client order ids', 1);
  save(to, fields.clientOrderId, ids);
}

export function loadClientOrderIds(from: SectionReader, exchange: Exchange): void {
  from.section('client order ids', 1);
  for (const one of load(from, fields.clientOrderId)) exchange.restoreClientOrderId(one);
}

/** Written where there are any, after all other sections: a snapshot of before there were plans ends without it. */
export function saveExitPlans(to: SectionWriter, plans: readonly ExitPlan[]): void {
  if (plans.length === 0) return;
  to.section('exit plans', 1);
  save(to, fields.exitPlan, plans);
}

export function loadExitPlans(from: SectionReader, exchange: Exchange): void {
  if (!from.begins('exit plans')) return;
  from.section('exit plans', 1);
  for (const one of load(from, fields.exitPlan)) exchange.restoreExitPlan(one);
}

/** Written where there are any, after the icebergs. */
export function saveTwaps(to: SectionWriter, orders: readonly TwapOrder[]): void {
  if (orders.length === 0) return;
  to.section('twaps', 1);
  save(to, fields.twap, orders);
}

export function loadTwaps(from: SectionReader, exchange: Exchange): void {
  if (!from.begins('twaps')) return;
  from.section('twaps', 1);
  for (const { reduceOnly, positionSide, ...one } of load(from, fields.twap)) {
    const usual = { type: 'limit', timeInForce: 'GTC', priority: 0, visible: 0, hidden: one.remaining } as const;
    const ofPosition = { ...(reduceOnly && { reduceOnly: true as const }), ...(positionSide && { positionSide }) };
    exchange.restoreTwap({ ...one, ...usual, ...ofPosition });
  }
}

interface SavedPerpetual extends PerpetualState {
  readonly market: number;
}

const perpetual = record<SavedPerpetual>({ market: fields.market, ...fields.perpetualState });

/** Written where there are any, before the positions that their funding is owed by. */
export function savePerpetuals(to: SectionWriter, exchange: Exchange): void {
  const markets = exchange.markets().filter((market) => market.perpetual !== undefined);
  if (markets.length === 0) return;
  to.section('perpetuals', 1);
  save(
    to,
    perpetual,
    markets.map(({ id }) => ({ market: id, ...exchange.perpetualState(id) })),
  );
}

export function loadPerpetuals(from: SectionReader, exchange: Exchange): void {
  if (!from.begins('perpetuals')) return;
  from.section('perpetuals', 1);
  for (const { market, ...state } of load(from, perpetual)) exchange.restorePerpetual(market, state);
}

/** Written where there are any, after the TWAPs. */
export function saveHoldings(to: SectionWriter, holdings: HoldingColumns): void {
  if (holdings.size === 0) return;
  to.section('holdings', 2);
  saveColumns(to, holdings);
}

export function loadHoldings(from: SectionReader, exchange: Pick<Exchange, 'restoreHoldings'>): void {
  if (!from.begins('holdings')) return;
  if (from.section('holdings', 1, 2) === 2) {
    exchange.restoreHoldings(loadColumns(from));
    return;
  }
  const records = load(from, fields.holding).map(({ leg = NET, isHedged = false, ...one }) => ({
    ...one,
    leg,
    isHedged,
  }));
  exchange.restoreHoldings(columnsOf(records));
}

export function saveCounters(to: SectionWriter, exchange: Exchange): void {
  const { lastOrderId, lastTradeId, lastPriority, lastTransferId } = exchange.counters();
  to.section('counters', 1);
  to.column(Float64Array.of(lastOrderId, lastTradeId, lastPriority, lastTransferId));
}

export function loadCounters(from: SectionReader, exchange: Exchange): void {
  from.section('counters', 1);
  const [lastOrderId = 0, lastTradeId = 0, lastPriority = 0, lastTransferId = 0] = from.column(Float64Array);
  exchange.restoreCounters({ lastOrderId, lastTradeId, lastPriority, lastTransferId });
}
