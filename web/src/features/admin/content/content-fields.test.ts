import { storedSections } from '@cambist/contract/content.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { fromLocalField, toLocalField } from '../../../lib/local-time.ts';
import { fieldTexts, placeOf } from './field-texts.ts';

/** The names of every field of a schema, with those of the entries of its lists. */
function namesIn(schema: z.ZodType): string[] {
  const { shape, element } = schema as unknown as { shape?: Record<string, z.ZodType>; element?: z.ZodType };
  if (element) return namesIn(element);
  if (!shape || 'en' in shape) return [];
  return Object.entries(shape).flatMap(([name, below]) => [name, ...namesIn(below)]);
}

test('every field of the content has a label of its own, and not its raw name', () => {
  for (const [section, schema] of Object.entries(storedSections)) {
    const names = namesIn(schema);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => fieldTexts(`${section}.${name}`).label === name)).toEqual([]);
  }
});

test('what was refused is named as in the form', () => {
  expect(placeOf('links.0.id')).toBe('Links, Entry 1, Identifier');
  expect(placeOf('support_email')).toBe('Support email');
});

test('a moment survives the field for date and time, to the minute, and an empty field is none', () => {
  for (const ms of [0, Date.UTC(2026, 2, 1, 9, 30), Date.UTC(2031, 11, 31, 23, 59)]) {
    expect(fromLocalField(toLocalField(ms))).toBe(ms);
  }
  expect(toLocalField(new Date(2026, 0, 5, 7, 4).getTime())).toBe('2026-01-05T07:04');
  expect([toLocalField(null), fromLocalField(''), fromLocalField('nonsense')]).toEqual(['', null, null]);
});
