/**
 * Texts in seven languages. The English text is the key, so the code reads as the screen does; the other languages
 * are in `locales/<part>/<name>.json`, a part for the shell and one for each feature, fetched when it is needed.
 * `en.json` only exists where a plural needs it.
 */
import { LOCALES, type Locale, localeOf, matchLocale } from '@cambist/contract/locales.ts';
import i18next from 'i18next';
import { create } from 'zustand';
import { usePreferences } from './preferences-store.ts';

type Texts = Record<string, string>;

const files = import.meta.glob<Texts>('../locales/*/*.json', { import: 'default' });
const loading = new Map<string, Promise<void>>();
/** The parts that the screens so far have asked for; a change of language fetches them all. */
const parts = new Set<string>();

i18next.init({
  lng: 'en',
  fallbackLng: 'en',
  resources: {},
  // Keys are sentences: dots and colons in them mean nothing.
  keySeparator: false,
  nsSeparator: false,
  // React escapes.
  interpolation: { escapeValue: false },
});

function fetchPart(part: string, locale: Locale): Promise<void> {
  const path = `../locales/${part}/${locale.name}.json`;
  const fetched = loading.get(path) ?? addTexts(path, locale);
  loading.set(path, fetched);
  return fetched;
}

async function addTexts(path: string, locale: Locale): Promise<void> {
  const texts = await files[path]?.().catch((error: unknown) => {
    // The English text stands in; the next screen that needs the part asks again.
    loading.delete(path);
    console.error(`${path} could not be loaded`, error);
    return undefined;
  });
  if (texts) i18next.addResourceBundle(locale.tag, 'translation', texts, true, true);
}

export const useLocale = create<Locale>()(() => localeOf('en'));

/** Resolves when the texts of a part are there, or at once when they are. */
export async function loadTexts(part: string): Promise<void> {
  parts.add(part);
  await Promise.all([fetchPart(part, useLocale.getState()), fetchPart(part, LOCALES[0])]);
}

async function speak(locale: Locale): Promise<void> {
  await Promise.all([...parts].map((part) => fetchPart(part, locale)));
  await i18next.changeLanguage(locale.tag);
  document.documentElement.lang = locale.tag;
  useLocale.setState(locale, true);
}

function preferredLocale(): Locale {
  const { locale } = usePreferences.getState();
  return locale ? localeOf(locale) : matchLocale(navigator.languages);
}

/** Call once, before the first screen; later changes of the preference follow by themselves. */
export async function startTexts(): Promise<void> {
  parts.add('shell');
  await fetchPart('shell', LOCALES[0]);
  await speak(preferredLocale());
  usePreferences.subscribe((now, before) => {
    if (now.locale !== before.locale) void speak(preferredLocale());
  });
}

type Values = Readonly<Record<string, string | number>>;

/**
 * The text in the person's language. `count` picks the plural, `context` tells apart texts that are alike in English.
 * Screens are drawn anew when the language changes, so no hook is needed.
 */
export function t(text: string, values?: Values): string {
  return values ? i18next.t(text, values) : i18next.t(text);
}

export { msg } from '@cambist/contract/locales.ts';
