/** How the prices are drawn: kind, scale and another pair beside them. Loaded at the first use of its button. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { NativeSelect, Popover } from '@mantine/core';
import { msg, t } from '../../../lib/i18n.ts';
import { usePairs } from '../../../lib/market/pairs.ts';
import type { OnDemandMenuProps } from '../../../ui/on-demand.tsx';
import { usePopover } from '../../../ui/use-floating.ts';
import { useTerminal } from '../terminal.ts';
import { sourceLabel } from '../ticket/triggers.ts';
import classes from './chart.module.css';
import { CHART_KINDS, CHART_PRICES, type ChartKind, useChartStore } from './chart-store.ts';

const KINDS: Readonly<Record<ChartKind, string>> = {
  candles: msg('Candles'),
  hollow: msg('Hollow candles'),
  line: msg('Line'),
  'heikin-ashi': msg('Heikin-Ashi'),
};

interface ChartSettingsProps {
  readonly pair: CoinPair;
}

export function ChartSettings({ pair, trigger }: ChartSettingsProps & OnDemandMenuProps) {
  const { popover, target } = usePopover(trigger);
  return (
    <Popover position="bottom-end" width={220} trapFocus withRoles {...popover}>
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown className={classes.looks ?? ''}>
        <Choices pair={pair} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ pair }: ChartSettingsProps) {
  const { market } = useTerminal();
  const { kind, price, logarithmic, compared, setKind, setPrice, setLogarithmic, compare } = useChartStore();
  const symbol = pair.pair_name;
  const other = compared[symbol];
  const others = (usePairs().data ?? []).map((entry) => entry.pair_name).filter((name) => name !== symbol);
  return (
    <>
      {market === 'futures' && (
        <NativeSelect
          size="xs"
          label={t('Price')}
          value={price}
          data={CHART_PRICES.map((value) => ({ value, label: sourceLabel(value) }))}
          onChange={({ currentTarget }) =>
            setPrice(CHART_PRICES.find((entry) => entry === currentTarget.value) ?? price)
          }
        />
      )}
      <NativeSelect
        size="xs"
        label={t('Chart type')}
        value={kind}
        data={CHART_KINDS.map((value) => ({ value, label: t(KINDS[value]) }))}
        onChange={({ currentTarget }) => setKind(CHART_KINDS.find((entry) => entry === currentTarget.value) ?? kind)}
      />
      <NativeSelect
        size="xs"
        label={t('Scale')}
        disabled={other !== undefined}
        value={other !== undefined ? 'percent' : logarithmic ? 'logarithmic' : 'linear'}
        data={[
          { value: 'linear', label: t('Linear') },
          { value: 'logarithmic', label: t('Logarithmic') },
          ...(other === undefined ? [] : [{ value: 'percent', label: t('Percent') }]),
        ]}
        onChange={({ currentTarget }) => setLogarithmic(currentTarget.value === 'logarithmic')}
      />
      <NativeSelect
        size="xs"
        label={t('Compare with')}
        value={other ?? ''}
        data={[{ value: '', label: t('Nothing') }, ...others]}
        onChange={({ currentTarget }) => compare(symbol, currentTarget.value || undefined)}
      />
    </>
  );
}
