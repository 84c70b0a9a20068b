/** Mail by SMTP, or into the development outbox where no server is configured. */
import { setTimeout as sleep } from 'node:timers/promises';
import { emailKeyOf } from '@cambist/contract/email.ts';
import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from './mail.ts';

export type { Mail, Mailer } from './mail.ts';
export { renderMail } from './render.ts';

export interface SentMail extends Mail {
  /** ISO 8601. */
  readonly sentAt: string;
}

export interface MailOutbox extends Mailer {
  /** Newest first. */
  messages(to: string | undefined): SentMail[];
}

const OUTBOX_LIMIT = 500;
const SMTP_TIMEOUT_MS = 10_000;
/** All of it together: a server that answers a word now and then is never silent for long. */
const SEND_TIMEOUT_MS = 20_000;

/** Accounts may have addresses from before the grammar was strict; what could be read as several is none. */
const MAILBOX = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u;

async function inTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const timer = new AbortController();
  const late = sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('The mail server takes too long');
  });
  try {
    await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

const oneLine = (subject: string) => subject.replace(/\p{Cc}+/gu, ' ');

/** @param url `smtp://user:password@host:port` or `smtps://…` */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: SMTP_TIMEOUT_MS, greetingTimeout: SMTP_TIMEOUT_MS, socketTimeout: SMTP_TIMEOUT_MS },
    { from },
  );
  return {
    async send({ to, subject, text, html }) {
      if (!MAILBOX.test(to)) throw new Error('A mail goes to one mailbox');
      // As an object it is an address and nothing else; a text would be read for lists, names and comments.
      const mail = { to: { name: '', address: to }, subject: oneLine(subject), text, html };
      await inTime(transport.sendMail(mail), SEND_TIMEOUT_MS);
    },
    close: () => transport.close(),
  };
}

export function createMailOutbox(clock: { now(): number }): MailOutbox {
  let sent: SentMail[] = [];
  return {
    async send(mail) {
      sent = [{ ...mail, sentAt: new Date(clock.now()).toISOString() }, ...sent].slice(0, OUTBOX_LIMIT);
    },
    messages: (to) => (to === undefined ? sent : sent.filter((mail) => emailKeyOf(mail.to) === emailKeyOf(to))),
    close: () => undefined,
  };
}
