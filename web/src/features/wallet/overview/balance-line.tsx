/** What everything was worth at the end of each day: a line for the eye, and the same as a table for the ear. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { balanceHistory } from '@cambist/contract/wallets.ts';
import { SegmentedControl } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { pacedMs } from '../../../lib/away.ts';
import { changePercent, decimal, subtract } from '../../../lib/decimal.ts';
import { formatDay, formatDecimal, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { overviewQuery } from '../../../lib/queries/account.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { LineDrawing, LineEnds } from '../../../ui/line-drawing.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { Private } from '../hide-button.tsx';
import classes from './balance-line.module.css';
import cardClasses from './overview.module.css';

const RANGES = ['7', '30', '90'] as const;
type Range = (typeof RANGES)[number];

/** Days that are over do not change, and the current one follows the total. */
const FALLBACK_MS = 60_000;
/** While a long history is being read. */
const READING_MS = 1_500;

type Point = AnswerOf<typeof balanceHistory>['points'][number];

const historyQuery = (days: Range) =>
  queryOptions({
    queryKey: [...accountKeys.balanceHistory, days],
    queryFn: ({ signal }) => call(balanceHistory, { query: { days }, signal }),
    refetchInterval: ({ state }) => (state.data?.complete === false ? pacedMs(READING_MS) : pacedMs(FALLBACK_MS)),
    placeholderData: (before) => before,
  });

export function BalanceLine() {
  const [range, setRange] = useState<Range>('30');
  const history = useQuery(historyQuery(range));
  const total = useQuery(overviewQuery).data?.overviewTotal;
  const title = t('Estimated Balance');
  const kept = history.data?.points ?? [];
  const points = kept.map((point, index) =>
    index === kept.length - 1 && total !== undefined ? { ...point, value: total } : point,
  );
  return (
    <section className={`${cardClasses.card} ${classes.card}`} aria-label={title}>
      <div className={classes.head}>
        <h2 className={cardClasses.title}>{title}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t('Days shown')}
          data={RANGES.map((days) => ({ value: days, label: `${days}D` }))}
          value={range}
          onChange={(days) => setRange(days as Range)}
        />
      </div>
      {history.isError && !history.data && <ErrorState error={history.error} onRetry={() => void history.refetch()} />}
      {history.data?.complete === false && <p className={classes.note}>{t('Being worked out from your history')}</p>}
      {points.length === 0 && !history.isError && <div className={classes.bone} />}
      {points.length > 0 && <Chart label={title} points={points} />}
      <Gaps points={points} leftOut={history.data?.left_out ?? []} />
    </section>
  );
}

function Chart({ label, points }: { readonly label: string; readonly points: readonly Point[] }) {
  const [pointed, setPointed] = useState<number>();
  const values = points.map(({ value }) => (value === null ? undefined : Number(value)));
  return (
    <>
      <Reading point={points[pointed ?? points.length - 1]!} first={points.find(({ value }) => value !== null)} />
      <LineDrawing values={values} floor={0} pointed={pointed} onPoint={setPointed} />
      <LineEnds from={points[0]!.time} to={points.at(-1)!.time} dayText={formatDay} />
      <Days label={label} points={points} />
    </>
  );
}

/** The day that is pointed at, or the current one, and how it differs from the first. */
function Reading({ point, first }: { readonly point: Point; readonly first: Point | undefined }) {
  const value = point.value === null ? undefined : decimal(point.value);
  const change = value && first?.value ? subtract(value, decimal(first.value)) : undefined;
  const percent = value && first?.value ? changePercent(decimal(first.value), value) : undefined;
  const tone = !change || change.units === 0n ? '' : change.units > 0n ? classes.up : classes.down;
  return (
    <p className={classes.reading}>
      <span className={classes.value}>
        {value === undefined ? '–' : <Private>{formatDecimal(value, 2)} USDT</Private>}
      </span>
      {percent && <span className={tone}>{formatPercent(percent)}</span>}
      <span className={classes.day}>{formatDay(point.time)}</span>
    </p>
  );
}

function Days({ label, points }: { readonly label: string; readonly points: readonly Point[] }) {
  return (
    <table className="visually-hidden" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t('Date')}</th>
          <th scope="col">{t('Value (USDT)')}</th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ time, value, unpriced }) => (
          <tr key={time}>
            <th scope="row">{formatDay(time)}</th>
            <td>
              {value === null ? (
                t('No price for {{coins}}', { coins: unpriced.join(', ') })
              ) : (
                <Private>{formatDecimal(value, 2)}</Private>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why a part of the line is missing, and which coins are in none of it. */
function Gaps({ points, leftOut }: { readonly points: readonly Point[]; readonly leftOut: readonly string[] }) {
  const unpriced = [...new Set(points.flatMap((point) => (point.value === null ? point.unpriced : [])))];
  if (unpriced.length === 0 && leftOut.length === 0) return null;
  return (
    <p className={classes.note}>
      {unpriced.length > 0 &&
        t('The line has a gap where a coin you held had no price: {{coins}}.', { coins: unpriced.join(', ') })}{' '}
      {leftOut.length > 0 && t('Not counted, because no market prices it: {{coins}}.', { coins: leftOut.join(', ') })}
    </p>
  );
}
