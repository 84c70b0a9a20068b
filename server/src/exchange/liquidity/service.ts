/**
 * The market maker quotes every market by ordinary commands, and tells the price of those in which nothing is traded. In a simulated market a
 * second account trades with it at natural times and sizes. Both hold back when the exchange is busy, and quote nothing while the
 * price is not known.
 */

import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import type { Logger } from 'pino';
import { guarded } from '../../platform/guarded.ts';
import type { BatchFeed, CommittedBatch, ExchangeView, Sequencer, Submission } from '../engine/feed.ts';
import type { Catalogue, MarketInfo } from '../instruments/service.ts';
import { createRandom, type MarketData, mixSeed } from '../market-data/service.ts';
import { leverageCommands } from './capital.ts';
import { type CapitalNotice, CapitalWatch, resultInUsdt } from './capital-watch.ts';
import { Maker } from './maker.ts';
import { createOrderSender, type OrderSender } from './order-sender.ts';
import type { Reference } from './reference.ts';
import { Taker } from './taker.ts';
import { Teller } from './teller.ts';

export { createAgreedReference } from './agreed-reference.ts';
export type { CapitalNotice } from './capital-watch.ts';
export { createOkxHistory } from './okx-history.ts';
export { createOkxReference } from './okx-reference.ts';
export { createPerpetualReference } from './perpetual-reference.ts';
export type { PriceSource, Reference } from './reference.ts';
export { createSimulatedReference } from './simulated.ts';
export { createWorth, type Worth, worthAt } from './worth.ts';

interface Deps {
  readonly sequencer: Sequencer;
  readonly feed: BatchFeed;
  readonly view: ExchangeView;
  readonly catalogue: Catalogue;
  readonly marketData: Pick<MarketData, 'lastPrice' | 'ticker'>;
  readonly reference: Reference;
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly seed: number;
  /** Whether it trades with its own quotes as well, in a simulated market; without it what trades is clients alone. */
  readonly takes: boolean;
  /** What the insurance of each settlement asset is filled up to, in whole units. */
  readonly insured: bigint;
  /** What market maker and insurance may lose together, in USDT; undefined for any loss. */
  readonly lossLimit: number | undefined;
  readonly onCapital: (notice: CapitalNotice) => void;
  /** The price of a market that is not simulated has left the band, so that it cannot be quoted. */
  readonly onBandLeft: (market: MarketInfo) => void;
  /** Milliseconds between two rounds. */
  readonly everyMs?: number;
}

const TICK_MS = 100;
/** At most so many new quotes in one tick, so that a start doesn't crowd the queue. */
const COMMANDS_PER_TICK = 80;
const CHECK_EVERY_MS = 500;

/** The one that takes is a second account: nothing trades with itself. */
const ownersOf = ({ takes }: Deps): readonly number[] => (takes ? [HOUSE_MAKER, HOUSE_TAKER] : [HOUSE_MAKER]);

/** Untraded markets learn their price, the maker and the taker get their capital and pay no fees. */
function openingCommands(deps: Deps, capital: CapitalWatch): Submission[] {
  const { catalogue, reference, view } = deps;
  const owners = ownersOf(deps);
  const prices = catalogue.listed.flatMap(({ spec: { id } }): Submission[] => {
    const price = reference.price(id);
    if (price === undefined || view.marketState(id).lastPrice > 0) return [];
    return [{ kind: 'set-reference-price', market: id, price: Math.max(1, Math.round(price)) }];
  });
  const fees = owners.map((owner) => ({
    kind: 'set-fees' as const,
    owner,
    makerPpm: 0,
    takerPpm: 0,
  }));
  return [...prices, ...fees, ...capital.opening(), ...leverageCommands(catalogue, view, owners)];
}

/**
 * Ticks; undefined where nothing is quoted. Nothing that opens is taken in a perpetual without an index. Quotes that stay through a
 * halt or a pause would be met at the price before it.
 */
function quotedPrice({ view, reference, clock }: Deps, { spec: { id, perpetual } }: MarketInfo): number | undefined {
  const { halted, pause } = view.marketState(id);
  const isTrading = !halted && (pause === undefined || pause.until <= clock.now());
  const isPriced = isTrading && (perpetual === undefined || view.perpetualState(id).index > 0);
  return isPriced ? reference.price(id) : undefined;
}

/** The quotes of all markets are looked at every half second, together, so that they are one commit; trades are due by chance. */
class Rounds {
  readonly #deps: Deps;
  readonly #sender: OrderSender;
  readonly #maker: Maker;
  readonly #taker: Taker;
  readonly #teller: Teller;
  readonly #nextCheck = new Map<number, number>();
  readonly #capital: CapitalWatch;

