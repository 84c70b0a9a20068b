/** The calls of futures: HTTP in, the services' answers out. Refusals are those of orders. */
import * as futures from '@cambist/contract/futures.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { predictedRate } from '@cambist/core/margin/pricing.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import { type CallServer, identityOf, Refusal } from '../../platform/calls.ts';
import { intentOf } from '../../platform/intent.ts';
import type { Engine } from '../engine/engine.ts';
import { feePercent } from '../ledger/service.ts';
import { pairNames } from '../orders/describe.ts';
import { orderRefusal } from '../orders/refusals.ts';
import type { Result } from '../orders/service.ts';
import type { Closing } from './closing.ts';
import { rateText } from './describe.ts';
import type { FuturesService, PerpetualMarket } from './service.ts';
import type { FuturesStore } from './store.ts';

interface Deps {
  readonly calls: CallServer;
  readonly service: FuturesService;
  readonly closing: Closing;
  readonly store: FuturesStore;
  readonly engine: Pick<Engine, 'exchange' | 'sequencer' | 'projector'>;
}

const HOUR_MS = 3_600_000;
const INSURANCE_DAYS = 90;
/** Parts per billion as a percentage. */
const PERCENT_DECIMALS = 7;
const percentOf = (ppb: number): string => formatAmount(BigInt(ppb), PERCENT_DECIMALS);

/** The documented answer to a wrong transaction password is a message, not a failure. */
function placedAnswer(result: Result<Order>) {
  if (result.ok) return { message: 'success' as const, order: result.value };
  if (result.error.kind === 'wrong-password') return { message: 'wrong_transaction_password' as const };
  return orderRefusal(result.error);
}

function closedAnswer(result: Result<Order>) {
  const answer = placedAnswer(result);
  if (answer instanceof Refusal || answer.order?.state !== 'PENDING') return answer;
  return { ...answer, message: 'closeRequest' as const };
}

function servePositions({ calls, service, store, engine }: Deps): void {
  calls.serve(futures.positions, ({ identity }) => service.positions(identityOf(identity).clientId));

  calls.serve(futures.clientMargin, async ({ identity }) => {
    const { clientId } = identityOf(identity);
    const { positions } = await service.positions(clientId);
    await engine.projector.caughtUp();
    const opened = await store.opened(clientId);
    const margin = positions.map((position) => ({
      ...position,
      open_interest: position.quantity,
      current_price: position.mark_price,
      duration: null,
      // One that was closed since memory was read is not in the tables any more.
      start_date: opened.get(position.id) ?? 0,
      end_date: null,
    }));
    return { margin };
  });

  calls.serve(futures.coinFuturePnl, async ({ identity }) => {
    const { profit, part } = await service.gained(identityOf(identity).clientId);
    return { spotProfit: profit, spotPercentage: part };
  });
}

