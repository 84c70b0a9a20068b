/** The candlestick chart itself. Its chunk is loaded on its own, after the numbers are already on screen. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { type Chart, dispose, init } from 'klinecharts';
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { localizeNumber, withPercent } from '../../../lib/format.ts';
import { t, useLocale } from '../../../lib/i18n.ts';
import { persist } from '../../../lib/persist.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { scaled } from '../../../ui/text-scale.ts';
import { useTerminal } from '../terminal.ts';
import { sourceLabel } from '../ticket/triggers.ts';
import { useTradePreferences } from '../trade-preferences.ts';
import classes from './chart.module.css';
import { type ChartFeedState, createChartFeed } from './chart-feed.ts';
import { type ChartPrice, isPlain, pairChart, useChartStore } from './chart-store.ts';
import { AXIS_GAP, candleType, chartStyles, followLooks, isHollow } from './chart-styles.ts';
import { useDrawings } from './drawings.ts';
import { type IndicatorChoice, isAtFirst, isOfVolume, isOverlay } from './indicators.ts';
import { paneHeights } from './pane-heights.ts';
import { type Timeframe, timezoneOf } from './timeframes.ts';
import { usePointedAt } from './use-pointed-at.ts';
import { type WidgetOptions, widgetOptions } from './widget-options.ts';
import { zoomOnLast } from './zoom.ts';

const ChartLooks = lazyPart(() => import('./chart-looks.ts'), 'unseen');
const ChartHover = lazyPart(() => import('./chart-hover.tsx'), 'unseen');
const OwnOrders = lazyPart(() => import('./own-orders.ts'), 'unseen');

interface PriceChartProps {
  readonly pair: CoinPair;
  readonly timeframe: Timeframe;
  /** Begin with so many candles in view instead of the usual width of one. */
  readonly lastCandles?: number;
  /** Where the tools of the panel find the chart. */
  readonly onChart?: (chart: Chart | undefined) => void;
}

type Status = { readonly kind: 'loading' | 'full' | 'empty' } | { readonly kind: 'error'; readonly error: unknown };

/** Small prices keep all their digits, and twenty candles can fill a screen. */
const PLAIN = {
  decimalFold: { threshold: 100 },
  layout: { yAxis: { gap: AXIS_GAP }, barSpaceLimit: { min: 1, max: 200 } },
};
const NO_INDICATORS: readonly IndicatorChoice[] = [];
/** Free room after the newest candle, where the tags of orders are. */
const FREE_PX = { wide: 120, narrow: 72 };
const NARROW_PX = 500;

/** The scale in percent has its sign already. */
const figureText = (text: string) =>
  text.endsWith('%') ? withPercent(localizeNumber(text.slice(0, -1))) : localizeNumber(text);

