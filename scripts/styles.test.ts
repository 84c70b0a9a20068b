/** Style sheets and the code that names their classes say the same. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (pattern: string) =>
  new Map(globSync(pattern, { cwd: root }).map((path) => [path, readFileSync(join(root, path), 'utf8')]));

const sheets = read('web/src/**/*.module.css');
const allSheets = read('web/src/**/*.css');
const code = read('web/src/**/*.{ts,tsx}');
const productCode = new Map([...code].filter(([path]) => !path.includes('.test.')));

/** The classes of a sheet, without those of the component library, which a sheet may name as well. */
function classesOf(text: string): ReadonlySet<string> {
  const names = text.replace(/\/\*[\s\S]*?\*\/|"[^"]*"/g, '').matchAll(/\.([a-zA-Z][\w-]*)/g);
  return new Set([...names].map(([, name = '']) => name).filter((name) => !name.startsWith('mantine')));
}

interface Use {
  readonly path: string;
  readonly text: string;
  /** Under what the sheet is known there. */
  readonly name: string;
}

/** Who imports each sheet. */
const users = new Map([...sheets.keys()].map((path) => [path, [] as Use[]]));
for (const [path, text] of code) {
  const body = text.replace(/'[^'\n]*\.(?:css|tsx?)'/g, '');
  for (const [, name = '', from = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
    users.get(normalize(join(dirname(path), from)))?.push({ path, text: body, name });
  }
}
for (const [path, text] of sheets) {
  for (const [, taken = '', from] of text.matchAll(/composes: ([\w ]+)(?: from "([^"]+)")?;/g)) {
    const sheet = from === undefined ? path : normalize(join(dirname(path), from));
    users.get(sheet)?.push({ path, text: taken, name: 'composes' });
  }
}

describe('style sheets', () => {
  it('have every class that is asked of them', () => {
    const missing = [...users].flatMap(([sheet, all]) => {
      const there = classesOf(sheets.get(sheet) ?? '');
      return all.flatMap(({ path, text, name }) =>
        [...text.matchAll(new RegExp(`\\b${name}\\.([a-zA-Z]\\w*)`, 'g'))]
          .filter(([, asked = '']) => !there.has(asked))
          .map(([, asked]) => `${path}: ${asked}`),
      );
    });
    expect(missing).toEqual([]);
  });

  it('have no class that is not asked for', () => {
    const idle = [...users].flatMap(([sheet, all]) =>
      [...classesOf(sheets.get(sheet) ?? '')]
        .filter((name) => !all.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)))
        .map((name) => `${sheet}: ${name}`),
    );
    expect(idle).toEqual([]);
  });

  it('hold still what moves by itself, where less motion is asked for: the rule for all elements yields to any class', () => {
    const moving = [...sheets].filter(([, text]) => {
      const [own = '', still = ''] = text.split('@media (prefers-reduced-motion: reduce)');
      // What follows the scrolling moves with the person.
      return own.includes('animation:') && !own.includes('animation-timeline:') && !still.includes('animation: none');
    });
    expect(moving.map(([path]) => path)).toEqual([]);
  });
});

/** A declaration or condition of a sheet with what it says, comments apart. */
const found = (text: string, pattern: RegExp) =>
  [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(pattern)].map(([whole]) => whole.replace(/\s+/g, ' ').trim());

describe('sizes of text', () => {
  const inPx = (pattern: RegExp, texts: ReadonlyMap<string, string>) =>
    [...texts].flatMap(([path, text]) => found(text, pattern).map((what) => `${path}: ${what}`));

  it('and of its lines are not in pixels, in sheets or in code: they follow the size that a person has set', () => {
    expect(inPx(/(?<![\w-])(?:font|font-size|line-height):[^;}]*\dpx/g, allSheets)).toEqual([]);
    expect(inPx(/\b(?:fontSizes?|lineHeights?|fz|lh)\b['"]?\s*[:=]\s*[{'"`]*[^,\n]*\b\d+px/g, productCode)).toEqual([]);
    expect(inPx(/\b(?:fontSize|lineHeight|textSize)\b['"]?:\s*\d/g, productCode)).toEqual([]);
    // On the canvas of the chart.
    expect(inPx(/\.font = `\d|\b(?:family|textFamily): FONT, (?:size|textSize): \d/g, productCode)).toEqual([]);
  });

  it('decide with the width which layout there is: no breakpoint is in pixels', () => {
    expect(inPx(/@(?:media|container)[^{]*\dpx[^{]*/g, allSheets)).toEqual([]);
    expect(inPx(/['"`]\([^'"`\n]*(?:width|height)[^'"`\n]*\dpx\)/g, productCode)).toEqual([]);
  });

  it('are of one scale', () => {
    const scale = new Set(found(allSheets.get('web/src/ui/tokens.css') ?? '', /--font-\d+(?=:)/g));
    const asked = [...allSheets].flatMap(([path, text]) =>
      found(text, /--(?:font-\d+|small|text-size)\b(?!:)/g).map((name) => ({ path, name })),
    );
    expect(asked.filter(({ name }) => !scale.has(name)).map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
    expect([...scale].filter((name) => !asked.some((ask) => ask.name === name))).toEqual([]);
  });
});
