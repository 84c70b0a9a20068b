/** The operator's news and what other sites' feeds brought, as one list. */
import type { newsItem } from '@cambist/contract/content.ts';
import type { LocaleName } from '@cambist/contract/locales.ts';
import type { z } from 'zod';
import type { Logger } from '../../platform/logger.ts';
import { type FeedAnswer, type FeedMarks, fetchFeed } from './feed-client.ts';
import { parseNews } from './feed-items.ts';
import type { FeedRow, ImportRow, NewsStore } from './news-store.ts';
import type { ContentService } from './service.ts';

export type NewsItem = z.output<typeof newsItem>;

export interface NewsDeps {
  readonly content: Pick<ContentService, 'read'>;
  readonly store: NewsStore;
  /** Addresses of RSS or Atom feeds. */
  readonly feeds: readonly string[];
  readonly clock: { now(): number };
  readonly logger: Logger;
}

const DAY_MS = 86_400_000;
const KEPT_MS = 60 * DAY_MS;
const SHOWN = 100;
const FAILURE_LENGTH = 300;

function fromImport({ id, url, title, body, imageurl, published_at, source }: ImportRow): NewsItem {
  // A colon can't be in an operator's id.
  return { id: `feed:${id}`, title, url, body, imageurl, published_at, pinned: false, source };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return reason.slice(0, FAILURE_LENGTH) || 'The feed could not be read';
}

/** Reads one feed and keeps what it brought. */
function createReading({ store, clock, logger }: NewsDeps, closing: AbortSignal) {
  async function take(feed: FeedRow, answer: FeedAnswer): Promise<FeedRow> {
    if (!answer.changed) return { ...feed, failure: '' };
    const now = clock.now();
    const { title, items } = parseNews(answer.text, new URL(feed.url).hostname, now);
    const { etag, lastModified } = answer.marks;
    // Too old would be deleted again at once, and come again with the next reading.
    const recent = items.filter(({ publishedAt }) => publishedAt >= now - KEPT_MS);
    await store.insert(feed.url, recent);
    return { ...feed, title, etag, last_modified: lastModified, failure: '' };
  }

  /** A feed that fails says so in its row and keeps what it brought before. */
  async function readFeed(url: string): Promise<void> {
    const known = await store.feed(url);
    const feed = known ?? { url, title: '', etag: '', last_modified: '', checked_at: 0, failure: '' };
    const marks: FeedMarks = { etag: feed.etag, lastModified: feed.last_modified };
    const answer = await fetchFeed(url, marks, closing).catch(reasonOf);
    if (closing.aborted) return;
    let next: FeedRow;
    try {
      next = typeof answer === 'string' ? { ...feed, failure: answer } : await take(feed, answer);
    } catch (error) {
      next = { ...feed, failure: reasonOf(error) };
    }
    if (next.failure !== '') logger.warn({ feed: url, reason: next.failure }, 'A news feed could not be read');
    await store.saveFeed({ ...next, checked_at: clock.now() });
  }

  return readFeed;
}

export async function createNewsService(deps: NewsDeps) {
  const { content, store, feeds, clock, logger } = deps;
  let imported: NewsItem[] = [];
  const closing = new AbortController();
  const readFeed = createReading(deps, closing.signal);

  async function load(): Promise<void> {
    imported = (await store.newest(feeds, SHOWN)).map(fromImport);
  }

  await load();

  return {
    /** The operator's pinned items, then everything by date, newest first. */
    list(locale: LocaleName, limit: number): NewsItem[] {
      const own: NewsItem[] = content.read('news', locale).content.items.map((item) => ({ ...item, source: '' }));
      const byDate = [...own, ...imported].sort((left, right) => right.published_at - left.published_at);
      const pinned = byDate.filter((item) => item.pinned);
      return [...pinned, ...byDate.filter((item) => !item.pinned)].slice(0, limit);
    },

    /** One reading of every feed. */
    async importAll(): Promise<void> {
      if (feeds.length === 0) return;
      const read = await Promise.allSettled(feeds.map(readFeed));
      for (const one of read)
        if (one.status === 'rejected') logger.warn({ err: one.reason }, 'A news feed was not kept');
      if (closing.signal.aborted) return;
      await store.deletePublishedBefore(clock.now() - KEPT_MS);
      await load();
    },

    /** Ends the readings that are under way. */
    close: () => closing.abort(),

    async feedStates() {
      const states = feeds.map(async (url) => {
        const [feed, items] = await Promise.all([store.feed(url), store.countOf(url)]);
        const { title = '', checked_at = null, failure = '' } = feed ?? {};
        return { url, title, checked_at, failure, items };
      });
      return Promise.all(states);
    },
  };
}

export type NewsService = Awaited<ReturnType<typeof createNewsService>>;
