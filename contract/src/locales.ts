/** The languages of the product. A name is what the specification calls a language; a tag is BCP 47. */
import { z } from 'zod';

export const LOCALES = [
  { name: 'en', tag: 'en', label: 'English' },
  { name: 'cn', tag: 'zh-Hant', label: '繁體中文' },
  { name: 'zhHans', tag: 'zh-Hans', label: '简体中文' },
  { name: 'german', tag: 'de', label: 'Deutsch' },
  { name: 'ja', tag: 'ja', label: '日本語' },
  { name: 'spanish', tag: 'es', label: 'Español' },
  { name: 'vi', tag: 'vi', label: 'Tiếng Việt' },
] as const;

export type LocaleName = (typeof LOCALES)[number]['name'];
export type Locale = (typeof LOCALES)[number];

export const localeName = z.enum(LOCALES.map(({ name }) => name));

const ENGLISH: Locale = LOCALES[0];
/** Chinese is told apart by script, or by the region that goes with a script. */
const TRADITIONAL = /^zh-(hant|tw|hk|mo)\b/i;

export function localeOf(name: string): Locale {
  return LOCALES.find((locale) => locale.name === name) ?? ENGLISH;
}

/** The locale of the first tag that we speak, such as `de-AT` or `zh-TW`; English for all others. */
export function matchLocale(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const language = tag.split('-')[0]?.toLowerCase();
    if (language === 'zh') return localeOf(TRADITIONAL.test(tag) ? 'cn' : 'zhHans');
    const found = LOCALES.find((locale) => locale.tag === language);
    if (found) return found;
  }
  return ENGLISH;
}

/** Marks a text that is translated later, where it is shown: the texts check finds it by this. */
export function msg<const Text extends string>(text: Text): Text {
  return text;
}
