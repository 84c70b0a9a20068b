/** Every fill, gathered by its order, and every alert that has triggered: the permanent lists under Notifications. */
import { triggeredAlerts } from '@cambist/contract/alerts.ts';
import { tradeHistories } from '@cambist/contract/histories.ts';
import { markListRead, type ReadList, readMarks } from '@cambist/contract/notifications.ts';
import type { Fill } from '@cambist/contract/trading.ts';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../lib/api-client.ts';
import { convertedWords } from '../../lib/conversion.ts';
import { decimal } from '../../lib/decimal.ts';
import { formatDateTime, formatExact, localizeNumber } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import type { Moment } from '../../lib/moments.ts';
import { readUpTo } from '../../lib/queries/held.ts';
import { NOTIFICATIONS_KEY } from '../../lib/queries/notifications.ts';
import { privateStream } from '../../lib/streams.ts';
import { IconBell } from '../../ui/first-icons.ts';
import { IconArrowsExchange } from '../../ui/icons.ts';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { filledOrders } from './filled-orders.ts';
import classes from './notifications-page.module.css';

const PAGE = 100;
const MARKS_KEY = [...NOTIFICATIONS_KEY, 'marks'] as const;

interface Entry {
  /** By which it is read or not. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly time: number;
}

export const marksQuery = {
  queryKey: MARKS_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(readMarks, { signal }),
};

/** Pages of a list, newest first, read again when the stream says that there is more. */
function usePagesOf<Row extends { readonly id: string }>(
  list: ReadList,
  read: (before: string | undefined, signal: AbortSignal) => Promise<readonly Row[]>,
) {
  const queries = useQueryClient();
  const key = [...NOTIFICATIONS_KEY, list];
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
  });
  useEffect(() => {
    const readFor = (moment: Moment) => void readUpTo(queries, [...NOTIFICATIONS_KEY, list], moment);
    return privateStream.subscribe({ channel: list }, { onPush: ({ moment }) => readFor(moment), onReset: readFor });
  }, [queries, list]);
  return { ...pages, rows: pages.data?.pages.flat() };
}

export function useFills() {
  return usePagesOf<Fill>(
    'fills',
    async (before, signal) =>
      (await call(tradeHistories, { query: { market: 'all', limit: PAGE, ...(before ? { before } : {}) }, signal }))
        .trades,
  );
}

export function useTriggerings() {
  return usePagesOf(
    'alerts',
    async (before, signal) =>
      (await call(triggeredAlerts, { query: { limit: PAGE, ...(before ? { before } : {}) }, signal })).triggerings,
  );
}

/** What was unread when the list was opened stays marked as new until it is left; the server knows it as read. */
function useReading(list: ReadList, newest: string | undefined): string | undefined {
  const queries = useQueryClient();
  const { data } = useQuery(marksQuery);
  const [before, setBefore] = useState<string>();
  const mark = data?.marks[list];
  if (before === undefined && mark !== undefined) setBefore(mark);
  const isBehind = mark !== undefined && newest !== undefined && Number(newest) > Number(mark);
  useEffect(() => {
    if (!isBehind || newest === undefined) return;
    call(markListRead, { body: { list, id: newest } })
      .then(({ marks }) => queries.setQueryData(MARKS_KEY, { marks }))
      .catch((error: unknown) => console.error('A list could not be marked read', error));
  }, [isBehind, newest, list, queries]);
  return before;
}

interface EntriesProps {
  readonly list: ReadList;
  readonly pages: {
    readonly isError: boolean;
    readonly error: unknown;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly refetch: () => unknown;
    readonly fetchNextPage: () => unknown;
  };
  readonly newest: string | undefined;
  readonly entries: readonly Entry[] | undefined;
  readonly icon: ReactNode;
  readonly empty: string;
}

function Entries({ list, pages, newest, entries, icon, empty }: EntriesProps) {
  const readTo = useReading(list, newest);
  if (entries === undefined) {
    return pages.isError ? (
      <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
    ) : (
      <SkeletonRows rows={6} columns={2} />
    );
  }
  if (entries.length === 0) return <Empty title={empty} />;
  return (
    <>
      <ul className={classes.list}>
        {entries.map(({ id, title, body, time }) => (
          <li key={id} className={classes.item}>
            {icon}
            <div className={classes.words}>
              <h2 className={classes.title}>
                {title}{' '}
                {readTo !== undefined && Number(id) > Number(readTo) && (
                  <span className={classes.fresh}>{t('New')}</span>
                )}
              </h2>
              <p className={classes.body}>{body}</p>
            </div>
            <time className={classes.time} dateTime={new Date(time).toISOString()}>
              {formatDateTime(time)}
            </time>
          </li>
        ))}
      </ul>
      {pages.hasNextPage && (
        <Button variant="default" mt="md" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t('Show older')}
        </Button>
      )}
    </>
  );
}

export function FillList() {
  const { rows, ...pages } = useFills();
  const entries = rows && filledOrders(rows).map(fillEntry);
  return (
    <Entries
      list="fills"
      pages={pages}
      newest={rows?.[0]?.id}
      entries={entries}
      icon={<IconArrowsExchange size={20} stroke={1.6} aria-hidden className={classes.icon} />}
      empty={t('No fills yet. They appear here when your orders trade.')}
    />
  );
}

function fillEntry(filled: ReturnType<typeof filledOrders>[number]): Entry {
  const { pair, side, amount, price, fee, feeCoin, id, time } = filled;
  const values = { amount: formatExact(decimal(amount)), coin: pair.split('-')[0] ?? '', price: localizeNumber(price) };
  const traded = () =>
    side === 'BUY'
      ? t('Bought {{amount}} {{coin}} at {{price}}', values)
      : t('Sold {{amount}} {{coin}} at {{price}}', values);
  const converted = { filled: amount, average_price: price, fee, delegate_type: side, coin_pair: { pair_name: pair } };
  const title = filled.isConversion ? t('Converted {{from}} to {{to}}', { ...convertedWords(converted) }) : traded();
  const body = t('{{pair}} · Order {{order}} · Fee {{fee}}', {
    ...{ pair, order: filled.order, fee: `${formatExact(decimal(fee))} ${feeCoin}` },
  });
  return { id, title, body, time };
}

export function AlertList() {
  const { rows, ...pages } = useTriggerings();
  const entries = rows?.map(
    (one): Entry => ({
      id: one.id,
      title: t('{{pair}} is at {{price}}', { pair: one.symbol, price: localizeNumber(one.triggered_price) }),
      body: one.note || t('Price alert'),
      time: one.triggered_at,
    }),
  );
  return (
    <Entries
      list="alerts"
      pages={pages}
      newest={rows?.[0]?.id}
      entries={entries}
      icon={<IconBell size={20} stroke={1.6} aria-hidden className={classes.icon} />}
      empty={t('No alerts have triggered yet. Set one on the terminal.')}
    />
  );
}