  constructor(deps: Deps, sender: OrderSender, maker: Maker, taker: Taker, capital: CapitalWatch) {
    this.#deps = deps;
    this.#sender = sender;
    this.#maker = maker;
    this.#taker = taker;
    this.#teller = new Teller({ ...deps, sender, maker });
    this.#capital = capital;
  }

  tick(): void {
    if (!this.#sender.ready()) return;
    const { catalogue, clock, takes } = this.#deps;
    const now = clock.now();
    for (const command of this.#capital.due(now)) void this.#sender.submit(command);
    const { isSpent } = this.#capital;
    let budget = COMMANDS_PER_TICK;
    for (const market of catalogue.listed) {
      const { id } = market.spec;
      // Of a market that an operator listed nothing says how much it should trade: it is left to the clients.
      if (market.dailyTurnover === 0) continue;
      const price = isSpent ? undefined : quotedPrice(this.#deps, market);
      if (price === undefined) {
        this.#maker.pull(id);
        this.#teller.forget(id);
        continue;
      }
      if (takes) this.#taker.tradeWhenDue(market, now);
      else this.#taker.leaveWhenDue(market, price, now);
      if (budget <= 0 || (this.#nextCheck.get(id) ?? 0) > now) continue;
      this.#nextCheck.set(id, now - (now % CHECK_EVERY_MS) + CHECK_EVERY_MS);
      // A simulated price is drawn to where was traded last, and must not be told of itself.
      if (!takes) this.#teller.tellWhenDue(market, price, now);
      budget -= this.#maker.quote(market, price);
    }
  }
}

/** A clock that goes on where the other is set back: until that had caught up, nothing would be due, and quotes would stay where they are. */
function withoutSteps(clock: Deps['clock']): Deps['clock'] {
  let [latest, behind] = [0, 0];
  return {
    now() {
      const now = clock.now();
      behind = Math.max(behind, latest - now);
      latest = now + behind;
      return latest;
    },
  };
}

export function createLiquidity(deps: Deps) {
  const { sequencer, feed, view, catalogue, marketData, reference, logger } = deps;
  const clock = withoutSteps(deps.clock);
  const random = createRandom(mixSeed(deps.seed, 0x11f));
  const sender = createOrderSender({ sequencer, clock, logger, onResume: () => maker.takeOver() });
  const maker = new Maker({ sender, view, clock, random });
  const taker = new Taker({ sender, marketData, reference, random, view });
  // The market maker's capital is valued at a price that a single trade cannot move.
  const bandPrice = (market: number) => view.bandPrice(market) || marketData.lastPrice(market);
  const priceOf = (market: number) => reference.price(market) ?? bandPrice(market);
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  function onBatch(batch: CommittedBatch): void {
    batch.events.read({
      order: (events, at) => {
        if (events.owner(at) === HOUSE_MAKER) maker.onOrder(events, at);
      },
    });
  }

  return {
    /** Call it once market data has started. Resolves when orders can be placed; quotes follow within seconds. */
    async start(): Promise<void> {
      await reference.start();
      unsubscribe = feed.subscribe(onBatch);
      const { lossLimit, onCapital } = deps;
      const insured = () => deps.insured;
      const capital = new CapitalWatch(
        { catalogue, view, bandPrice, owners: ownersOf(deps), priceOf, insured, lossLimit, onCapital },
        clock.now(),
      );
      await Promise.all(openingCommands(deps, capital).map(sender.submit));
      maker.takeOver();
      // Moving all ladders takes seconds, in which clients would take what the price has run past meanwhile.
      const priced = (market: MarketInfo) => (capital.isSpent ? undefined : quotedPrice(deps, market));
      await Promise.all(catalogue.listed.map((market) => maker.pullStale(market.spec.id, priced(market))));
      const rounds = new Rounds({ ...deps, clock }, sender, maker, taker, capital);
      timer = setInterval(
        guarded(logger, 'market maker', () => rounds.tick()),
        deps.everyMs ?? TICK_MS,
      );
      timer.unref();
    },

    /** What it, the insurance and the fees have won, below zero lost, in USDT. */
    result: (): number => resultInUsdt({ catalogue, view, priceOf }),
    commandsSent: sender.sent,
    openQuotes: (market: number): number => maker.openQuotes(market),

    /** Its orders stay open and are taken over by the next start. */
    async close(): Promise<void> {
      clearInterval(timer);
      await reference.close();
      await sender.close();
      unsubscribe?.();
    },
  };
}

export type Liquidity = ReturnType<typeof createLiquidity>;
