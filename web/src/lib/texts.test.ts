import { describe, expect, it } from 'vitest';
import { addTexts, translate } from './texts.ts';

addTexts('en', { '{{count}} coins_one': '{{count}} coin', '{{count}} coins_other': '{{count}} coins' });
addTexts('de', {
  Open: 'Öffnen',
  Open_price: 'Eröffnung',
  '{{count}} coins_one': '{{count}} Münze',
  '{{count}} coins_other': '{{count}} Münzen',
  'Hello, {{name}}': 'Hallo {{name}}',
});
addTexts('vi', { '{{count}} coins_other': '{{count}} đồng' });

describe('a text', () => {
  it.each([
    ['is looked up in the language', 'de', 'Open', undefined, 'Öffnen'],
    ['is told apart by its context', 'de', 'Open', { context: 'price' }, 'Eröffnung'],
    ['of an unknown context is the common one', 'de', 'Open', { context: 'door' }, 'Öffnen'],
    ['is filled in', 'de', 'Hello, {{name}}', { name: '$& 50 %' }, 'Hallo $& 50 %'],
    ['keeps what nothing fills', 'de', 'Hello, {{name}}', {}, 'Hallo {{name}}'],
    ['is in the singular', 'de', '{{count}} coins', { count: 1 }, '1 Münze'],
    ['is in the plural', 'de', '{{count}} coins', { count: 3 }, '3 Münzen'],
    ['of a language without a singular has one form', 'vi', '{{count}} coins', { count: 1 }, '1 đồng'],
    ['without a translation is English, by its plural rules', 'ja', '{{count}} coins', { count: 1 }, '1 coin'],
    ['that nobody knows is itself', 'de', 'Nobody: knows. this', undefined, 'Nobody: knows. this'],
  ] as const)('%s', (_what, tag, text, values, expected) => {
    expect(translate(tag, text, values)).toBe(expected);
  });
});
