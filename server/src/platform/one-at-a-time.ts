/** @returns the same work, never twice at once: a call while it runs is answered by one more run after it */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  /** Ends with the run that was begun last; never rejects. */
  let last: Promise<void> = Promise.resolve();
  /** The run that has not begun. */
  let next: Promise<void> | undefined;

  return () => {
    next ??= last.then(() => {
      next = undefined;
      const run = work();
      last = run.catch(() => undefined);
      return run;
    });
    return next;
  };
}
