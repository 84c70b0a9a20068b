import type { Chart } from 'klinecharts';

type Zoomable = Pick<Chart, 'getSize' | 'setBarSpace' | 'scrollToRealTime'>;

const DEFAULT_WIDTH = 800;

/** Makes the newest candles fill the picture. */
export function zoomOnLast(chart: Zoomable, candles: number): void {
  const width = chart.getSize('candle_pane', 'main')?.width ?? DEFAULT_WIDTH;
  chart.setBarSpace(width / candles);
  chart.scrollToRealTime();
}
