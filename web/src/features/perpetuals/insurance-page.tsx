/** What the insurance fund has, and had at the end of each day. */
import { insuranceFund } from '@cambist/contract/futures.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api-client.ts';
import { every } from '../../lib/away.ts';
import { decimal, subtract, toText } from '../../lib/decimal.ts';
import { formatDay, formatDecimal, formatSigned } from '../../lib/format.ts';
import { msg, t } from '../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../ui/card-list.tsx';
import { ValueLine } from '../../ui/line-drawing.tsx';
import { Pager, usePages } from '../../ui/pager.tsx';
import { ErrorState, SkeletonRows, StaleBadge } from '../../ui/states.tsx';
import { Frame } from './frame.tsx';
import classes from './perpetuals.module.css';

const POLL_MS = 15_000;
const DIGITS = 2;
const ROWS = 10;

interface Day {
  readonly time: number;
  readonly balance: string;
  /** To the day before that changed; undefined for the first one. */
  readonly change: string | undefined;
}

const columns: readonly ListColumn<Day>[] = [
  { id: 'day', title: msg('Day (UTC)'), card: 'head', cell: ({ time }) => formatDay(time) },
  {
    id: 'balance',
    title: msg('Balance (USDT)'),
    align: 'right',
    cell: ({ balance }) => formatDecimal(balance, DIGITS),
  },
  {
    id: 'change',
    title: msg('Change (USDT)'),
    align: 'right',
    cell: ({ change }) => (change === undefined ? '–' : formatSigned(change, DIGITS)),
  },
];

/** @param days newest first */
export function withChanges(days: readonly Omit<Day, 'change'>[]): Day[] {
  return days.map(({ time, balance }, index) => {
    const before = days[index + 1];
    const change = before && toText(subtract(decimal(balance), decimal(before.balance)));
    return { time, balance, change };
  });
}

export function InsurancePage() {
  const fund = useQuery({
    queryKey: ['insurance-fund'],
    queryFn: ({ signal }) => call(insuranceFund, { signal }),
    refetchInterval: every(POLL_MS),
  });
  const days = withChanges(fund.data?.days ?? []);
  const { rows, ...pages } = usePages(days, ROWS);
  const points = days.map(({ time, balance: value }) => ({ time, value })).reverse();
  return (
    <Frame title={t('Insurance fund')} aside={fund.isRefetchError && <StaleBadge />}>
      <p className={classes.text}>
        {t(
          'It pays where a liquidated position can only be closed at a price that leaves a debt, and receives what rounding leaves of funding. Winning positions of the other side are closed only for what no order takes even so.',
        )}
      </p>
      {fund.isPending && <SkeletonRows rows={8} columns={3} />}
      {fund.isLoadingError && <ErrorState error={fund.error} onRetry={() => void fund.refetch()} />}
      {fund.data && (
        <>
          <section className={classes.section} aria-label={t('Balance now')}>
            <p className={classes.big}>
              {formatDecimal(fund.data.balance, DIGITS)} {fund.data.coin}
            </p>
            {points.length > 1 && (
              <ValueLine
                label={t('Balance (USDT)')}
                points={points}
                floor={0}
                timeText={formatDay}
                dayText={formatDay}
                valueText={(value) => formatDecimal(value, DIGITS)}
              />
            )}
          </section>
          <section className={classes.section} aria-label={t('By day')}>
            <h2 className={classes.title}>{t('By day')}</h2>
            {days.length === 0 ? (
              <p className={classes.text}>{t('The fund has not changed yet.')}</p>
            ) : (
              <>
                <RowList label={t('By day')} columns={columns} rows={rows} rowKey={({ time }) => String(time)} />
                <Pager page={pages.page} count={pages.count} onChange={pages.setPage} />
                <p className={classes.note}>{t('Days without a change are left out.')}</p>
              </>
            )}
          </section>
        </>
      )}
    </Frame>
  );
}
