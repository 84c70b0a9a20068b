/**
 * The router of the page. Routing and the table of all screens weigh more than the first page, so it begins without them:
 * there it stands still, and the whole router takes over when somebody leaves, and for every other address.
 */
import { createPath, type DataRouter, IDLE_NAVIGATION, type NavigationType, type To } from 'react-router';
import { persist } from '../lib/persist.ts';
import { home } from './home-screen.ts';
import { scrollKey } from './route-handle.ts';
import { componentOf, homeRoute, layoutRoute } from './route-objects.ts';

type State = DataRouter['state'];
type Match = State['matches'][number];

const subscribers = new Set<Parameters<DataRouter['subscribe']>[0]>();
let whole: DataRouter | undefined;
/** Undefined until it is known where the page is. */
let state: State | undefined;
let manifest: DataRouter['manifest'] = {};
let scroll: Parameters<DataRouter['enableScrollRestoration']> | undefined;

const fetchWhole = () => import('./whole-router.ts');

const NOTHING_ELSE = { deletedFetchers: [], newErrors: null, flushSync: false };
/** What the page was not there to hear, since what is drawn is told from the inside out. */
let isUnheard = false;

function publish(next: State): void {
  state = next;
  isUnheard = subscribers.size === 0;
  for (const tell of subscribers) tell(next, NOTHING_ELSE);
}

/** The one route that is known before there is a router to know more. */
async function standOnFirstPage(): Promise<void> {
  const { lazy: _, ...route } = homeRoute;
  const matched = { ...route, Component: await componentOf(home) };
  manifest = { [layoutRoute.id]: layoutRoute, [matched.id]: matched } as DataRouter['manifest'];
  const { pathname, search, hash } = window.location;
  // What the library keeps in an entry of the history.
  const { usr = null, key = 'default' } = (history.state ?? {}) as { usr?: unknown; key?: string };
  state = {
    historyAction: 'POP' as NavigationType.Pop,
    location: { pathname, search, hash, state: usr, key },
    matches: Object.values(manifest).map(
      (known) => ({ params: {}, pathname, pathnameBase: '/', route: known }) as Match,
    ),
    initialized: true,
    renderFallback: false,
    navigation: IDLE_NAVIGATION,
    restoreScrollPosition: null,
    preventScrollReset: false,
    revalidation: 'idle',
    loaderData: {},
    actionData: null,
    errors: null,
    fetchers: new Map(),
    blockers: new Map(),
  };
  addEventListener('popstate', takeOver);
}

const placeOf = ({ location, restoreScrollPosition, preventScrollReset }: State) => ({
  location,
  restoreScrollPosition,
  preventScrollReset,
});

let taking: Promise<DataRouter> | undefined;

/** From then on the whole router says where the page is. */
function takeOver(): Promise<DataRouter> {
  taking ??= (async () => {
    const { createWholeRouter } = await persist(fetchWhole);
    // From here on it hears of the history itself.
    removeEventListener('popstate', takeOver);
    const router = await createWholeRouter();
    if (scroll) router.enableScrollRestoration(...scroll);
    const stood = state;
    const isWhereItStood = ({ location }: State) =>
      // An address with another hash that is typed has no key of its own.
      location.key === stood?.location.key && createPath(location) === createPath(stood.location);
    let isThere = isWhereItStood(router.state);
    router.subscribe((next, changes) => {
      isThere &&= isWhereItStood(next);
      // Nothing about its place is news to a page that has not moved: it would be scrolled to its top.
      state = isThere && stood ? { ...next, ...placeOf(stood) } : next;
      for (const tell of subscribers) tell(state, changes);
    });
    whole = router;
    if (!isThere) publish(router.state);
    return router;
  })();
  return taking;
}

/** Resolves when the first screen can be drawn, so that what the server drew stays until it can be replaced in one go. */
export async function firstScreen(): Promise<void> {
  await (window.location.pathname === home.path ? standOnFirstPage() : takeOver());
}

/** Of several that were asked for meanwhile, the last one is gone to. */
let latest = 0;

async function leave(...[to, options]: Parameters<DataRouter['navigate']>): Promise<void> {
  latest += 1;
  const asked = latest;
  if (state)
    publish({ ...state, navigation: { ...IDLE_NAVIGATION, state: 'loading', location: state.location } as never });
  const router = await takeOver();
  if (asked === latest) await router.navigate(to as To, options);
}

const createURL = (to: To) => new URL(typeof to === 'string' ? to : createPath(to), window.location.href);

/** What the library's components ask of a router, here. */
const standing = {
  get basename() {
    return '/';
  },
  get future() {
    return whole?.future ?? {};
  },
  get state() {
    if (state === undefined) throw new Error('The page is drawn before it is known where it is');
    return state;
  },
  get routes() {
    return whole?.routes ?? [];
  },
  get manifest() {
    return whole?.manifest ?? manifest;
  },
  get window() {
    return window;
  },
  subscribe: (tell) => {
    subscribers.add(tell);
    if (isUnheard && state) tell(state, NOTHING_ELSE);
    isUnheard = false;
    return () => subscribers.delete(tell);
  },
  enableScrollRestoration: (...positions) => {
    scroll = positions;
    if (whole) return whole.enableScrollRestoration(...positions);
    const top = state && positions[0][scrollKey(state.location)];
    if (state && top !== undefined) publish({ ...state, restoreScrollPosition: top });
    return () => undefined;
  },
  navigate: ((...target: Parameters<DataRouter['navigate']>) => {
    if (whole) return whole.navigate(...target);
    if (typeof target[0] === 'number') return Promise.resolve(history.go(target[0]));
    return leave(...target);
  }) as DataRouter['navigate'],
  createHref: (to) => (to instanceof URL ? to.href : createPath(to)),
  createURL,
  encodeLocation: (to) => {
    const { pathname, search, hash } = createURL(to);
    return { pathname, search, hash };
  },
} satisfies Partial<DataRouter>;

export const router = standing as Partial<DataRouter> as DataRouter;
