/** All screens but the first, the old spellings of addresses, and what is at no address. */
import { type RouteObject, redirect } from 'react-router';
import { persistentPart } from '../ui/part.tsx';
import { home } from './home-screen.ts';
import { routeOf } from './route-objects.ts';
import { aliases, screens } from './routes.ts';

const notFound = async () => (await import('./not-found.tsx')).NotFound;

export const moreRoutes: RouteObject[] = [
  ...screens.filter((screen) => screen !== home).map(routeOf),
  ...aliases.map(({ path, to }) => ({
    path,
    // What came along, such as a referral, goes along.
    loader: ({ request }: { request: Request }) => redirect(to + new URL(request.url).search),
  })),
  { path: '*', lazy: async () => ({ Component: await notFound().catch(() => persistentPart(notFound, 'page')) }) },
];
