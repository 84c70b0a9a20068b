import { readSections, SECTION_NAMES, storedSections } from '@cambist/contract/content.ts';
import { LOCALES } from '@cambist/contract/locales.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';
import { DatabaseUnavailable } from '../../platform/database.ts';
import { seedOf } from './seed.ts';

/** Every localized text inside, with the path to it. */
function textsIn(value: unknown, path = ''): { path: string; texts: Record<string, string> }[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value) return [{ path, texts: value as Record<string, string> }];
  return Object.entries(value).flatMap(([key, part]) => textsIn(part, `${path}.${key}`));
}

describe('the seed', () => {
  it.each(SECTION_NAMES)('%s fits its schema', (section) => {
    expect(storedSections[section].safeParse(seedOf(section, 1)).error?.issues ?? []).toEqual([]);
  });

  it('says everything in seven languages, but for figures that read alike in all', () => {
    const gaps = SECTION_NAMES.flatMap((section) =>
      textsIn(seedOf(section, 1), section).flatMap(({ path, texts }) =>
        LOCALES.filter(({ name }) => !texts[name] && !/^[\d+]+$/.test(texts.en ?? '')).map(({ name }) => path + name),
      ),
    );
    expect(gaps).toEqual([]);
  });

  it('has the same sections and placeholders in every language of a long text', () => {
    for (const section of ['terms', 'privacy', 'about'] as const) {
      const { body } = storedSections[section].parse(seedOf(section, 1));
      const shape = (text = '') => ({
        headings: text.match(/^## (\d+)?/gm),
        points: text.match(/^- /gm)?.length,
        named: ['{{operator}}', '{{jurisdiction}}'].map((name) => text.includes(name)),
      });
      for (const { name } of LOCALES) expect(shape(body[name]), `${section} ${name}`).toEqual(shape(body.en));
    }
  });

  it('claims are the written ones and samples; four questions (A-landing-11..14)', () => {
    const { items } = storedSections.claims.parse(seedOf('claims', 1));
    const english = items.map(({ figure, text }) => `${typeof figure === 'string' ? figure : figure.en} ${text.en}`);
    expect(english).toEqual([
      '350+ coins',
      '140 million users',
      '180+ coins earnable',
      '1 USD minimum investment',
      ' users have joined',
    ]);
    expect(items.every(({ sample }) => sample)).toBe(true);
    const faq = storedSections.faq.parse(seedOf('faq', 1));
    expect(faq.items).toHaveLength(4);
    expect(storedSections.faq.safeParse({ items: faq.items.slice(1) }).success).toBe(false);
  });
});

describe('addresses that an operator may write', () => {
  const downloads = (android: string) => storedSections.downloads.safeParse({ android, ios: '' }).success;
  it.each(['', '/install', '/files/app.apk?v=2', 'https://files.example/app.apk'])('takes %j', (address) => {
    expect(downloads(address)).toBe(true);
  });
  it.each([
    'http://files.example/app.apk',
    'javascript:alert(1)',
    '//evil.example/x',
    '/\\evil.example',
    'https://',
    'ftp://x',
  ])('refuses %j', (address) => expect(downloads(address)).toBe(false));
  it('refuses one that is too long', () => expect(downloads(`https://a.example/${'x'.repeat(500)}`)).toBe(false));
});

describe.each(databaseKinds)('content (%s)', (kind) => {
  let server: TestApp;
  let operator: string;
  let client: string;

  async function signIn(email: string, role: 'client' | 'operator'): Promise<string> {
    await server.app.accounts.ensure(email, PASSWORD, TRANSACTION_PASSWORD, role);
    const payload = { username: email, password: PASSWORD };
    return String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
  }

  beforeAll(async () => {
    server = await startTestApp(kind, undefined, { OPERATOR_NAME: 'Example Exchange Ltd' });
    operator = await signIn('editor@example.test', 'operator');
    client = await signIn('reader@example.test', 'client');
  });
  afterAll(() => server.remove());

  const get = (url: string, token?: string) => server.call({ method: 'GET', url, ...(token ? { token } : {}) });
  const save = (section: string, payload: object, token = operator) =>
    server.call({ method: 'POST', url: `/api/v3/admin/content/${section}`, token, payload });
  const stored = async (section: string) => (await get(`/api/v3/admin/content/${section}`, operator)).body as never;

  it('anyone reads every section in his language, and English where a language is not ours', async () => {
    for (const section of SECTION_NAMES) {
      const { status, body } = await get(`/api/v3/content/${section}?locale=german`);
      expect(status).toBe(200);
      expect(readSections[section].safeParse(body.content).success).toBe(true);
      expect(JSON.stringify(body.content)).not.toContain('"en"');
    }
    const first = async (locale: string) => {
      const { body } = await get(`/api/v3/content/faq?locale=${locale}`);
      return (body as unknown as { content: { items: { question: string }[] } }).content.items[0]?.question;
    };
    expect(await first('german')).toBe('Wie eröffne ich ein Konto?');
    expect(await first('vi')).toBe('Làm thế nào để mở tài khoản?');
    expect(await first('klingon')).toBe('How do I open an account?');
    expect((await get('/api/v3/content/nothing')).body).toMatchObject({ status: 422, code: 'INVALID_INPUT' });
  });

  it('legal texts name the operator of the settings, and show a bracket for what is not set', async () => {
    const body = async (locale: string) =>
      String(
        ((await get(`/api/v3/content/terms?locale=${locale}`)).body as unknown as { content: { body: string } }).content
          .body,
      );
    expect(await body('en')).toContain('Example Exchange Ltd ("we") runs this exchange');
    expect(await body('en')).toContain('governed by the law of [jurisdiction]');
    expect(await body('spanish')).toContain('[jurisdicción]');
    expect(await body('ja')).not.toMatch(/\{\{|\}\}/);
  });

  it('an answer may be kept and is asked for again by its ETag', async () => {
    const url = '/api/v3/content/claims?locale=en';
    const { headers } = await get(url);
    expect(headers['cache-control']).toBe('public, max-age=60');
    const again = await server.call({ method: 'GET', url, headers: { 'if-none-match': `W/${headers.etag}` } });
    expect(again).toMatchObject({ status: 304, body: {} });
    const other = await get('/api/v3/content/claims?locale=ja');
    expect(other.headers.etag).not.toBe(headers.etag);
  });

  it('only an operator sees and saves what is kept', async () => {
    for (const url of ['/api/v3/admin/content', '/api/v3/admin/content/faq', '/api/v3/admin/content/faq/history']) {
      expect((await get(url)).status).toBe(401);
      expect((await get(url, client)).status).toBe(403);
    }
    expect((await save('downloads', { based_on: 1, content: {} }, client)).status).toBe(403);
  });

  it('a save is a new version with its author; a save over it is refused, by number and by race', async () => {
    const content = { android: 'https://files.example/app.apk', ios: '' };
    const saved = await save('downloads', { based_on: 1, note: 'the first app', content });
    expect(saved).toMatchObject({
      status: 200,
      body: { version: 2, saved_by_email: 'editor@example.test', note: 'the first app', content },
    });
    expect(await save('downloads', { based_on: 1, content })).toMatchObject({
      status: 409,
      body: { code: 'CHANGED_SINCE' },
    });
    const race = await Promise.all([1, 2, 3].map(() => save('downloads', { based_on: 2, content })));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('a save whose answer the database lost is found by the next one, and is what people read then', async () => {
    const before = (await stored('community')) as { version: number; content: object };
    const query = server.database.query.bind(server.database);
    const spy = vi.spyOn(server.database, 'query').mockImplementation(async (sql, parameters) => {
      const rows = await query(sql, parameters);
      if (sql.includes('INTO content_versions')) throw new DatabaseUnavailable('away');
      return rows as never;
    });
    const edit = (based_on: number, note: string) => save('community', { based_on, note, content: before.content });
    expect((await edit(before.version, 'lost')).status).toBe(503);
    spy.mockRestore();
    const refused = await edit(before.version, 'again');
    expect(refused).toMatchObject({ status: 409, body: { code: 'CHANGED_SINCE' } });
    expect(JSON.stringify(refused.body)).toContain(`Version ${before.version + 1} was saved in the meantime`);
    expect((await get('/api/v3/content/community?locale=en')).body.version).toBe(before.version + 1);
    expect(await edit(before.version + 1, 'on top')).toMatchObject({
      status: 200,
      body: { version: before.version + 2 },
    });
  });

  it('a wrong document is refused by the name of the field', async () => {
    const { content } = (await stored('faq')) as { content: { items: object[] } };
    const items = content.items.map((item, index) =>
      index === 2 ? { ...item, question: { german: 'nur deutsch' } } : item,
    );
    const { status, body } = await save('faq', { based_on: 1, content: { items } });
    expect(status).toBe(422);
    expect((body.errors as unknown as { field: string }[]).map(({ field }) => field)).toContain(
      'content.items.2.question.en',
    );
    const three = await save('faq', { based_on: 1, content: { items: content.items.slice(1) } });
    expect(three.body).toMatchObject({
      status: 422,
      detail: 'content.items: The questions section holds exactly four questions',
    });
    const links = { blurb: { en: 'x' }, links: [{ id: 'x', label: 'X', url: 'http://x.example' }] };
    expect((await save('community', { based_on: 1, content: links })).status).toBe(422);
    expect((await get('/api/v3/content/faq')).body.version).toBe(1);
  });

  it('a moment that no date can be, which a page could not show, is refused', async () => {
    const { content } = (await stored('news')) as { content: { items: object[] } };
    const at = (published_at: number) =>
      save('news', { based_on: 1, content: { items: content.items.map((item) => ({ ...item, published_at })) } });
    expect((await at(8_640_000_000_000_001)).status).toBe(422);
    expect((await at(8_640_000_000_000_000)).status).toBe(200);
  });

  it.each([2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e300])(
    'the version %d, which no row can have, is refused',
    async (version) => {
      const { content } = (await stored('faq')) as { content: object };
      const restore = (payload: object) =>
        server.call({ method: 'POST', url: '/api/v3/admin/content/faq/restore', token: operator, payload });
      const answers = await Promise.all([
        save('faq', { based_on: version, content }),
        restore({ version, based_on: 1 }),
        restore({ version: 1, based_on: version }),
        get(`/api/v3/admin/content/faq?version=${version}`, operator),
        get(`/api/v3/admin/content/faq/history?before=${version}`, operator),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422));
    },
  );

  it('a long legal text in all languages can be saved, and an earlier version comes back with restore', async () => {
    const before = (await stored('privacy')) as { content: { body: Record<string, string>; effective_on: string } };
    const long = Object.fromEntries(LOCALES.map(({ name }) => [name, '長い文。'.repeat(3000)]));
    expect((await save('privacy', { based_on: 1, content: { ...before.content, body: long } })).status).toBe(200);
    const restored = await server.call({
      method: 'POST',
      url: '/api/v3/admin/content/privacy/restore',
      token: operator,
      payload: { version: 1, based_on: 2 },
    });
    expect(restored).toMatchObject({
      status: 200,
      body: { version: 3, note: 'Version 1 again', content: before.content },
    });
    const { body } = await get('/api/v3/admin/content/privacy/history?limit=2', operator);
    expect((body.versions as unknown as { version: number }[]).map(({ version }) => version)).toEqual([3, 2]);
    const older = await get('/api/v3/admin/content/privacy/history?before=2', operator);
    expect(older.body.versions).toMatchObject([{ version: 1, saved_by: null, saved_by_email: null }]);
    const second = await get('/api/v3/admin/content/privacy?version=2', operator);
    // Compared as a whole, so that a failure doesn't print it.
    expect(
      JSON.stringify((second.body as unknown as { content: { body: object } }).content.body) === JSON.stringify(long),
    ).toBe(true);
    expect((await get('/api/v3/admin/content/privacy?version=9', operator)).status).toBe(404);
  });

  it('the airdrop banner is there, until it is switched off or its time is over', async () => {
    const shown = async () => {
      const { body } = await get('/api/v3/content/banners?locale=en');
      return (body as unknown as { content: { items: { text: string; sample: boolean }[] } }).content.items;
    };
    expect(await shown()).toMatchObject([{ text: expect.stringMatching(/^Airdrop coming up/), sample: true }]);
    const { content } = (await stored('banners')) as { content: { items: object[] } };
    const edit = (based_on: number, change: object) =>
      save('banners', { based_on, content: { items: content.items.map((item) => ({ ...item, ...change })) } });
    await edit(1, { enabled: false });
    expect(await shown()).toEqual([]);
    await edit(2, { enabled: true, ends_at: Date.now() + 3_600_000 });
    expect(await shown()).toHaveLength(1);
    server.advance(3_700_000);
    expect(await shown()).toEqual([]);
  });

  it("downloads lead to the operator's file, or to the install page (A-calls-09, A-calls-10)", async () => {
    const answers = await Promise.all(['apk', 'ios'].map((name) => get(`/api/v3/download-${name}`)));
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
      [302, 'https://files.example/app.apk'],
      [302, '/install'],
    ]);
  });

  it('the site says its name, its operator, its downloads, and that no mail goes out', async () => {
    expect((await get('/api/v3/site')).body).toEqual({
      name: 'Cambist',
      operator: 'Example Exchange Ltd',
      jurisdiction: null,
      source_url: null,
      mail: false,
      downloads: { android: 'https://files.example/app.apk', ios: '' },
      chatwoot: null,
    });
  });

  it('has a promo for the Daily Rebate, with its button', async () => {
    const { body } = await get('/api/v3/content/promos');
    expect(body.content).toMatchObject({ items: [{ title: 'Daily Rebate', button: 'SEE HOW IT WORKS' }] });
  });
});

describe('a chat widget of another site', () => {
  it('is allowed by the policy of pages only where the settings name it', async () => {
    const policyOf = async (settings: Record<string, string>) => {
      const server = await startTestApp('postgres', undefined, settings);
      const answer = await server.app.http.inject('/healthz');
      const site = await server.call({ method: 'GET', url: '/api/v3/site' });
      await server.remove();
      return { policy: String(answer.headers['content-security-policy']), chatwoot: site.body.chatwoot };
    };
    const settings = { CHATWOOT_URL: 'https://chat.example/app', CHATWOOT_TOKEN: 'public-token' };
    const withWidget = await policyOf(settings);
    expect(withWidget.chatwoot).toEqual({ url: settings.CHATWOOT_URL, token: settings.CHATWOOT_TOKEN });
    for (const directive of ['script-src', 'frame-src', 'connect-src', 'img-src']) {
      const rule = withWidget.policy.split(';').find((part) => part.trim().startsWith(directive));
      expect(rule).toMatch(/ https:\/\/chat\.example$/);
    }
    const without = await policyOf({});
    expect(without.policy).not.toContain('https:');
    expect(without.policy).toContain("frame-src 'self'");
  });
});
