/** Seven languages: by the browser, by choice, and English for all others; numbers, dates and plurals follow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stage, setStage, TRADER } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage({ MARKET: 'simulated' });
});

afterAll(() => stage?.close());

const pageIn = (locale: string) => stage.open({ locale });

interface Language {
  readonly id: string;
  readonly browser: string;
  readonly tag: string;
  readonly label: string;
  readonly start: string;
  readonly joined: string;
  /** 1234567.8 as this language writes it. */
  readonly number: string;
}

const LANGUAGES: readonly Language[] = [
  {
    id: '[A-i18n-01]',
    browser: 'en-GB',
    tag: 'en',
    label: 'English',
    start: 'Get started',
    joined: 'users have joined',
    number: '1,234,567.8',
  },
  {
    id: '[A-i18n-02]',
    browser: 'zh-CN',
    tag: 'zh-Hans',
    label: '简体中文',
    start: '立即开始',
    joined: '名用户已加入',
    number: '1,234,567.8',
  },
  {
    id: '[A-i18n-03]',
    browser: 'zh-HK',
    tag: 'zh-Hant',
    label: '繁體中文',
    start: '立即開始',
    joined: '名使用者已加入',
    number: '1,234,567.8',
  },
  {
    id: '[A-i18n-04]',
    browser: 'de-DE',
    tag: 'de',
    label: 'Deutsch',
    start: 'Loslegen',
    joined: 'Nutzer sind dabei',
    number: '1.234.567,8',
  },
  {
    id: '[A-i18n-05]',
    browser: 'ja-JP',
    tag: 'ja',
    label: '日本語',
    start: '始める',
    joined: '人が参加しています',
    number: '1,234,567.8',
  },
  {
    id: '[A-i18n-06]',
    browser: 'es-ES',
    tag: 'es',
    label: 'Español',
    start: 'Empezar',
    joined: 'usuarios ya se han unido',
    number: '1.234.567,8',
  },
  {
    id: '[A-i18n-07]',
    browser: 'vi-VN',
    tag: 'vi',
    label: 'Tiếng Việt',
    start: 'Bắt đầu',
    joined: 'người dùng đã tham gia',
    number: '1.234.567,8',
  },
];

/** The words of the screen, of the operator and the figures are all of one language. */
async function expectSpoken(page: Page, { tag, start, joined, number }: Language): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: start }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe(tag);
  const counter = page.locator('p', { hasText: joined });
  const group = number.replace(/\d/g, '')[0];
  // It counts once the program is there.
  await expect
    .poll(() => counter.locator('span').first().textContent())
    .toMatch(new RegExp(`^\\d{2}\\${group}\\d{3}\\${group}\\d{3}$`));
  const date = await page
    .locator('article', { has: page.locator('h3 a') })
    .first()
    .locator('p')
    .last()
    .textContent();
  const written = new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  const today = written.format(Date.now());
  // The news of a new exchange are of its first day.
  expect(date?.split(' · ')[0]).toBe(today);
}

describe('a language', () => {
  it.each(LANGUAGES)('$id $label is spoken to a browser in it', async (language) => {
    const page = await pageIn(language.browser);
    await page.goto('/');
    await expectSpoken(page, language);
    await page.context().close();
  });

  it.each(LANGUAGES)('$id $label can be chosen, and stays chosen', async (language) => {
    const page = await pageIn(language.tag === 'ja' ? 'de-DE' : 'ja-JP');
    await page.goto('/');
    await page.getByRole('button', { name: language.tag === 'ja' ? 'Sprache und Design' : '言語とテーマ' }).click();
    await page.getByRole('menuitem', { name: language.label }).click();
    await expectSpoken(page, language);
    await page.reload();
    await expectSpoken(page, language);
    await page.context().close();
  });

  it.each(['fr-FR', 'ko-KR', 'pt-BR', 'xx'])(
    'that is not spoken, such as %s, falls back to English (A-i18n-08)',
    async (locale) => {
      const page = await pageIn(locale);
      await page.goto('/');
      await page.getByRole('main').getByRole('link', { name: 'Get started' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      await page.context().close();
    },
  );

  it('that is stored but unknown falls back to English (A-i18n-08)', async () => {
    const page = await stage.open({ keeps: { preferences: { locale: 'klingon' } } });
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: 'Get started' }).waitFor();
    await page.context().close();
  });

  it.each([
    ['/markets', 'markets'],
    ['/trades/spot/BTC', 'trade'],
    ['/settings', 'settings'],
    ['/signin', 'account'],
    ['/about', 'information'],
    ['/wallet', 'wallet'],
    ['/account/security', 'security'],
    ['/account/notifications', 'notifications'],
  ])('is spoken on %s, though that is opened first', async (path, part) => {
    const own = path.startsWith('/account') || path === '/wallet';
    const page = await stage.open({ locale: 'de-DE', ...(own ? { as: await stage.signIn(TRADER) } : {}) });
    await page.goto(path);
    const german = textsOf(part, 'german');
    const lines = async () => (await page.locator('#root').innerText()).split('\n').map((line) => line.trim());
    const spoken = new Set(Object.values(german));
    await expect.poll(async () => (await lines()).filter((line) => spoken.has(line)).length).toBeGreaterThan(1);
    expect((await lines()).filter((line) => !spoken.has(line) && german[line] !== undefined)).toEqual([]);
    await page.context().close();
  });
});

function textsOf(part: string, name: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../web/src/locales/${part}/${name}.json`), 'utf8'));
}
