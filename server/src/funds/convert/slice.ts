/** Conversions as a slice. */
import type { Engine } from '../../exchange/engine/engine.ts';
import type { MarketLookup, TradingPassword, TradingService } from '../../exchange/orders/service.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { serveConvert } from './routes.ts';
import { createConvertService } from './service.ts';

export interface ConvertParts {
  readonly engine: Engine;
  readonly markets: MarketLookup;
  readonly trading: TradingService;
  readonly referenceOf: (market: number) => number | undefined;
  readonly password: TradingPassword;
}

export function createConvertSlice({ clock }: Platform, parts: ConvertParts): Slice {
  const { engine, markets, trading, referenceOf, password } = parts;
  const { exchange } = engine;
  const bandPrice = (market: number) => exchange.bandPrice(market);
  const service = createConvertService({ markets, exchange, trading, referenceOf, bandPrice, password, clock });
  return { routes: (calls) => serveConvert(calls, service) };
}
