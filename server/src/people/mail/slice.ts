/** Mail and text messages as a slice: what the outbox holds, by the operator's servers or kept for development. */
import type { MailTemplate } from '../../platform/mail-template.ts';
import { outboxTables } from '../../platform/outbox-store.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { createHttpSms, createSmsOutbox, type SmsOutbox } from '../sms/service.ts';
import type { Mailbox } from './render.ts';
import { createMailOutbox, createSmtpMailer, type MailOutbox, renderMail } from './service.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;

export interface MailParts {
  readonly accounts: {
    /** The mailbox of a client, or of whoever has an address; undefined without one. */
    mailboxOf(to: MailTemplate['to']): Promise<Mailbox | undefined>;
  };
}

export interface MailSlice extends Slice {
  /** Undefined where mail goes out by SMTP. */
  readonly mailOutbox: MailOutbox | undefined;
  /** Undefined where text messages go out by a gateway. */
  readonly smsOutbox: SmsOutbox | undefined;
}

export function createMailSlice({ config, database, clock, outbox }: Platform, { accounts }: MailParts): MailSlice {
  const mailOutbox = config.SMTP_URL === undefined ? createMailOutbox(clock) : undefined;
  const smsOutbox = config.SMS_URL === undefined ? createSmsOutbox(clock) : undefined;
  const mailer = mailOutbox ?? createSmtpMailer(config.SMTP_URL ?? '', config.MAIL_FROM);
  const sms = smsOutbox ?? createHttpSms({ url: config.SMS_URL ?? '', token: config.SMS_TOKEN, from: config.SMS_FROM });

  outbox.serve('mail', async (content) => {
    const template = content as MailTemplate;
    const mailbox = await accounts.mailboxOf(template.to);
    const address = typeof template.to === 'string' ? template.to : mailbox?.email;
    // A client without an address gets no mail.
    if (address) await mailer.send(renderMail(template, address, mailbox));
  });
  outbox.serve('sms', (content, recipient) => sms.send(recipient, (content as { readonly text: string }).text));
  return {
    mailOutbox,
    smsOutbox,
    personalData: personalDataOf(database, outboxTables),
    jobs: [
      { name: 'send messages', everyMs: SECOND_MS, atStart: true, run: async () => outbox.wake() },
      { name: 'forget old messages', everyMs: HOUR_MS, run: outbox.forgetOld },
    ],
    async close() {
      await outbox.close();
      mailer.close();
    },
  };
}
