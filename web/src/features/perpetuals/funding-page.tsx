/** Funding rates of all perpetuals, and those that a market has settled. */
import { fundingRates } from '@cambist/contract/futures.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { every } from '../../lib/away.ts';
import { decimal, divide, multiply, toText } from '../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatPercent } from '../../lib/format.ts';
import { countdown } from '../../lib/futures/countdown.ts';
import { inPercent } from '../../lib/futures/figures.ts';
import { msg, t } from '../../lib/i18n.ts';
import { terminalOf } from '../../lib/market/pairs.ts';
import { useNow } from '../../lib/use-now.ts';
import { type ListColumn, RowList } from '../../ui/card-list.tsx';
import { ValueLine } from '../../ui/line-drawing.tsx';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows, StaleBadge } from '../../ui/states.tsx';
import { Frame, type Perpetual, perpetualsQuery } from './frame.tsx';
import classes from './perpetuals.module.css';

const SECOND_MS = 1_000;
const RATE_DIGITS = 4;
const HISTORY_MS = 60_000;
const SHOWN = 100;
const ROWS = 10;
const DAY_PART_HOURS = 8;

const rateText = (rate: string) => formatPercent(inPercent(rate), RATE_DIGITS);
const price = (value: string | null) => (value === null ? '–' : formatDecimal(value, decimal(value).scale));

/** What a rate is for eight hours: markets of other intervals compare by it. */
export function inEightHours(rate: string, hours: number): string {
  const { scale } = decimal(rate);
  const eight = multiply(decimal(rate), { units: BigInt(DAY_PART_HOURS), scale: 0 });
  return toText(divide(eight, { units: BigInt(hours), scale: 0 }, scale, 'nearest') ?? eight);
}

function Countdown({ to }: { readonly to: number }) {
  return <span className={classes.figures}>{countdown(to - useNow(SECOND_MS))}</span>;
}

const columns = (chosen: string): readonly ListColumn<Perpetual>[] => [
  {
    id: 'pair',
    title: t('Pair'),
    card: 'head',
    cell: ({ pair_name: name }) => (
      <Link
        to={`/futures/funding?pair=${name}`}
        className={classes.choice ?? ''}
        aria-current={name === chosen || undefined}
        preventScrollReset
      >
        {name}
      </Link>
    ),
  },
  { id: 'rate', title: t('Rate now'), align: 'right', cell: ({ rate }) => (rate === null ? '–' : rateText(rate)) },
  {
    id: 'eight',
    title: t('For 8 hours'),
    align: 'right',
    cell: ({ rate, funding }) => (rate === null ? '–' : rateText(inEightHours(rate, funding.interval_hours))),
  },
  {
    id: 'next',
    title: t('Settled in'),
    align: 'right',
    cell: ({ next_funding_at: at }) => (at === null ? '–' : <Countdown to={at} />),
  },
  {
    id: 'interval',
    title: t('Interval', { context: 'funding' }),
    align: 'right',
    cell: ({ funding }) => t('{{hours}} h', { hours: funding.interval_hours }),
  },
  { id: 'mark', title: t('Mark price'), align: 'right', cell: (one) => price(one.mark_price) },
  { id: 'index', title: t('Index price'), align: 'right', cell: (one) => price(one.index_price) },
];

export function FundingPage() {
  const list = useQuery(perpetualsQuery);
  const [search] = useSearchParams();
  const all = list.data?.perpetuals ?? [];
  const chosen = all.find(({ pair_name: name }) => name === search.get('pair')) ?? all[0];
  return (
    <Frame title={t('Funding rates')} aside={list.isRefetchError && <StaleBadge />}>
      <p className={classes.text}>
        {t(
          'Longs and shorts pay each other so that a perpetual stays near its index: above zero longs pay shorts, below zero shorts pay longs. The exchange keeps none of it but what rounding leaves, which goes to the insurance fund.',
        )}
      </p>
      {list.isPending && <SkeletonRows rows={12} columns={6} />}
      {list.isLoadingError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && !chosen && <Empty title={t('No perpetual is listed.')} />}
      {chosen && (
        <>
          <section className={classes.section} aria-label={t('All perpetuals')}>
            <RowList
              label={t('All perpetuals')}
              columns={columns(chosen.pair_name)}
              rows={all}
              rowKey={({ pair_name: name }) => name}
            />
          </section>
          <History key={chosen.pair_name} perpetual={chosen} />
        </>
      )}
    </Frame>
  );
}

interface Settled {
  readonly time: number;
  readonly rate: string;
  readonly mark_price: string;
}

const historyColumns: readonly ListColumn<Settled>[] = [
  { id: 'time', title: msg('Time'), card: 'head', cell: ({ time }) => formatDateTime(time) },
  { id: 'rate', title: msg('Rate'), align: 'right', cell: ({ rate }) => rateText(rate) },
  { id: 'mark', title: msg('Mark price'), align: 'right', cell: (one) => price(one.mark_price) },
];

function History({ perpetual: { pair_name: symbol } }: { readonly perpetual: Perpetual }) {
  const rates = useQuery({
    queryKey: ['funding-history', symbol],
    queryFn: ({ signal }) => call(fundingRates, { query: { symbol, limit: SHOWN }, signal }),
    refetchInterval: every(HISTORY_MS),
  });
  const rows = rates.data?.history ?? [];
  const { rows: shown, ...pages } = usePages(rows, ROWS);
  const points = rows.map(({ time, rate: value }) => ({ time, value })).reverse();
  const title = t('Settled in {{pair}}', { pair: symbol });
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <Link to={terminalOf(symbol)} className={classes.link ?? ''}>
          {t('Trade')}
        </Link>
      </div>
      {rates.isPending && <SkeletonRows rows={6} columns={3} />}
      {rates.isLoadingError && <ErrorState error={rates.error} onRetry={() => void rates.refetch()} />}
      {rates.data && rows.length === 0 && <p className={classes.text}>{t('Nothing has been settled yet.')}</p>}
      {points.length > 1 && (
        <ValueLine
          label={t('Rate')}
          points={points}
          floor={Number.NEGATIVE_INFINITY}
          timeText={formatDateTime}
          valueText={rateText}
        />
      )}
      {rows.length > 0 && (
        <>
          <RowList label={title} columns={historyColumns} rows={shown} rowKey={({ time }) => String(time)} />
          <Pager page={pages.page} count={pages.count} onChange={pages.setPage} />
        </>
      )}
    </section>
  );
}
