/** How order lines and fills look on the chart; registered once with the library. */
import { type OverlayTemplate, registerOverlay } from 'klinecharts';
import type { FillMark, OrderLine } from './order-marks.ts';

export const ORDER_OVERLAY = 'cambistOrder';
export const FILL_OVERLAY = 'cambistFill';
const FONT = '"Inter Variable", Inter, sans-serif';

export interface LineLook extends OrderLine {
  readonly color: string;
}

export interface MarkLook extends FillMark {
  readonly color: string;
}

const orderOverlay: OverlayTemplate<LineLook> = {
  name: ORDER_OVERLAY,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ overlay, coordinates, bounding }) => {
    const y = coordinates[0]?.y ?? 0;
    const { color, label, field } = overlay.extendData;
    const dashedValue = field === 'price' ? [] : [5, 4];
    return [
      {
        type: 'line',
        attrs: {
          coordinates: [
            { x: 0, y },
            { x: bounding.width, y },
          ],
        },
        styles: { color, size: 1, style: field === 'price' ? 'solid' : 'dashed', dashedValue },
      },
      {
        type: 'text',
        attrs: { x: bounding.width - 8, y, text: label, align: 'right', baseline: 'middle' },
        styles: { color: '#ffffff', backgroundColor: color, borderRadius: 3, size: 11, family: FONT },
      },
    ];
  },
  createYAxisFigures: ({ overlay, coordinates, bounding, yAxis, chart }) => {
    const y = coordinates[0]?.y ?? 0;
    const precision = chart.getSymbol()?.pricePrecision ?? 2;
    const text = Number(overlay.points[0]?.value ?? 0).toFixed(precision);
    const fromZero = yAxis?.isFromZero() ?? false;
    return {
      type: 'text',
      attrs: { x: fromZero ? 0 : bounding.width, y, text, align: fromZero ? 'left' : 'right', baseline: 'middle' },
      styles: { color: '#ffffff', backgroundColor: overlay.extendData.color, size: 11, family: FONT },
    };
  },
};

const ARROW_PX = 6;

const fillOverlay: OverlayTemplate<MarkLook> = {
  name: FILL_OVERLAY,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
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
registerOverlay(fillOverlay);
