/** The history as a CSV file, with how much of it has come, and a way to stop it. */
import { orderHistoryFile, tradeHistoryFile } from '@cambist/contract/histories.ts';
import { Button } from '@mantine/core';
import { messageOf } from '../../../lib/api-problem.ts';
import { isBackwards } from '../../../lib/date-span.ts';
import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import type { MarketKind } from '../../../lib/market/pairs.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { type SavingOptions, useSaving } from '../../../lib/use-saving.ts';
import { noticeError } from '../notices.ts';
import { useTerminal } from '../terminal.ts';
import { type HistoryFilter, ordersQuery, tradesQuery } from './history-filter.ts';
import classes from './orders.module.css';

interface ExportProps {
  readonly list: 'orders' | 'trades';
  readonly filter: HistoryFilter;
}

interface Saved extends ExportProps {
  readonly market: MarketKind;
}

const BYTES_PER_MB = 1_000_000;

function save({ list, filter, market }: Saved, options: SavingOptions): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const saving = { ...options, fileName: `cambist-${list}-${day}.csv` };
  if (list === 'orders') return saveFile(orderHistoryFile, { ...saving, query: { market, ...ordersQuery(filter) } });
  return saveFile(tradeHistoryFile, { ...saving, query: { market, ...tradesQuery(filter) } });
}

export function ExportButton(props: ExportProps) {
  const { market } = useTerminal();
  return <FileButton isOff={isBackwards(props.filter)} save={(options) => save({ ...props, market }, options)} />;
}

interface FileButtonProps {
  readonly isOff?: boolean;
  readonly save: (options: SavingOptions) => Promise<void>;
}

export function FileButton({ isOff = false, save: begin }: FileButtonProps) {
  const { bytes, begin: start, stop } = useSaving(begin, (error) => noticeError(t('Not exported'), messageOf(error)));
  if (bytes === undefined) {
    return (
      <Button size="compact-xs" variant="default" disabled={isOff} onClick={() => void start()}>
        {t('Export CSV')}
      </Button>
    );
  }
  const megabytes = formatDecimal((bytes / BYTES_PER_MB).toFixed(1), 1);
  return (
    <span className={classes.exporting}>
      <span role="status">{t('Exporting: {{size}} MB', { size: megabytes })}</span>
      <Button size="compact-xs" variant="default" onClick={stop}>
        {t('Cancel export')}
      </Button>
    </span>
  );
}