function describeTerms(market: PerpetualMarket) {
  const { perpetual, quote } = market;
  const { makerPpm, takerPpm, tiers, markClampPpm, funding } = perpetual;
  const money = (units: bigint) => formatAmount(units, quote.scale);
  return {
    coin_pair: pairNames(market),
    maximum_leverage: tiers[0]?.maximumLeverage ?? 1,
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

function serveSettings({ calls, service }: Deps): void {
  calls.serve(futures.futuresSettings, async ({ query, identity }) => {
    const market = service.market(query.symbol);
    if (!market.ok) return orderRefusal(market.error);
    const settings = await service.settings(identityOf(identity).clientId, market.value, query.position_side);
    return { ...settings, ...describeTerms(market.value) };
  });

  calls.serve(futures.changeLeverage, async ({ body, identity, intent }) => {
    const key = intentOf(intent, body);
    if (key instanceof Refusal) return key;
    const named = { name: body.symbol, positionSide: body.position_side };
    const result = await service.changeLeverage(identityOf(identity), named, body, key);
    return result.ok ? { message: 'success' as const, ...result.value } : orderRefusal(result.error);
  });

  calls.serve(futures.changePositionMode, async ({ body, identity, intent }) => {
    const key = intentOf(intent, body);
    if (key instanceof Refusal) return key;
    const result = await service.changePositionMode(identityOf(identity), body.symbol, body.position_mode, key);
    return result.ok ? { message: 'success' as const, ...result.value } : orderRefusal(result.error);
  });

  calls.serve(futures.changeMargin, async ({ body, identity, intent }) => {
    const key = intentOf(intent, body);
    if (key instanceof Refusal) return key;
    const named = { name: body.symbol, positionSide: body.position_side };
    const result = await service.changeMargin(identityOf(identity), named, body.amount, key);
    return result.ok ? { message: 'success' as const, position: result.value } : orderRefusal(result.error);
  });
}

function serveOrders({ calls, closing }: Deps): void {
  calls.serve(futures.closePosition, async ({ body, identity, intent }) => {
    const key = intentOf(intent, body);
    if (key instanceof Refusal) return key;
    const { symbol, future_id: id, transaction_password: password, type, price, quantity } = body;
    if (symbol === undefined)
      return closedAnswer(await closing.closeAll(identityOf(identity), id ?? '', password, key));
    const input = {
      type,
      price,
      timeInForce: body.time_in_force,
      quantity,
      sharePercent: body.share_percent,
      password,
    };
    const named = { name: symbol, positionSide: body.position_side };
    return closedAnswer(await closing.close(identityOf(identity), named, input, key));
  });

  calls.serve(futures.closeFuture, async ({ query, identity, intent }) => {
    const key = intentOf(intent, query);
    if (key instanceof Refusal) return key;
    const { future_id: id, transaction_password: password } = query;
    return closedAnswer(await closing.closeAll(identityOf(identity), id, password, key));
  });

  calls.serve(futures.reversePosition, async ({ body, identity, intent }) => {
    const key = intentOf(intent, body);
    if (key instanceof Refusal) return key;
    const { symbol, transaction_password: password } = body;
    return placedAnswer(await closing.reverse(identityOf(identity), symbol, password, key));
  });

  calls.serve(futures.buyMore, async ({ body, identity, intent }) => {
    const key = intentOf(intent, body);
    if (key instanceof Refusal) return key;
    const { name, margin, leverage, transaction_password: password } = body;
    const price = body.opening_price || undefined;
    const input = { name, isLong: body.delegate_type === 'BUY_MORE', margin, leverage, price, password };
    return placedAnswer(await closing.open(identityOf(identity), input, key));
  });
}

function servePublic({ calls, service, store, engine }: Deps): void {
  const { exchange, sequencer, projector } = engine;
  calls.serve(futures.fundingRates, async ({ query }) => {
    const found = service.market(query.symbol);
    if (!found.ok) return orderRefusal(found.error);
    const { value: market } = found;
    const state = exchange.perpetualState(market.id);
    const { index, nextFundingAt } = state;
    const { markPrice } = exchange.marketState(market.id);
    const ratePpb = predictedRate(state, market.perpetual.funding);
    await sequencer.settled();
    await projector.caughtUp();
    const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
    const rows = await store.settlements(market.id, before, 0, query.limit);
    return {
      coin_pair: pairNames(market),
      rate: nextFundingAt === 0 ? null : rateText(ratePpb),
      next_funding_at: nextFundingAt === 0 ? null : nextFundingAt,
      interval_hours: market.perpetual.funding.intervalMs / HOUR_MS,
      mark_price: markPrice === 0 ? null : formatTicks(markPrice, market),
      index_price: index === 0 ? null : formatTicks(index, market),
      history: rows.map(({ time, rate, mark }) => ({
        ...{ time, rate: rateText(rate), mark_price: formatTicks(mark, market) },
      })),
    };
  });

  calls.serve(futures.insuranceFund, async () => {
    const { id, code, scale } = service.settlement;
    const balance = service.insurance();
    await sequencer.settled();
    await projector.caughtUp();
    const days = await store.insuranceDays(id, INSURANCE_DAYS);
    const rows = days.map((one) => ({ time: one.day, balance: formatAmount(one.balance, scale) }));
    return { coin: code, balance: formatAmount(balance, scale), days: rows };
  });
}

export function serveFutures(deps: Deps): void {
  servePositions(deps);
  serveSettings(deps);
  serveOrders(deps);
  servePublic(deps);
}
