/** Candles of the past from a public feed in the OKX v5 shape, a few hundred of each length. */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Catalogue } from '../instruments/service.ts';
import { type Bar, barSeriesOf, type MarketBars } from '../market-data/service.ts';

interface Deps {
  readonly catalogue: Catalogue;
  readonly restUrl: string;
  readonly logger: Logger;
}

const LIMIT = 300;
const TIMEOUT_MS = 5_000;
const TRIES = 3;
/** The public limit is 40 calls in two seconds; this stays below it. */
const PAUSE_MS = 60;

const answer = z.object({ code: z.literal('0'), data: z.array(z.array(z.string()).min(7)) });

/** Volumes are in the coin and in USDT; of a perpetual after what counts them in contracts. */
function barOf(spec: MarketSpec, [time, open, high, low, close, ...volumes]: string[]): Bar {
  const [volume, turnover] = spec.perpetual === undefined ? volumes : volumes.slice(1);
  const ticks = (text: string | undefined) => Math.max(1, Math.round(Number(text) * 10 ** spec.tickScale));
  return {
    time: Number(time),
    open: ticks(open),
    high: ticks(high),
    low: ticks(low),
    close: ticks(close),
    volume: Math.round(Number(volume) * 10 ** spec.lotScale),
    turnover: Math.round(Number(turnover) * 10 ** (spec.tickScale + spec.lotScale)),
  };
}

/** Reads one market after the other. A market that the feed doesn't know, or can't tell of now, has no history. */
export function createOkxHistory({ catalogue, restUrl, logger }: Deps) {
  let queue: Promise<unknown> = Promise.resolve();

  async function readOnce(spec: MarketSpec, bar: string): Promise<Bar[]> {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const url = `${restUrl}/api/v5/market/candles?instId=${spec.symbol}&bar=${bar}&limit=${LIMIT}`;
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return answer
      .parse(await response.json())
      .data.map((row) => barOf(spec, row))
      .reverse();
  }

  async function read(spec: MarketSpec, bar: string): Promise<Bar[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await readOnce(spec, bar);
      } catch (error) {
        if (attempt === TRIES) throw error;
      }
    }
  }

  async function load(spec: MarketSpec): Promise<MarketBars | undefined> {
    try {
      const minutes = await read(spec, '1m');
      const hours = await read(spec, '1H');
      const days = await read(spec, '1Dutc');
      if (minutes.length === 0 || hours.length === 0 || days.length === 0) return undefined;
      return {
        minutes: barSeriesOf('minutes', minutes),
        hours: barSeriesOf('hours', hours),
        days: barSeriesOf('days', days),
      };
    } catch (error) {
      logger.warn({ err: error, market: spec.symbol }, 'no history could be read');
      return undefined;
    }
  }

  return (market: number): Promise<MarketBars | undefined> => {
    const loading = queue.then(() => load(catalogue.byId(market)!.spec));
    queue = loading;
    return loading;
  };
}
