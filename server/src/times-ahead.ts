/** Every table in which a time of the future keeps a client or a job waiting, or lasts longer than it should. */
import { alertTimes } from './exchange/alerts/service.ts';
import { keyTimes } from './exchange/engine/service.ts';
import { futuresTimes } from './exchange/futures/service.ts';
import { barTimes } from './exchange/market-data/service.ts';
import { payoutTimes } from './funds/payouts/service.ts';
import { withdrawalTimes } from './funds/withdrawals/service.ts';
import { deviceTimes, operatorLinkTimes, restrictionTimes, sessionTimes } from './identity/accounts/service.ts';
import { factorTimes } from './identity/factors/service.ts';
import { securityTimes } from './identity/security/service.ts';
import { supportTimes } from './people/support/service.ts';
import { outboxTimes } from './platform/outbox-store.ts';
import type { TimesAhead } from './platform/times-ahead.ts';

export const timesAhead: readonly TimesAhead[] = [
  ...factorTimes,
  ...sessionTimes,
  ...deviceTimes,
  ...operatorLinkTimes,
  ...restrictionTimes,
  ...securityTimes,
  ...outboxTimes,
  ...withdrawalTimes,
  ...payoutTimes,
  ...supportTimes,
  ...alertTimes,
  ...futuresTimes,
  ...keyTimes,
  ...barTimes,
];
