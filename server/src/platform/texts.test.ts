import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES, localeOf } from '@cambist/contract/locales.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { anyKind } from '../../test/databases.ts';
import { FIGURES, inLanguage, localeOfHeader, say, spoken } from './texts.ts';

describe('the language of a request', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de-AT,de;q=0.9,en;q=0.5', 'german'],
    ['en;q=0.2, ja;q=0.9', 'ja'],
    ['zh-TW', 'cn'],
    ['zh-HK,en', 'cn'],
    ['zh-Hant', 'cn'],
    ['zh-CN', 'zhHans'],
    ['zh', 'zhHans'],
    ['es-419', 'spanish'],
    ['vi-VN', 'vi'],
    ['fr,de;q=0.5', 'german'],
    ['de;q=0, vi', 'vi'],
  ])('%s is %s', (header, name) => expect(localeOfHeader(header).name).toBe(name));

  it.each(['fr', 'xx-YY', 'klingon', '*'])('%s is not spoken here, so it is English (A-i18n-08)', (header) => {
    expect(localeOfHeader(header).name).toBe('en');
  });
});

describe('a text', () => {
  it('is filled in, in every language, and keeps the field that it is about', () => {
    const said = say('Use at most {{scale}} decimal places', { scale: 5 }, 'price');
    const all = LOCALES.map((locale) => inLanguage(said, locale));
    expect(all[0]).toBe('price: Use at most 5 decimal places');
    expect(new Set(all).size).toBe(LOCALES.length);
    for (const text of all) expect(text).toMatch(/^price: .*5/);
  });

  it('has its figures as the language writes numbers, to the last digit, and codes as they are', () => {
    const said = say('{{amount}} {{coin}} has arrived in your spot wallet.', {
      amount: '12345.6789012345',
      coin: 'BTC',
    });
    expect(inLanguage(said, localeOf('german'))).toMatch(/^12\.345,6789012345 BTC /);
    expect(inLanguage(said, localeOf('ja'))).toContain('12,345.6789012345 BTC');
    expect(inLanguage(said, localeOf('en'))).toMatch(/^12345\.6789012345 BTC /);
    expect(inLanguage(say('{{code}} is your verification code', { code: '123456' }), localeOf('german'))).toMatch(
      /^123456 /,
    );
  });

  it('has values by names that are known to be figures, or to be none', () => {
    const path = join(import.meta.dirname, '../../locales/german.json');
    const texts = Object.keys(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
    const names = new Set(texts.flatMap((text) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)));
    const others =
      'address browser closeOnly code coin count date decimals duration end kind last name network number owed pair reason ' +
      'reference scale seconds site subject system time until values version';
    expect([...names].filter((name) => !FIGURES.has(name)).sort()).toEqual(others.split(' '));
    expect([...FIGURES].filter((name) => !names.has(name))).toEqual([]);
  });

  it('that no language has stays as it is', () => {
    expect(inLanguage('No such text', localeOf('ja'))).toBe('No such text');
    expect(spoken('No such text', { headers: {} })).toBe('No such text');
  });
});

describe('what the server answers', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(anyKind);
  });
  afterAll(async () => {
    await app.stop();
    await app.remove();
  });

  interface Answer {
    readonly message: string;
    readonly code: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
  }

  async function ask(url: string, language: string): Promise<Answer> {
    const { body } = await app.call({ method: 'GET', url, headers: { 'accept-language': language } });
    return body as unknown as Answer;
  }

  it('is in the language of the one who asks, with the same code', async () => {
    const german = await ask('/api/v3/account-client', 'de');
    expect(german).toMatchObject({ code: 'UNAUTHENTICATED', message: 'Melden Sie sich an, um fortzufahren.' });
    expect((await ask('/api/v3/account-client', 'fr')).message).toBe('Log in to continue.');
  });

  it('translates what is wrong with the input: our own texts, and those of the schema library', async () => {
    const own = await ask('/api/v2/send-code?email=nobody', 'ja');
    expect(own.errors).toEqual([{ field: 'email', message: '有効なメールアドレスを入力してください' }]);
    const library = await ask('/api/v3/news?limit=many', 'es');
    const english = await ask('/api/v3/news?limit=many', 'en');
    expect(library.errors?.[0]?.field).toBe('limit');
    expect(library.errors?.[0]?.message).not.toBe(english.errors?.[0]?.message);
  });

  it('writes mails in it too', async () => {
    await ask('/api/v2/send-code?email=lesen@example.test', 'vi');
    const { body } = await app.call({ method: 'GET', url: '/api/dev/outbox?to=lesen@example.test' });
    const { messages } = body as unknown as { messages: { subject: string; text: string; html: string }[] };
    expect(messages[0]?.subject).toMatch(/^\d{6} là mã xác minh của bạn$/);
    expect(messages[0]?.text).toContain('mười phút');
    expect(messages[0]?.html).toContain(messages[0]?.subject.slice(0, 6));
  });
});