function useChart({ locale, timezone }: WidgetOptions) {
  const holder = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart>();
  const [heightPx, setHeightPx] = useState(0);
  // Before the first paint, as the candles that come into it: what is drawn once is not drawn twice.
  useLayoutEffect(() => {
    const element = holder.current;
    if (!element) return;
    const thousandsSeparator = { format: (value: string | number) => figureText(String(value)) };
    const created = init(element, { locale, styles: chartStyles(), ...PLAIN, thousandsSeparator });
    if (!created) return;
    // The library makes its box the first stop of the whole page for Tab; its keys it takes from the document.
    const box = created.getDom();
    if (box) box.tabIndex = -1;
    created.setOffsetRightDistance(scaled(element.clientWidth < scaled(NARROW_PX) ? FREE_PX.narrow : FREE_PX.wide));
    setChart(created);
    const observer = new ResizeObserver(() => {
      // Without a size it would scroll its newest candles out of view.
      if (element.clientWidth === 0 || element.clientHeight === 0) return;
      created.resize();
      setHeightPx(element.clientHeight);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      dispose(element);
      setChart(undefined);
    };
  }, [locale]);
  useLayoutEffect(() => chart?.setTimezone(timezone), [chart, timezone]);
  return { holder, chart, heightPx };
}

/** The legend names the price; colours follow the theme and the direction colours, both of which are on the page's root. */
function useChartStyles(chart: Chart | undefined, price: ChartPrice, hasLooks: boolean): void {
  useLayoutEffect(() => {
    if (!chart) return;
    return followLooks(() => chart.setStyles(chartStyles(price, hasLooks ? undefined : candleType(isHollow()))));
  }, [chart, price, hasLooks]);
}

function useCandles(
  chart: Chart | undefined,
  pair: CoinPair,
  timeframe: Timeframe,
  price: ChartPrice,
  lastCandles: number | undefined,
) {
  const [status, setStatus] = useState<Status>({ kind: 'loading' });
  const { pair_name: symbol, price_scale: pricePrecision, quantity_scale } = pair;
  useLayoutEffect(() => {
    if (!chart) return;
    setStatus({ kind: 'loading' });
    chart.setSymbol({ ticker: symbol, pricePrecision, volumePrecision: Math.min(quantity_scale, 4) });
    chart.setPeriod(timeframe.period);
    const state: ChartFeedState = {
      onLoaded: (count) => {
        if (lastCandles !== undefined) zoomOnLast(chart, lastCandles);
        setStatus({ kind: count > 0 ? 'full' : 'empty' });
        performance.mark('first-candle');
      },
      onError: (error) => setStatus({ kind: 'error', error }),
      onLost: () => chart.resetData(),
    };
    const feed = createChartFeed(symbol, timeframe, state, price);
    chart.setDataLoader(feed.loader);
    return feed.close;
  }, [chart, symbol, pricePrecision, quantity_scale, timeframe, price, lastCandles]);
  return status;
}

export default function PriceChart({ pair, timeframe, lastCandles, onChart }: PriceChartProps) {
  const { ChartLines, market } = useTerminal();
  const symbol = pair.pair_name;
  const locale = useLocale().tag;
  const timezone = timezoneOf(timeframe);
  const options = widgetOptions({ datafeed: createChartFeed, symbol, locale, timezone });
  const { holder, chart, heightPx } = useChart(options);
  const chosenPrice = useChartStore((store) => store.price);
  const price = market === 'futures' && lastCandles === undefined ? chosenPrice : 'last';
  const status = useCandles(chart, pair, timeframe, price, lastCandles);
  const { indicators, drawings } = useChartStore((store) => pairChart(store, symbol));
  const chosen = useMemo(
    () => (price === 'last' ? indicators : indicators.filter(({ name }) => !isOfVolume(name))),
    [indicators, price],
  );
  const plain = lastCandles !== undefined;
  const hasKeys = useTradePreferences((preferences) => preferences.keys);
  useEffect(() => chart?.setHotkey({ enabled: hasKeys }), [chart, hasKeys]);
  const hasMore = useMore(!plain && (drawings.length > 0 || !chosen.every(isAtFirst)));
  const left = useIndicators(chart, plain || !hasMore ? NO_INDICATORS : chosen, heightPx);
  useDrawings(chart, symbol, !plain && hasMore && status.kind === 'full');
  const hasLooks = useChartStore((store) => !isPlain(store, symbol)) && !plain;
  useChartStyles(chart, price, hasLooks);
  const showOrders = useChartStore((store) => store.showOrders);
  const signedIn = useSignedIn();
  const ownOrders = showOrders && signedIn && !plain && status.kind === 'full';
  useEffect(() => {
    onChart?.(chart);
    return () => onChart?.(undefined);
  }, [chart, onChart]);
  const pointed = usePointedAt(!plain);
  const label = labelOf(symbol, timeframe, price, lastCandles);
  return (
    <div ref={pointed.ref} className={left.length > 0 ? `${classes.chart} ${classes.withNote}` : classes.chart}>
      {left.length > 0 && (
        <p className={classes.left} role="status">
          {t('No room for {{names}}: make the chart larger, or remove an indicator.', { names: left.join(', ') })}
        </p>
      )}
      <div ref={holder} className={classes.canvas} role="img" aria-label={label} data-status={status.kind} />
      <Suspense>{chart && hasLooks && <ChartLooks chart={chart} symbol={symbol} timeframe={timeframe} />}</Suspense>
      <Suspense>{chart && ownOrders && <OwnOrders chart={chart} pair={pair} candleMs={timeframe.lengthMs} />}</Suspense>
      <Suspense>{chart && ownOrders && ChartLines && <ChartLines chart={chart} pair={pair} />}</Suspense>
      <Suspense>
        {chart && pointed.isPointedAt && status.kind === 'full' && <ChartHover chart={chart} pair={pair} />}
      </Suspense>
      {status.kind !== 'full' && (
        <div className={classes.cover}>
          {status.kind === 'loading' && <Loading />}
          {status.kind === 'empty' && (
            <p className={classes.note}>
              {price === 'last'
                ? t('No candles yet. They appear with the first trade.')
                : t('No candles yet. They appear with the first price.')}
            </p>
          )}
          {status.kind === 'error' && <ErrorState error={status.error} onRetry={() => chart?.resetData()} />}
        </div>
      )}
    </div>
  );
}

function labelOf(pair: string, timeframe: Timeframe, price: ChartPrice, lastCandles: number | undefined): string {
  if (lastCandles !== undefined)
    return t('Price of {{pair}}, the last {{count}} daily candles', { pair, count: lastCandles });
  const candles = { pair, timeframe: timeframe.id };
  if (price === 'last') return t('Price of {{pair}}, {{timeframe}} candles', candles);
  return t('{{price}} of {{pair}}, {{timeframe}} candles', { ...candles, price: sourceLabel(price) });
}

/** Whether all that is wanted of the library is there; what the chart does not begin with comes when it is first wanted. */
function useMore(wanted: boolean): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (!wanted || isThere) return;
    const leaving = new AbortController();
    void persist(() => import('./chart-more.ts'), { signal: leaving.signal }).then(() => setThere(true));
    return () => leaving.abort();
  }, [wanted, isThere]);
  return isThere || !wanted;
}

