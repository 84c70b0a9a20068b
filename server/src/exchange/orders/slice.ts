/** Orders as a slice. */
import { marketKind } from '@cambist/contract/trading.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { Marks } from '../liquidity/mark-prices.ts';
import type { OrderCanceller } from '../streams/cancel-on-disconnect.ts';
import { createFillStore, type FillStore } from './fill-store.ts';
import { Histories } from './histories.ts';
import { serveHistories } from './history-routes.ts';
import { createOrderStore } from './order-store.ts';
import { orderTables } from './personal-store.ts';
import { serveTrading } from './routes.ts';
import { type MarketLookup, type TradingDeps, type TradingPassword, TradingService } from './service.ts';
import { createTradeStore, type TradeStore } from './trade-store.ts';
import { TwapRunner } from './twap-runner.ts';

export function marketLookup(catalogue: Catalogue): MarketLookup {
  return {
    resolve: (name) => catalogue.resolvePair(name)?.spec,
    byId: (id) => catalogue.byId(id)!.spec,
    everNamed: (name) => catalogue.everNamed(name),
    wanted({ symbol, market = 'spot' }) {
      const kinds = market === 'all' ? marketKind.options : [market];
      if (symbol === undefined) return kinds.flatMap((kind) => catalogue.everOf(kind));
      const named = catalogue.everNamed(symbol);
      return named.length === 0 ? undefined : named;
    },
  };
}

export interface OrderParts {
  readonly engine: Engine;
  readonly markets: MarketLookup;
  readonly marks: Marks;
  readonly password: TradingPassword;
  readonly shutOut: TradingDeps['shutOut'];
  readonly debtors: TradingDeps['debtors'];
}

export interface OrdersSlice extends Slice {
  readonly trading: TradingService;
  readonly canceller: OrderCanceller;
  readonly trades: TradeStore;
  readonly fills: FillStore;
}

/** For orders whose client is no longer there to cancel them. */
function createCanceller(trading: TradingService, { exchange }: Engine): OrderCanceller {
  return {
    isOpen(name) {
      const id = Number(name);
      return (exchange.openOrder(id) ?? exchange.untriggeredOrder(id) ?? exchange.twap(id)) !== undefined;
    },
    async cancelOrders(owner, ids) {
      const results = await trading.cancelMany(owner, ids, []);
      return ids.filter((_, index) => {
        const result = results[index];
        return result !== undefined && !result.ok && result.error.kind === 'not-accepted';
      });
    },
  };
}

export function createOrdersSlice({ database, clock, logger, sendFile }: Platform, parts: OrderParts): OrdersSlice {
  const { engine, markets, marks, password, shutOut, debtors } = parts;
  const store = createOrderStore(database);
  const trading = new TradingService({
    ...{ engine, markets, store, password, shutOut, debtors },
    refreshMark: marks.refresh,
  });
  const fills = createFillStore(database);
  const histories = new Histories({ engine, markets, orders: store, fills });
  const { exchange, sequencer } = engine;
  const twaps = new TwapRunner({ exchange, sequencer, clock, logger });
  return {
    trading,
    canceller: createCanceller(trading, engine),
    trades: createTradeStore(database),
    fills,
    routes(calls) {
      serveTrading(calls, trading);
      serveHistories(calls, histories, sendFile);
    },
    start: () => twaps.start(),
    stop: () => twaps.close(),
    personalData: personalDataOf(database, orderTables, () => engine.projector.caughtUp()),
  };
}
