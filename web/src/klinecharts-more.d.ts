/** See `web/vite/chart-library-apart.ts`. */
declare module 'klinecharts?more' {
  import type { FigureTemplate, IndicatorTemplate, OverlayTemplate } from 'klinecharts';

  export const moreIndicators: readonly IndicatorTemplate[];
  export const moreOverlays: readonly OverlayTemplate[];
  export const moreFigures: readonly FigureTemplate[];
}
