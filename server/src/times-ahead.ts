/** Every table in which a time of the future keeps somebody or something waiting, or lasts longer than it should. */
import { alertTimes } from './exchange/alerts/store.ts';
import { keyTimes } from './exchange/engine/idempotency-store.ts';
import { futuresTimes } from './exchange/futures/store.ts';
import { barTimes } from './exchange/market-data/store.ts';
import { walletMoveTimes } from './funds/cold/store.ts';
import { payoutTimes } from './funds/payouts/store.ts';
import { sweepTimes } from './funds/sweeps/store.ts';
import { withdrawalTimes } from './funds/withdrawals/store.ts';
import { deviceTimes } from './identity/accounts/device-store.ts';
import { operatorLinkTimes } from './identity/accounts/operator-store.ts';
import { restrictionTimes } from './identity/accounts/restriction-store.ts';
import { sessionTimes } from './identity/accounts/session-store.ts';
import { factorTimes } from './identity/factors/store.ts';
import { securityTimes } from './identity/security/store.ts';
import { supportTimes } from './people/support/store.ts';
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
  ...sweepTimes,
  ...walletMoveTimes,
  ...supportTimes,
  ...alertTimes,
  ...futuresTimes,
  ...keyTimes,
  ...barTimes,
];
