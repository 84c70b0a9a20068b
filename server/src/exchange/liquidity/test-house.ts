/** A market maker in a test exchange, around prices that the test sets. `afterEach(closeAll)` is for each file to say. */
import { startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import type { Reference } from './reference.ts';
import { type CapitalNotice, createLiquidity, type Liquidity } from './service.ts';

export const running: { close(): Promise<void> }[] = [];
/** What was said of the capital. */
export const notices: CapitalNotice[] = [];
/** Symbols whose reference has left their band. */
export const outside: string[] = [];

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
export async function startIndexed(): Promise<TestExchange> {
  const exchange = await startTestExchange();
  const { catalogue, engine } = exchange;
  for (const { spec, referencePrice: price } of catalogue.perpetuals) {
    await engine.sequencer.submit({ kind: 'set-index-price', market: spec.id, price });
  }
  return exchange;
}

export async function open(): Promise<TestExchange> {
  const exchange = await startIndexed();
  running.push({
    close: async () => {
      await exchange.stop();
      await exchange.source.remove();
    },
  });
  return exchange;
}

/** @param takes whether it trades with itself */
export async function house(
  exchange: TestExchange,
  reference: Reference,
  takes: boolean,
  insured: { whole: bigint; lossLimit?: number } = { whole: 1_000n },
): Promise<Liquidity> {
  const { engine, catalogue, marketData, clock, logger } = exchange;
  const liquidity = createLiquidity({
    sequencer: engine.sequencer,
    feed: engine.sequencer,
    view: engine.exchange,
    catalogue,
    marketData,
    reference,
    clock,
    logger,
    seed: 5,
    takes,
    get insured() {
      return insured.whole;
    },
    lossLimit: insured.lossLimit,
    onCapital: (notice) => void notices.push(notice),
    onBandLeft: ({ spec }) => void outside.push(spec.symbol),
  });
  running.push(liquidity);
  await liquidity.start();
  return liquidity;
}
