/** Orders as a slice, and the fee tiers that other slices read. */
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { Marks } from '../liquidity/mark-prices.ts';
import { createOrderStore } from './order-store.ts';
import { orderTables } from './personal-store.ts';
import { serveTrading } from './routes.ts';
import { createTradingService, FEE_TIERS, type MarketLookup, type TradingPassword } from './service.ts';

export function marketLookup(catalogue: Catalogue): MarketLookup {
  return {
    resolve: (name) => catalogue.resolvePair(name)?.spec,
    byId: (id) => catalogue.specs[id] as (typeof catalogue.specs)[number],
  };
}

/** @returns the fee tier that an operator gave a client; 0 for rates that are no tier's */
export function createTierReader({ database }: Platform): (clientId: number) => Promise<number> {
  const store = createOrderStore(database);
  return async (clientId) => {
    const fees = await store.feesOf(clientId);
    const tier = FEE_TIERS.findIndex(
      ({ makerPpm, takerPpm }) => makerPpm === fees?.makerPpm && takerPpm === fees.takerPpm,
    );
    return Math.max(0, tier);
  };
}

export interface OrderParts {
  readonly engine: Engine;
  readonly markets: MarketLookup;
  readonly marks: Marks;
  readonly password: TradingPassword;
}

export function createOrdersSlice({ database }: Platform, parts: OrderParts): Slice {
  const trading = createTradingService({ ...parts, store: createOrderStore(database) });
  return {
    routes: (calls) => serveTrading(calls, trading),
    personalData: personalDataOf(database, orderTables),
  };
}
