/** How order lines and fills look on the chart; registered once with the library. */
import {
  type Chart,
  type OverlayCreateFiguresCallback,
  type OverlayFigure,
  type OverlayTemplate,
  registerOverlay,
  type YAxis,
} from 'klinecharts';
import { localizeNumber } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { scaled } from '../../../ui/text-scale.ts';
import { token } from './chart-styles.ts';
import type { FillMark, OrderLine } from './order-marks.ts';
import { placeTags, TAG_PX, type Tag } from './order-tags.ts';
import { across, BARE, isNarrow, pricesPx, tagStyle } from './overlay-figures.ts';

export const ORDER_OVERLAY = 'cambistOrder';
/** Apart from the lines, so that no line is drawn over a tag. */
export const TAG_OVERLAY = 'cambistTag';
export const FILL_OVERLAY = 'cambistFill';

/** The tag that counts several orders; a click on it is no click on one of them. */
export const COUNTING_TAG = 'counting-tag';

export interface LineLook extends OrderLine {
  readonly color: string;
  /** Every line of the chart, this one included: their tags share the height. The same array for all of them. */
  readonly all: readonly OrderLine[];
}

export interface MarkLook extends FillMark {
  readonly color: string;
}

interface Placed {
  readonly scale: string;
  readonly tags: readonly Tag[];
}

type Drawn = Pick<Parameters<OverlayCreateFiguresCallback<LineLook>>[0], 'chart' | 'overlay' | 'coordinates' | 'yAxis'>;

/** Each line asks for the places of all; they are found once a frame. */
const placed = new WeakMap<readonly OrderLine[], Placed>();

function tagsOf(all: readonly OrderLine[], chart: Chart, yAxis: YAxis): readonly Tag[] {
  const { width = 0, height = 0 } = chart.getSize('candle_pane', 'main') ?? {};
  const lines = all.map(({ id, price }) => ({ id, y: yAxis.convertToPixel(Number(price)) }));
  const scale = `${width}/${height}/${lines[0]?.y}/${lines.at(-1)?.y}`;
  const known = placed.get(all);
  if (known?.scale === scale) return known.tags;
  const tags = placeTags(lines, height, isNarrow(width) ? pricesPx(width) : 0, scaled(TAG_PX));
  placed.set(all, { scale, tags });
  return tags;
}

interface OwnTag {
  readonly y: number;
  readonly count: number;
}

/** The tag that a line draws: its own, that of several of which it is the first, or none. A dragged line takes its own along. */
function ownTag({ chart, overlay, coordinates, yAxis }: Drawn): OwnTag | undefined {
  const line = overlay.extendData;
  if (!yAxis || overlay.points[0]?.value !== Number(line.price)) return { y: coordinates[0]?.y ?? 0, count: 1 };
  const tag = tagsOf(line.all, chart, yAxis).find(({ ids }) => ids[0] === line.id);
  return tag && { y: tag.y, count: tag.ids.length };
}

const EDGE_PX = 4;

const orderOverlay: OverlayTemplate<LineLook> = {
  name: ORDER_OVERLAY,
  ...BARE,
  createPointFigures: ({ overlay, coordinates, bounding, yAxis }) => {
    const { color, field, limit, price } = overlay.extendData;
    const look =
      field === 'price' ? { color, style: 'solid', dashedValue: [] } : { color, style: 'dashed', dashedValue: [5, 4] };
    const figures = [across(coordinates[0]?.y ?? 0, bounding.width, look)];
    if (limit !== undefined && yAxis) {
      // Where the limit order will be: it moves with its trigger, and cannot be taken by itself.
      const value = overlay.points[0]?.value ?? 0;
      const y = yAxis.convertToPixel(value + Number(limit) - Number(price));
      figures.push(across(y, bounding.width, { color, style: 'dashed', dashedValue: [1, 5] }, true));
    }
    return figures;
  },
};

function countingTag(attrs: object, count: number): OverlayFigure {
  return {
    key: COUNTING_TAG,
    type: 'text',
    attrs: { ...attrs, text: t('{{count}} orders', { count }) },
    styles: { ...tagStyle(), color: token('--text-1'), backgroundColor: token('--surface-3') },
    // Who presses it would drag the first of them.
    ignoreEvent: ['onPressedMoveStart', 'onPressedMoving', 'onPressedMoveEnd'],
  };
}

const tagOverlay: OverlayTemplate<LineLook> = {
  name: TAG_OVERLAY,
  ...BARE,
  createPointFigures: (drawn) => {
    const { overlay, bounding } = drawn;
    const line = overlay.extendData;
    const tag = ownTag(drawn);
    if (!tag) return [];
    const attrs = { x: bounding.width - EDGE_PX, y: tag.y, align: 'right', baseline: 'middle' };
    if (tag.count > 1) return countingTag(attrs, tag.count);
    return {
      type: 'text',
      attrs: { ...attrs, text: line.label },
      styles: { ...tagStyle(), backgroundColor: line.color },
    };
  },
  createYAxisFigures: (drawn) => {
    const { overlay, bounding, yAxis, chart } = drawn;
    const line = overlay.extendData;
    const value = overlay.points[0]?.value ?? 0;
    const tag = ownTag(drawn);
    if (!tag || tag.count > 1) return [];
    const precision = chart.getSymbol()?.pricePrecision ?? 2;
    const fromZero = yAxis?.isFromZero() ?? false;
    const x = fromZero ? 0 : bounding.width;
    const text = localizeNumber(value.toFixed(precision));
    return {
      type: 'text',
      attrs: { x, y: tag.y, text, align: fromZero ? 'left' : 'right', baseline: 'middle' },
      styles: { ...tagStyle(), borderRadius: 0, backgroundColor: line.color },
    };
  },
};

const ARROW_PX = 6;

const fillOverlay: OverlayTemplate<MarkLook> = {
  name: FILL_OVERLAY,
  ...BARE,
  createPointFigures: ({ overlay, coordinates }) => {
    const { x = 0, y = 0 } = coordinates[0] ?? {};
    const { buying, color } = overlay.extendData;
    // Up from below for a purchase, down from above for a sale.
    const base = buying ? y + ARROW_PX * 1.6 : y - ARROW_PX * 1.6;
    const corners = [
      { x, y },
      { x: x - ARROW_PX, y: base },
      { x: x + ARROW_PX, y: base },
    ];
    return {
      type: 'polygon',
      attrs: { coordinates: corners },
      styles: { style: 'fill', color },
      ignoreEvent: true,
    };
  },
};

registerOverlay(orderOverlay);
registerOverlay(tagOverlay);
registerOverlay(fillOverlay);
