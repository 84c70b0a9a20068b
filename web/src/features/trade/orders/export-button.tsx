/** The history as a CSV file, with how much of it has come, and a way to stop it. */
import { orderHistoryFile, tradeHistoryFile } from '@cambist/contract/histories.ts';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../lib/api-problem.ts';
import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { noticeError } from '../notices.ts';
import { type HistoryFilter, isBackwards, ordersQuery, tradesQuery } from './history-filter.ts';
import classes from './orders.module.css';

interface ExportProps {
  readonly list: 'orders' | 'trades';
  readonly filter: HistoryFilter;
}

const BYTES_PER_MB = 1_000_000;
/** So often is a figure that grows worth drawing again. */
const STEP_BYTES = 100_000;

function useExport({ list, filter }: ExportProps) {
  /** Bytes so far; undefined while nothing is being exported. */
  const [bytes, setBytes] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function begin(): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setBytes(0);
    const onProgress = (now: number) =>
      setBytes((shown = 0) => (now - shown >= STEP_BYTES || shown === 0 ? now : shown));
    const day = new Date().toISOString().slice(0, 10);
    const saving = { fileName: `cambist-${list}-${day}.csv`, signal: stop.signal, onProgress };
    try {
      if (list === 'orders') await saveFile(orderHistoryFile, { ...saving, query: ordersQuery(filter) });
      else await saveFile(tradeHistoryFile, { ...saving, query: tradesQuery(filter) });
    } catch (error) {
      if (!stop.signal.aborted) noticeError(t('Not exported'), messageOf(error));
    }
    setBytes(undefined);
  }

  return { bytes, begin, stop: () => running.current?.abort() };
}

export function ExportButton(props: ExportProps) {
  const { bytes, begin, stop } = useExport(props);
  if (bytes === undefined) {
    return (
      <Button size="compact-xs" variant="default" disabled={isBackwards(props.filter)} onClick={() => void begin()}>
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
