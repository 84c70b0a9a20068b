/** What the exchange says of itself: figures of the whole of it, and its fees. */
import * as calls from '@cambist/contract/exchange-figures.ts';
import type { CallServer } from '../../platform/calls.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import { FEE_TIERS, feePercent } from '../ledger/service.ts';
import type { MarketData } from './service.ts';

export interface FiguresRouteDeps {
  readonly calls: CallServer;
  readonly catalogue: Catalogue;
  readonly marketData: MarketData;
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
}

export function registerFiguresRoutes({ calls: server, catalogue, marketData, engine }: FiguresRouteDeps): void {
  server.serve(calls.exchangeFigures, () => {
    const ids = catalogue.markets.map(({ spec }) => spec.id);
    const volume = ids.reduce((sum, id) => sum + marketData.day(id).turnoverNumber, 0);
    const times = engine.sequencer.acknowledgements.read(performance.now());
    const { makerPpm, takerPpm } = engine.exchange.defaults().fees;
    return {
      pairs: ids.filter((id) => !engine.exchange.marketState(id).halted).length,
      maker_fee_percent: feePercent(makerPpm),
      taker_fee_percent: feePercent(takerPpm),
      volume_24h: volume.toFixed(0),
      acknowledgement:
        times === undefined
          ? null
          : { orders: times.orders, p50_ms: times.p50Ms.toFixed(1), p99_ms: times.p99Ms.toFixed(1) },
    };
  });

  server.serve(calls.feeTiers, () => {
    const tiers = [engine.exchange.defaults().fees, ...FEE_TIERS.slice(1)];
    return {
      tiers: tiers.map(({ makerPpm, takerPpm }, level) => ({
        level,
        maker_fee_percent: feePercent(makerPpm),
        taker_fee_percent: feePercent(takerPpm),
      })),
    };
  });
}
