/**
 * One beat for everything on screen that the streams change; faster than this cannot be read. What is due at a beat is
 * drawn in turns, a frame each: together, the sides of the book, trades and prices are more than a slow device can lay
 * out and paint between two frames.
 */
export const PUBLISH_EVERY_MS = 200;

const waiting = new Set<() => void>();
const due = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether a frame is asked for. */
let drawing = false;

function publishNext(): void {
  const [publish] = due;
  if (!publish) return;
  due.delete(publish);
  publish();
}

function takeTurn(): void {
  publishNext();
  drawing = due.size > 0;
  if (drawing) requestAnimationFrame(takeTurn);
}

function beat(): void {
  timer = undefined;
  for (const publish of waiting) due.add(publish);
  waiting.clear();
  // A hidden page has no frames; its title still tells the price.
  if (document.hidden) while (due.size > 0) publishNext();
  if (due.size === 0 || drawing) return;
  drawing = true;
  requestAnimationFrame(takeTurn);
}

/** Runs `publish` once after the next beat, however often it was asked for; turns are taken in the order of asking. */
export function publishSoon(publish: () => void): void {
  waiting.add(publish);
  if (timer === undefined) timer = setTimeout(beat, PUBLISH_EVERY_MS - (Date.now() % PUBLISH_EVERY_MS));
}

export function cancelPublish(publish: () => void): void {
  waiting.delete(publish);
  due.delete(publish);
}
