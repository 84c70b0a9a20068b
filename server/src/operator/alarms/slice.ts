/** Mails about alarms as a slice: to the addresses of the settings, or to every operator. */
import type { AlarmMailbox } from '../../exchange/ledger/service.ts';
import type { MailTemplate } from '../../platform/mail-template.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { createAlarmMails } from './service.ts';

const EVERY_MS = 5000;

interface AlarmMailParts {
  readonly alarms: AlarmMailbox;
  /** Client numbers of operators who have set their passwords. */
  readonly operatorIds: () => Promise<readonly number[]>;
}

export function createAlarmMailsSlice(
  { config, outbox, clock }: Platform,
  { alarms, operatorIds }: AlarmMailParts,
): Slice {
  const addresses = config.ALARM_MAIL;
  if (addresses?.length === 0) return {};
  const operators = async (): Promise<MailTemplate['to'][]> => (await operatorIds()).map((clientId) => ({ clientId }));
  const { run } = createAlarmMails({
    ...{ alarms, outbox, clock },
    recipients: addresses === undefined ? operators : async () => addresses,
    siteName: config.SITE_NAME,
    siteUrl: config.PUBLIC_URL,
  });
  return { jobs: [{ name: 'mail alarms', everyMs: EVERY_MS, run }] };
}
