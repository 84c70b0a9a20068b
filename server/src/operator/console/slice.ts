/** The operator's calls about clients, alarms and unsent messages, as a slice. */
import type { Engine } from '../../exchange/engine/engine.ts';
import type { AlarmInbox } from '../../exchange/ledger/service.ts';
import type { TradingService } from '../../exchange/orders/service.ts';
import type { AccountService } from '../../identity/accounts/service.ts';
import type { Passkeys } from '../../identity/factors/service.ts';
import type { Security } from '../../identity/security/service.ts';
import type { Notifications } from '../../people/notifications/service.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import type { Audit } from '../audit/service.ts';
import { type PairHalts, serveAdminClients } from './client-routes.ts';
import type { HoldingsDeps } from './holdings.ts';
import { serveOutbox } from './outbox-routes.ts';
import { serveAdmin } from './routes.ts';

export interface ConsoleParts {
  readonly accounts: AccountService;
  readonly audit: Audit;
  readonly passkeys: Passkeys;
  readonly security: Pick<Security, 'resetFactors'>;
  readonly hasTotp: (clientId: number) => Promise<boolean>;
  readonly alarms: AlarmInbox;
  readonly engine: Engine;
  readonly trading: Pick<TradingService, 'stopOrders'>;
  readonly notifications: Pick<Notifications, 'tell'>;
  readonly pairHalts: PairHalts;
  readonly deposits: HoldingsDeps['deposits'];
  readonly withdrawals: HoldingsDeps['withdrawals'];
}

export function createConsoleSlice({ outbox, clock }: Platform, parts: ConsoleParts): Slice {
  return {
    routes(calls) {
      const { engine, deposits, withdrawals } = parts;
      serveAdminClients(calls, { ...parts, holdings: { view: engine.exchange, deposits, withdrawals }, clock });
      serveAdmin(calls, { ...parts, clock });
      serveOutbox(calls, { audit: parts.audit, outbox });
    },
  };
}
