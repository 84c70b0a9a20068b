/**
 * A market maker in a test exchange, around prices that the test sets. Each file calls `afterEach(closeAll)` itself.
 * The tests advance the clock, one round of the market maker at a time, so that none waits for real seconds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Sequencer } from '../engine/feed.ts';
import { startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import type { Reference } from './reference.ts';
import { type CapitalNotice, createLiquidity, type Liquidity } from './service.ts';

export const running: { close(): Promise<void> }[] = [];
/** What was said of the capital. */
export const notices: CapitalNotice[] = [];
/** Symbols whose reference has left their band. */
export const outside: string[] = [];

/** The market maker looks at each market every half second. */
const ROUND_MS = 500;
/** Real milliseconds between two looks of the market maker at its clock. */
const EVERY_MS = 10;
const PATIENCE_MS = 30_000;

/** The market maker's clock. Only the test moves it; the exchange has a clock of its own. */
export interface HouseClock {
  now(): number;
  advance(ms: number): void;
}

export type HouseExchange = TestExchange & { readonly clock: HouseClock };

function houseClock(): HouseClock {
  let now = Date.now();
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

export interface House extends Liquidity {
  /** Waits until the market maker has looked at its clock, and its commands are committed. */
  look(): Promise<void>;
  /** Advances the clock by so many rounds, and waits until the commands of each are committed. */
  rounds(count: number): Promise<void>;
  /** Plays rounds until something holds. */
  until(isTrue: () => boolean, what: string): Promise<void>;
}

/** Closes what was started, and forgets what was said. A hook here would be of the first file alone that a process runs. */
export async function closeAll(): Promise<void> {
  for (const entry of running.splice(0).reverse()) await entry.close();
  notices.length = 0;
  outside.length = 0;
}

/** A price that the test sets. */
export function fixedReference(prices: Map<number, number>): Reference {
  return {
    start: async () => undefined,
    price: (market) => prices.get(market),
    momentum: () => 0,
    close: async () => undefined,
  };
}

/** Perpetuals trade with an index alone. */
export async function startIndexed(): Promise<HouseExchange> {
  const exchange = { ...(await startTestExchange()), clock: houseClock() };
  const { catalogue, engine } = exchange;
  for (const { spec, referencePrice: price } of catalogue.perpetuals) {
    await engine.sequencer.submit({ kind: 'set-index-price', market: spec.id, price });
  }
  return exchange;
}

export async function open(): Promise<HouseExchange> {
  const exchange = await startIndexed();
  running.push({
    close: async () => {
      await exchange.stop();
      await exchange.source.remove();
    },
  });
  return exchange;
}

interface Watched {
  /** How often the market maker has looked at its clock. */
  looks: number;
  /** Commands that are not answered yet. */
  underWay: number;
}

/** @returns how a test plays rounds of a market maker */
function player(clock: HouseClock, watched: Watched): Pick<House, 'look' | 'rounds' | 'until'> {
  async function look(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    const { looks } = watched;
    while (watched.looks === looks || watched.underWay > 0) {
      if (performance.now() > end) throw new Error('the market maker does not look at its clock');
      await pause(EVERY_MS);
    }
  }
  async function round(): Promise<void> {
    clock.advance(ROUND_MS);
    await look();
  }
  return {
    look,
    async rounds(count) {
      for (let played = 0; played < count; played += 1) await round();
    },
    async until(isTrue, what) {
      const end = performance.now() + PATIENCE_MS;
      while (!isTrue()) {
        if (performance.now() > end) throw new Error(`never happened: ${what}`);
        await round();
      }
    },
  };
}

/**
 * @param takes whether it trades with itself
 * @param sequencer where its commands go; that of the exchange unless given
 */
export async function house(
  exchange: HouseExchange,
  reference: Reference,
  takes: boolean,
  insured: { whole: bigint; lossLimit?: number } = { whole: 1_000n },
  sequencer: Sequencer = exchange.engine.sequencer,
): Promise<House> {
  const { engine, catalogue, marketData, clock, logger } = exchange;
  const watched: Watched = { looks: 0, underWay: 0 };
  const liquidity = createLiquidity({
    sequencer: {
      async submit(submission) {
        watched.underWay += 1;
        try {
          return await sequencer.submit(submission);
        } finally {
          watched.underWay -= 1;
        }
      },
    },
    feed: engine.sequencer,
    view: engine.exchange,
    catalogue,
    marketData,
    reference,
    clock: {
      now() {
        watched.looks += 1;
        return clock.now();
      },
    },
    logger,
    seed: 5,
    takes,
    get insured() {
      return insured.whole;
    },
    lossLimit: insured.lossLimit,
    onCapital: (notice) => void notices.push(notice),
    onBandLeft: ({ spec }) => void outside.push(spec.symbol),
    everyMs: EVERY_MS,
  });
  running.push(liquidity);
  await liquidity.start();
  return { ...liquidity, ...player(clock, watched) };
}
