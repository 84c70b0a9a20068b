/** Chart and coin profile in one place, with the timeframes above. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { businessStream, useStale } from '../../../lib/streams.ts';
import { Segments } from '../../../ui/panel.tsx';
import { Loading, StaleBadge } from '../../../ui/states.tsx';
import classes from './chart.module.css';
import { CoinOverview } from './coin-overview.tsx';
import { storedTimeframe, storeTimeframe, TIMEFRAMES, type Timeframe } from './timeframes.ts';

const PriceChart = lazy(() => import('./price-chart.tsx'));

const INDICATORS = ['VOL', 'MA', 'EMA', 'BOLL', 'MACD', 'RSI', 'KDJ'] as const;

const VIEWS = [
  { value: 'chart', label: 'Chart' },
  { value: 'overview', label: 'Overview' },
] as const;

interface ChartPanelProps {
  readonly pair: CoinPair;
  /** Where tabs elsewhere already choose the view. */
  readonly fixedView?: 'chart';
}

export function ChartPanel({ pair, fixedView }: ChartPanelProps) {
  const [view, setView] = useState<'chart' | 'overview'>('chart');
  const [timeframe, setTimeframe] = useState(storedTimeframe);
  const [indicators, setIndicators] = useState<readonly string[]>(['VOL']);
  const choose = (next: Timeframe) => {
    storeTimeframe(next);
    setTimeframe(next);
  };
  const shown = fixedView ?? view;
  const stale = useStale(businessStream);
  return (
    <section className={classes.panel} aria-label={t('Chart')}>
      <div className={classes.bar}>
        {!fixedView && <Segments label={t('View')} value={view} options={VIEWS} onChange={setView} />}
        {shown === 'chart' && (
          <>
            <Timeframes value={timeframe} onChange={choose} />
            <span className={classes.spacer} />
            {stale && <StaleBadge short />}
            <IndicatorMenu value={indicators} onChange={setIndicators} />
          </>
        )}
      </div>
      <div className={classes.content}>
        {shown === 'chart' ? (
          <Suspense fallback={<Loading />}>
            <PriceChart pair={pair} timeframe={timeframe} indicators={indicators} />
          </Suspense>
        ) : (
          <CoinOverview pair={pair} />
        )}
      </div>
    </section>
  );
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
    </fieldset>
  );
}

interface IndicatorMenuProps {
  readonly value: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

function IndicatorMenu({ value, onChange }: IndicatorMenuProps) {
  const toggle = (name: string) =>
    onChange(value.includes(name) ? value.filter((entry) => entry !== name) : [...value, name]);
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className={classes.indicators}>
          {t('Indicators')}
          <IconChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {INDICATORS.map((name) => (
          <Menu.Item
            key={name}
            onClick={() => toggle(name)}
            rightSection={value.includes(name) ? <IconCheck size={14} aria-label={t('Shown')} /> : null}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
