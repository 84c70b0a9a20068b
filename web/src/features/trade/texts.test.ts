import { LOCALES } from '@cambist/contract/locales.ts';
import { expect, test, vi } from 'vitest';
import { currentLocale, loadTexts, startTexts, t } from '../../lib/i18n.ts';
import { usePreferences } from '../../lib/preferences-store.ts';

const OPEN_ORDERS = {
  en: 'Open orders',
  cn: '當前委託',
  german: 'Offene Orders',
  ja: '未約定注文',
  spanish: 'Órdenes abiertas',
  vi: 'Lệnh mở',
  zhHans: '当前委托',
} as const;

const PATIENCE = { timeout: 10_000 };

test('the terminal speaks every language of the specification (T-display-13..19)', { timeout: 60_000 }, async () => {
  const root = { lang: '' };
  // There is no storage here, which the store says each time.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  Object.assign(globalThis, { document: { documentElement: root } });
  await startTexts();
  await loadTexts('trade');
  expect(LOCALES.map(({ name }) => name).sort()).toEqual(Object.keys(OPEN_ORDERS).sort());
  for (const { name, tag } of LOCALES) {
    usePreferences.getState().setLocale(name);
    await expect.poll(() => currentLocale().tag, PATIENCE).toBe(tag);
    expect(t('Open orders')).toBe(OPEN_ORDERS[name]);
    // The name of a button says what is written on it: it is called by voice.
    const order = 'BTC';
    expect(t('Cancel {{order}}', { order }).toLowerCase()).toContain(t('Cancel', { context: 'order' }).toLowerCase());
    expect(t('Change {{order}}', { order }).toLowerCase()).toContain(t('Change').toLowerCase());
  }
  usePreferences.getState().setLocale('en');
  await expect.poll(() => currentLocale().tag, PATIENCE).toBe('en');
  expect(t('Cancel {{count}} orders', { count: 1 })).toBe('Cancel 1 order');
});
