import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { INDICATORS, isAtFirst } from '../src/features/trade/chart/indicators.ts';
import { ownIndicators } from '../src/features/trade/chart/own-indicators.ts';
import { atFirst, more } from './chart-library-apart.ts';

const library = readFileSync(join(import.meta.dirname, '../../node_modules/klinecharts/dist/index.esm.js'), 'utf8');

const directory = mkdtempSync(join(tmpdir(), 'chart-library-'));
let files = 0;

/** Runs a module's text; the library imports nothing. */
function run(code: string) {
  files += 1;
  const file = join(directory, `${files}.mjs`);
  writeFileSync(file, code);
  return import(/* @vite-ignore */ file);
}

// The library asks at once which system it is on.
beforeAll(() => void vi.stubGlobal('window', { navigator: { userAgent: '', platform: '' } }));
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(directory, { recursive: true });
});

interface Template {
  readonly name: string;
}

it('the chart begins with what it shows at first, and the rest is all that is left of the library', async () => {
  const whole = await run(library);
  const first = await run(atFirst(library));
  const { moreIndicators, moreOverlays, moreFigures } = await run(more(library));
  const names = (list: readonly Template[]) => list.map(({ name }) => name);
  expect(first.getSupportedIndicators()).toEqual(['VOL']);
  expect(first.getSupportedOverlays()).toEqual([]);
  const together = (some: readonly string[], others: readonly Template[]) => [...some, ...names(others)].sort();
  expect(together(first.getSupportedIndicators(), moreIndicators)).toEqual(whole.getSupportedIndicators().sort());
  expect(together(first.getSupportedOverlays(), moreOverlays)).toEqual(whole.getSupportedOverlays().sort());
  expect(together(first.getSupportedFigures(), moreFigures)).toEqual(whole.getSupportedFigures().sort());
});

it('what the chart is asked for at first is there at first, and all on offer afterwards', async () => {
  const first = await run(atFirst(library));
  const { moreIndicators } = await run(more(library));
  for (const indicator of moreIndicators) first.registerIndicator(indicator);
  const known = [...first.getSupportedIndicators(), ...ownIndicators.map(({ name }) => name)];
  expect(INDICATORS.filter(({ name }) => !known.includes(name))).toEqual([]);
  expect(INDICATORS.filter(isAtFirst).map(({ name }) => name)).toEqual(['VOL']);
});

it('a library that lists its parts in another way is refused', () => {
  expect(() => atFirst('var extensions = [nothing];')).toThrow('has no list of');
});
