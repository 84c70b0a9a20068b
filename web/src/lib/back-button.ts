/**
 * Back leaves what is open over the page, not the page: while something is open the browser stands on an entry of its
 * history that is the page's once more. Back leads from there to the page's own entry, which the router does not hear of.
 *
 * What is left in another way, as by its X, lets the entry be: to go back at once would race with the navigation that a
 * link in it begins. The next thing that opens stands on it, the next screen takes its place, and Back passes it.
 */

/** What this adds to what the router keeps: the same name in both entries of the page, of which one is over the other. */
interface Marks {
  readonly over?: string;
  readonly under?: string;
}

/** What is open, by how it is left, the innermost last. */
const open: (() => void)[] = [];

const push = history.pushState.bind(history);
const replace = history.replaceState.bind(history);

const marksOf = (state: unknown): Marks => (state ?? {}) as Marks;
/** The state with these marks alone. */
function marked(state: unknown, marks: Marks): object {
  const { over: _, under: __, ...kept } = (state ?? {}) as Marks;
  return { ...kept, ...marks };
}

const place = () => ({ state: history.state as unknown, href: location.href });
let here = place();

function stand(): void {
  if (open.length === 0 || marksOf(history.state).over !== undefined) return;
  const name = crypto.getRandomValues(new Uint32Array(2)).join('-');
  replace(marked(history.state, { under: name }), '');
  push(marked(history.state, { over: name }), '');
  here = place();
}

history.pushState = (state, unused, url) => {
  const isOver = marksOf(history.state).over !== undefined;
  (isOver ? replace : push)(state, unused, url);
  here = place();
};

history.replaceState = (state, unused, url) => {
  const { over, under } = marksOf(history.state);
  replace(marked(state, { ...(over && { over }), ...(under && { under }) }), unused, url);
  here = place();
};

function move(event: PopStateEvent): void {
  const left = here;
  here = place();
  const [from, to] = [marksOf(left.state), marksOf(here.state)];
  const isBack = from.over !== undefined && from.over === to.under;
  const isForward = from.under !== undefined && from.under === to.over;
  if (!isBack && !isForward) return;
  event.stopImmediatePropagation();
  // The page may have replaced its address and state in the one entry since.
  replace(marked(left.state, to), '', left.href);
  here = place();
  if (isBack) leaveInnermost();
}

function leaveInnermost(): void {
  const leave = open.at(-1);
  if (!leave) {
    history.back();
    return;
  }
  leave();
  // Something else is open still, or this is not left now, as what is being sent is not.
  setTimeout(() => {
    if (open.length > 0 && marksOf(history.state).under !== undefined) history.forward();
  });
}

addEventListener('popstate', move, { capture: true });
// What has stayed open over another screen has no entry there yet; a browser passes those that no touch has led to.
addEventListener('pointerdown', stand, { capture: true });

/** A browser that has not arrived by then has no such entry, as where it took a page over without those before it. */
const ARRIVED_MS = 1_000;

/**
 * Resolves on the entry so many before the page's own, or on the page's own where the browser has no such entry. The router
 * does not hear of it and still shows the page, until it opens something in the place of that entry.
 */
export function goBackUnheard(entries: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      removeEventListener('popstate', arrive, { capture: true });
      resolve();
    };
    const arrive = (event: PopStateEvent) => {
      event.stopImmediatePropagation();
      end();
    };
    const late = setTimeout(end, ARRIVED_MS);
    addEventListener('popstate', arrive, { capture: true });
    history.go(-entries - (marksOf(history.state).over === undefined ? 0 : 1));
  });
}

/** @param leave closes it, unless it may not be closed now @returns to be called when it has closed */
export function leaveByBack(leave: () => void): () => void {
  open.push(leave);
  stand();
  return () => {
    open.splice(open.lastIndexOf(leave), 1);
  };
}
