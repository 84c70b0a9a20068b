/** Mail and text messages as a slice: by the operator's servers, or kept for development to look at. */
import type { Platform, Slice } from '../../platform/slice.ts';
import { createHttpSms, createSmsOutbox, type SmsOutbox, type SmsSender } from '../sms/service.ts';
import { createOutbox, createSmtpMailer, type Mailer, type Outbox } from './service.ts';

export interface MailSlice extends Slice {
  readonly mailer: Mailer;
  readonly sms: SmsSender;
  /** Undefined where mail goes out by SMTP. */
  readonly outbox: Outbox | undefined;
  /** Undefined where text messages go out by a gateway. */
  readonly smsOutbox: SmsOutbox | undefined;
}

export function createMailSlice({ config, clock }: Platform): MailSlice {
  const outbox = config.SMTP_URL === undefined ? createOutbox(clock) : undefined;
  const smsOutbox = config.SMS_URL === undefined ? createSmsOutbox(clock) : undefined;
  const mailer = outbox ?? createSmtpMailer(config.SMTP_URL ?? '', config.MAIL_FROM);
  const sms = smsOutbox ?? createHttpSms({ url: config.SMS_URL ?? '', token: config.SMS_TOKEN, from: config.SMS_FROM });
  return { mailer, sms, outbox, smsOutbox, close: mailer.close };
}
