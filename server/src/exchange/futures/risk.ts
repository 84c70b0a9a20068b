/** What an operator sees of the risk in perpetuals: of all markets, of the largest positions, and of who is nearest to liquidation. */
import { futuresRisk } from '@cambist/contract/admin-futures.ts';
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { HoldingRecord } from '@cambist/core/margin/holding-record.ts';
import { widestClampPpm } from '@cambist/core/margin/perpetual.ts';
import { marginRatio } from '@cambist/core/margin/thresholds.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { notional } from '@cambist/core/money/notional.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import type { CallServer } from '../../platform/calls.ts';
import type { Engine } from '../engine/engine.ts';
import { feePercent } from '../ledger/service.ts';
import type { MarketLookup } from '../orders/service.ts';
import { describePosition, legOf } from './describe.ts';
import type { FuturesForm } from './form.ts';
import { indexOf, quotesOf, type SourceParts, strays } from './index-sources.ts';
import { describeMoment } from './public-routes.ts';
import { type FuturesService, isPerpetual, type PerpetualMarket } from './service.ts';

interface Deps extends SourceParts {
  readonly form: FuturesForm;
  readonly calls: CallServer;
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
  readonly markets: Pick<MarketLookup, 'byId'>;
  readonly service: FuturesService;
  readonly clock: { now(): number };
}

/** Shown, and looked at: the call answers in one piece of the process's time. */
const SHOWN = 50;
const LOOKED_AT = 2_000;

function marketRow({ engine }: Deps, market: PerpetualMarket) {
  const { exchange } = engine;
  const lots = exchange.openInterest(market.id);
  const { markPrice } = exchange.marketState(market.id);
  return {
    pair_name: market.symbol,
    ...describeMoment(engine, market),
    open_interest: formatLots(lots, market),
    open_value: formatAmount(notional(market, markPrice, lots), market.quote.scale),
    mark_clamp_percent: feePercent(market.perpetual.markClampPpm),
    widest_clamp_percent: feePercent(widestClampPpm(market.perpetual)),
  };
}

/** What each source of the indexes says of each perpetual that it knows. */
function sourceRows(deps: Deps) {
  const { indexSources, catalogue, clock } = deps;
  const now = clock.now();
  const said = catalogue.perpetuals.flatMap(({ spec }) => {
    const quotes = quotesOf(deps, spec);
    const index = indexOf(quotes, now);
    return quotes.flatMap((quote) => {
      const { source, ticks, last } = quote;
      if (last === undefined) return [];
      const price = { pair_name: spec.symbol, price: formatTicks(last.ticks, spec), said_at: last.at };
      return [{ source, price: { ...price, is_used: ticks !== undefined, strays: strays(quote, index) } }];
    });
  });
  return indexSources.map((source) => ({
    name: source.name,
    is_fresh: source.isFresh(),
    prices: said.flatMap((one) => (one.source === source ? [one.price] : [])),
  }));
}

/** Those of clients, by what they have cost. */
function largestPositions({ engine }: Deps): readonly HoldingRecord[] {
  const costOf = ({ position }: HoldingRecord) => position?.cost ?? 0n;
  return engine.exchange
    .holdings()
    .filter(({ owner, position }) => position && owner !== HOUSE_MAKER && owner !== HOUSE_TAKER)
    .sort((one, other) => (costOf(one) < costOf(other) ? 1 : costOf(one) > costOf(other) ? -1 : 0))
    .slice(0, LOOKED_AT);
}

function positionRows({ engine, markets, service }: Deps, largest: readonly HoldingRecord[]) {
  return largest.slice(0, SHOWN).flatMap(({ owner, market, leg }) => {
    const view = service.openIn(owner, market, leg);
    const wallet = engine.exchange.marginWalletOf(owner, service.settlement.id);
    return view ? [{ ...describePosition(markets.byId(market), view, wallet), client_id: owner }] : [];
  });
}

function accountRows({ markets, service }: Deps, largest: readonly HoldingRecord[]) {
  const money = (units: bigint) => formatAmount(units, service.settlement.scale);
  const owners = [...new Set(largest.map(({ owner }) => owner))];
  return owners
    .flatMap((owner) => service.accountsOf(owner).map((account) => ({ owner, ...account })))
    .map((account) => ({ ...account, margin_ratio: marginRatio(account.required, account.equity) }))
    .sort((one, other) => Number(other.margin_ratio) - Number(one.margin_ratio))
    .slice(0, SHOWN)
    .map(({ owner, place, equity, required, margin_ratio }) => ({
      client_id: owner,
      pair_name: place === undefined ? null : markets.byId(place.market).symbol,
      ...(place && legOf(place.leg)),
      ...{ equity: money(equity), maintenance_margin: money(required), margin_ratio },
    }));
}

export function serveRisk(deps: Deps): void {
  const { calls, catalogue, engine, service, form } = deps;
  calls.serve(futuresRisk, async () => {
    const { exchange, sequencer } = engine;
    const largest = largestPositions(deps);
    const { code, scale } = service.settlement;
    const answer = {
      coin: code,
      insurance: formatAmount(service.insurance(), scale),
      sells_empty: form.sellsEmpty,
      is_liquidating: exchange.hasLiquidations(),
      markets: catalogue.perpetuals
        .map(({ spec }) => spec)
        .filter(isPerpetual)
        .map((market) => marketRow(deps, market)),
      index_sources: sourceRows(deps),
      positions: positionRows(deps, largest),
      accounts: accountRows(deps, largest),
    };
    await sequencer.settled();
    return answer;
  });
}
