import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

interface Heard {
  readonly path: string;
  readonly noneMatch: string | undefined;
  readonly modifiedSince: string | undefined;
}

/** Another site, which answers each path as the test last said. */
async function startFeedSite() {
  const answers = new Map<string, (response: ServerResponse) => void>();
  const heard: Heard[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    heard.push({
      path,
      noneMatch: request.headers['if-none-match'],
      modifiedSince: request.headers['if-modified-since'],
    });
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end('<html>no</html>');
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    answers,
    heard,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    text:
      (body: string, headers: Record<string, string> = {}) =>
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/xml', ...headers }).end(body);
      },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toUTCString();
const item = (number: number, days: number) =>
  `<item><title>Item ${number}</title><link>https://news.example/${number}</link><guid>g${number}</guid><pubDate>${daysAgo(days)}</pubDate><description>Body ${number}</description></item>`;
const rss = (...items: string[]) =>
  `<rss version="2.0"><channel><title>The Feed</title>${items.join('')}</channel></rss>`;
const atom = (number: number, days: number) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>The Blog</title><entry><id>e${number}</id><title>Entry ${number}</title><link href="https://blog.example/${number}"/><updated>${new Date(Date.now() - days * 86_400_000).toISOString()}</updated></entry></feed>`;

let site: Awaited<ReturnType<typeof startFeedSite>>;
let server: TestApp;
afterEach(async () => {
  await server.remove();
  await site.close();
});

type Row = { id: string; title: string; source: string; pinned: boolean; url: string; published_at: number };

async function newsOf(): Promise<Row[]> {
  const { body } = await server.call({ method: 'GET', url: '/api/v3/news?limit=100' });
  return (body as unknown as { newsfeed: { Data: Row[] } }).newsfeed.Data;
}
const imported = async () => (await newsOf()).filter(({ source }) => source !== '');

async function signInOperator(): Promise<string> {
  await server.app.accounts.ensure('editor@example.test', PASSWORD, TRANSACTION_PASSWORD, 'operator');
  const payload = { username: 'editor@example.test', password: PASSWORD };
  return String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
}
const feedStates = async (token: string) => {
  const { body } = await server.call({ method: 'GET', url: '/api/v3/admin/news-feeds', token });
  return body.feeds as unknown as {
    url: string;
    title: string;
    failure: string;
    items: number;
    checked_at: number | null;
  }[];
};

async function start(kind: 'pglite' | 'postgres', ...paths: string[]): Promise<void> {
  server = await startTestApp(kind, undefined, { NEWS_RSS: paths.map((path) => site.url(path)).join(',') });
  // The first reading goes on by itself; the second waits for nothing else.
  await expect.poll(() => site.heard.length).toBeGreaterThanOrEqual(paths.length);
}

describe.each(databaseKinds)('news (%s)', (kind) => {
  it('the feed has items with the written fields, newest first, the pinned before all (A-calls-04, A-landing-44..48)', async () => {
    site = await startFeedSite();
    site.answers.set('/rss', site.text(rss(item(1, 3), item(2, 1))));
    site.answers.set('/atom', site.text(atom(3, 2)));
    await start(kind, '/rss', '/atom');
    await expect.poll(async () => (await imported()).length).toBe(3);
    const rows = await newsOf();
    expect(rows.filter(({ source }) => source !== '')).toMatchObject([
      { title: 'Item 2', source: 'The Feed', url: 'https://news.example/2', body: 'Body 2', imageurl: '' },
      { title: 'Entry 3', source: 'The Blog' },
      { title: 'Item 1', source: 'The Feed' },
    ]);
    const times = rows.map(({ published_at }) => published_at);
    expect(times).toEqual([...times].sort((left, right) => right - left));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);

    const token = await signInOperator();
    const own = {
      id: 'old-but-pinned',
      title: { en: 'Read this', german: 'Lesen' },
      body: { en: 'First.' },
      url: '',
      imageurl: '',
      published_at: 1000,
      pinned: true,
    };
    const payload = { based_on: 1, content: { items: [own, { ...own, id: 'old', pinned: false }] } };
    expect((await server.call({ method: 'POST', url: '/api/v3/admin/content/news', token, payload })).status).toBe(200);
    expect((await newsOf()).map(({ id }) => id)).toMatchObject(
      ['old-but-pinned', /^feed:/, /^feed:/, /^feed:/, 'old'].map((id) =>
        id instanceof RegExp ? expect.stringMatching(id) : id,
      ),
    );
    const german = await server.call({ method: 'GET', url: '/api/v3/news?locale=german&limit=1' });
    expect(german.body).toMatchObject({ newsfeed: { Data: [{ title: 'Lesen', body: 'First.' }] } });
  });

  it('asks with the marks of the last answer, keeps an article once, and lets go of old ones', async () => {
    site = await startFeedSite();
    const marks = { etag: '"v1"', 'last-modified': daysAgo(1) };
    site.answers.set('/rss', site.text(rss(item(1, 1), item(2, 90)), marks));
    await start(kind, '/rss');
    await expect.poll(async () => (await imported()).length).toBe(1);
    const token = await signInOperator();
    await expect.poll(async () => (await feedStates(token))[0]?.items).toBe(1);

    site.answers.set('/rss', (response) => response.writeHead(304).end());
    await server.app.news.importAll();
    expect(site.heard.at(-1)).toMatchObject({ noneMatch: '"v1"', modifiedSince: marks['last-modified'] });
    expect(await imported()).toHaveLength(1);

    // The same article under another id, and the same id at another address.
    const again = item(1, 1).replace('g1<', 'other<') + item(1, 1).replace('news.example/1', 'news.example/moved');
    site.answers.set('/rss', site.text(rss(again, item(3, 0))));
    await server.app.news.importAll();
    expect((await imported()).map(({ title }) => title)).toEqual(['Item 3', 'Item 1']);
    server.advance(59.5 * 86_400_000);
    site.answers.set('/rss', (response) => response.writeHead(304).end());
    await server.app.news.importAll();
    expect((await imported()).map(({ title }) => title)).toEqual(['Item 3']);
  });
});

describe('a feed that fails', () => {
  it('says why, keeps what it brought, and does not keep the others from being read', async () => {
    site = await startFeedSite();
    site.answers.set('/a', site.text(rss(item(1, 1))));
    site.answers.set('/b', site.text(atom(2, 2)));
    await start('postgres', '/a', '/b');
    await expect.poll(async () => (await imported()).length).toBe(2);
    const token = await signInOperator();
    site.answers.set('/b', site.text(atom(3, 1)));
    const failures: [string, (response: ServerResponse) => void, RegExp][] = [
      ['gone', (response) => response.writeHead(410).end(), /answered 410/],
      ['no feed', site.text('<html><body>Sign in</body></html>'), /Unrecognized feed format/],
      ['too large', site.text(`${rss(item(1, 1))}${' '.repeat(1024 * 1024)}`), /larger than/],
      [
        'cut off',
        (response) => response.writeHead(200, { 'content-length': '900' }).end('<rss', () => response.destroy()),
        /./,
      ],
      ['an unknown alphabet', site.text(rss(item(1, 1)), { 'content-type': 'text/xml; charset=klingon' }), /klingon/],
    ];
    for (const [what, answer, reason] of failures) {
      site.answers.set('/a', answer);
      await server.app.news.importAll();
      const [failed, well] = await feedStates(token);
      expect(failed, what).toMatchObject({ title: 'The Feed', items: 1, failure: expect.stringMatching(reason) });
      expect(well).toMatchObject({ failure: '' });
    }
    expect((await imported()).map(({ title }) => title).sort()).toEqual(['Entry 2', 'Entry 3', 'Item 1']);
    site.answers.set('/a', site.text(rss(item(1, 1))));
    await server.app.news.importAll();
    expect((await feedStates(token))[0]?.failure).toBe('');
  });

  it('that never ends does not keep the server from closing', async () => {
    site = await startFeedSite();
    site.answers.set('/slow', (response) => response.writeHead(200).write('<rss>'));
    await start('postgres', '/slow');
    const began = Date.now();
    await server.stop();
    expect(Date.now() - began).toBeLessThan(5000);
    server = await startTestApp('postgres', server.source);
  });

  it('reads a feed in the alphabet that it names', async () => {
    site = await startFeedSite();
    const latin = Buffer.from(
      `<?xml version="1.0" encoding="iso-8859-1"?>${rss(item(1, 1).replace('Item 1', 'Börse'))}`,
      'latin1',
    );
    site.answers.set('/a', (response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(latin));
    await start('postgres', '/a');
    await expect.poll(async () => (await imported())[0]?.title).toBe('Börse');
  });
});
