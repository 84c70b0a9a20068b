/** What other slices may use of the ledger. */
import type { AlarmStore } from './alarm-store.ts';

export type { NewAlarm } from './alarm-store.ts';
export { type Alarms, createAlarms } from './alarms.ts';
export { FEE_TIERS, type FeeTier, feePercent, tierOf } from './fee-tiers.ts';
export type { AccountMovement, LedgerPlace, Movement, MovementStore } from './movement-store.ts';
export { endPending } from './pending.ts';
export type { PositionReason } from './position-moves.ts';
export type { ReadBack, StoredLeg } from './read-back-store.ts';
export { rowReasons } from './row-reasons.ts';

/** Raises alarms that an operator handles. */
export type AlarmRaiser = Pick<AlarmStore, 'raise' | 'raising'>;

/** The alarms, as an operator handles them. */
export type AlarmInbox = Pick<AlarmStore, 'alarms' | 'acknowledge'>;

/** The alarms, as mails tell of them. */
export type AlarmMailbox = Pick<AlarmStore, 'unmailed' | 'mail'>;
