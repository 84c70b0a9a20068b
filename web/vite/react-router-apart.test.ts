import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutNames } from './react-router-apart.ts';

const directory = join(import.meta.dirname, '../../node_modules/react-router/dist/production');
const library = readdirSync(directory)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => readFileSync(join(directory, name), 'utf8'))
  .join('\n');

it('nothing but its use keeps a component or a context of the router in a page', () => {
  const made = /^var \w+ = React\d*\.\w+\(/gm;
  const named = /^\w+\.displayName = /gm;
  for (const use of [made, named]) expect(library.match(use)?.length).toBeGreaterThan(10);
  const lean = withoutNames(library);
  for (const use of [made, named]) expect(lean.match(use) ?? []).toEqual([]);
  expect(lean).toContain('var Link = /* @__PURE__ */ React');
});
