/** Every command, declared once. What a command means is said where its type is. */
import {
  amount,
  boolean,
  type CommandDeclaration,
  type CommandProperties,
  choice,
  DecodeError,
  defineCommand,
  integer,
  type Json,
  list,
  optional,
  type Purpose,
  record,
  text,
} from '../commands/define-command.ts';
import { SELF_TRADE_MODES, TIMES_IN_FORCE, TYPES } from '../events/event-record.ts';
import type {
  AnnounceDelisting,
  ChangeMarket,
  ClearMarket,
  DelistMarket,
  HaltMarket,
  ListAsset,
  ListMarket,
  SetDefaultFees,
  SetFees,
  SetLimits,
  SetReferencePrice,
} from '../instruments/commands.ts';
import type { Delisting } from '../instruments/market-state.ts';
import { MAXIMUM_ASSET, MAXIMUM_OWNER, OWNER_KEYS } from '../ledger/account.ts';
import { MAXIMUM_FEE_PPM } from '../ledger/fee.ts';
import { TRANSFERS, type TransferReason } from '../ledger/movements.ts';
import {
  MAXIMUM_DETAIL,
  MAXIMUM_LEGS,
  type Origin,
  type PostPending,
  type Transfer,
  type TransferLeg,
  type VoidPending,
} from '../ledger/transfer.ts';
import type {
  AdjustMargin,
  RunLiquidations,
  SetIndexPrice,
  SetLeverage,
  SetPositionMode,
  SettlePositions,
} from '../margin/commands.ts';
import type { HoldingRecord } from '../margin/holding-record.ts';
import { MAXIMUM_LIQUIDATIONS } from '../margin/liquidator.ts';
import { LONG, SHORT } from '../margin/perpetual.ts';
import type { Position } from '../margin/position.ts';
import { MAXIMUM_SETTLED } from '../margin/position-settler.ts';
import { type BasisSample, MAXIMUM_BASIS_SAMPLES } from '../margin/pricing.ts';
import { type PositionTerm, TERM_DAYS, type TermChoice } from '../margin/term.ts';
import { MAXIMUM_OPEN_ORDERS } from '../matching/order-pool.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import { type FundingSpec, MAXIMUM_TIERS, type PerpetualSpec, type RiskTier } from '../money/market.ts';
import { MAXIMUM_INT32 } from '../money/price.ts';
import { type ClientOrderId, MAXIMUM_CLIENT_ORDER_ID } from '../orders/client-order-ids.ts';
import type {
  AmendOrder,
  CancelAllOrders,
  CancelOrder,
  ClosePosition,
  PlaceOrder,
  StopOrders,
} from '../orders/commands.ts';
import {
  type AmendConditionalOrder,
  type Leg,
  type LegChange,
  type PlaceConditionalOrder,
  type SetMarkPrice,
  TRIGGER_SOURCES,
  type Trailing,
} from '../orders/conditional/conditional-order.ts';
import type { ExitPlan, ExitTerms } from '../orders/exits/exit-plan.ts';
import {
  MAXIMUM_DURATION_MS,
  MAXIMUM_RUN,
  MAXIMUM_SLICES,
  MINIMUM_DURATION_MS,
  MINIMUM_INTERVAL_MS,
  type PlaceTwap,
  type RunTwaps,
  type TwapOrder,
} from '../orders/twap/twap.ts';
import { BUY, NET, type PositionLeg, SELL } from '../terms/order-terms.ts';
import type { Command } from './command.ts';

const id = integer(0, Number.MAX_SAFE_INTEGER);
const owner = integer(1, MAXIMUM_OWNER);
const market = integer(0, 32_767);
const asset = integer(0, MAXIMUM_ASSET);
const ticks = integer(0, MAXIMUM_INT32);
const lots = integer(0, MAXIMUM_INT32);
const scale = integer(0, 18);
const ppm = integer(0, MAXIMUM_FEE_PPM);
const units = amount(0n, MAXIMUM_AMOUNT);
const side = choice([BUY, SELL]);
const timeInForce = choice(TIMES_IN_FORCE);
const positionSide = optional(choice(['long', 'short']));
const selfTrade = choice(SELF_TRADE_MODES);
const clientOrderId = text(MAXIMUM_CLIENT_ORDER_ID, 1);
const account = integer(0, MAXIMUM_OWNER * OWNER_KEYS);
const untriggered = integer(0, 100_000);
const delisting = optional(record<Delisting>({ closeOnlyAt: id, endsAt: id }));

