/** What is known of one market at any moment: its bars, its latest trades, its last 24 hours. */
import type { Bar, BarSeries } from './bar-series.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './frames.ts';
import type { MarketBars } from './history.ts';

export interface Trade {
  readonly id: number;
  /** Ticks and lots. */
  readonly price: number;
  readonly quantity: number;
  /** 0 buy, 1 sell. */
  readonly takerSide: number;
  readonly time: number;
}

/** A last price that was not traded. */
export type ToldPrice = Pick<Trade, 'price' | 'time'>;

/** What a perpetual has beside its trades, as a committed batch left it. */
export interface PerpetualFigures {
  /** Ticks; 0 until there was an index, of the index also while it is lost. */
  readonly mark: number;
  readonly index: number;
  /** Of the interval if it ended now, in parts per billion. */
  readonly ratePpb: number;
  /** Ms since 1970; 0 until there was an index. */
  readonly nextFundingAt: number;
  /** Lots on each side. */
  readonly openLots: number;
  /** When it came to this, ms since 1970. */
  readonly time: number;
}

/** Of a position that is liquidated. */
export interface LiquidatedLots {
  readonly market: number;
  readonly direction: number;
  readonly lots: number;
  readonly mark: number;
  readonly time: number;
}

/** The last 24 hours in ticks, lots and ticks × lots. */
export interface Day {
  readonly last: number;
  readonly lastQuantity: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
  readonly turnover: number;
}

/**
 * The geometric mean of the closes of the minutes of the last 24 hours: a price counts by how long it held. A price of a
 * thousand times the usual one moves the arithmetic mean by 69 % if it holds one minute of a day, and this one by 0.5 %.
 */
export interface DayMean {
  /** Ticks, with a fraction. */
  readonly price: number;
  /** How many are known: fewer than a day's of a market that began since. */
  readonly minutes: number;
  /** Hours in which there was a trade. */
  readonly tradedHours: number;
}

const DAY_MINUTES = DAY_MS / MINUTE_MS;
export const TRADES_KEPT = 1_000;

interface ClosedMinutes {
  /** Index time of the minute that follows them. */
  readonly until: number;
  readonly version: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
  readonly turnover: number;
  /** Of their closes, summed up. */
  readonly logarithms: number;
  /** Those that had a price. */
  readonly count: number;
  readonly tradedHours: ReadonlySet<number>;
}

function sumMinutes(minutes: BarSeries, until: number, version: number): ClosedMinutes {
  const last = minutes.indexOf(until) - 1;
  const first = Math.max(0, last - DAY_MINUTES + 2);
  let high = 0;
  let low = Infinity;
  let volume = 0;
  let turnover = 0;
  let logarithms = 0;
  let count = 0;
  const tradedHours = new Set<number>();
  let open = 0;
  for (let index = first; index <= last; index += 1) {
    const bar = minutes.at(index);
    // Before the first price.
    if (bar.close === 0) continue;
    if (open === 0) open = bar.open;
    if (bar.high > high) high = bar.high;
    if (bar.low < low) low = bar.low;
    volume += bar.volume;
    turnover += bar.turnover;
    logarithms += Math.log(bar.close);
    count += 1;
    if (bar.volume > 0) tradedHours.add(Math.floor(bar.time / HOUR_MS));
  }
  return { until, version, open, high, low, volume, turnover, logarithms, count, tradedHours };
}

/** Sums the last 24 hours but for the minute in hand, once a minute. */
function createClosedMinutes(minutes: BarSeries) {
  let closed: ClosedMinutes | undefined;
  return (current: number, version: number): ClosedMinutes => {
    if (closed === undefined || closed.until !== current || closed.version !== version) {
      closed = sumMinutes(minutes, current, version);
    }
    return closed;
  };
}

/** @param current the minute in hand */
function meanOf({ logarithms, count, tradedHours }: ClosedMinutes, current: Bar): DayMean {
  const isNewHour = current.volume > 0 && !tradedHours.has(Math.floor(current.time / HOUR_MS));
  return {
    price: Math.exp((logarithms + Math.log(current.close)) / (count + 1)),
    minutes: count + 1,
    tradedHours: tradedHours.size + (isNewHour ? 1 : 0),
  };
}

/** @param current the minute in hand */
function dayOf(closed: ClosedMinutes, current: Bar, lastQuantity: number): Day {
  return {
    last: current.close,
    lastQuantity,
    open: closed.open === 0 ? current.open : closed.open,
    high: Math.max(closed.high, current.high),
    low: Math.min(closed.low, current.low),
    volume: closed.volume + current.volume,
    turnover: closed.turnover + current.turnover,
  };
}

export function createMarket(bars: MarketBars) {
  const trades: Trade[] = [];
  const { minutes, hours, days } = bars;
  const closedMinutes = createClosedMinutes(minutes);
  let lateVersion = 0;

  function extendTo(time: number): void {
    minutes.extendTo(time);
    hours.extendTo(time);
    days.extendTo(time);
  }

  function rememberTrade(trade: Trade): void {
    trades.push(trade);
    if (trades.length > 2 * TRADES_KEPT) trades.splice(0, trades.length - TRADES_KEPT);
  }

  return {
    bars,
    extendTo,
    rememberTrade,

    /** Bars of elsewhere, from now on, where nothing was traded here. The last price stays that of here. */
    underlay(past: MarketBars): void {
      const last = minutes.lastClose;
      for (const name of ['minutes', 'hours', 'days'] as const) {
        const series = bars[name];
        series.underlay(past[name]);
        if (last > 0 && series.lastClose !== last) series.trade(series.end - 1, last, 0);
      }
      lateVersion += 1;
    },

    lastPrice: (): number => minutes.lastClose,

    /** @param quantity of a trade; 0 for a price that was told */
    count({ time, price, quantity }: Pick<Trade, 'time' | 'price' | 'quantity'>): void {
      if (time < minutes.end - MINUTE_MS) lateVersion += 1;
      for (const series of [minutes, hours, days]) series.trade(time, price, quantity);
    },

    /** Newest first. */
    trades: (limit: number): Trade[] => trades.slice(-Math.min(limit, TRADES_KEPT)).reverse(),

    day(now: number): Day {
      extendTo(now);
      const current = minutes.at(minutes.length - 1);
      return dayOf(closedMinutes(current.time, lateVersion), current, trades.at(-1)?.quantity ?? 0);
    },

    /** Undefined before the first price. */
    dayMean(now: number): DayMean | undefined {
      extendTo(now);
      if (minutes.lastClose === 0) return undefined;
      const current = minutes.at(minutes.length - 1);
      return meanOf(closedMinutes(current.time, lateVersion), current);
    },

    /** The closes of the last 24 hours, oldest first, the current one last. */
    hourlyCloses(now: number): number[] {
      extendTo(now);
      const last = hours.indexOf(Math.floor(now / HOUR_MS) * HOUR_MS);
      return Array.from({ length: 24 }, (_, index) => hours.closeAt(Math.max(0, last - 23 + index)));
    },
  };
}

export type Market = ReturnType<typeof createMarket>;
