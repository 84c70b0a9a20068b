/** Every text in every language: none missing, none unused, none left in English. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LOCALES } from '@cambist/contract/locales.ts';
import { describe, expect, it } from 'vitest';
import { findTexts } from './texts.ts';

const root = join(import.meta.dirname, '..');
const web = join(root, 'web/src');
const shown = (path: string) => relative(root, path);

type Texts = Readonly<Record<string, string>>;

interface Part {
  readonly name: string;
  readonly sources: readonly string[];
  readonly texts: string;
}

/** Screens of development are in English alone. */
const features = readdirSync(join(web, 'features')).filter((name) => name !== 'development');
const shell: Part = {
  name: 'shell',
  sources: ['app', 'ui', 'lib'].map((folder) => join(web, folder)),
  texts: join(web, 'locales/shell'),
};
const parts: readonly Part[] = [
  shell,
  ...features.map((name) => ({ name, sources: [join(web, 'features', name)], texts: join(web, 'locales', name) })),
  {
    name: 'server',
    sources: ['server/src', 'contract/src'].map((p) => join(root, p)),
    texts: join(root, 'server/locales'),
  },
];

function read(part: Part, locale: string): Texts {
  const path = join(part.texts, `${locale}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Texts) : {};
}

/** The key that code names, without the endings that i18next adds for plurals. */
const withoutPlural = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');
/** ... and for contexts, such as `Open_price`. */
const isKnown = (keys: ReadonlySet<string>, key: string) => {
  const base = withoutPlural(key);
  return keys.has(key) || keys.has(base) || keys.has(base.replace(/_[a-z]+$/, ''));
};
const placeholders = (text: string) => [...new Set(text.match(/\{\{[^}]+\}\}|<\/?\w+>/g) ?? [])].sort().join();
const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const isOneName = (text: string) => !/[a-z]{2,} [a-z]{2,}/i.test(text);

/** Left in English: alike, and longer than a name or a word that languages share. */
function isEnglish(key: string, text: string, locale: string): boolean {
  if (!isOneName(withoutPlural(key)) && text === key) return true;
  const inHan = locale === 'cn' || locale === 'zhHans' || locale === 'ja';
  return inHan && /[a-z]{3,} [a-z]{3,}/.test(key) && !HAN_OR_KANA.test(text);
}

const english = new Map(parts.map((part) => [part.name, findTexts(part.sources)]));
const shellKeys = new Set(english.get('shell')?.keys.keys());

describe.each(parts)('the texts of $name', (part) => {
  const keys = new Set(english.get(part.name)?.keys.keys());
  const others = LOCALES.filter(({ name }) => name !== 'en');

  it.each(others)('$label has every text', ({ name }) => {
    const known = new Set(Object.keys(read(part, name)).map(withoutPlural));
    const isThere = (key: string) => known.has(key) || (part.name !== 'server' && part !== shell && shellKeys.has(key));
    expect([...keys].filter((key) => !isThere(key))).toEqual([]);
  });

  it.each(LOCALES)('$label has no text that nothing uses', ({ name }) => {
    expect(Object.keys(read(part, name)).filter((key) => !isKnown(keys, key))).toEqual([]);
  });

  it.each(others)('$label is not left in English, and keeps what is filled in', ({ name }) => {
    const wrong = Object.entries(read(part, name)).filter(
      ([key, text]) => isEnglish(key, text, name) || placeholders(text) !== placeholders(key),
    );
    expect(wrong).toEqual([]);
  });

  it('no words go past the translation', () => {
    expect(english.get(part.name)?.bare.map(shown)).toEqual([]);
  });
});
