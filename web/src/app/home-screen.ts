import type { Screen } from './route-handle.ts';

export const home: Screen = {
  path: '/',
  feature: 'home',
  footer: true,
  lean: true,
  load: async () => (await import('../features/home/home-page.tsx')).HomePage,
};
