/** What each section says until the operator has written his own. Long texts are Markdown files, one for each locale. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Localized, SectionName } from '@cambist/contract/content.ts';
import { LOCALES } from '@cambist/contract/locales.ts';
import { claims } from './seed/claims.ts';
import { faq } from './seed/faq.ts';
import { banners, community, contacts, downloads, promos } from './seed/links.ts';
import { news } from './seed/news.ts';

/** Of the texts that came with the product. */
const LEGAL_TEXTS_OF = '2026-01-01';

function page(name: string): Localized {
  const texts = LOCALES.map(({ name: locale }) => {
    const path = join(import.meta.dirname, 'seed/pages', `${name}.${locale}.md`);
    return [locale, readFileSync(path, 'utf8').trim()];
  });
  return Object.fromEntries(texts) as Localized;
}

const seeds: { readonly [Name in SectionName]: (now: number) => unknown } = {
  news,
  banners: () => banners,
  faq: () => faq,
  claims: () => claims,
  promos: () => promos,
  terms: () => ({ body: page('terms'), effective_on: LEGAL_TEXTS_OF }),
  privacy: () => ({ body: page('privacy'), effective_on: LEGAL_TEXTS_OF }),
  about: () => ({ body: page('about') }),
  downloads: () => downloads,
  community: () => community,
  contacts: () => contacts,
};

/** @param now ms, for what carries a date */
export const seedOf = (section: SectionName, now: number): unknown => seeds[section](now);
