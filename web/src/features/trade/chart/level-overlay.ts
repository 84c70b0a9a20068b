/** A price that cannot be dragged, as a dashed line with its name at the left edge; registered once with the library. */
import { type OverlayTemplate, registerOverlay } from 'klinecharts';
import { localizeNumber } from '../../../lib/format.ts';
import { across, BARE, TAG_STYLE } from './overlay-figures.ts';

export const LEVEL_OVERLAY = 'cambistLevel';

interface Level {
  readonly label: string;
  readonly color: string;
}

const EDGE_PX = 4;

const levelOverlay: OverlayTemplate<Level> = {
  name: LEVEL_OVERLAY,
  ...BARE,
  createPointFigures: ({ overlay, coordinates, bounding }) => {
    const { label, color } = overlay.extendData;
    const y = coordinates[0]?.y ?? 0;
    return [
      across(y, bounding.width, { color, style: 'dashed', dashedValue: [6, 4] }, true),
      {
        type: 'text',
        attrs: { x: EDGE_PX, y, text: label, align: 'left', baseline: 'middle' },
        styles: { ...TAG_STYLE, backgroundColor: color },
        ignoreEvent: true,
      },
    ];
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
      styles: { ...TAG_STYLE, borderRadius: 0, backgroundColor: overlay.extendData.color },
      ignoreEvent: true,
    };
  },
};

registerOverlay(levelOverlay);
