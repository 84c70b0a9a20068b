/** Another site's feed (RSS, RDF or Atom) as plain text: nothing of its markup ever reaches a page of ours. */
import { type AnyFeed, type AtomFeed, parseFeed, type RdfFeed, type RssFeed } from 'feedsmith';
import { convert } from 'html-to-text';
import type { FeedItem } from './news-store.ts';

export interface ParsedFeed {
  readonly title: string;
  readonly items: readonly FeedItem[];
}

const TITLE_LENGTH = 200;
const BODY_LENGTH = 600;
const ADDRESS_LENGTH = 500;
const ITEMS = 100;
/** Markup is read this far; what is kept of it is much shorter. */
const HTML_LENGTH = 20_000;

const conversion = {
  wordwrap: false as const,
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'h2', options: { uppercase: false } },
    { selector: 'h3', options: { uppercase: false } },
    { selector: 'table', options: { uppercaseHeaderCells: false } },
  ],
};

function plain(html: string | undefined, length: number): string {
  const text = convert((html ?? '').slice(0, HTML_LENGTH), conversion)
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  // At a space where one is near, so that no word ends in its middle.
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > length / 2 ? space : undefined).trimEnd()}…`;
}

/** Marks that say where a reader came from make two addresses of one article. */
const TRACKING = /^(utm_|fbclid$|gclid$|mc_cid$|mc_eid$)/;

/** An https address, or empty: a page of ours links and loads nothing else. */
function httpsAddress(text: string | undefined): string {
  if (text === undefined || !URL.canParse(text.trim())) return '';
  const url = new URL(text.trim());
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return '';
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  return url.href.length > ADDRESS_LENGTH ? '' : url.href;
}

/** Ms; a date that is missing, unreadable or ahead of us is now. */
function timeOf(date: string | undefined, now: number): number {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) || time < 0 || time > now ? now : time;
}

interface Draft {
  readonly guid: string | undefined;
  readonly link: string | undefined;
  readonly title: string | undefined;
  readonly html: string | undefined;
  readonly images: readonly (string | undefined)[];
  readonly date: string | undefined;
}

/** Undefined for an entry without a title or without an address to read it at. */
function itemOf(draft: Draft, now: number): FeedItem | undefined {
  const url = httpsAddress(draft.link);
  const title = plain(draft.title, TITLE_LENGTH);
  if (url === '' || title === '') return undefined;
  return {
    guid: draft.guid?.trim().slice(0, ADDRESS_LENGTH) || url,
    url,
    title,
    body: plain(draft.html, BODY_LENGTH),
    imageurl: draft.images.map(httpsAddress).find((image) => image !== '') ?? '',
    publishedAt: timeOf(draft.date, now),
  };
}

type Media = NonNullable<RssFeed.Item<string>['media']>;

function mediaImages(media: Media | undefined): (string | undefined)[] {
  const pictures = media?.contents?.filter(({ medium, type }) => medium === 'image' || type?.startsWith('image/'));
  return [...(media?.thumbnails ?? []), ...(pictures ?? [])].map(({ url }) => url);
}

function fromRss(item: RssFeed.Item<string>): Draft {
  const pictures = item.enclosures?.filter(({ type }) => type?.startsWith('image/')).map(({ url }) => url) ?? [];
  return {
    guid: item.guid?.value,
    link: item.link,
    title: item.title,
    html: item.description ?? item.content?.encoded,
    images: [...pictures, ...mediaImages(item.media)],
    date: item.pubDate ?? item.dc?.dates?.[0],
  };
}

function fromRdf(item: RdfFeed.Item<string>): Draft {
  return {
    guid: undefined,
    link: item.link,
    title: item.title,
    html: item.description ?? item.content?.encoded,
    images: mediaImages(item.media),
    date: item.dc?.dates?.[0],
  };
}

function fromAtom(entry: AtomFeed.Entry<string>): Draft {
  const links = entry.links ?? [];
  return {
    guid: entry.id,
    link: links.find(({ rel = 'alternate' }) => rel === 'alternate')?.href,
    title: entry.title?.value,
    html: entry.summary?.value ?? entry.content?.value,
    images: [
      ...links.filter(({ rel, type }) => rel === 'enclosure' && type?.startsWith('image/')).map(({ href }) => href),
      ...mediaImages(entry.media),
    ],
    date: entry.published ?? entry.updated,
  };
}

function draftsOf(parsed: AnyFeed): { title: string | undefined; drafts: Draft[] } {
  switch (parsed.format) {
    case 'rss':
      return { title: parsed.feed.title, drafts: (parsed.feed.items ?? []).map(fromRss) };
    case 'rdf':
      return { title: parsed.feed.title, drafts: (parsed.feed.items ?? []).map(fromRdf) };
    case 'atom':
      return { title: parsed.feed.title?.value, drafts: (parsed.feed.entries ?? []).map(fromAtom) };
    case 'json':
      throw new Error('This is a JSON feed; give the address of the RSS or Atom feed');
  }
}

/**
 * @param fallbackTitle for a feed without a name
 * @throws Error when it is no feed
 */
export function parseNews(text: string, fallbackTitle: string, now: number): ParsedFeed {
  // The table takes no NUL: one in a title would keep all of the feed out for as long as it is in there.
  const { title, drafts } = draftsOf(parseFeed(text.replaceAll('\0', '')));
  const items = drafts.slice(0, ITEMS).flatMap((draft) => itemOf(draft, now) ?? []);
  return { title: plain(title, TITLE_LENGTH) || fallbackTitle, items };
}
