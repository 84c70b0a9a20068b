/**
 * The pieces that `main.tsx` runs in turn. What every screen needs comes in these few files: sixty small ones would
 * queue behind each other on a slow line.
 */
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const START: Pick<Rolldown.CodeSplittingGroup, 'tags'> = { tags: ['$initial'] };

/** What the bundler puts around every `import()` is `src/lib/preload.ts`. */
export function ownPreload(): Plugin {
  const source = JSON.stringify(join(import.meta.dirname, '../src/lib/preload.ts'));
  return {
    name: 'own-preload',
    apply: 'build',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('vite/preload-helper.js') ? `export { preload as __vitePreload } from ${source};` : undefined,
  };
}

/** Groups of modules for the bundler. `src/app/start.tsx` has to be one of its inputs, so that it counts as a beginning. */
export const pieces: Rolldown.CodeSplittingGroup[] = [
  {
    name: 'main',
    test: /\/web\/(index\.html|src\/main\.tsx)/,
    priority: 4,
  },
  { name: 'fetch', test: /\/web\/src\/lib\/(persist|preload)\.|preload-helper|rolldown\/runtime/, priority: 5 },
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3, ...START },
  { name: 'screens', test: /\?apart$|\/web\/src\/(app\/(routes|whole-router)|lib\/text-files)\./, priority: 1 },
  { name: 'start', priority: 2, ...START },
];
