/** What everyone may know of perpetuals: their terms, funding rates, and the insurance fund. */
import * as futures from '@cambist/contract/futures.ts';
import { perpetuals } from '@cambist/contract/perpetuals.ts';
import { predictedRate } from '@cambist/core/margin/pricing.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import type { CallServer } from '../../platform/calls.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import { pairNames } from '../orders/describe.ts';
import { orderRefusal } from '../orders/refusals.ts';
import { describeTerms, HOUR_MS, rateText } from './describe.ts';
import { type FuturesService, isPerpetual, type PerpetualMarket } from './service.ts';
import type { FuturesStore } from './store.ts';

interface Deps {
  readonly calls: CallServer;
  readonly catalogue: Pick<Catalogue, 'perpetuals'>;
  readonly engine: Pick<Engine, 'exchange' | 'sequencer' | 'projector'>;
  readonly service: FuturesService;
  readonly store: FuturesStore;
}

const INSURANCE_DAYS = 90;

/** Prices and rate of a perpetual at this moment; memory. */
export function describeMoment({ exchange }: Pick<Engine, 'exchange'>, market: PerpetualMarket) {
  const state = exchange.perpetualState(market.id);
  const { markPrice } = exchange.marketState(market.id);
  const price = (ticks: number) => (ticks === 0 ? null : formatTicks(ticks, market));
  const isPriced = state.nextFundingAt > 0;
  return {
    mark_price: price(markPrice),
    index_price: price(state.index),
    rate: isPriced ? rateText(predictedRate(state, market.perpetual.funding)) : null,
    next_funding_at: isPriced ? state.nextFundingAt : null,
  };
}

export function servePublic({ calls, catalogue, service, store, engine }: Deps): void {
  const { exchange, sequencer, projector } = engine;

  calls.serve(perpetuals, async () => {
    const markets = catalogue.perpetuals.map(({ spec }) => spec).filter(isPerpetual);
    const answer = markets.map((market) => ({
      pair_name: market.symbol,
      coin: market.base.code,
      price_scale: market.tickScale,
      quantity_scale: market.lotScale,
      open_interest: formatLots(exchange.openInterest(market.id), market),
      ...describeMoment(engine, market),
      ...describeTerms(market),
    }));
    await sequencer.settled();
    return { perpetuals: answer };
  });

  calls.serve(futures.fundingRates, async ({ query }) => {
    const found = service.market(query.symbol);
    if (!found.ok) return orderRefusal(found.error);
    const { value: market } = found;
    const moment = describeMoment(engine, market);
    await sequencer.settled();
    await projector.caughtUp();
    const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
    const rows = await store.settlements(market.id, before, 0, query.limit);
    return {
      coin_pair: pairNames(market),
      ...moment,
      interval_hours: market.perpetual.funding.intervalMs / HOUR_MS,
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
