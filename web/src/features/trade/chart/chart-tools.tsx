/** The buttons above the chart: how it is drawn, what lies over it, its picture and its size. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon } from '@mantine/core';
import type { Chart } from 'klinecharts';
import { Suspense, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { IconPencil } from '../../../ui/icons.ts';
import { OnDemand } from '../../../ui/on-demand.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconCamera,
  IconChartCandle,
  IconMathFunction,
  IconTimeline,
} from '../icons.ts';
import { useTerminal } from '../terminal.ts';
import { ToolButton } from '../tool-button.tsx';
import classes from './chart.module.css';
import { isPlain, useChartStore } from './chart-store.ts';
import { savePicture } from './save-picture.ts';

const IndicatorDialog = lazyPart(() => import('./indicator-dialog.tsx'), 'over');
const loadSettings = async () => (await import('./chart-settings.tsx')).ChartSettings;

const TOOL_PX = 26;

interface ChartToolsProps {
  readonly chart: Chart | undefined;
  readonly pair: CoinPair;
  readonly full: boolean;
  readonly onFull: (full: boolean) => void;
}

export function ChartTools({ chart, pair, full, onFull }: ChartToolsProps) {
  const [choosing, setChoosing] = useState(false);
  const signedIn = useSignedIn();
  const { showTools, showOrders, setShowTools, setShowOrders } = useChartStore();
  return (
    <div className={classes.chartTools}>
      <Looks pair={pair} />
      <ToolButton size={TOOL_PX} label={t('Indicators')} Icon={IconMathFunction} onClick={() => setChoosing(true)} />
      <ToolButton
        size={TOOL_PX}
        label={t('Drawing tools')}
        Icon={IconPencil}
        pressed={showTools}
        onClick={() => setShowTools(!showTools)}
      />
      {signedIn && (
        <ToolButton
          size={TOOL_PX}
          label={t('Show my orders')}
          Icon={IconTimeline}
          pressed={showOrders}
          onClick={() => setShowOrders(!showOrders)}
        />
      )}
      <ToolButton
        size={TOOL_PX}
        label={t('Save as image')}
        Icon={IconCamera}
        onClick={() => chart && savePicture(chart, pair.pair_name)}
      />
      <ToolButton
        size={TOOL_PX}
        label={full ? t('Exit full screen') : t('Full screen')}
        Icon={full ? IconArrowsMinimize : IconArrowsMaximize}
        onClick={() => onFull(!full)}
      />
      {choosing && (
        <Suspense fallback={null}>
          <IndicatorDialog symbol={pair.pair_name} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Looks({ pair }: { readonly pair: CoinPair }) {
  const { market } = useTerminal();
  const plain = useChartStore(
    (store) => isPlain(store, pair.pair_name) && (market !== 'futures' || store.price === 'last'),
  );
  return (
    <OnDemand
      load={loadSettings}
      given={{ pair }}
      trigger={
        <ActionIcon
          variant="subtle"
          color={plain ? 'gray' : 'accent'}
          size={TOOL_PX}
          aria-label={t('Chart type and scale')}
          title={t('Chart type and scale')}
        >
          <IconChartCandle size={16} stroke={1.6} />
        </ActionIcon>
      }
    />
  );
}
