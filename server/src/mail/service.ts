/** Mail by SMTP, or into the development outbox where nobody has set a server. */
import { createTransport } from 'nodemailer';
import type { Mail } from './mail.ts';

export { writeLetter } from './letter.ts';

export type { Mail } from './mail.ts';

export interface SentMail extends Mail {
  /** ISO 8601. */
  readonly sentAt: string;
}

export interface Mailer {
  /** Rejects when the mail could not be handed over. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

export interface Outbox extends Mailer {
  /** Newest first. */
  messages(to: string | undefined): SentMail[];
}

const OUTBOX_LIMIT = 500;
const SMTP_TIMEOUT_MS = 10_000;

/** @param url `smtp://user:password@host:port` or `smtps://…` */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: SMTP_TIMEOUT_MS, greetingTimeout: SMTP_TIMEOUT_MS, socketTimeout: SMTP_TIMEOUT_MS },
    { from },
  );
  return {
    async send(mail) {
      await transport.sendMail(mail);
    },
    close: () => transport.close(),
  };
}

export function createOutbox(clock: { now(): number }): Outbox {
  let sent: SentMail[] = [];
  return {
    async send(mail) {
      sent = [{ ...mail, sentAt: new Date(clock.now()).toISOString() }, ...sent].slice(0, OUTBOX_LIMIT);
    },
    messages: (to) => (to === undefined ? sent : sent.filter((mail) => mail.to.toLowerCase() === to.toLowerCase())),
    close: () => undefined,
  };
}
