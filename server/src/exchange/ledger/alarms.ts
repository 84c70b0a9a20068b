/** Alarms of slices: logged while they are news, and kept until an operator has acknowledged them. */
import type { Statement } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { AlarmStore } from './alarm-store.ts';

export interface Alarms {
  /** For the transaction that writes what the alarm is about. */
  statement(kind: string, detail: string): Statement;
  raise(kind: string, detail: string): Promise<void>;
}

interface AlarmDeps {
  readonly clock: { now(): number };
  readonly logger: Pick<Logger, 'error'>;
}

export function createAlarms({ clock, logger }: AlarmDeps, inbox: Pick<AlarmStore, 'raise' | 'raising'>): Alarms {
  const log = (kind: string, detail: string) => logger.error({ kind }, `ALARM: ${detail}`);
  return {
    statement(kind, detail) {
      log(kind, detail);
      return inbox.raising(kind, detail, clock.now());
    },
    async raise(kind, detail) {
      if (await inbox.raise(kind, detail, clock.now())) log(kind, detail);
    },
  };
}
