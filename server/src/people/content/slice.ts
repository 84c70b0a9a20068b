/** What the operator writes, and news from elsewhere, as a slice. */
import type { AccountService } from '../../identity/accounts/service.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { createNewsService, type NewsService } from './news.ts';
import { createNewsStore } from './news-store.ts';
import { serveContent } from './routes.ts';
import { createContentService, createContentStore } from './service.ts';

const NEWS_MS = 15 * 60_000;

export interface ContentSlice extends Slice {
  readonly news: NewsService;
}

/** What a page may know of the settings. */
function siteOf({ config }: Platform) {
  const { CHATWOOT_URL: url, CHATWOOT_TOKEN: token } = config;
  return {
    name: config.SITE_NAME,
    operator: config.OPERATOR_NAME ?? null,
    jurisdiction: config.OPERATOR_JURISDICTION ?? null,
    source_url: config.SOURCE_URL ?? null,
    mail: config.SMTP_URL !== undefined,
    chatwoot: url === undefined || token === undefined ? null : { url, token },
  };
}

export async function createContentSlice(
  platform: Platform,
  { accounts, audit }: { readonly accounts: Pick<AccountService, 'person'>; readonly audit: AuditLog },
): Promise<ContentSlice> {
  const { config, database, clock, logger } = platform;
  const facts = { operator: config.OPERATOR_NAME, jurisdiction: config.OPERATOR_JURISDICTION };
  const content = await createContentService({ store: createContentStore(database), facts, clock });
  const store = createNewsStore(database);
  const news = await createNewsService({ content, store, feeds: config.NEWS_RSS, clock, logger });
  const emailOf = async (clientId: number) => (await accounts.person(clientId))?.email;
  return {
    news,
    routes: (calls) => serveContent(calls, { content, news, audit, emailOf, site: siteOf(platform) }),
    jobs: [{ name: 'import news', everyMs: NEWS_MS, atStart: true, run: news.importAll }],
    stop: () => news.close(),
  };
}