/** Puts on the chart what has room on it. Answers the names of what has none. */
function useIndicators(
  chart: Chart | undefined,
  chosen: readonly IndicatorChoice[],
  heightPx: number,
): readonly string[] {
  const wanted = chosen.filter(({ name }) => !isOverlay(name));
  const { shown, paneHeightPx, leastPanePx, leastPricePx } = paneHeights(heightPx, wanted.length, scaled(1));
  const over = useMemo(() => chosen.filter(({ name }) => isOverlay(name)), [chosen]);
  const below = useMemo(() => chosen.filter(({ name }) => !isOverlay(name)).slice(0, shown), [chosen, shown]);
  useEffect(() => {
    if (!chart) return;
    for (const { name, params } of over) {
      chart.createIndicator({ name, calcParams: [...params], paneId: 'candle_pane' }, true);
    }
    for (const { name, params } of below) {
      chart.createIndicator({ name, calcParams: [...params], paneId: paneOf(name) }, true);
    }
    return () => {
      for (const { name } of [...over, ...below]) chart.removeIndicator({ name });
    };
  }, [chart, over, below]);
  useEffect(() => {
    if (!chart) return;
    chart.setPaneOptions({ id: 'candle_pane', minHeight: leastPricePx });
    for (const { name } of below) {
      chart.setPaneOptions({ id: paneOf(name), height: paneHeightPx, minHeight: leastPanePx });
    }
  }, [chart, below, paneHeightPx, leastPanePx, leastPricePx]);
  return heightPx === 0 ? [] : wanted.slice(shown).map(({ name }) => name);
}

const paneOf = (name: string) => `pane_${name}`;
