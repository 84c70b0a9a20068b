import type { Chart } from 'klinecharts';

type Zoomable = Pick<Chart, 'getSize' | 'setBarSpace' | 'setOffsetRightDistance' | 'scrollToRealTime'>;

const DEFAULT_WIDTH = 800;
const MARGIN_PX = 12;

/** Makes the newest candles fill the picture. */
export function zoomOnLast(chart: Zoomable, candles: number): void {
  const width = chart.getSize('candle_pane', 'main')?.width ?? DEFAULT_WIDTH;
  chart.setOffsetRightDistance(MARGIN_PX);
  chart.setBarSpace((width - MARGIN_PX) / candles);
  chart.scrollToRealTime();
}
