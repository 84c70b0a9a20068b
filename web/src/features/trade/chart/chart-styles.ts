/** The chart painted in our tokens, read from the page so that it follows theme and direction colours. */
import type { CandleTooltipLegendsCustomCallback, CandleType, DeepPartial, Styles } from 'klinecharts';
import { formatPercent } from '../../../lib/format.ts';
import { type Direction, directionOf } from '../../../ui/figures.tsx';
import { scaled } from '../../../ui/text-scale.ts';
import { sourceLabel } from '../ticket/triggers.ts';
import type { ChartPrice } from './chart-store.ts';

/** The product's own; the library's is one that no page has, and the browser puts a serif in its place. */
export const FONT = '"Inter Variable", Inter, sans-serif';

/** The legend has air above the candles. */
export const AXIS_GAP = { top: 0.28, bottom: 0.1 };

const MORE_CONTRAST = '(prefers-contrast: more), (forced-colors: active)';

/** Who asks for more contrast may not tell the colors of rising and falling candles apart. */
export const isHollow = (): boolean => matchMedia(MORE_CONTRAST).matches;

/** Those that rise are hollow or filled; those that fall are filled. */
export const candleType = (hollow: boolean): CandleType => (hollow ? 'candle_up_stroke' : 'candle_solid');

/** Draws, and draws again when the theme, the colors of directions or the wish for contrast have changed. */
export function followLooks(draw: () => void): () => void {
  draw();
  const observer = new MutationObserver(draw);
  const attributeFilter = ['data-mantine-color-scheme', 'data-direction'];
  observer.observe(document.documentElement, { attributes: true, attributeFilter });
  const contrast = matchMedia(MORE_CONTRAST);
  contrast.addEventListener('change', draw);
  return () => {
    observer.disconnect();
    contrast.removeEventListener('change', draw);
  };
}

const CHANGE_DIGITS = 2;

/** Of a candle, percent. The library's own has no sign of a gain, and a hyphen for a loss. */
export function changeOf(close: number, before: number) {
  if (before === 0) return { text: '–', direction: 'flat' } as const;
  const percent = ((close / before - 1) * 100).toFixed(CHANGE_DIGITS);
  return { text: formatPercent(percent, CHANGE_DIGITS), direction: directionOf(percent) };
}

/**
 * Letters instead of words: the line has to fit a phone. A mark and an index have no volume, and say what they are.
 * New objects each time: the library keeps those that it is given, and writes the next ones into them.
 */
function legendOf(price: ChartPrice, colors: Readonly<Record<Direction, string>>): CandleTooltipLegendsCustomCallback {
  const name = { title: '', value: { text: sourceLabel(price), color: token('--text-1') } };
  const volume = { title: 'V ', value: '{volume}' };
  const change = (close: number, before = close) => {
    const { text, direction } = changeOf(close, before);
    return { text, color: colors[direction] };
  };
  return ({ prev, current }) => [
    ...(price === 'last' ? [] : [name]),
    { title: 'O ', value: '{open}' },
    { title: 'H ', value: '{high}' },
    { title: 'L ', value: '{low}' },
    { title: 'C ', value: '{close}' },
    ...(price === 'last' ? [volume] : []),
    { title: '', value: change(current?.close ?? 0, prev?.close) },
  ];
}

/** Of indicators; light ones cannot be read on white. */
const CURVES = {
  dark: ['#8ab4f8', '#d7a6f5', '#e5b567', '#7fd1c7', '#f29fb0'],
  light: ['#1f66d1', '#8b3fc4', '#a66100', '#0b7a6e', '#b8325a'],
} as const;

const isLight = () => document.documentElement.dataset?.mantineColorScheme === 'light';

export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** `drawn` is undefined where something else than candles is on the chart. */
function candle(
  price: ChartPrice,
  drawn: CandleType | undefined,
  up: string,
  down: string,
  quiet: string,
): DeepPartial<Styles['candle']> {
  const colours = { upColor: up, downColor: down, noChangeColor: quiet };
  return {
    ...(drawn && { type: drawn }),
    bar: {
      ...colours,
      upBorderColor: up,
      downBorderColor: down,
      noChangeBorderColor: quiet,
      upWickColor: up,
      downWickColor: down,
      noChangeWickColor: quiet,
    },
    priceMark: {
      high: { color: token('--text-2'), textFamily: FONT, textSize: scaled(11) },
      low: { color: token('--text-2'), textFamily: FONT, textSize: scaled(11) },
      last: {
        upColor: token('--up-fill'),
        downColor: token('--down-fill'),
        noChangeColor: token('--text-3'),
        line: { style: 'dashed', dashedValue: [3, 3], size: 1 },
        text: { family: FONT, size: scaled(11), color: '#ffffff', borderRadius: 3 },
      },
    },
    tooltip: {
      offsetLeft: 10,
      offsetTop: 6,
      title: { show: false },
      legend: {
        color: token('--text-2'),
        family: FONT,
        size: scaled(11),
        template: legendOf(price, { up, down, flat: quiet }),
      },
    },
  };
}

/** What a person draws, in the colour of what they do. */
function drawing(): DeepPartial<Styles['overlay']> {
  const accent = token('--accent');
  const soft = token('--accent-soft');
  const dot = { color: accent, activeColor: accent, borderColor: soft, activeBorderColor: soft };
  const shape = { color: soft, borderColor: accent };
  return {
    point: dot,
    line: { color: accent },
    arc: { color: accent },
    rect: shape,
    polygon: shape,
    circle: shape,
    text: {
      family: FONT,
      size: scaled(11),
      color: '#ffffff',
      backgroundColor: token('--accent-fill'),
      borderColor: accent,
    },
  };
}

export function chartStyles(price: ChartPrice = 'last', drawn?: CandleType): DeepPartial<Styles> {
  const [up, down, quiet] = [token('--up'), token('--down'), token('--text-3')];
  const line = { show: true, size: 1, color: token('--hairline'), style: 'solid' as const, dashedValue: [] };
  const axis = {
    axisLine: { show: true, color: token('--hairline'), size: 1 },
    tickLine: { show: false },
    tickText: { color: token('--text-3'), family: FONT, size: scaled(11) },
  };
  const label = {
    family: FONT,
    size: scaled(11),
    color: token('--text-1'),
    backgroundColor: token('--surface-3'),
    borderColor: token('--surface-3'),
  };
  const cross = { line: { color: token('--text-3'), dashedValue: [4, 4] }, text: label };
  return {
    grid: { horizontal: line, vertical: line },
    candle: candle(price, drawn, up, down, quiet),
    indicator: {
      bars: [{ upColor: `${up}99`, downColor: `${down}99`, noChangeColor: quiet }],
      lines: CURVES[isLight() ? 'light' : 'dark'].map((color) => ({ color })),
      tooltip: {
        offsetLeft: 10,
        title: { color: token('--text-3'), family: FONT, size: scaled(11) },
        legend: { color: token('--text-2'), family: FONT, size: scaled(11) },
      },
      lastValueMark: { show: false },
    },
    xAxis: axis,
    yAxis: axis,
    separator: { color: token('--hairline'), activeBackgroundColor: token('--accent-soft') },
    crosshair: { horizontal: cross, vertical: cross },
    overlay: drawing(),
  };
}
