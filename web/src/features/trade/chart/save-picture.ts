import type { Chart } from 'klinecharts';
import { token } from './chart-styles.ts';

/** Everything that is on the chart as a PNG file, on the surface of the theme. */
export function savePicture(chart: Chart, symbol: string): void {
  const link = document.createElement('a');
  link.href = chart.getConvertPictureUrl(true, 'png', token('--surface-1'));
  link.download = `${symbol}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.png`;
  link.click();
}
