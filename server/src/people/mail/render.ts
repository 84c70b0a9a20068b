/** Every mail of the exchange: one plain layout, in the language of the one who gets it. */
import { localeOf } from '@cambist/contract/locales.ts';
import type { MailTemplate } from '../../platform/mail-template.ts';
import { inLanguage, say } from '../../platform/texts.ts';
import type { Mail } from './mail.ts';

/** Where a mail goes. */
export interface Mailbox {
  readonly email: string;
  readonly locale: string;
  /** The words by which the person knows that a mail is ours; empty without. */
  readonly antiPhishingCode: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
const paragraph = (text: string) => `<p style="white-space:pre-line">${escaped(text)}</p>`;
const large = (code: string) => `<p style="font-size:28px;letter-spacing:6px;font-weight:600">${escaped(code)}</p>`;

/** @param mailbox of a client who has the address; the anti-phishing code comes before everything else */
export function renderMail({ locale, subject, paragraphs, code }: MailTemplate, to: string, mailbox?: Mailbox): Mail {
  const language = localeOf(locale ?? mailbox?.locale ?? 'en');
  const texts = paragraphs.map((part) => ('words' in part ? part.words : inLanguage(part, language)));
  const [first = '', ...rest] = texts;
  const plain = code === undefined ? texts : [first, code, ...rest];
  const html = [paragraph(first), ...(code === undefined ? [] : [large(code)]), ...rest.map(paragraph)];
  if (mailbox?.antiPhishingCode) {
    const ours = say('Your anti-phishing code: {{code}}', { code: mailbox.antiPhishingCode });
    const line = inLanguage(ours, localeOf(mailbox.locale));
    plain.unshift(line);
    html.unshift(`<p><b>${escaped(line)}</b></p>`);
  }
  return { to, subject: inLanguage(subject, language), text: plain.join('\n\n'), html: html.join('') };
}
