/**
 * A durable consumer at its own pace: it follows the tables, a page at a time, behind whoever writes them. Each page's
 * effects and its position are one transaction; after a failure, whose outcome may be unknown, and after a restart it
 * begins where the tables say it was. While it has far to go it rests twice as long as it works.
 */
import type { ConsumerStore } from './consumer-store.ts';
import type { Statement } from './database.ts';
import { guarded } from './guarded.ts';
import type { Logger } from './logger.ts';
import type { WorkReport } from './work-report.ts';

/** The page after a position: what it brings about, and where the next one begins. */
export interface Page {
  readonly position: number;
  readonly statements: readonly Statement[];
  readonly isLast: boolean;
  /** Called once the page is done, and its statements are committed; not where the process ends in between. */
  readonly committed?: () => void | Promise<void>;
}

export interface PacedConsumer {
  readonly name: string;
  /** A number that changes whenever the tables may hold more. */
  readonly version: () => number;
  /** Reads what is kept in memory beside the position: called before the first page, and after each failure. */
  readonly load?: () => Promise<void>;
  /** Bounded work: it reads and computes, and leaves the writing to the consumer. */
  readonly pageAfter: (position: number) => Promise<Page>;
}

export interface RunningPacedConsumer {
  readonly name: string;
  /** Handles what the tables hold now. @returns false where there is too much of it to wait for, or it failed */
  caughtUp(): Promise<boolean>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface PacedDeps {
  readonly store: ConsumerStore;
  readonly logger: Logger;
  readonly work: WorkReport;
}

const LOOK_EVERY_MS = 400;
const SHORTEST_REST_MS = 10;
/** Positions of pages without an effect are noted so often, so that a start does not read many of them again. */
const NOTE_EVERY_MS = 10_000;

/** Handles pages, one at a time. */
function createPages({ name, load, version, pageAfter }: PacedConsumer, { store }: PacedDeps) {
  let position: number | undefined;
  let notedAt = 0;
  let seen = Number.NaN;
  let isBehind = true;
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  async function work(): Promise<void> {
    const before = version();
    try {
      if (position === undefined) {
        await load?.();
        position = (await store.position(name)) ?? 0;
      }
      const page = await pageAfter(position);
      const isNoted = page.position > position && performance.now() - notedAt > NOTE_EVERY_MS;
      if (page.statements.length > 0 || isNoted) {
        await store.write(name, page.position, page.statements);
        notedAt = performance.now();
      }
      position = page.position;
      isBehind = !page.isLast;
      if (page.isLast) seen = before;
      await page.committed?.();
    } catch (error) {
      position = undefined;
      throw error;
    }
  }

  /** A page that begins after the call; those who ask meanwhile share the one after it. */
  function next(): Promise<void> {
    if (running === undefined) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    following ??= running
      .catch(() => undefined)
      .then(() => {
        following = undefined;
        return next();
      });
    return following;
  }

  return {
    next,
    isBehind: () => isBehind,
    hasNews: () => isBehind || version() !== seen,
    idle: async () => {
      await following?.catch(() => undefined);
      await running?.catch(() => undefined);
    },
  };
}

export function createPacedConsumer(consumer: PacedConsumer, deps: PacedDeps): RunningPacedConsumer {
  const { name } = consumer;
  const pages = createPages(consumer, deps);
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function turn(): Promise<void> {
    const began = performance.now();
    try {
      if (pages.hasNews()) await pages.next();
      deps.work.done('consumer', name);
    } catch (error) {
      deps.work.failed('consumer', name, error);
      schedule(LOOK_EVERY_MS);
      return;
    }
    const worked = performance.now() - began;
    schedule(pages.isBehind() ? Math.max(SHORTEST_REST_MS, 2 * worked) : LOOK_EVERY_MS);
  }

  function schedule(afterMs: number): void {
    if (!isClosed) timer = setTimeout(guarded(deps.logger, name, turn), afterMs).unref();
  }

  return {
    name,
    async caughtUp() {
      if (pages.isBehind()) return false;
      if (!pages.hasNews()) return true;
      // Its own turn tries again, and says why.
      return pages.next().then(
        () => !pages.isBehind(),
        () => false,
      );
    },
    async start() {
      deps.work.expect('consumer', name, LOOK_EVERY_MS);
      schedule(SHORTEST_REST_MS);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await pages.idle();
    },
  };
}
