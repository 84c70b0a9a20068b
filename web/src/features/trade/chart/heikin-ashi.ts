/** Heikin-Ashi: candles that are computed from candles, each from its own four prices and the one before it. */
import { type Indicator, type IndicatorTemplate, type KLineData, registerIndicator } from 'klinecharts';
import { isHollow } from './chart-styles.ts';

export const HEIKIN_ASHI = 'Heikin-Ashi';

export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/**
 * Close is the mean of the four prices, open the middle of the body before; the first one opens in the middle of its own.
 * For drawing: the numbers are no prices of trades.
 */
export function heikinAshi(candles: readonly Candle[]): Candle[] {
  const computed: Candle[] = [];
  for (const { open, high, low, close } of candles) {
    const before = computed.at(-1) ?? { open, close };
    const opening = (before.open + before.close) / 2;
    const closing = (open + high + low + close) / 4;
    computed.push({
      open: opening,
      high: Math.max(high, opening, closing),
      low: Math.min(low, opening, closing),
      close: closing,
    });
  }
  return computed;
}

type Draw = NonNullable<Indicator<Candle>['draw']>;

/** As wide as the library draws its own candles. */
const drawCandles: Draw = ({ ctx, chart, indicator, xAxis, yAxis }) => {
  const { from, to } = chart.getVisibleRange();
  const { gapBar, halfGapBar } = chart.getBarSpace();
  const { upColor, downColor } = chart.getStyles().candle.bar;
  const hollow = isHollow();
  for (let index = from; index < to; index += 1) {
    const candle = indicator.result[index];
    if (!candle) continue;
    const x = Math.round(xAxis.convertToPixel(index));
    const y = (price: number) => Math.round(yAxis.convertToPixel(price));
    const top = y(Math.max(candle.open, candle.close));
    const bottom = y(Math.min(candle.open, candle.close));
    const rises = candle.close >= candle.open;
    ctx.fillStyle = rises ? upColor : downColor;
    ctx.fillRect(x, y(candle.high), 1, Math.max(1, y(candle.low) - y(candle.high)));
    const [left, width] = [Math.round(x - halfGapBar), Math.max(1, Math.round(gapBar))];
    ctx.fillRect(left, top, width, Math.max(1, bottom - top));
    if (hollow && rises) ctx.clearRect(left + 1, top + 1, Math.max(0, width - 2), Math.max(0, bottom - top - 2));
  }
  return true;
};

/** Over the candles that were traded, so that scale, last price and own orders stay those of the market. */
const template: IndicatorTemplate<Candle> = {
  name: HEIKIN_ASHI,
  series: 'price',
  figures: [
    { key: 'open', title: 'O ' },
    { key: 'high', title: 'H ' },
    { key: 'low', title: 'L ' },
    { key: 'close', title: 'C ' },
  ],
  calc: (candles: KLineData[]) => heikinAshi(candles),
  draw: drawCandles,
};

export function registerHeikinAshi(): void {
  registerIndicator(template);
}