const leg = optional(record<Leg>({ trigger: ticks, price: ticks }));
const legChange = optional(record<LegChange>({ trigger: optional(ticks), price: optional(ticks) }));
const trailing = optional(
  record<Trailing>({ callbackPpm: integer(0, 1_000_000), callbackTicks: ticks, activation: ticks }),
);
const origin = optional(record<Origin>({ source: integer(1, 65_535), sequence: id }));
const transferLeg = record<TransferLeg>({ from: account, to: account, amount: units });
const reason = choice(TRANSFERS.map((one): TransferReason => one.reason));
const limits = { minimumLots: lots, maximumLots: lots, minimumNotional: units, priceBandPpm: integer(0, 3_000_000) };
const orderLimits = {
  maximumOpenOrdersPerOwner: integer(0, MAXIMUM_OPEN_ORDERS),
  maximumUntriggeredOrdersPerOwner: untriggered,
  maximumUntriggeredOrdersPerMarket: untriggered,
};
const source = choice(TRIGGER_SOURCES);
const exitTerms = { source, takeProfit: leg, stop: leg };
const intervalMs = integer(MINIMUM_INTERVAL_MS, MAXIMUM_DURATION_MS);
const conditionalTerms = {
  owner,
  market,
  side,
  source,
  timeInForce,
  quantity: lots,
  quoteTotal: units,
  selfTrade,
  takeProfit: leg,
  stop: leg,
  trailing,
};

const tier = record<RiskTier>({
  maximumNotional: units,
  maximumLeverage: integer(1, 200),
  maintenancePpm: integer(1, 1_000_000),
});
const ppb = integer(-1_000_000_000, 1_000_000_000);
const perpetual = optional(
  record<PerpetualSpec>({
    makerPpm: ppm,
    takerPpm: ppm,
    tiers: list(tier, MAXIMUM_TIERS),
    markClampPpm: ppm,
    funding: record<FundingSpec>({
      intervalMs: id,
      interestPpb: ppb,
      dampPpb: ppb,
      capPpb: ppb,
      impactValue: units,
    }),
  }),
);
/** Of funding: billionths of units, added up for as long as a market lives. */
const fundingIndex = amount(-(2n ** 120n), 2n ** 120n);

/** What every TWAP has the same is not written. */
export type SavedTwap = Omit<
  TwapOrder,
  'type' | 'timeInForce' | 'priority' | 'visible' | 'hidden' | 'reduceOnly' | 'positionSide'
> &
  Pick<PlaceTwap, 'reduceOnly' | 'positionSide'>;

/** What is as it was before there was hedge mode is not written, so that what was written then can be read. */
export type SavedHolding = Omit<HoldingRecord, 'leg' | 'isHedged'> & {
  readonly leg: PositionLeg | undefined;
  readonly isHedged: boolean | undefined;
};

/** What commands have in common with the state that they leave. */
export const COMMAND_FIELDS = {
  ...{
    id,
    market,
    asset,
    ticks,
    scale,
    delisting,
    ppm,
    reason,
    transferLeg,
    orderLimits,
    conditionalTerms,
    positionSide,
  },
  marketLimits: limits,
  perpetual,
  clientOrderId: record<ClientOrderId>({ orderId: id, owner, clientOrderId }),
  twap: record<SavedTwap>({
    orderId: id,
    owner,
    market,
    side,
    price: ticks,
    quantity: lots,
    remaining: lots,
    selfTrade,
    createdAt: id,
    filledValue: units,
    fee: units,
    credit: units,
    intervalMs,
    slices: integer(0, MAXIMUM_SLICES),
    done: integer(0, MAXIMUM_SLICES),
    nextAt: id,
    endsAt: id,
    reduceOnly: optional(boolean),
    positionSide,
  }),
  holding: record<SavedHolding>({
    owner,
    market,
    leverage: integer(1, 200),
    isIsolated: boolean,
    position: optional(record<Position>({ direction: choice([LONG, SHORT]), lots, cost: units })),
    margin: units,
    fundingIndex,
    leg: optional(choice([NET, LONG, SHORT])),
    isHedged: optional(boolean),
    term: optional(
      record<PositionTerm>({ startedAt: id, endsAt: id, target: units, floor: units, discount: optional(units) }),
    ),
  }),
  perpetualState: {
    index: ticks,
    indexAt: id,
    basis: list(
      record<BasisSample>({ time: id, ticks: integer(-MAXIMUM_INT32, MAXIMUM_INT32) }),
      MAXIMUM_BASIS_SAMPLES,
    ),
    premiumSum: amount(-MAXIMUM_AMOUNT, MAXIMUM_AMOUNT),
    premiumCount: id,
    sampledAt: id,
    nextFundingAt: id,
    fundingIndex,
  },
  exitPlan: record<ExitPlan>({ orderId: id, owner, market, ...exitTerms, exitId: id, taken: units }),
};

