/**
 * Candles of the past from a public feed in the OKX v5 shape, a few hundred of each length. Their volume was not traded here, and is left
 * out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { MAXIMUM_INT32 } from '@cambist/core/money/price.ts';
import { z } from 'zod';
import type { Catalogue } from '../instruments/service.ts';
import { type Bar, barSeriesOf, type OutsidePast } from '../market-data/service.ts';

interface Deps {
  readonly catalogue: Catalogue;
  readonly restUrl: string;
  readonly clock: { now(): number };
}

const LIMIT = 300;
const TIMEOUT_MS = 5_000;
/** The public limit is 40 calls in two seconds; this stays below it. */
const PAUSE_MS = 60;
/** What the feed answers of an instrument that it does not have. */
const UNKNOWN = '51001';

const figure = z.string().regex(/^\d{1,20}(\.\d{1,20})?$/);
const answer = z.discriminatedUnion('code', [
  z.object({ code: z.literal('0'), data: z.array(z.array(figure).min(5)).max(LIMIT) }),
  z.object({ code: z.literal(UNKNOWN) }),
]);

/** @throws for a price that no market can have: the table of bars would not take it, or no start could read it again */
function ticksOf(spec: MarketSpec, text: string | undefined): number {
  const ticks = Math.round(Number(text) * 10 ** spec.tickScale);
  if (!(ticks <= MAXIMUM_INT32)) throw new Error(`A candle of ${spec.symbol} has the price ${text}`);
  return Math.max(1, ticks);
}

function barOf(spec: MarketSpec, [time, open, high, low, close]: string[]): Bar {
  const ticks = (text: string | undefined) => ticksOf(spec, text);
  return {
    time: Number(time),
    open: ticks(open),
    high: ticks(high),
    low: ticks(low),
    close: ticks(close),
    volume: 0,
    turnover: 0,
  };
}

/**
 * @returns what reads the past of a market; it resolves with undefined where the feed knows nothing of it, and rejects where the
 * feed is away or answers what it should not
 */
export function createOkxHistory({ catalogue, restUrl, clock }: Deps): OutsidePast {
  async function read(spec: MarketSpec, bar: string): Promise<Bar[]> {
    await sleep(PAUSE_MS);
    const url = `${restUrl}/api/v5/market/candles?instId=${spec.symbol}&bar=${bar}&limit=${LIMIT}`;
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const told = answer.parse(await response.json());
    if (told.code === UNKNOWN) return [];
    const bars = told.data.map((row) => barOf(spec, row)).reverse();
    // What lies ahead would be drawn as if it had happened.
    return bars.filter(({ time }) => time <= clock.now());
  }

  return async (market) => {
    const { spec } = catalogue.byId(market)!;
    const minutes = await read(spec, '1m');
    if (minutes.length === 0) return undefined;
    const hours = await read(spec, '1H');
    const days = await read(spec, '1Dutc');
    if (hours.length === 0 || days.length === 0) return undefined;
    return {
      minutes: barSeriesOf('minutes', minutes),
      hours: barSeriesOf('hours', hours),
      days: barSeriesOf('days', days),
    };
  };
}
