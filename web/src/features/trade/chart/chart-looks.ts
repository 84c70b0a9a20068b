/** What makes a chart other than candles on an even scale. Loaded when something else is chosen; draws on the chart alone. */
import {
  type AxisOverride,
  type Chart,
  type DeepPartial,
  type IndicatorTemplate,
  registerIndicator,
  registerYAxis,
  type Styles,
} from 'klinecharts';
import { useEffect } from 'react';
import { messageOf } from '../../../lib/api-problem.ts';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { formatPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { scaled } from '../../../ui/text-scale.ts';
import { noticeError } from '../notices.ts';
import { type ChartKind, useChartStore } from './chart-store.ts';
import { AXIS_GAP, candleType, FONT, followLooks, isHollow, token } from './chart-styles.ts';
import { closesAt, comparedLine, percentOf, withLine } from './comparison.ts';
import { HEIKIN_ASHI, registerHeikinAshi } from './heikin-ashi.ts';
import { followCandle } from './live-candle.ts';
import type { Timeframe } from './timeframes.ts';
import { fetchBars } from './udf-client.ts';

const PANE = 'candle_pane';
const COMPARISON = 'cambistComparison';
const PAGE = 500;
/** Digits of a percentage on the axis and beside the line. */
const PERCENT_DIGITS = 2;

interface Compared {
  readonly symbol: string;
  /** By the start of their candles. */
  readonly closes: ReadonlyMap<number, number>;
}

/** The part of both pairs that is in view. */
function lineInView(chart: Chart, { closes }: Compared) {
  const candles = chart.getDataList();
  const from = Math.max(0, chart.getVisibleRange().from);
  const inView = candles.slice(from, chart.getVisibleRange().to);
  const base = inView[0]?.close ?? 0;
  const times = inView.map(({ timestamp }) => timestamp);
  return { from, base, ...comparedLine(base, closesAt(times, closes)) };
}

const EDGE_PX = 4;
const TAG_PX = 18;

/** Read by a function: the library copies whatever else it is given. */
type ReadCompared = () => Compared;

const comparison: IndicatorTemplate<unknown, unknown, ReadCompared> = {
  name: COMPARISON,
  series: 'price',
  // Its name and its percentage are beside its newest point.
  styles: { tooltip: { showRule: 'none' } },
  calc: (candles) => candles.map(() => ({})),
  shouldUpdate: () => true,
  draw: ({ ctx, chart, indicator, bounding, xAxis, yAxis }) => {
    const compared = indicator.extendData();
    const { from, values, percent } = lineInView(chart, compared);
    const points = values.flatMap((value, index) =>
      value === undefined ? [] : [{ x: xAxis.convertToPixel(from + index), y: yAxis.convertToPixel(value) }],
    );
    const last = points.at(-1);
    if (!last || percent === undefined) return true;
    ctx.strokeStyle = token('--accent');
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    for (const { x, y } of points) ctx.lineTo(x, y);
    ctx.stroke();
    const text = `${compared.symbol} ${formatPercent(percent.toFixed(PERCENT_DIGITS))}`;
    ctx.font = `${scaled(11)}px ${FONT}`;
    const width = ctx.measureText(text).width + 2 * EDGE_PX;
    const left = Math.min(last.x + EDGE_PX, bounding.width - width);
    ctx.fillStyle = token('--accent-fill');
    const height = scaled(TAG_PX);
    ctx.fillRect(left, last.y - height / 2, width, height);
    ctx.fillStyle = '#ffffff';
    ctx.textBaseline = 'middle';
    ctx.fillText(text, left + EDGE_PX, last.y);
    return true;
  },
};

/** The library's own one is never closer than a tenth of the price, which makes a line of an hour. */
const LOGARITHM = 'cambistLogarithm';
const LEAST_SPAN = 1e-6;

registerYAxis({
  name: LOGARITHM,
  minSpan: () => LEAST_SPAN,
  valueToRealValue: Math.log10,
  realValueToValue: (real) => 10 ** real,
  displayValueToRealValue: Math.log10,
  realValueToDisplayValue: (real) => 10 ** real,
  createRange: ({ defaultRange }) => {
    const [realFrom, realTo] = [Math.log10(defaultRange.from), Math.log10(defaultRange.to)];
    return { ...defaultRange, realFrom, realTo, realRange: realTo - realFrom };
  },
});
registerHeikinAshi();
registerIndicator(comparison);

/** Percent of the first candle in view, with room for the line of the other pair. */
function percentAxis(readCompared: ReadCompared): AxisOverride {
  return {
    name: 'percentage',
    createRange: ({ chart, defaultRange }) => {
      const { base, values } = lineInView(chart, readCompared());
      const { from, to } = withLine(defaultRange, values);
      const [realFrom, realTo] = [percentOf(from, base), percentOf(to, base)];
      const [range, realRange] = [to - from, realTo - realFrom];
      const display = { displayFrom: realFrom, displayTo: realTo, displayRange: realRange };
      return { from, to, range, realFrom, realTo, realRange, ...display };
    },
  };
}

/** The closes of another pair for as far back as the chart goes, and the newest as it changes. */
function followComparison(chart: Chart, symbol: string, timeframe: Timeframe, onChange: (compared: Compared) => void) {
  const closes = new Map<number, number>();
  let oldest = exchangeTime() + timeframe.lengthMs;
  let isOver = false;
  let isLoading = false;
  const load = async () => {
    const [first] = chart.getDataList();
    if (isOver || isLoading || !first || first.timestamp >= oldest) return;
    isLoading = true;
    try {
      const bars = await fetchBars(symbol, timeframe, oldest, PAGE);
      for (const { time, close } of bars) closes.set(time, close);
      // A pair that is younger than the other one has nothing before its first candle.
      oldest = bars.length === 0 ? 0 : Math.min(oldest, ...bars.map(({ time }) => time));
    } catch (error) {
      oldest = 0;
      noticeError(t('{{pair}} could not be loaded', { pair: symbol }), messageOf(error));
    }
    isLoading = false;
    if (isOver) return;
    onChange({ symbol, closes });
    void load();
  };
  const again = () => void load();
  chart.subscribeAction('onVisibleRangeChange', again);
  again();
  const began = Math.floor(exchangeTime() / timeframe.lengthMs) * timeframe.lengthMs;
  const leave = followCandle({ symbol, timeframe, price: 'last' }, began, {
    onBar: ({ time, close }) => closes.set(time, close),
    onLost: () => {
      oldest = exchangeTime() + timeframe.lengthMs;
      void load();
    },
  });
  return () => {
    isOver = true;
    chart.unsubscribeAction('onVisibleRangeChange', again);
    leave();
  };
}

function useComparison(chart: Chart, symbol: string | undefined, timeframe: Timeframe, logarithmic: boolean): void {
  useEffect(() => {
    if (!symbol) {
      chart.overrideYAxis({ paneId: PANE, name: logarithmic ? LOGARITHM : 'normal', gap: AXIS_GAP });
      return () => chart.overrideYAxis({ paneId: PANE, name: 'normal', gap: AXIS_GAP });
    }
    let compared: Compared = { symbol, closes: new Map() };
    chart.createIndicator({ name: COMPARISON, paneId: PANE, extendData: () => compared }, true);
    chart.overrideYAxis({ paneId: PANE, gap: AXIS_GAP, ...percentAxis(() => compared) });
    const leave = followComparison(chart, symbol, timeframe, (next) => {
      compared = next;
      chart.overrideIndicator({ name: COMPARISON, extendData: () => next });
    });
    return () => {
      leave();
      chart.removeIndicator({ name: COMPARISON });
      chart.overrideYAxis({ paneId: PANE, name: 'normal', gap: AXIS_GAP });
    };
  }, [chart, symbol, timeframe, logarithmic]);
}

const candles = (hollow: boolean): DeepPartial<Styles> => ({
  candle: { type: candleType(hollow), priceMark: { high: { show: true }, low: { show: true } } },
});
const NOTHING = 'transparent';

/** Computed candles are drawn over a line that is not seen: the market's own prices stay below them. */
function looksOf(kind: ChartKind): DeepPartial<Styles> {
  if (kind === 'candles' || kind === 'hollow') return candles(kind === 'hollow' || isHollow());
  const lineColor = kind === 'line' ? token('--accent') : NOTHING;
  const background = kind === 'line' ? token('--accent-soft') : NOTHING;
  const marks = { high: { show: kind === 'line' }, low: { show: kind === 'line' } };
  return {
    candle: {
      type: 'area',
      area: {
        lineSize: 1.5,
        lineColor,
        backgroundColor: [
          { offset: 0, color: background },
          { offset: 1, color: NOTHING },
        ],
        point: { show: false },
      },
      priceMark: marks,
    },
  };
}

function useKind(chart: Chart, kind: ChartKind): void {
  useEffect(() => {
    if (kind === 'heikin-ashi') {
      chart.createIndicator({ name: HEIKIN_ASHI, shortName: t('Heikin-Ashi'), paneId: PANE }, true);
    }
    const leave = followLooks(() => chart.setStyles(looksOf(kind)));
    return () => {
      leave();
      chart.removeIndicator({ name: HEIKIN_ASHI });
      chart.setStyles(looksOf('candles'));
    };
  }, [chart, kind]);
}

interface ChartLooksProps {
  readonly chart: Chart;
  readonly symbol: string;
  readonly timeframe: Timeframe;
}

export default function ChartLooks({ chart, symbol, timeframe }: ChartLooksProps): null {
  const { kind, logarithmic } = useChartStore();
  const compared = useChartStore((store) => store.compared[symbol]);
  useKind(chart, kind);
  useComparison(chart, compared, timeframe, logarithmic);
  return null;
}
