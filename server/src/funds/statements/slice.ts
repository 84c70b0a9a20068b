/** Statements of wallets as a slice. */
import type { Engine } from '../../exchange/engine/engine.ts';
import type { Catalogue } from '../../exchange/instruments/service.ts';
import type { MovementStore, ReadBack } from '../../exchange/ledger/service.ts';
import type { FillStore, MarketLookup } from '../../exchange/orders/service.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { serveStatements } from './routes.ts';
import { createStatements, type Span } from './service.ts';
import { openYearFile } from './year-file.ts';

export interface StatementParts {
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly markets: MarketLookup;
  readonly movements: MovementStore;
  readonly fills: FillStore;
  readonly readBack: ReadBack;
}

export function createStatementsSlice({ encryption, sendFile }: Platform, parts: StatementParts): Slice {
  const { engine, catalogue, markets, movements, fills, readBack } = parts;
  const projected = async () => {
    await engine.sequencer.settled();
    await engine.projector.caughtUp();
  };
  const year = {
    ...{ movements, fills, marketsOf: () => [] },
    newest: async () => {
      await projected();
      const { batch, trade } = await readBack.balances([]);
      return { trade: trade + 1, transfer: [trade, batch + 1, 0] as const };
    },
    spotMarkets: () => engine.exchange.markets().filter(({ perpetual }) => !perpetual),
    accountsOf: (owner: number) => engine.exchange.accountsOf(owner),
    assetById: (id: number) => catalogue.assetById(id),
    pairOf: (market: number) => markets.byId(market).symbol,
  };
  const openYear = (owner: number, span: Span) => openYearFile(year, owner, span);
  const statements = createStatements({
    ...{ movements, fills, encryption, balances: readBack.balances },
    // Fills of perpetuals move no coins: what they bring is among the movements.
    marketsOf: (asset) =>
      engine.exchange
        .markets()
        .filter(({ base, quote, perpetual }) => !perpetual && (base.id === asset || quote.id === asset)),
    projected,
    assetByCode: (code) => catalogue.assetByCode(code),
    pairOf: (market) => markets.byId(market).symbol,
  });
  return { routes: (calls) => serveStatements(calls, statements, openYear, sendFile) };
}
