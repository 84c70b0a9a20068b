/**
 * Mails to operators about open alarms: the first at once, those that follow it together. An alarm in the console alone waits
 * for an operator who happens to look.
 */
import type { AlarmMailbox, NewAlarm } from '../../exchange/ledger/service.ts';
import { type MailTemplate, mailMessage } from '../../platform/mail-template.ts';
import type { Message, Outbox } from '../../platform/outbox.ts';
import { say } from '../../platform/texts.ts';

export interface AlarmMailDeps {
  readonly alarms: AlarmMailbox;
  readonly outbox: Pick<Outbox, 'statement' | 'wake'>;
  readonly clock: { now(): number };
  /** Whom they go to now. */
  readonly recipients: () => Promise<readonly MailTemplate['to'][]>;
  readonly siteName: string;
  readonly siteUrl: string | undefined;
}

/** Between two mails: a fault that raises an alarm for each of a thousand payments is a few mails, not a thousand. */
const PAUSE_MS = 5 * 60_000;
/** Of one mail; the rest is a number. */
const NAMED = 10;
/** A mail server may be away for as long as whatever the alarm is about. */
const LIFETIME_MS = 7 * 86_400_000;

const timeOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function templateOf(alarms: readonly NewAlarm[], { siteName, siteUrl }: AlarmMailDeps): Omit<MailTemplate, 'to'> {
  const kind = alarms[0]?.kind ?? '';
  const more = alarms.length - 1;
  const values = { site: siteName, kind, count: String(more) };
  const named = alarms.slice(0, NAMED);
  const rest = alarms.length - named.length;
  return {
    subject:
      more === 0
        ? say('{{site}}: alarm {{kind}}', values)
        : say('{{site}}: alarm {{kind}}, and {{count}} more', values),
    paragraphs: [
      say('An alarm is open on {{site}}, and no operator has acknowledged it.', values),
      ...named.map((alarm) => ({ words: `${alarm.kind}, ${timeOf(alarm.raised_at)}\n${alarm.detail}` })),
      ...(rest === 0 ? [] : [say('Not named here: {{count}} more.', { count: String(rest) })]),
      say(
        'What it means, and what to do, is under “At three in the morning” in docs/OPERATIONS.md. Acknowledge it under Operations in the console.',
      ),
      ...(siteUrl === undefined ? [] : [{ words: new URL('/admin/operations', siteUrl).href }]),
    ],
  };
}

export function createAlarmMails(deps: AlarmMailDeps) {
  const { alarms, outbox, clock, recipients } = deps;
  let sentAt = Number.NEGATIVE_INFINITY;

  /** A job. That an alarm was told of is written with the mails, so that each is told of once. */
  async function run(): Promise<void> {
    const now = clock.now();
    // A clock that was set back since then keeps nothing waiting.
    if (sentAt <= now && now - sentAt < PAUSE_MS) return;
    const open = await alarms.unmailed();
    if (open.length === 0) return;
    const to = await recipients();
    // Who is made an operator later is told then.
    if (to.length === 0) return;
    const template = templateOf(open, deps);
    const messages = to.map((recipient): Message => {
      const key = `alarm:${open[0]?.id}:${open.at(-1)?.id}:${JSON.stringify(recipient)}`;
      const about = { kind: 'alarm', lifetimeMs: LIFETIME_MS, untilItExpires: true, key };
      return mailMessage({ to: recipient, ...template }, about);
    });
    const ids = open.map(({ id }) => id);
    await alarms.mail(ids, now, outbox.statement(...messages));
    sentAt = now;
    outbox.wake();
  }

  return { run };
}
