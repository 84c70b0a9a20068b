/** Chart, daily candles and coin profile in one place, with the timeframes and tools above. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import type { Chart } from 'klinecharts';
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { businessStream, useStale } from '../../../lib/streams.ts';
import { FocusReturn } from '../../../ui/focus-return.tsx';
import { Tabs } from '../../../ui/panel.tsx';
import { lazyPart, persistentPart } from '../../../ui/part.tsx';
import { Loading, StaleBadge } from '../../../ui/states.tsx';
import classes from './chart.module.css';
import { useChartStore } from './chart-store.ts';
import { ChartTools } from './chart-tools.tsx';
import { MORE_TIMEFRAMES, TIMEFRAMES, type Timeframe, timeframeOf } from './timeframes.ts';
import { useTimeframe } from './use-timeframe.ts';
import { loadChunk } from './widget-options.ts';

/** On its way as soon as the screen is, beside the calls that the screen waits for. */
const loadPriceChart = async () => (await loadChunk(() => import('./price-chart.tsx'))).default;
const priceChart = loadPriceChart().catch(() => persistentPart(loadPriceChart, 'page'));
/** Once it is here, the panel begins with it. */
let loaded: Awaited<typeof priceChart> | undefined;
void priceChart.then((part) => {
  loaded = part;
});
const CoinOverview = lazyPart(() => import('./coin-overview.tsx'));
const DrawingBar = lazyPart(() => import('./drawing-bar.tsx'));

type View = 'chart' | 'daily' | 'overview';

const DAILY = timeframeOf('1D');
const DAILY_CANDLES = 20;

/** The chart once it is here. Not by `lazy`: what it has shown a stand-in for, React holds back for 300 ms. */
function usePriceChart() {
  const [Chart, setChart] = useState(() => loaded);
  useEffect(() => {
    let mounted = true;
    void priceChart.then((part) => mounted && setChart(() => part));
    return () => {
      mounted = false;
    };
  }, []);
  return Chart;
}

interface ChartPanelProps {
  readonly pair: CoinPair;
  /** Where tabs elsewhere already choose the view. */
  readonly fixedView?: 'chart';
}

export function ChartPanel({ pair, fixedView }: ChartPanelProps) {
  const [view, setView] = useState<View>('chart');
  const { timeframe, choose } = useTimeframe();
  const PriceChart = usePriceChart();
  const [chart, setChart] = useState<Chart>();
  const panel = useRef<HTMLElement>(null);
  const [full, setFull] = useFullScreen(panel);
  const showTools = useChartStore((store) => store.showTools);
  const stale = useStale(businessStream);
  const shown = fixedView ?? view;
  const views = [
    { value: 'chart', label: t('Chart') },
    { value: 'daily', label: t('Daily') },
    { value: 'overview', label: t('Overview') },
  ] as const;
  return (
    <section
      ref={panel}
      className={full ? `${classes.panel} ${classes.maximized}` : classes.panel}
      aria-label={t('Chart')}
    >
      {full && <FocusReturn isInside onEscape={() => setFull(false)} />}
      <div className={classes.bar}>
        {!fixedView && <Tabs<View> label={t('View')} value={view} options={views} onChange={setView} />}
        {shown === 'chart' && <Timeframes value={timeframe} onChange={choose} />}
        <span className={classes.spacer} />
        {stale && <StaleBadge short />}
        {shown === 'chart' && <ChartTools chart={chart} pair={pair} full={full} onFull={setFull} />}
      </div>
      <div className={classes.content}>
        <Suspense fallback={<Loading />}>
          {shown === 'overview' && <CoinOverview pair={pair} />}
          {shown !== 'overview' && !PriceChart && <Loading />}
          {shown === 'daily' && PriceChart && (
            <PriceChart key="daily" pair={pair} timeframe={DAILY} lastCandles={DAILY_CANDLES} />
          )}
          {shown === 'chart' && PriceChart && (
            <div className={classes.stage}>
              {showTools && (
                <div className={classes.tools}>
                  {/* By itself: while it loads, the chart keeps its place and its size. */}
                  <Suspense fallback={null}>{chart && <DrawingBar chart={chart} symbol={pair.pair_name} />}</Suspense>
                </div>
              )}
              <div className={classes.holder}>
                <PriceChart pair={pair} timeframe={timeframe} onChart={setChart} />
              </div>
            </div>
          )}
        </Suspense>
      </div>
    </section>
  );
}

/** The panel over everything else, for as long as the focus is not behind it, where Tab or a key of the terminal moves it. */
function useFullScreen(panel: RefObject<HTMLElement | null>) {
  const [full, setFull] = useState(false);
  useEffect(() => {
    if (!full) return;
    const leave = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || panel.current?.contains(target)) return;
      // Dialogs and menus open above it.
      if (!target.closest('[data-portal]')) setFull(false);
    };
    document.addEventListener('focusin', leave);
    return () => document.removeEventListener('focusin', leave);
  }, [full, panel]);
  return [full, setFull] as const;
}

interface TimeframesProps {
  readonly value: Timeframe;
  readonly onChange: (timeframe: Timeframe) => void;
}

function Timeframes({ value, onChange }: TimeframesProps) {
  return (
    <fieldset className={classes.timeframes} aria-label={t('Timeframe')}>
      {TIMEFRAMES.map((timeframe) => (
        <button
          key={timeframe.id}
          type="button"
          className={classes.timeframe}
          aria-pressed={timeframe.id === value.id}
          onClick={() => onChange(timeframe)}
        >
          {timeframe.id}
        </button>
      ))}
      <select
        className={classes.timeframe}
        aria-label={t('More timeframes')}
        data-chosen={MORE_TIMEFRAMES.includes(value)}
        value={MORE_TIMEFRAMES.includes(value) ? value.id : ''}
        onChange={({ currentTarget }) => onChange(timeframeOf(currentTarget.value))}
      >
        <option value="" hidden>
          {t('More')}
        </option>
        {MORE_TIMEFRAMES.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </fieldset>
  );
}
