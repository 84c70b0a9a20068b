/**
 * Texts in seven languages. The English text is the key, so the code reads as the screen does; the other languages
 * are in `locales/<part>/<name>.json`, a part for the shell and one for each feature, fetched when it is needed.
 * `en.json` only exists where a plural needs it.
 */
import { LOCALES, type Locale, localeOf, matchLocale } from '@cambist/contract/locales.ts';
import { useSyncExternalStore } from 'react';
import { createStore } from 'zustand';
import { usePreferences } from './preferences-store.ts';
import { addTexts, type Texts, translate, type Values } from './texts.ts';

const startFiles = import.meta.glob<Texts>('../locales/{shell,home}/*.json', { import: 'default' });
const loading = new Map<string, Promise<void>>();
/** The parts that the screens so far have asked for; a change of language fetches them all. */
const parts = new Set<string>();

function fetchPart(part: string, locale: Locale): Promise<void> {
  const path = `../locales/${part}/${locale.name}.json`;
  const fetched = loading.get(path) ?? fetchTexts(path, locale);
  loading.set(path, fetched);
  return fetched;
}

const ofStart = /\/(shell|home)\//;

/** Undefined where a language has no file of its own. */
async function read(path: string): Promise<Texts | undefined> {
  const files = ofStart.test(path) ? startFiles : (await import('./text-files.ts')).files;
  return files[path]?.();
}

async function fetchTexts(path: string, locale: Locale): Promise<void> {
  const texts = await read(path).catch((error: unknown) => {
    // The English text stands in; the next screen that needs the part asks again.
    loading.delete(path);
    console.error(`${path} could not be loaded`, error);
    return undefined;
  });
  if (texts) addTexts(locale.tag, texts);
}

const current = createStore<Locale>()(() => localeOf('en'));

export const currentLocale = current.getState;

/** The language that is spoken, or will be once its texts are there. A screen may ask for its texts before that. */
let wanted: Locale | undefined;

/** The person's language. A page that was drawn beforehand is in it already, and so does not change when it comes alive. */
export const useLocale = (): Locale => useSyncExternalStore(current.subscribe, current.getState, current.getState);

/** Resolves when the texts of a part are there, or at once when they are. */
export async function loadTexts(part: string): Promise<void> {
  parts.add(part);
  wanted ??= preferredLocale();
  await Promise.all([fetchPart(part, wanted), fetchPart(part, LOCALES[0])]);
}

/** Fetches what the screens so far need in a language, and then speaks it. */
export async function speak(locale: Locale): Promise<void> {
  wanted = locale;
  await Promise.all([...parts].map((part) => fetchPart(part, locale)));
  // Another may have been chosen meanwhile.
  if (wanted === locale) current.setState(locale, true);
}

function preferredLocale(): Locale {
  const { locale } = usePreferences.getState();
  return locale ? localeOf(locale) : matchLocale(navigator.languages);
}

/** Call once, before the first screen; later changes of the preference follow by themselves. */
export async function startTexts(): Promise<void> {
  const sayLanguage = () => {
    document.documentElement.lang = currentLocale().tag;
  };
  await loadTexts('shell');
  await speak(preferredLocale());
  // The page may have come in another language than the person's.
  sayLanguage();
  current.subscribe(sayLanguage);
  usePreferences.subscribe((now, before) => {
    if (now.locale !== before.locale) void speak(preferredLocale());
  });
}

/**
 * The text in the person's language. `count` picks the plural, `context` tells apart texts that are alike in English.
 * Screens are drawn anew when the language changes, so no hook is needed.
 */
export function t(text: string, values?: Values): string {
  return translate(currentLocale().tag, text, values);
}

export { msg } from '@cambist/contract/locales.ts';
