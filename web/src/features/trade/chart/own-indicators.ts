/** Indicators that the chart's library lacks. For drawing: the numbers are no prices of trades. */
import type { Indicator, IndicatorTemplate, KLineData } from 'klinecharts';

export interface Bar {
  readonly timestamp: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number | undefined;
}

const DAY_MS = 86_400_000;

/** Average true range by Wilder: the mean of the first ranges, then each new one counts one part of the period. */
export function averageTrueRange(bars: readonly Bar[], period: number): { readonly atr?: number }[] {
  let sum = 0;
  let atr = 0;
  return bars.map(({ high, low }, index) => {
    const before = bars[index - 1]?.close ?? high;
    const range = index === 0 ? high - low : Math.max(high, before) - Math.min(low, before);
    sum += range;
    if (index < period - 1) return {};
    atr = index === period - 1 ? sum / period : atr + (range - atr) / period;
    return { atr };
  });
}

/** The mean of high, low and close, weighted by volume, since the day began in UTC. */
export function volumeWeightedPrice(bars: readonly Bar[]): { readonly vwap?: number }[] {
  let day = Number.NaN;
  let [value, volume] = [0, 0];
  return bars.map((bar) => {
    const itsDay = Math.floor(bar.timestamp / DAY_MS);
    if (itsDay !== day) [day, value, volume] = [itsDay, 0, 0];
    value += ((bar.high + bar.low + bar.close) / 3) * (bar.volume ?? 0);
    volume += bar.volume ?? 0;
    return volume > 0 ? { vwap: value / volume } : {};
  });
}

export interface IchimokuPoint {
  readonly conversion?: number | undefined;
  readonly base?: number | undefined;
  /** Of the candle that is one displacement older. */
  readonly spanA?: number | undefined;
  readonly spanB?: number | undefined;
  /** The close of the candle that is one displacement newer. */
  readonly lagging?: number | undefined;
  /** What the cloud will have one displacement later. */
  readonly aheadA?: number | undefined;
  readonly aheadB?: number | undefined;
}

/** The middle between the highest and the lowest price of so many candles up to one; undefined before there are as many. */
function middle(bars: readonly Bar[], last: number, count: number): number | undefined {
  if (last < count - 1) return undefined;
  let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let index = last - count + 1; index <= last; index += 1) {
    high = Math.max(high, bars[index]!.high);
    low = Math.min(low, bars[index]!.low);
  }
  return (high + low) / 2;
}

/** Candles between what the cloud is computed from and where it is drawn: the present one counts. */
export const displacementOf = (basePeriod: number): number => basePeriod - 1;

export function ichimoku(bars: readonly Bar[], periods: readonly [number, number, number]): IchimokuPoint[] {
  const [conversionPeriod, basePeriod, spanPeriod] = periods;
  const displacement = displacementOf(basePeriod);
  const own = bars.map((_, index) => {
    const conversion = middle(bars, index, conversionPeriod);
    const base = middle(bars, index, basePeriod);
    const aheadA = conversion === undefined || base === undefined ? undefined : (conversion + base) / 2;
    return { conversion, base, aheadA, aheadB: middle(bars, index, spanPeriod) };
  });
  return own.map((point, index) => {
    const older = own[index - displacement];
    return { ...point, spanA: older?.aheadA, spanB: older?.aheadB, lagging: bars[index + displacement]?.close };
  });
}

type Draw = NonNullable<Indicator<IchimokuPoint, number>['draw']>;

const CLOUD_OPACITY = 0.12;

/** The cloud between its two spans, also beyond the newest candle; the library draws the lines. */
const drawCloud: Draw = ({ ctx, chart, indicator, xAxis, yAxis }) => {
  const displacement = displacementOf(indicator.calcParams[1] ?? 1);
  const { from, to } = chart.getVisibleRange();
  const { result } = indicator;
  const at = (index: number) => {
    const { aheadA: a, aheadB: b } = result[index - displacement] ?? {};
    if (a === undefined || b === undefined) return undefined;
    return { x: xAxis.convertToPixel(index), a: yAxis.convertToPixel(a), b: yAxis.convertToPixel(b) };
  };
  // Read here: what this file imports would travel with the chart library, to every screen that has it too.
  const looks = getComputedStyle(document.documentElement);
  ctx.save();
  ctx.globalAlpha = CLOUD_OPACITY;
  for (let index = from; index < to + displacement; index += 1) {
    const [left, right] = [at(index), at(index + 1)];
    if (!left || !right) continue;
    // Pixels grow downwards.
    ctx.fillStyle = looks.getPropertyValue(left.a <= left.b ? '--up' : '--down').trim();
    ctx.beginPath();
    ctx.moveTo(left.x, left.a);
    ctx.lineTo(right.x, right.a);
    ctx.lineTo(right.x, right.b);
    ctx.lineTo(left.x, left.b);
    ctx.fill();
  }
  ctx.restore();
  return false;
};

const line = (key: string, title: string) => ({ key, title: `${title}: `, type: 'line' });

const atr: IndicatorTemplate<{ readonly atr?: number }, number> = {
  name: 'ATR',
  shortName: 'ATR',
  series: 'price',
  calcParams: [14],
  figures: [line('atr', 'ATR')],
  calc: (bars: KLineData[], { calcParams: [period = 14] }) => averageTrueRange(bars, period),
};

const vwap: IndicatorTemplate<{ readonly vwap?: number }, number> = {
  name: 'VWAP',
  shortName: 'VWAP',
  series: 'price',
  figures: [line('vwap', 'VWAP')],
  calc: (bars: KLineData[]) => volumeWeightedPrice(bars),
};

const cloud: IndicatorTemplate<IchimokuPoint, number> = {
  name: 'ICHIMOKU',
  shortName: 'Ichimoku',
  series: 'price',
  calcParams: [9, 26, 52],
  figures: [
    line('conversion', 'Tenkan'),
    line('base', 'Kijun'),
    line('spanA', 'Senkou A'),
    line('spanB', 'Senkou B'),
    line('lagging', 'Chikou'),
  ],
  calc: (bars: KLineData[], { calcParams: [conversion = 9, base = 26, span = 52] }) =>
    ichimoku(bars, [conversion, base, span]),
  draw: drawCloud,
};

export const ownIndicators = [atr, vwap, cloud] as const;
