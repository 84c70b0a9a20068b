/** Mails of the support thread, in the language of the conversation. */

import { type MailTemplate, mailMessage } from '../../platform/mail-template.ts';
import type { Message } from '../../platform/outbox.ts';
import { say } from '../../platform/texts.ts';

const CONFIRMATION_MS = 3_600_000;
const ANSWER_MS = 3 * 86_400_000;
export const ANSWER_MAIL = 'support-answer';

export interface SupportLetter {
  readonly to: MailTemplate['to'];
  readonly site: string;
  readonly reference: number;
  readonly locale: string;
}

/** Nothing that the writer wrote is in it: the address is unchecked, and a form must not send his words to others. */
export function confirmationMail({ to, site, reference, locale }: SupportLetter): Message {
  const template: MailTemplate = {
    to,
    locale,
    subject: say('{{site}} support: we received your message, no. {{reference}}', { site, reference }),
    paragraphs: [
      say(
        "Thank you. We received your message (number {{reference}}) and a person will reply. If you didn't write to us, ignore this email.",
        { reference },
      ),
    ],
  };
  return mailMessage(template, { kind: 'support-confirmation', lifetimeMs: CONFIRMATION_MS, once: true });
}

export function answerMail({ to, site, reference, locale }: SupportLetter, messageId: number, answer: string): Message {
  const template: MailTemplate = {
    to,
    locale,
    subject: say('{{site}} support: reply to no. {{reference}}', { site, reference }),
    paragraphs: [
      { words: answer },
      say('To reply, open your support conversation on {{site}}. We never ask for a password or a code.', { site }),
    ],
  };
  const key = `${ANSWER_MAIL}:${messageId}`;
  return mailMessage(template, { kind: ANSWER_MAIL, lifetimeMs: ANSWER_MS, key });
}

/** @returns the message of the thread that a mail carries */
export const answeredBy = (key: string): number => Number(key.slice(ANSWER_MAIL.length + 1));
