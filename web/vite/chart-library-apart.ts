/**
 * Divides the chart library, which is one module: the chart begins with candles and volume, and `klinecharts?more` is the
 * indicators, drawing tools and figures that it was told of at once, for `features/trade/chart/more.ts` to register when
 * one of them is wanted.
 */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const MORE = '?more';

/** What the library lists, by a name that only this list has, and what of it the chart begins with. */
const LISTS = [
  { name: 'moreIndicators', knownBy: 'movingAverage', kept: ['volume'] },
  { name: 'moreOverlays', knownBy: 'fibonacciLine', kept: [] },
  { name: 'moreFigures', knownBy: 'arc', kept: ['circle', 'line', 'polygon', 'rect', 'text'] },
] as const;

const LIST = /^var (extensions[$\w]*) = \[([^\]]*)\];/gm;
const REGISTRATION = /^extensions[$\w]*\.forEach\(function \(\w+\) \{\n.*?^\}\);/gms;
const EXPORTS = /^export \{[^}]*\};/m;

function listsIn(code: string) {
  const found = [...code.matchAll(LIST)].map(([, variable = '', text = '']) => ({
    variable,
    entries: text.split(',').map((entry) => entry.trim()),
  }));
  return LISTS.map(({ name, knownBy, kept }) => {
    const list = found.find(({ entries }) => entries.includes(knownBy));
    if (list === undefined) throw new Error(`The chart library has no list of ${name}`);
    return { ...list, name, kept: list.entries.filter((entry) => kept.some((one) => one === entry)) };
  });
}

/** The library without what the chart does not begin with. */
export function atFirst(code: string): string {
  const lists = listsIn(code);
  return code.replace(LIST, (whole, variable: string) => {
    const list = lists.find((one) => one.variable === variable);
    return list ? `var ${variable} = [${list.kept.join(', ')}];` : whole;
  });
}

/** The rest of it, as lists; nothing is registered, and nothing else has an effect. */
export function more(code: string): string {
  const lists = listsIn(code).map(({ name, entries, kept }) => {
    const left = entries.filter((entry) => !kept.includes(entry));
    return `export const ${name} = [${left.join(', ')}];`;
  });
  return code
    .replace(REGISTRATION, '')
    .replace(EXPORTS, lists.join('\n'))
    .replaceAll('/** @class */ (function', '/* @__PURE__ */ (function');
}

export function chartLibraryApart(): Plugin {
  return {
    name: 'chart-library-apart',
    enforce: 'pre',
    async resolveId(source) {
      if (source !== `klinecharts${MORE}`) return undefined;
      // While it is developed the library is whole.
      if (this.environment.mode === 'dev') return '\0no-more';
      const found = await this.resolve('klinecharts');
      return found && { id: found.id + MORE, moduleSideEffects: false };
    },
    async load(id) {
      if (id === '\0no-more') return 'export const moreIndicators = [], moreOverlays = [], moreFigures = [];';
      if (id.endsWith(`index.esm.js${MORE}`)) return more(await readFile(id.slice(0, -MORE.length), 'utf8'));
      return undefined;
    },
    transform(code, id) {
      const isLibrary = this.environment.mode !== 'dev' && id.endsWith('/klinecharts/dist/index.esm.js');
      return isLibrary ? { code: atFirst(code), map: null } : undefined;
    },
  };
}
