/** Every mail of the exchange: one plain layout, in the language of the one who gets it. */
import { type Locale, localeOf } from '@cambist/contract/locales.ts';
import { inLanguage, type Said } from '../../platform/texts.ts';
import type { Mail } from './mail.ts';

interface Letter {
  readonly to: string;
  /** The name of a locale; one that we don't have is English. */
  readonly locale: Locale['name'] | string;
  readonly subject: Said;
  /** A text of ours, or words that a person wrote and that stay as they are. */
  readonly paragraphs: readonly (Said | { readonly words: string })[];
  /** A code, large and alone, after the first paragraph. */
  readonly code?: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
const paragraph = (text: string) => `<p style="white-space:pre-line">${escaped(text)}</p>`;
const large = (code: string) => `<p style="font-size:28px;letter-spacing:6px;font-weight:600">${escaped(code)}</p>`;

export function writeLetter({ to, locale, subject, paragraphs, code }: Letter): Mail {
  const language = localeOf(locale);
  const texts = paragraphs.map((part) => ('words' in part ? part.words : inLanguage(part, language)));
  const [first = '', ...rest] = texts;
  const plain = code === undefined ? texts : [first, code, ...rest];
  const html = [paragraph(first), ...(code === undefined ? [] : [large(code)]), ...rest.map(paragraph)];
  return { to, subject: inLanguage(subject, language), text: plain.join('\n\n'), html: html.join('') };
}
