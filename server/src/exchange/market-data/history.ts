/**
 * The history of a simulated market before its first real trade: a pure function of seed, anchor and price. It is made
 * backwards from the anchor, so that its last close is the price at which trading starts. Volatility comes in clusters
 * (its logarithm is an AR(1) process), follows the hours of the day, and volume follows volatility and range.
 */
import { type Bar, BarSeries } from './bar-series.ts';
import { barsOf, DAY_MS, HOUR_MS, MINUTE_MS } from './frames.ts';
import { createRandom, mixSeed, type Random } from './random.ts';

export interface HistorySeed {
  readonly seed: number;
  /** End of the history, ms, a whole minute. */
  readonly anchor: number;
  /** Ticks. */
  readonly price: number;
  /** Deviation of a day's return, as a fraction. */
  readonly dailyVolatility: number;
  /** Ticks × lots on an ordinary day. */
  readonly dailyTurnover: number;
}

export interface MarketBars {
  readonly minutes: BarSeries;
  readonly hours: BarSeries;
  readonly days: BarSeries;
}

const MINUTE_DAYS = 10;
const HOUR_DAYS = 180;
const DAYS = 3 * 365;

/** What is kept in memory: the made history and as much again of live bars before the oldest goes. */
export const capacities = { minutes: 24_000, hours: 9_000, days: 9_000 } as const;

/** How long a burst of volatility lasts, and how strong it is. */
const PERSISTENCE: Readonly<Record<number, number>> = { [MINUTE_MS]: 0.99, [HOUR_MS]: 0.96, [DAY_MS]: 0.92 };
const BURST_DEVIATION = 0.55;
/** Pull towards the anchor's price for each day, so that three years don't end in another world. */
const DAILY_PULL = 0.004;

/** Markets are livelier when Europe and America are both awake. */
function activityAt(time: number, frameMs: number): number {
  if (frameMs === DAY_MS) return 1;
  const hour = (time % DAY_MS) / HOUR_MS;
  return 1 + 0.35 * Math.sin(((hour - 9.5) / 24) * 2 * Math.PI);
}

interface Column {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Bars of one length from the newest to the oldest; each opens where the one before it closes. */
function pathBackwards(
  { price, dailyVolatility, dailyTurnover }: HistorySeed,
  random: Random,
  frameMs: number,
  end: number,
  count: number,
  lastClose: number,
): Column[] {
  const share = frameMs / DAY_MS;
  const deviation = dailyVolatility * Math.sqrt(share);
  const persistence = PERSISTENCE[frameMs]!;
  const shock = BURST_DEVIATION * Math.sqrt(1 - persistence * persistence);
  const center = Math.log(price);
  const pull = DAILY_PULL * share;
  let burst = BURST_DEVIATION * random.normal();
  let close = lastClose;
  let level = Math.log(lastClose);
  const columns: Column[] = [];
  for (let index = 0; index < count; index += 1) {
    const activity = activityAt(end - (index + 1) * frameMs, frameMs);
    burst = persistence * burst + shock * random.normal();
    const scale = deviation * Math.exp(burst - (BURST_DEVIATION * BURST_DEVIATION) / 2) * activity;
    level += pull * (center - level) - scale * random.normal();
    const open = Math.max(1, Math.round(Math.exp(level)));
    const wick = open * scale * 0.6;
    const high = Math.max(open, close) + Math.round(wick * Math.abs(random.normal()));
    const low = Math.max(1, Math.min(open, close) - Math.round(wick * Math.abs(random.normal())));
    const liveliness = 0.35 + (0.5 * (high - low)) / (open * deviation * 1.6);
    const turnover = dailyTurnover * share * liveliness * Math.exp(0.5 * burst + 0.35 * random.normal()) * activity;
    columns.push({ open, high, low, close, volume: Math.max(1, Math.round(turnover / ((open + close) / 2))) });
    close = open;
  }
  return columns;
}

function appendAll(series: BarSeries, backwards: readonly Column[]): void {
  for (let index = backwards.length - 1; index >= 0; index -= 1) {
    const { open, high, low, close, volume } = backwards[index]!;
    series.append(open, high, low, close, volume, Math.round(((open + high + low + close) / 4) * volume));
  }
}

function appendCoarser(series: BarSeries, finer: BarSeries, frame: '1H' | '1D'): void {
  for (const bar of barsOf(finer, frame, { limit: finer.length })) {
    series.append(bar.open, bar.high, bar.low, bar.close, bar.volume, bar.turnover);
  }
}

export function makeHistory(history: HistorySeed): MarketBars {
  const { anchor, price, seed } = history;
  const today = Math.floor(anchor / DAY_MS) * DAY_MS;
  const minutesStart = today - MINUTE_DAYS * DAY_MS;
  const hoursStart = today - HOUR_DAYS * DAY_MS;
  const daysStart = today - DAYS * DAY_MS;
  const minutes = new BarSeries(MINUTE_MS, minutesStart, capacities.minutes);
  const hours = new BarSeries(HOUR_MS, hoursStart, capacities.hours);
  const days = new BarSeries(DAY_MS, daysStart, capacities.days);
  const path = (frameMs: number, start: number, end: number, close: number) =>
    pathBackwards(history, createRandom(mixSeed(seed, frameMs)), frameMs, end, (end - start) / frameMs, close);

  const minutePath = path(MINUTE_MS, minutesStart, anchor, price);
  appendAll(minutes, minutePath);
  const hourPath = path(HOUR_MS, hoursStart, minutesStart, minutePath.at(-1)!.open);
  appendAll(hours, hourPath);
  appendCoarser(hours, minutes, '1H');
  appendAll(days, path(DAY_MS, daysStart, hoursStart, hourPath.at(-1)!.open));
  appendCoarser(days, hours, '1D');
  return { minutes, hours, days };
}

const frameMsOf = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS } as const;

/** A series from bars of elsewhere, oldest first, at least one; holes become flat bars. */
export function barSeriesOf(name: keyof MarketBars, bars: readonly Bar[]): BarSeries {
  const series = new BarSeries(frameMsOf[name], 0, capacities[name]);
  for (const bar of bars) series.put(bar);
  return series;
}

/** What a market without any known past begins with: its price, and nothing traded. */
export function emptyHistory(price: number, time: number): MarketBars {
  const bar = { time, open: price, high: price, low: price, close: price, volume: 0, turnover: 0 };
  const begun = (name: keyof MarketBars) => {
    const series = barSeriesOf(name, [bar]);
    series.beginHere();
    return series;
  };
  return { minutes: begun('minutes'), hours: begun('hours'), days: begun('days') };
}
