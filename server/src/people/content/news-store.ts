/** News imported from feeds, and how each feed does. */
import type { Database } from '../../platform/database.ts';

export interface FeedItem {
  readonly guid: string;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly imageurl: string;
  readonly publishedAt: number;
}

export type FeedRow = {
  readonly url: string;
  readonly title: string;
  readonly etag: string;
  readonly last_modified: string;
  readonly checked_at: number;
  readonly failure: string;
};

export type ImportRow = {
  readonly id: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly imageurl: string;
  readonly published_at: number;
  readonly source: string;
};

export function createNewsStore(database: Database) {
  return {
    async feed(url: string): Promise<FeedRow | undefined> {
      const [row] = await database.query<FeedRow>(
        'SELECT url, title, etag, last_modified, checked_at, failure FROM news_feeds WHERE url = $1',
        [url],
      );
      return row;
    },
    async saveFeed(feed: FeedRow): Promise<void> {
      await database.query(
        `INSERT INTO news_feeds (url, title, etag, last_modified, checked_at, failure) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (url) DO UPDATE
         SET title = excluded.title, etag = excluded.etag, last_modified = excluded.last_modified,
             checked_at = excluded.checked_at, failure = excluded.failure`,
        [feed.url, feed.title, feed.etag, feed.last_modified, feed.checked_at, feed.failure],
      );
    },
    /** Keeps what is new by address and by the feed's own id. @returns how many were new */
    async insert(feed: string, items: readonly FeedItem[]): Promise<number> {
      const rows = await database.query(
        `INSERT INTO news_imports (feed, guid, url, title, body, imageurl, published_at)
         SELECT $1::text, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
         ON CONFLICT DO NOTHING RETURNING id`,
        [
          feed,
          items.map((item) => item.guid),
          items.map((item) => item.url),
          items.map((item) => item.title),
          items.map((item) => item.body),
          items.map((item) => item.imageurl),
          items.map((item) => item.publishedAt),
        ],
      );
      return rows.length;
    },
    /** Of these feeds only: one that the operator took out of the settings is gone from the news at once. */
    newest(feeds: readonly string[], limit: number): Promise<ImportRow[]> {
      return database.query<ImportRow>(
        `SELECT id, news_imports.url, news_imports.title, body, imageurl, published_at, news_feeds.title AS source
         FROM news_imports JOIN news_feeds ON news_feeds.url = feed
         WHERE feed = ANY ($1::text[]) ORDER BY published_at DESC, id DESC LIMIT $2`,
        [feeds, limit],
      );
    },
    async countOf(feed: string): Promise<number> {
      const [row] = await database.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM news_imports WHERE feed = $1',
        [feed],
      );
      return row?.count ?? 0;
    },
    async deletePublishedBefore(time: number): Promise<void> {
      await database.query('DELETE FROM news_imports WHERE published_at < $1', [time]);
    },
  };
}

export type NewsStore = ReturnType<typeof createNewsStore>;
