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

/** The core names wallets and movements of money, and the screens show those names. */
const WALLETS = join(root, 'core/src/ledger/wallets.ts');
const MOVEMENTS = join(root, 'core/src/ledger/movements.ts');

/** Screens of development are in English alone. */
const features = readdirSync(join(web, 'features')).filter((name) => name !== 'development');
const shell: Part = {
  name: 'shell',
  sources: ['app', 'ui', 'lib'].map((folder) => join(web, folder)),
  texts: join(web, 'locales/shell'),
};
const parts: readonly Part[] = [
  shell,
  ...features.map((name) => ({
    name,
    sources: [join(web, 'features', name), ...(name === 'wallet' ? [WALLETS, MOVEMENTS] : [])],
    texts: join(web, 'locales', name),
  })),
  {
    name: 'server',
    sources: [...['server/src', 'contract/src'].map((p) => join(root, p)), WALLETS],
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

const others = LOCALES.filter(({ name }) => name !== 'en');

describe.each(parts)('the texts of $name', (part) => {
  const keys = new Set(english.get(part.name)?.keys.keys());

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

/**
 * Words that a language uses for nothing here, because it has another for the same thing: one form of address, one name
 * for a deposit, for logging in, for a wallet; in German one gender too. Before a percent sign German and Spanish have a space
 * that no line breaks at. An order that opens a long position does not buy more of anything.
 */
const NOT_SAID: Readonly<Record<string, RegExp>> = {
  german:
    /(?<![\p{L}{])(?:du|dich|dir|dein(?:e[mnrs]?)?|nimm|lass|auftr[aä]ge?[ns]?|operator(?:en|konto)?|nodes?|(?:diese|einer?|jede) coin|(?:ihrem|ihr|dem|das) (?:\p{L}+-)?wallet)(?!\p{L})|Gewinnmitnahme|Übertragung|Rücksetzer|Finanzierung|[\d}] ?%/iu,
  spanish:
    /[\d}] ?%|comprar más|al contado|cartera|monedero|la terminal|plataforma|llave de acceso|(?<!\p{L})(?:usted(?:es)?|introduzca|añada|verá|inténtelo|déjelo|ciérrela|fírmela)(?!\p{L})/iu,
  ja: /指数|買い増|サイン(?:イン|アウト)|口座(?!で)|トリガー注文|[\p{Script=Han}\p{Script=Katakana}]:/u,
  vi: /mua thêm|e-mail|passkey|dừng lỗ/i,
  zhHans: /你|提币|关联/,
  cn: /你|提[幣領]|入金|通行金鑰|紀錄/,
};

/** An operator goes from the console to the help, the security page and the perpetuals, and back. */
const shared = parts.filter(({ name }) => name !== 'server');

describe.each(others)('$label', ({ name: locale }) => {
  it('has one word for a thing', () => {
    const said = parts.flatMap((part) => Object.values(read(part, locale)));
    expect(said.filter((text) => NOT_SAID[locale]?.test(text))).toEqual([]);
  });

  it('says a text alike on every screen, since all share one shelf', () => {
    const found = new Map<string, Set<string>>();
    for (const part of shared) {
      for (const [key, text] of Object.entries(read(part, locale))) {
        found.set(key, (found.get(key) ?? new Set()).add(text));
      }
    }
    expect([...found].filter(([, texts]) => texts.size > 1)).toEqual([]);
  });
});
