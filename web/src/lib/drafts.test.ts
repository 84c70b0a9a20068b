import { expect, test } from 'vitest';
import { restOfDraft } from './drafts.ts';

test('what was typed while a message was on its way is left, and all of it where the message itself was changed', () => {
  expect(restOfDraft('One', 'One')).toBe('');
  expect(restOfDraft('One', 'One and two')).toBe('and two');
  expect(restOfDraft('One', 'Another')).toBe('Another');
});
