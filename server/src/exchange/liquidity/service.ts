/**
 * The house: a maker that quotes every market and a taker that trades with it at natural times and sizes, both through
 * ordinary commands. It holds back when the exchange is busy, and quotes nothing while it doesn't know the price.
 */

import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import type { Logger } from 'pino';
import { guarded } from '../../platform/guarded.ts';
import type { BatchFeed, CommittedBatch, ExchangeView, Sequencer, Submission } from '../engine/feed.ts';
import type { Catalogue, MarketInfo } from '../instruments/service.ts';
import { createRandom, type MarketData, mixSeed } from '../market-data/service.ts';
import { capitalCommands } from './capital.ts';
import { createDesk } from './desk.ts';
import { createMaker } from './maker.ts';
import { tradesPerSecond, usdtPerTrade } from './pace.ts';
import type { Reference } from './reference.ts';

export { createOkxHistory } from './okx-history.ts';
export { createOkxReference } from './okx-reference.ts';
export type { Reference } from './reference.ts';
export { createSimulatedReference } from './simulated.ts';

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
  /** Whether the house also takes; without it prices move only when clients trade. */
  readonly takes: boolean;
}

const TICK_MS = 100;
/** At most so many new quotes in one tick, so that a start doesn't crowd the queue. */
const COMMANDS_PER_TICK = 80;
const CHECK_EVERY_MS = 500;
const CAPITAL_EVERY_MS = 600_000;
const SIZE_DEVIATION = 1.1;
/** How far through the best price a house trade may go, as a fraction. */
const SLIPPAGE = 0.001;
const LEAN = 0.25;

export function createLiquidity(deps: Deps) {
  const { sequencer, feed, view, catalogue, marketData, reference, clock, logger } = deps;
  const random = createRandom(mixSeed(deps.seed, 0x11f));
  const desk = createDesk({ sequencer, clock, logger, onResume: () => maker.takeOver() });
  const maker = createMaker({
    desk,
    view,
    lastPrice: (market) => view.marketState(market).lastPrice,
    clock,
    random,
  });
  const nextTrade = new Map<number, number>();
  const nextCheck = new Map<number, number>();
  let capitalCheckedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  function onBatch(batch: CommittedBatch): void {
    batch.events.read({
      order: (events, at) => {
        if (events.owner(at) === HOUSE_MAKER) maker.onOrder(events, at);
      },
    });
  }

  /** Untraded markets learn their price, the house gets its capital and pays itself no fees. */
  function openingCommands(): Submission[] {
    const prices = catalogue.specs.flatMap(({ id }): Submission[] => {
      const price = reference.price(id);
      if (price === undefined || view.marketState(id).lastPrice > 0) return [];
      return [{ kind: 'set-reference-price', market: id, price: Math.max(1, Math.round(price)) }];
    });
    const fees = [HOUSE_MAKER, HOUSE_TAKER].map((owner) => ({
      kind: 'set-fees' as const,
      owner,
      makerPpm: 0,
      takerPpm: 0,
    }));
    return [...prices, ...fees, ...capitalCommands(catalogue, view, marketData.lastPrice)];
  }

  const exponential = (perSecond: number) => (-Math.log(1 - random.uniform()) * 1000) / perSecond;

  function take(market: MarketInfo): void {
    const { spec, dailyTurnover } = market;
    const { bid, ask } = marketData.ticker(spec.id);
    const isBuy = random.uniform() < 0.5 + LEAN * reference.momentum(spec.id);
    const best = isBuy ? ask : bid;
    if (best === undefined) return;
    const price = Math.max(1, Math.round(best[0] * (isBuy ? 1 + SLIPPAGE : 1 - SLIPPAGE)));
    const usdt =
      usdtPerTrade(dailyTurnover) * Math.exp(SIZE_DEVIATION * random.normal() - (SIZE_DEVIATION * SIZE_DEVIATION) / 2);
    const lots = Math.round((Math.max(usdt, 2) * 10 ** (spec.tickScale + spec.lotScale)) / best[0]);
    void desk.submit({
      kind: 'place-order',
      owner: HOUSE_TAKER,
      market: spec.id,
      side: isBuy ? BUY : SELL,
      type: 'limit',
      timeInForce: 'IOC',
      price,
      quantity: Math.min(spec.maximumLots, Math.max(spec.minimumLots, lots)),
      quoteTotal: 0n,
      selfTrade: 'CANCEL_NEWEST',
    });
  }

  function tradeWhenDue(market: MarketInfo, now: number): void {
    const { id } = market.spec;
    const due = nextTrade.get(id) ?? now + exponential(tradesPerSecond(market.dailyTurnover));
    if (due <= now) take(market);
    nextTrade.set(id, due <= now ? now + exponential(tradesPerSecond(market.dailyTurnover)) : due);
  }

  function tick(): void {
    if (!desk.ready()) return;
    const now = clock.now();
    if (now - capitalCheckedAt > CAPITAL_EVERY_MS) {
      capitalCheckedAt = now;
      for (const command of capitalCommands(catalogue, view, marketData.lastPrice)) void desk.submit(command);
    }
    let budget = COMMANDS_PER_TICK;
    for (const market of catalogue.markets) {
      const { id } = market.spec;
      if (view.marketState(id).halted) continue;
      const price = reference.price(id);
      if (price === undefined) {
        maker.pull(id);
        continue;
      }
      if (deps.takes) tradeWhenDue(market, now);
      if (budget <= 0 || (nextCheck.get(id) ?? 0) > now) continue;
      nextCheck.set(id, now + CHECK_EVERY_MS);
      budget -= maker.quote(market, price);
    }
  }

  return {
    /** Call it once market data has started. Resolves when the house can trade; quotes follow within seconds. */
    async start(): Promise<void> {
      await reference.start();
      unsubscribe = feed.subscribe(onBatch);
      await Promise.all(openingCommands().map(desk.submit));
      capitalCheckedAt = clock.now();
      maker.takeOver();
      timer = setInterval(guarded(logger, 'market maker', tick), TICK_MS);
      timer.unref();
    },

    commandsSent: desk.sent,
    openQuotes: maker.openQuotes,

    /** Its orders stay open and are taken over by the next start. */
    async close(): Promise<void> {
      clearInterval(timer);
      await reference.close();
      await desk.close();
      unsubscribe?.();
    },
  };
}

export type Liquidity = ReturnType<typeof createLiquidity>;
