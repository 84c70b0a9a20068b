import { readdirSync, readFileSync } from 'node:fs';
import { AUDIT_ACTS } from '@cambist/contract/audit-acts.ts';
import { expect, test } from 'vitest';
import { ACTS, actText } from './acts.ts';

const SOURCES = ['server', 'contract'].map((room) => new URL(`../../../../../${room}/src/`, import.meta.url));

/** What the server records, by its code or as a call declares; a name that is put together is in no file as a whole. */
function recorded(): string {
  const texts = SOURCES.flatMap((folder) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => file.endsWith('.ts') && !/\.test\.ts$|audit-acts\.ts$/.test(file));
    return sources.map((file) => readFileSync(new URL(file, folder), 'utf8'));
  });
  return texts.join('\n');
}

test('each act of the audit log has words of its own, and none has words that the server does not record', () => {
  expect(Object.keys(ACTS)).toEqual([...AUDIT_ACTS]);
  expect(new Set(Object.values(ACTS)).size).toBe(AUDIT_ACTS.length);
  const sources = recorded();
  const together = /^(pause|resume)-(deposits|payouts)$/;
  expect(AUDIT_ACTS.filter((act) => !together.test(act) && !sources.includes(`'${act}'`))).toEqual([]);
  const named = [...sources.matchAll(/\bact: '([^']+)'/g)].map(([, act = '']) => act);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((act) => !Object.hasOwn(ACTS, act))).toEqual([]);
});

test('an act of another version is shown by its name', () => {
  expect(actText('constructor')).toBe('constructor');
  expect(actText('halt-market')).toBe('Halted a market');
});
