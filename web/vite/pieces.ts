/**
 * The pieces that `main.tsx` runs in turn. What every screen needs comes in these few files: sixty small ones would
 * queue behind each other on a slow line.
 */
import type { Rolldown } from 'vite';

const START: Pick<Rolldown.CodeSplittingGroup, 'tags'> = { tags: ['$initial'] };

/** Groups of modules for the bundler. `src/app/start.tsx` has to be one of its inputs, so that it counts as a beginning. */
export const pieces: Rolldown.CodeSplittingGroup[] = [
  {
    name: 'main',
    test: /\/web\/(index\.html|src\/main\.tsx)|modulepreload|preload-helper|rolldown\/runtime/,
    priority: 4,
  },
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3, ...START },
  { name: 'router', test: /node_modules\/react-router\/|router-piece/, priority: 3 },
  { name: 'screens', test: /\/web\/src\/(app\/(more-)?routes|lib\/text-files)\./, priority: 1 },
  { name: 'start', priority: 2, ...START },
];
