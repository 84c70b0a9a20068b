/** Mails of the support thread, in the language of the conversation. */

import { say } from '../../platform/texts.ts';
import { type Mail, writeLetter } from '../mail/service.ts';

export interface Letter {
  readonly to: string;
  readonly site: string;
  readonly reference: number;
  readonly locale: string;
}

/** Nothing that the writer wrote is in it: the address is unchecked, and a form must not send his words to others. */
export function confirmationMail({ to, site, reference, locale }: Letter): Mail {
  return writeLetter({
    to,
    locale,
    subject: say('{{site}} support: we have your message, no. {{reference}}', { site, reference }),
    paragraphs: [
      say(
        'Thank you. Your message has reached us under the number {{reference}}, and a person will answer it. If you did not write to us, ignore this mail.',
        { reference },
      ),
    ],
  });
}

export function answerMail({ to, site, reference, locale }: Letter, answer: string): Mail {
  return writeLetter({
    to,
    locale,
    subject: say('{{site}} support: an answer to no. {{reference}}', { site, reference }),
    paragraphs: [
      { words: answer },
      say('To reply, open the support thread on {{site}}. We never ask for a password or a code.', { site }),
    ],
  });
}
