import { expect, test } from 'vitest';
import { alertBody, alertErrors, NEW_ALERT, toggleChannel } from './alert-form.ts';

test('an alert waits in the direction where its price lies', () => {
  const entry = { ...NEW_ALERT, price: '51000.50', note: 'out' };
  expect(alertBody(entry, 'BTC-USDT', '50000')).toEqual({
    symbol: 'BTC-USDT',
    price: '51000.5',
    direction: 'above',
    repeat: 'once',
    channels: ['page'],
    note: 'out',
  });
  expect(alertBody(entry, 'BTC-USDT', '52000').direction).toBe('below');
});

test('it needs a price and a way of being told', () => {
  expect(alertErrors(NEW_ALERT)).toEqual({ price: 'Price is required' });
  expect(alertErrors({ ...NEW_ALERT, price: '1', channels: [] })).toEqual({
    channels: 'Choose at least one way to be notified',
  });
  expect(toggleChannel(['page'], 'mail')).toEqual(['page', 'mail']);
  expect(toggleChannel(['page'], 'page')).toEqual([]);
});
