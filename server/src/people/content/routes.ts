/** What anyone reads of the operator's content, and how the operator edits it. */

import type { AnswerOf } from '@cambist/contract/call.ts';
import * as calls from '@cambist/contract/content.ts';
import type { AuditLog } from '../../platform/audit-log.ts';
import { type CallServer, Redirect, Refusal, refuseIssues } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { NewsService } from './news.ts';
import type { ContentService, Saved } from './service.ts';
import type { ContentRow, VersionRow } from './store.ts';

export interface ContentRoutesDeps {
  readonly content: ContentService;
  readonly news: NewsService;
  readonly audit: AuditLog;
  /** Of an operator who saved; undefined when there is no such account. */
  readonly emailOf: (clientId: number) => Promise<string | undefined>;
  readonly site: Omit<AnswerOf<typeof calls.site>, 'downloads'>;
}

const noVersion = new Refusal(404, 'VERSION_NOT_FOUND', 'There is no such version of this section.');

function refusalOf(saved: Exclude<Saved, { ok: true }>): Refusal {
  switch (saved.error) {
    case 'invalid':
      return refuseIssues(saved.issues, 'content');
    case 'no-such-version':
      return noVersion;
    case 'changed-since':
      return new Refusal(
        409,
        'CHANGED_SINCE',
        say('Version {{version}} was saved in the meantime. Review it and save your change on top of it.', {
          version: saved.current,
        }),
      );
  }
}

function serveReaders(server: CallServer, { content, news, site }: ContentRoutesDeps): void {
  server.serve(calls.content, ({ params: { section }, query: { locale } }) => ({
    section,
    locale,
    ...content.read(section, locale),
  }));
  server.serve(calls.news, ({ query }) => ({ newsfeed: { Data: news.list(query.locale, query.limit) } }));

  const downloads = () => content.read('downloads', 'en').content;
  server.serve(calls.downloadApk, () => new Redirect(downloads().android || calls.INSTALL_PATH));
  server.serve(calls.downloadIos, () => new Redirect(downloads().ios || calls.INSTALL_PATH));
  server.serve(calls.site, () => ({ ...site, downloads: downloads() }));
}

function serveEditors(server: CallServer, { content, news, audit, emailOf }: ContentRoutesDeps): void {
  async function describe({ version, saved_at, saved_by, note }: VersionRow) {
    const saved_by_email = saved_by === null ? null : ((await emailOf(saved_by)) ?? null);
    return { version, saved_at, saved_by, saved_by_email, note };
  }
  const whole = async (row: ContentRow) => ({
    ...(await describe(row)),
    section: row.section,
    content: JSON.parse(row.content),
  });
  const answer = async (saved: Saved) => (saved.ok ? whole(saved.row) : refusalOf(saved));

  server.serve(calls.contentSections, async () => {
    const rows = content.currentRows().map(async (row) => ({ ...(await describe(row)), section: row.section }));
    return { sections: await Promise.all(rows) };
  });
  server.serve(calls.contentToEdit, async ({ params, query }) => {
    const row = await content.row(params.section, query.version);
    return row === undefined ? noVersion : whole(row);
  });
  server.serve(calls.saveContent, async ({ params, body, identity, http }) => {
    const detail = { section: params.section, based_on: body.based_on };
    await audit.record({ actorId: identity.clientId, act: 'save-content', detail, address: http.ip });
    const from = { basedOn: body.based_on, by: identity.clientId, note: body.note };
    return answer(await content.save(params.section, body.content, from));
  });
  server.serve(calls.contentHistory, async ({ params, query }) => {
    const rows = await content.history(params.section, query.before, query.limit);
    return { versions: await Promise.all(rows.map(describe)) };
  });
  server.serve(calls.restoreContent, async ({ params, body, identity, http }) => {
    const detail = { section: params.section, based_on: body.based_on, version: body.version };
    await audit.record({ actorId: identity.clientId, act: 'restore-content', detail, address: http.ip });
    const from = { basedOn: body.based_on, by: identity.clientId };
    return answer(await content.restore(params.section, body.version, from));
  });
  server.serve(calls.newsFeeds, async () => ({ feeds: await news.feedStates() }));
}

export function serveContent(server: CallServer, deps: ContentRoutesDeps): void {
  serveReaders(server, deps);
  serveEditors(server, deps);
}
