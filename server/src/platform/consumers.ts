/**
 * Durable consumers: each has a name and a position in the database, is given every committed item at least once and in
 * order, and writes its effects with its position in one transaction. After a restart it reads what it missed from the
 * tables, so an effect is neither lost nor, where its statements bear repetition, doubled.
 */
import type { ConsumerStore } from './consumer-store.ts';
import { DatabaseUnavailable, type Statement } from './database.ts';
import { guarded } from './guarded.ts';
import type { Logger } from './logger.ts';

/** What one item brings about: written whole or not at all. */
export interface Effect {
  readonly statements: readonly Statement[];
  /** Called once the statements are committed; must not throw. */
  readonly committed?: () => void;
}

export interface Consumer<Item> {
  readonly name: string;
  readonly positionOf: (item: Item) => number;
  /** Where a consumer begins that has never run. */
  readonly from: () => Promise<number>;
  /** Reads what the consumer keeps in memory, before its first item. */
  readonly load?: () => Promise<void>;
  /** What was committed after a position, in order, at most `limit` items: fewer are the last. */
  readonly catchUp: (after: number, limit: number) => Promise<readonly Item[]>;
  /** Calls with items in order, after their commit. @returns how to stop */
  readonly subscribe: (listener: (items: readonly Item[]) => void) => () => void;
  /** Called once for an item in the life of the process, in order. Must be quick and must not throw. */
  readonly handle: (item: Item) => readonly Effect[];
  /** How far the position may be written; without it, as far as items were handled. */
  readonly limit?: (handled: number) => number;
}

export interface RunningConsumer {
  readonly name: string;
  /** The position of the last item handled. */
  handled(): number;
  /** Effects that come from elsewhere than an item, written in turn with the others. */
  add(effects: readonly Effect[]): void;
  /** Resolves once every effect so far is written. */
  flush(): Promise<void>;
  /** Catches up from the tables, then follows. Call it before anything is committed. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ConsumerDeps {
  readonly store: ConsumerStore;
  readonly logger: Logger;
}

const PAGE = 5_000;
const RETRY_MS = 500;
/** Items without an effect are noted so often, so that a start does not read many of them again. */
const NOTE_EVERY_MS = 10_000;

/** Writes effects with the position: all at once; where that fails, each alone, so that one takes no other with it. */
function createEffectWriter(name: string, { store, logger }: ConsumerDeps) {
  async function writeOnce(effects: readonly Effect[], position: number): Promise<void> {
    const statements = effects.flatMap((effect) => effect.statements);
    for (;;) {
      try {
        await store.write(name, position, statements);
        return;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** @returns the effects that are written */
  return async (effects: readonly Effect[], written: number, position: number): Promise<readonly Effect[]> => {
    try {
      await writeOnce(effects, position);
      return effects;
    } catch (error) {
      if (effects.length === 0) throw error;
    }
    const kept: Effect[] = [];
    for (const effect of effects) {
      try {
        await writeOnce([effect], written);
        kept.push(effect);
      } catch (err) {
        logger.error({ err, consumer: name }, 'An effect of a consumer could not be written');
      }
    }
    await writeOnce([], position);
    return kept;
  };
}

export function createConsumer<Item>(consumer: Consumer<Item>, deps: ConsumerDeps): RunningConsumer {
  const { name, positionOf, limit = (handled: number) => handled } = consumer;
  const { store, logger } = deps;
  const write = createEffectWriter(name, deps);
  let handled = 0;
  let written = 0;
  let due: Effect[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  function tell(items: readonly Item[]): void {
    for (const item of items) {
      if (positionOf(item) <= handled) continue;
      handled = positionOf(item);
      due.push(...consumer.handle(item));
    }
    if (due.length > 0) void flush();
  }

  async function writeAll(): Promise<void> {
    // What is committed together is told in several calls; the position is known after the last of them.
    await new Promise((resolve) => setImmediate(resolve));
    while (due.length > 0 || limit(handled) > written) {
      const [effects, position] = [due, Math.max(written, limit(handled))];
      due = [];
      const kept = await write(effects, written, position);
      written = position;
      for (const effect of kept) effect.committed?.();
    }
  }

  function flush(): Promise<void> {
    writing ??= writeAll()
      .catch((err: unknown) => logger.error({ err, consumer: name }, 'The effects of a consumer could not be written'))
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  return {
    name,
    handled: () => handled,
    add(effects) {
      due.push(...effects);
      if (due.length > 0) void flush();
    },
    flush,
    async start() {
      await consumer.load?.();
      written = (await store.position(name)) ?? (await consumer.from());
      handled = written;
      for (;;) {
        const items = await consumer.catchUp(handled, PAGE);
        tell(items);
        if (items.length < PAGE) break;
      }
      await flush();
      unsubscribe = consumer.subscribe(tell);
      timer = setInterval(guarded(logger, `position of ${name}`, flush), NOTE_EVERY_MS).unref();
    },
    async close() {
      unsubscribe?.();
      clearInterval(timer);
      await flush();
    },
  };
}
