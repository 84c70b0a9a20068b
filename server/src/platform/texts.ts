/**
 * What the server says to people, in their language. The English text is the key; the other languages are in
 * `server/locales/<name>.json`. Code names a text by `say` where it has its values, and by `msg` where it has none yet.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES, type Locale, matchLocale } from '@cambist/contract/locales.ts';
import i18next from 'i18next';
import { z } from 'zod';

export interface LocalizedText {
  readonly text: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** The input that the text is about; comes before it and is never translated. */
  readonly field?: string;
  /** Further lines below it. */
  readonly lines?: readonly LocalizedText[];
}

export function say(text: string, values?: LocalizedText['values'], field?: string): LocalizedText {
  return { text, ...(values ? { values } : {}), ...(field ? { field } : {}) };
}

const FOLDER = join(import.meta.dirname, '../../locales');

function readTexts(name: string): Record<string, string> {
  return name === 'en'
    ? {}
    : (JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Record<string, string>);
}

const i18n = i18next.createInstance();
void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  resources: Object.fromEntries(LOCALES.map(({ name, tag }) => [tag, { translation: readTexts(name) }])),
});

/** Names of values that are figures. A code, a reference and a time of day are not: they keep their digits. */
export const FIGURES: ReadonlySet<string> = new Set(
  (
    'amount balance equity fee floor free highest leverage lowest mark maximum min minimum most percent price ' +
    'quantity rate required result target triggered used value'
  ).split(' '),
);

/**
 * `1234.5` as the language writes it, all its digits kept: in German `1.234` is more than a thousand. English has the
 * digits as they are, as it is also what programs ask in. A coin may follow, as in `1234.5 USDT`.
 */
function writeFigure(value: unknown, tag: string): unknown {
  const [, text, unit = ''] = /^(-?\d+(?:\.\d+)?)( [A-Z0-9]+)?$/.exec(String(value)) ?? [];
  if (tag === 'en' || text === undefined) return value;
  const digits = text.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return format.format(text as Intl.StringNumericLiteral) + unit;
}

const writeFigures = (values: LocalizedText['values'], tag: string) =>
  Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, FIGURES.has(name) ? writeFigure(value, tag) : value]),
  );

export function inLanguage(said: LocalizedText | string, locale: Locale): string {
  const { tag } = locale;
  if (typeof said === 'string') return i18n.t(said, { lng: tag });
  const text = i18n.t(said.text, { ...writeFigures(said.values, tag), lng: tag });
  const first = said.field ? `${said.field}: ${text}` : text;
  return [first, ...(said.lines ?? []).map((line) => inLanguage(line, locale))].join('\n');
}

/** `de-AT;q=0.8` → the tag and how much it is wanted. */
function wish(part: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = part.trim().split(';');
  const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
  return { tag, weight: quality === undefined ? 1 : Number(quality) };
}

/** The locale that an Accept-Language header asks for first among ours; English for none. */
export function localeOfHeader(header: string | undefined): Locale {
  if (!header) return LOCALES[0];
  const wishes = header.slice(0, 200).split(',').map(wish);
  const sorted = wishes.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return matchLocale(sorted.map(({ tag }) => tag));
}

interface Headed {
  readonly headers: { readonly 'accept-language'?: string | undefined };
}

export const localeOf = ({ headers }: Headed): Locale => localeOfHeader(headers['accept-language']);

/** In the language of the one who asks. */
export function spoken(said: LocalizedText | string, request: Headed): string {
  return inLanguage(said, localeOf(request));
}

const schemaMessages: Readonly<Record<Locale['name'], () => { localeError: z.core.$ZodErrorMap }>> = {
  en: z.locales.en,
  cn: z.locales.zhTW,
  zhHans: z.locales.zhCN,
  german: z.locales.de,
  ja: z.locales.ja,
  spanish: z.locales.es,
  vi: z.locales.vi,
};

/** The schema library's own messages in a language; a message that the contract gives comes before them. */
export function schemaErrors({ name }: Locale): z.core.$ZodErrorMap {
  return schemaMessages[name]().localeError;
}
