/** What a new entry of a list begins as, by section; lists of a fixed number of entries have none. */

/** Anything that a section of the content may hold. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [field: string]: Value };

const text = { en: '' };

export const blankItems: Readonly<Record<string, ((now: number) => Value) | undefined>> = {
  'news.items': (now) => ({ id: '', title: text, body: text, url: '', imageurl: '', published_at: now, pinned: false }),
  'banners.items': () => ({ id: '', text, url: '', enabled: true, sample: false, starts_at: null, ends_at: null }),
  'promos.items': () => ({ id: '', title: text, text, button: text, url: '', enabled: true, sample: false }),
  'community.links': () => ({ id: '', label: '', url: '' }),
};
