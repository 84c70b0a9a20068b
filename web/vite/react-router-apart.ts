/**
 * `react-router?apart`: a second copy of the library, of which the build keeps what makes a router. The library is one
 * module, which the bundler cannot divide, so the first page would fetch routing to draw links. Nothing of the copy is
 * known to components: what it makes is data.
 */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const APART = '?apart';

const LIBRARY = /\/react-router\/dist\/production\/[^/]*\.mjs(\?apart)?$/;
const DISPLAY_NAME = /^\w+\.displayName = "\w+";$/gm;
const MADE = /^(var \w+ = )(?=React\d*\.(?:createContext|forwardRef|memo)\()/gm;

/** Names for developers' tools, and what a call makes that is never used, keep a library of components in a page that draws links. */
export const withoutNames = (code: string): string =>
  code.replace(DISPLAY_NAME, '').replace(MADE, '$1/* @__PURE__ */ ');

export function reactRouterApart(): Plugin {
  return {
    name: 'react-router-apart',
    enforce: 'pre',
    async resolveId(source, importer) {
      const isOfCopy = importer?.endsWith(APART) && source.startsWith('.');
      if (!isOfCopy && source !== `react-router${APART}`) return undefined;
      const found = await this.resolve(source.replace(APART, ''), importer?.replace(APART, ''), { skipSelf: true });
      // While it is developed the page fetches everything anyway.
      if (this.environment.mode === 'dev' || found === null) return found;
      return { ...found, id: found.id + APART };
    },
    load: (id) => (id.endsWith(APART) ? readFile(id.slice(0, -APART.length), 'utf8') : undefined),
    transform(code, id) {
      const isLibrary = this.environment.mode !== 'dev' && LIBRARY.test(id);
      return isLibrary ? { code: withoutNames(code), map: null } : undefined;
    },
  };
}
