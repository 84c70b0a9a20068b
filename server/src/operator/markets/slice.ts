/** An operator's pairs and coins as a slice. */
import type { Engine } from '../../exchange/engine/engine.ts';
import type { FuturesForm } from '../../exchange/futures/service.ts';
import type { MarketLookup } from '../../exchange/orders/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { PerpetualAdmin } from './perpetual-admin.ts';
import { PerpetualSettling } from './perpetual-settlement.ts';
import { serveMarketAdmin, servePerpetualAdmin, serveSettling } from './routes.ts';
import { MarketAdmin } from './service.ts';
import { createSettlingStore } from './settling-store.ts';

export interface MarketAdminParts {
  readonly engine: Engine;
  readonly markets: MarketLookup;
  readonly audit: AuditLog;
  readonly form: FuturesForm;
}

export function createMarketAdminSlice(
  { database }: Pick<Platform, 'database'>,
  { engine, markets, audit, form }: MarketAdminParts,
): Slice {
  const settlings = createSettlingStore(database);
  const deps = { view: engine.exchange, sequencer: engine.sequencer, audit, settlings };
  const admin = new MarketAdmin(deps);
  const perpetuals = new PerpetualAdmin(deps, admin, form);
  const settling = new PerpetualSettling(deps, admin);
  return {
    routes(calls) {
      serveMarketAdmin(calls, admin, markets);
      servePerpetualAdmin(calls, perpetuals);
      serveSettling(calls, settling);
    },
  };
}