/** Whoever may do nothing else may still cancel, so `whenFrozen` follows from the purpose wherever nothing else is said. */
const properties = (purpose: Purpose, whenHalted: 'allowed' | 'refused'): CommandProperties => ({
  purpose,
  whenFrozen: purpose === 'cancels' || purpose === 'clears' ? 'allowed' : 'refused',
  whenHalted,
});
const PLACES = properties('places', 'refused');
const AMENDS = properties('changes', 'refused');
const ARRANGES = properties('changes', 'allowed');
const CANCELS = properties('cancels', 'allowed');
const CLEARS = properties('clears', 'allowed');
const FUNDS = properties('funds', 'allowed');
const ADMINISTERS = properties('administers', 'allowed');
const FOLLOWS = properties('follows', 'allowed');
const TELLS = properties('follows', 'refused');

export const COMMANDS = [
  defineCommand<PlaceOrder>(1, 'place-order', PLACES, {
    orderId: id,
    owner,
    market,
    side,
    type: choice(TYPES),
    timeInForce,
    price: ticks,
    quantity: lots,
    quoteTotal: units,
    selfTrade,
    clientOrderId: optional(clientOrderId),
    exits: optional(record<ExitTerms>(exitTerms)),
    visible: optional(lots),
    reduceOnly: optional(boolean),
    positionSide,
    term: optional(record<TermChoice>({ days: choice(TERM_DAYS), target: units, floor: units })),
    worstPrice: optional(ticks),
  }),
  defineCommand<ClosePosition>(41, 'close-position', PLACES, {
    orderId: id,
    owner,
    market,
    side,
    type: choice(TYPES),
    timeInForce,
    price: ticks,
    selfTrade,
    positionSide,
    quantity: optional(integer(1, Number.MAX_SAFE_INTEGER)),
    sharePercent: integer(1, 100),
    reverses: boolean,
  }),
  defineCommand<CancelOrder>(2, 'cancel-order', CANCELS, { orderId: id, owner }),
  defineCommand<HaltMarket>(4, 'halt-market', ADMINISTERS, { market, halted: boolean }),
  defineCommand<AnnounceDelisting>(43, 'announce-delisting', ADMINISTERS, { market, delisting }),
  defineCommand<SetFees>(5, 'set-fees', ADMINISTERS, { owner, makerPpm: ppm, takerPpm: ppm }),
  defineCommand<SetReferencePrice>(6, 'set-reference-price', TELLS, {
    market,
    price: ticks,
    triggersNothing: optional(boolean),
    isReferenceOnly: optional(boolean),
  }),
  defineCommand<SetMarkPrice>(12, 'set-mark-price', FOLLOWS, {
    market,
    price: ticks,
    waitsWhileHalted: optional(boolean),
  }),
  defineCommand<CancelAllOrders>(13, 'cancel-all-orders', CLEARS, {
    owner,
    market: optional(market),
    side: optional(side),
  }),
  defineCommand<StopOrders>(42, 'stop-orders', CLEARS, { owner }),
  defineCommand<AmendOrder>(20, 'amend-order', AMENDS, {
    orderId: id,
    owner,
    price: optional(ticks),
    quantity: optional(lots),
    timeInForce: optional(choice(['GTC', 'POST_ONLY'])),
    selfTrade: optional(selfTrade),
  }),
  defineCommand<PlaceConditionalOrder>(21, 'place-conditional-order', PLACES, {
    orderId: id,
    ...conditionalTerms,
    clientOrderId: optional(clientOrderId),
    reduceOnly: optional(boolean),
    positionSide,
  }),
  defineCommand<AmendConditionalOrder>(22, 'amend-conditional-order', AMENDS, {
    orderId: id,
    owner,
    takeProfit: legChange,
    stop: legChange,
  }),
  defineCommand<Transfer>(23, 'transfer', FUNDS, {
    transferId: id,
    reason,
    reference: id,
    isPending: boolean,
    legs: list(transferLeg, MAXIMUM_LEGS),
    detail: text(MAXIMUM_DETAIL),
    origin,
  }),
  defineCommand<PostPending>(24, 'post-pending', FUNDS, {
    transferId: id,
    amounts: optional(list(units, MAXIMUM_LEGS)),
    origin,
  }),
  defineCommand<VoidPending>(25, 'void-pending', FUNDS, { transferId: id, origin }),
  defineCommand<ListAsset>(26, 'list-asset', ADMINISTERS, { asset, code: text(16), scale }),
  defineCommand<ListMarket>(27, 'list-market', ADMINISTERS, {
    market,
    symbol: text(50),
    base: asset,
    quote: asset,
    tickScale: scale,
    lotScale: scale,
    ...limits,
    perpetual,
  }),
  defineCommand<ChangeMarket>(28, 'change-market', ADMINISTERS, { market, ...limits, perpetual }),
  defineCommand<ClearMarket>(29, 'clear-market', CLEARS, { market, maximum: integer(1, 10_000) }),
  defineCommand<DelistMarket>(30, 'delist-market', ADMINISTERS, { market }),
  defineCommand<SetDefaultFees>(31, 'set-default-fees', ADMINISTERS, { makerPpm: ppm, takerPpm: ppm }),
  defineCommand<SetLimits>(32, 'set-limits', ADMINISTERS, orderLimits),
  defineCommand<PlaceTwap>(33, 'place-twap', PLACES, {
    orderId: id,
    owner,
    market,
    side,
    price: ticks,
    quantity: lots,
    selfTrade,
    durationMs: integer(MINIMUM_DURATION_MS, MAXIMUM_DURATION_MS),
    intervalMs,
    clientOrderId: optional(clientOrderId),
    reduceOnly: optional(boolean),
    positionSide,
  }),
  defineCommand<SetLeverage>(35, 'set-leverage', ARRANGES, {
    owner,
    market,
    leverage: optional(integer(0, 255)),
    isIsolated: optional(boolean),
    positionSide,
    movesReserves: optional(boolean),
  }),
  defineCommand<AdjustMargin>(36, 'adjust-margin', ARRANGES, {
    owner,
    market,
    amount: amount(-MAXIMUM_AMOUNT, MAXIMUM_AMOUNT),
    positionSide,
  }),
  defineCommand<SetPositionMode>(39, 'set-position-mode', ARRANGES, { owner, market, isHedged: boolean }),
  defineCommand<RunLiquidations>(37, 'run-liquidations', FOLLOWS, { maximum: integer(1, MAXIMUM_LIQUIDATIONS) }),
  defineCommand<SetIndexPrice>(38, 'set-index-price', FOLLOWS, {
    market,
    price: ticks,
    waitsWhileHalted: optional(boolean),
  }),
  defineCommand<SettlePositions>(40, 'settle-positions', ADMINISTERS, {
    market,
    price: ticks,
    maximum: integer(1, MAXIMUM_SETTLED),
  }),
  defineCommand<RunTwaps>(34, 'run-twaps', FOLLOWS, { maximum: integer(1, MAXIMUM_RUN) }),
] as const;

const byKind = new Map<string, CommandDeclaration>();
const byNumber = new Map<number, CommandDeclaration>();
for (const declaration of COMMANDS as readonly unknown[] as readonly CommandDeclaration[]) {
  byKind.set(declaration.kind, declaration);
  byNumber.set(declaration.number, declaration);
}

/** What is declared of a command of this kind. */
export function propertiesOf(kind: Command['kind']): CommandProperties {
  return byKind.get(kind)!;
}

/** A command as the journal keeps it. */
export function encodeCommand(command: Command): readonly Json[] {
  return byKind.get(command.kind)!.encode(command);
}

/** @throws DecodeError for a command that this version does not know */
export function decodeCommand(tuple: readonly Json[]): Command {
  const declaration = byNumber.get(tuple[0] as number);
  if (declaration === undefined) {
    throw new DecodeError(`The journal holds a command of kind ${String(tuple[0])}, which this version does not know`);
  }
  return declaration.decode(tuple) as Command;
}
