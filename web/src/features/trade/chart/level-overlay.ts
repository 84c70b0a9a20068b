/** A price that cannot be dragged, as a dashed line with its name at the left edge; registered once with the library. */
import {
  type Overlay,
  type OverlayCreateFiguresCallback,
  type OverlayFigure,
  type OverlayTemplate,
  registerOverlay,
} from 'klinecharts';
import { localizeNumber } from '../../../lib/format.ts';
import { scaled } from '../../../ui/text-scale.ts';
import { placeTags, TAG_PX } from './order-tags.ts';
import { across, BARE, pricesPx, tagStyle } from './overlay-figures.ts';

export const LEVEL_OVERLAY = 'cambistLevel';

interface Level {
  readonly label: string;
  readonly color: string;
}

const EDGE_PX = 4;

type Drawn = Parameters<OverlayCreateFiguresCallback<Level>>[0];

interface Name {
  readonly text: string;
  readonly y: number;
}

/** The name that a level draws: its own, with those of levels too near for one each; none where another draws it. */
function nameOf({ chart, overlay, bounding, yAxis }: Drawn): Name | undefined {
  if (!yAxis) return undefined;
  const levels = chart.getOverlays({ name: LEVEL_OVERLAY }) as Overlay<Level>[];
  const lines = levels.map(({ id, points }) => ({ id, y: yAxis.convertToPixel(points[0]?.value ?? 0) }));
  const tags = placeTags(lines, bounding.height, pricesPx(bounding.width), scaled(TAG_PX));
  const tag = tags.find(({ ids }) => ids[0] === overlay.id);
  if (!tag) return undefined;
  const named = tag.ids.map((id) => levels.find((level) => level.id === id)?.extendData.label);
  return { text: named.join(' · '), y: tag.y };
}

const levelOverlay: OverlayTemplate<Level> = {
  name: LEVEL_OVERLAY,
  ...BARE,
  createPointFigures: (drawn) => {
    const { overlay, coordinates, bounding } = drawn;
    const { color } = overlay.extendData;
    const line = across(coordinates[0]?.y ?? 0, bounding.width, { color, style: 'dashed', dashedValue: [6, 4] }, true);
    const name = nameOf(drawn);
    if (!name) return line;
    const label: OverlayFigure = {
      type: 'text',
      attrs: { x: EDGE_PX, ...name, align: 'left', baseline: 'middle' },
      styles: { ...tagStyle(), backgroundColor: color },
      ignoreEvent: true,
    };
    return [line, label];
  },
  createYAxisFigures: ({ overlay, coordinates, bounding, yAxis, chart }) => {
    const value = overlay.points[0]?.value ?? 0;
    const fromZero = yAxis?.isFromZero() ?? false;
    const text = localizeNumber(value.toFixed(chart.getSymbol()?.pricePrecision ?? 2));
    return {
      type: 'text',
      attrs: {
        x: fromZero ? 0 : bounding.width,
        y: coordinates[0]?.y ?? 0,
        text,
        align: fromZero ? 'left' : 'right',
        baseline: 'middle',
      },
      styles: { ...tagStyle(), borderRadius: 0, backgroundColor: overlay.extendData.color },
      ignoreEvent: true,
    };
  },
};

registerOverlay(levelOverlay);
