/** docs/chain-faults.md names tests; each of them is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs/chain-faults.md'), 'utf8');
const rows = text.split('\n').filter((line) => /^\| \d+ /.test(line));

/** Files by the name that the document calls them. */
function sourceOf(name: string): string {
  const path = join(root, name.startsWith('signer/') ? 'server/src' : 'server/src/funds', name);
  const file = [`${path}.test.ts`, `${path}.full.test.ts`].find((one) => existsSync(one));
  return file === undefined ? '' : readFileSync(file, 'utf8');
}

it('the document of the faults of chains has every fault, and names tests that there are', () => {
  expect(rows.map((row) => Number.parseInt(row.slice(2), 10))).toEqual(
    Array.from({ length: 25 }, (_, index) => index + 1),
  );
  const named = rows.flatMap((row) => [...row.matchAll(/`([\w/-]+)` ((?:“[^”]+”(?:, )?)+)/g)]);
  const titles = named.flatMap(([, name = '', list = '']) =>
    [...list.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ name, title })),
  );
  expect(titles.length).toBeGreaterThan(60);
  expect(titles.filter(({ name, title }) => !sourceOf(name).includes(title))).toEqual([]);
});
