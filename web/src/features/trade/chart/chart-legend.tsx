/** Each indicator of the chart with its name, its values under the pointer, its settings and a way to remove it. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon, Popover } from '@mantine/core';
import type { Chart, Crosshair, Indicator } from 'klinecharts';
import { Suspense, useEffect, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { Loading } from '../../../ui/states.tsx';
import { usePopover } from '../../../ui/use-floating.ts';
import { IconSettings, IconX } from '../icons.ts';
import classes from './chart-hover.module.css';
import { pairChart, useChartStore } from './chart-store.ts';
import { toggleIndicator } from './indicators.ts';
import { legendName, legendValues } from './legend-rows.ts';
import { pricesPx } from './overlay-figures.ts';

const IndicatorParameters = lazyPart(() => import('./indicator-parameters.tsx'));

const PANE = 'candle_pane';
const BUTTON_PX = 24;

interface ChartLegendProps {
  readonly chart: Chart;
  readonly pair: CoinPair;
}

/** The candle under the pointer, and a new drawing whenever the panes or their values may have changed. */
function usePointedCandle(chart: Chart): number | undefined {
  const [index, setIndex] = useState<number>();
  const [, redraw] = useState(0);
  useEffect(() => {
    const follow = (data: unknown) => setIndex((data as Crosshair | undefined)?.dataIndex);
    const again = () => redraw((count) => count + 1);
    chart.subscribeAction('onCrosshairChange', follow);
    chart.subscribeAction('onPaneDrag', again);
    const sizes = new ResizeObserver(again);
    const dom = chart.getDom();
    if (dom) sizes.observe(dom);
    // The newest candle changes all the time; a legend that is read need not follow each trade.
    const timer = setInterval(again, 1_000);
    return () => {
      clearInterval(timer);
      sizes.disconnect();
      chart.unsubscribeAction('onCrosshairChange', follow);
      chart.unsubscribeAction('onPaneDrag', again);
    };
  }, [chart]);
  return index;
}

/** The library writes its own legend until this one is here. */
function useInsteadOfDrawn(chart: Chart): void {
  useEffect(() => {
    chart.setStyles({ indicator: { tooltip: { showRule: 'none' } } });
    return () => chart.setStyles({ indicator: { tooltip: { showRule: 'always' } } });
  }, [chart]);
}

export function ChartLegend({ chart, pair }: ChartLegendProps) {
  useInsteadOfDrawn(chart);
  // What is chosen is on the chart one effect later; the next drawing finds it.
  useChartStore();
  const index = usePointedCandle(chart);
  const panes = Map.groupBy(chart.getIndicators(), ({ paneId }) => paneId);
  const width = chart.getSize(PANE, 'main')?.width ?? 0;
  const below = pricesPx(width);
  return [...panes].map(([paneId, indicators]) => (
    <ul
      key={paneId}
      className={classes.legend}
      aria-label={t('Indicators on the chart')}
      style={{ top: (chart.getSize(paneId)?.top ?? 0) + (paneId === PANE ? below : 2), maxWidth: width }}
    >
      {indicators.map((indicator) => (
        <LegendRow key={indicator.name} chart={chart} symbol={pair.pair_name} indicator={indicator} index={index} />
      ))}
    </ul>
  ));
}

interface LegendRowProps {
  readonly chart: Chart;
  readonly symbol: string;
  readonly indicator: Indicator;
  readonly index: number | undefined;
}

function LegendRow({ chart, symbol, indicator, index }: LegendRowProps) {
  const store = useChartStore();
  const { indicators } = pairChart(store, symbol);
  const choice = indicators.find(({ name }) => name === indicator.name);
  const values = legendValues(indicator, index);
  const { lines } = chart.getStyles().indicator;
  const { name } = indicator;
  const { popover, target } = usePopover(
    <ActionIcon variant="subtle" color="gray" size={BUTTON_PX} aria-label={t('Settings of {{name}}', { name })}>
      <IconSettings size={13} stroke={1.6} />
    </ActionIcon>,
  );
  if (!choice && values.length === 0) return null;
  return (
    <li className={classes.row}>
      <span className={classes.name}>{legendName(indicator)}</span>
      {values.map(({ title, line, text }) => (
        <span key={title} style={line === undefined ? undefined : { color: lines[line % lines.length]?.color }}>
          {title === name || values.length === 1 ? text : `${title} ${text}`}
        </span>
      ))}
      {choice && choice.params.length > 0 && (
        <Popover position="bottom-start" trapFocus withRoles {...popover}>
          <Popover.Target>{target}</Popover.Target>
          <Popover.Dropdown>
            <Suspense fallback={<Loading />}>
              <IndicatorParameters symbol={symbol} choice={choice} />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={BUTTON_PX}
        aria-label={t('Remove {{name}}', { name })}
        onClick={() =>
          choice ? store.setIndicators(symbol, toggleIndicator(indicators, name)) : store.setKind('candles')
        }
      >
        <IconX size={13} stroke={1.6} />
      </ActionIcon>
    </li>
  );
}
