/** The candlestick chart itself. Its chunk is loaded on its own, after the numbers are already on screen. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { type Chart, dispose, init } from 'klinecharts';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import classes from './chart.module.css';
import { createChartFeed } from './chart-feed.ts';
import { chartStyles } from './chart-styles.ts';
import type { Timeframe } from './timeframes.ts';

interface PriceChartProps {
  readonly pair: CoinPair;
  readonly timeframe: Timeframe;
  readonly indicators: readonly string[];
}

type Status = { readonly kind: 'loading' | 'full' | 'empty' } | { readonly kind: 'error'; readonly error: unknown };

/** Small prices keep all their digits, and the legend has air above the candles. */
const PLAIN = { decimalFold: { threshold: 100 }, layout: { yAxis: { gap: { top: 0.28, bottom: 0.1 } } } };

function useChart() {
  const holder = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart>();
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const created = init(element, { locale: 'en-US', timezone: 'Etc/UTC', styles: chartStyles(), ...PLAIN });
    if (!created) return;
    setChart(created);
    const observer = new ResizeObserver(() => created.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      dispose(element);
      setChart(undefined);
    };
  }, []);
  return { holder, chart };
}

/** Colours follow the theme and the direction colours, both of which stand on the page's root. */
function useChartColours(chart: Chart | undefined): void {
  useEffect(() => {
    if (!chart) return;
    const observer = new MutationObserver(() => chart.setStyles(chartStyles()));
    const attributeFilter = ['data-mantine-color-scheme', 'data-direction'];
    observer.observe(document.documentElement, { attributes: true, attributeFilter });
    return () => observer.disconnect();
  }, [chart]);
}

export default function PriceChart({ pair, timeframe, indicators }: PriceChartProps) {
  const { holder, chart } = useChart();
  const [status, setStatus] = useState<Status>({ kind: 'loading' });
  useChartColours(chart);
  const { pair_name: symbol, price_scale: pricePrecision, quantity_scale } = pair;
  useEffect(() => {
    if (!chart) return;
    setStatus({ kind: 'loading' });
    chart.setSymbol({ ticker: symbol, pricePrecision, volumePrecision: Math.min(quantity_scale, 4) });
    chart.setPeriod(timeframe.period);
    const feed = createChartFeed(symbol, timeframe, {
      onLoaded: (count) => setStatus({ kind: count > 0 ? 'full' : 'empty' }),
      onError: (error) => setStatus({ kind: 'error', error }),
    });
    chart.setDataLoader(feed.loader);
    return feed.close;
  }, [chart, symbol, pricePrecision, quantity_scale, timeframe]);
  useIndicators(chart, indicators);
  return (
    <div className={classes.chart}>
      <div
        ref={holder}
        className={classes.canvas}
        role="img"
        aria-label={`Price of ${symbol}, ${timeframe.id} candles`}
      />
      {status.kind !== 'full' && (
        <div className={classes.cover}>
          {status.kind === 'loading' && <Loading />}
          {status.kind === 'empty' && (
            <p className={classes.note}>{t('No candles yet. They appear with the first trade.')}</p>
          )}
          {status.kind === 'error' && <ErrorState error={status.error} onRetry={() => chart?.resetData()} />}
        </div>
      )}
    </div>
  );
}

/** Averages and bands lie over the candles, all others have a pane of their own below. */
const OVERLAYS = new Set(['MA', 'EMA', 'BOLL']);

function useIndicators(chart: Chart | undefined, indicators: readonly string[]): void {
  useEffect(() => {
    if (!chart) return;
    for (const name of indicators) {
      // The volume's own averages say little and cost a line of legend.
      const parameters = name === 'VOL' ? { calcParams: [] } : {};
      const place = OVERLAYS.has(name) ? { paneId: 'candle_pane' } : {};
      chart.createIndicator({ name, ...parameters, ...place }, true);
    }
    return () => {
      for (const name of indicators) chart.removeIndicator({ name });
    };
  }, [chart, indicators]);
}
