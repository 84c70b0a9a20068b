import { localeOf } from '@cambist/contract/locales.ts';
import { afterEach, expect, test } from 'vitest';
import { speak } from '../../../lib/i18n.ts';
import { alertBody, alertErrors, NEW_ALERT, toggleChannel } from './alert-form.ts';

afterEach(() => speak(localeOf('en')));

test('an alert waits in the direction where its price lies', () => {
  const entry = { ...NEW_ALERT, price: '51000.50', note: 'out' };
  expect(alertBody(entry, 'BTC-USDT', '50000')).toEqual({
    symbol: 'BTC-USDT',
    price: '51000.5',
    direction: 'above',
    repeat: 'once',
    channels: ['page'],
    note: 'out',
    locale: 'en',
  });
  expect(alertBody(entry, 'BTC-USDT', '52000').direction).toBe('below');
});

test('its email is in the language of the page', async () => {
  const entry = { ...NEW_ALERT, price: '51000', channels: ['mail'] as const };
  await speak(localeOf('vi'));
  expect(alertBody(entry, 'BTC-USDT', '50000').locale).toBe('vi');
});

test('it needs a price and a way of being told', () => {
  expect(alertErrors(NEW_ALERT)).toEqual({ price: 'Price is required' });
  expect(alertErrors({ ...NEW_ALERT, price: '1', channels: [] })).toEqual({
    channels: 'Choose at least one way to be notified',
  });
  expect(toggleChannel(['page'], 'mail')).toEqual(['page', 'mail']);
  expect(toggleChannel(['page'], 'page')).toEqual([]);
});
