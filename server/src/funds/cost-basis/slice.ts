/** What coins have cost, as a slice. */
import { costBasis } from '@cambist/contract/cost-basis.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import type { MovementStore } from '../../exchange/ledger/service.ts';
import type { MarketData } from '../../exchange/market-data/service.ts';
import type { MarketLookup, TradeStore } from '../../exchange/orders/service.ts';
import type { CallServer } from '../../platform/calls.ts';
import { createConsumerStore } from '../../platform/consumer-store.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { createFollower } from './follower.ts';
import { type CostBasisService, createCostBasisService } from './service.ts';
import { costBasisTables, createCostBasisStore } from './store.ts';

export interface CostBasisParts {
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly markets: MarketLookup;
  readonly marketData: MarketData;
  readonly trades: TradeStore;
  readonly movements: MovementStore;
}

function serveCostBasis(calls: CallServer, service: CostBasisService): void {
  calls.serve(costBasis, ({ identity }) => service.of(identity.clientId));
}

export interface CostBasisSlice extends Slice {
  readonly costs: CostBasisService;
}

export function createCostBasisSlice(platform: Platform, parts: CostBasisParts): CostBasisSlice {
  const { database, logger, work, clock } = platform;
  const { engine, catalogue, markets, marketData, trades, movements } = parts;
  const money = catalogue.assetByCode('USDT');
  if (money === undefined) throw new Error('The catalogue has no USDT');
  const store = createCostBasisStore(database);
  const pricing = (asset: number) =>
    catalogue
      .everNamed(`${catalogue.assetById(asset)?.code}${money.code}`)
      .map(markets.byId)
      .filter(({ base, quote }) => base.id === asset && quote.id === money.id);
  const consumer = createFollower({
    ...{ store, trades, movements, money },
    consumers: { store: createConsumerStore(database), logger, work },
    markets: { byId: markets.byId, pricing },
    priceBefore: marketData.priceBefore,
    projected: () => engine.projector.batch(),
  });
  const projected = () => engine.projector.caughtUp();
  const service = createCostBasisService({
    ...{ store, consumer, projected, money, clock },
    assetById: (id) => catalogue.assetById(id),
  });
  const caughtUp = async () => {
    await projected();
    await consumer.caughtUp();
  };
  return {
    costs: service,
    routes: (calls) => serveCostBasis(calls, service),
    consumers: [consumer],
    personalData: personalDataOf(database, costBasisTables, caughtUp),
  };
}
