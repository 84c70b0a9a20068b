/**
 * One beat for everything on screen that the streams change: book, trades and prices are drawn in the same frame, so
 * that the page is laid out and painted once for all of them. Faster than this cannot be read.
 */
export const PUBLISH_EVERY_MS = 200;

const waiting = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function beat(): void {
  timer = undefined;
  const due = [...waiting];
  waiting.clear();
  for (const publish of due) publish();
}

/** Runs `publish` at the next beat, once however often it was asked for. */
export function publishSoon(publish: () => void): void {
  waiting.add(publish);
  if (timer === undefined) timer = setTimeout(beat, PUBLISH_EVERY_MS - (Date.now() % PUBLISH_EVERY_MS));
}

export function cancelPublish(publish: () => void): void {
  waiting.delete(publish);
}
