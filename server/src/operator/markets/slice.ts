/** An operator's pairs and coins as a slice. */
import type { Engine } from '../../exchange/engine/engine.ts';
import type { FuturesForm } from '../../exchange/futures/service.ts';
import type { MarketLookup } from '../../exchange/orders/service.ts';
import type { AccountService } from '../../identity/accounts/service.ts';
import type { PendingChanges } from '../../identity/operators/service.ts';
import { describeChanges } from '../../identity/operators/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Refusal } from '../../platform/calls.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { type DelistingDeps, Delistings } from './delistings.ts';
import { createMaintenanceHaltStore } from './maintenance-halt-store.ts';
import { MaintenanceHalts } from './maintenance-halts.ts';
import { PerpetualAdmin } from './perpetual-admin.ts';
import { PerpetualSettling } from './perpetual-settlement.ts';
import { refusalOf, serveMarketAdmin, servePerpetualAdmin, serveSettling } from './routes.ts';
import { type Actor, MarketAdmin } from './service.ts';
import { createSettlingStore } from './settling-store.ts';
import { defineProtections } from './waiting-changes.ts';

const LOOK_MS = 1000;

export interface MarketAdminParts {
  readonly engine: Engine;
  readonly markets: MarketLookup;
  readonly audit: AuditLog;
  readonly pending: PendingChanges;
  readonly accounts: Pick<AccountService, 'person'>;
  readonly form: FuturesForm;
  /** Undefined while the exchange is open. */
  readonly maintained: () => object | undefined;
  readonly holdersOf: DelistingDeps['holdersOf'];
  readonly notifications: DelistingDeps['notifications'];
}

export interface MarketAdminSlice extends Slice {
  readonly pairHalts: {
    /** Halts what trades. @returns why not, where one could not be */
    begin(): Promise<Refusal | undefined>;
    readonly state: MaintenanceHalts['state'];
    readonly resume: (actor: Actor) => Promise<void>;
  };
}

export async function createMarketAdminSlice(
  { database, clock, logger }: Pick<Platform, 'database' | 'clock' | 'logger'>,
  { engine, markets, audit, form, maintained, pending, accounts, holdersOf, notifications }: MarketAdminParts,
): Promise<MarketAdminSlice> {
  const settlings = createSettlingStore(database);
  const deps = { view: engine.exchange, sequencer: engine.sequencer, audit, settlings };
  const admin = new MarketAdmin(deps);
  const perpetuals = new PerpetualAdmin(deps, admin, form);
  defineProtections({ view: engine.exchange, admin, perpetuals, pending });
  const waiting = { pending, describe: describeChanges(accounts) };
  const settling = new PerpetualSettling(deps, admin);
  const store = createMaintenanceHaltStore(database);
  const isMaintained = () => maintained() !== undefined;
  const halts = await MaintenanceHalts.open({ ...deps, admin, store, isMaintained, clock });
  const told = { holdersOf, notifications };
  const delistings = new Delistings({ view: engine.exchange, admin, settling, halts, ...told, clock, logger });
  return {
    pairHalts: {
      async begin() {
        const error = await halts.begin();
        return error && refusalOf(error);
      },
      state: () => halts.state(),
      resume: (actor) => halts.resume(actor),
    },
    jobs: [
      { name: 'pairs after maintenance', everyMs: LOOK_MS, run: () => halts.follow() },
      { name: 'announced delistings', everyMs: LOOK_MS, run: () => delistings.run() },
    ],
    routes(calls) {
      serveMarketAdmin(calls, admin, markets, halts, delistings, waiting);
      servePerpetualAdmin(calls, perpetuals, waiting);
      serveSettling(calls, settling, markets, halts);
    },
  };
}
