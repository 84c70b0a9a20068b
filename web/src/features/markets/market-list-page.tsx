/** The market lists: one screen, told which list it shows. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { compare, decimal } from '../../lib/decimal.ts';
import { msg, t } from '../../lib/i18n.ts';
import { type PairList, searchPairs, terminalOf, usePairList } from '../../lib/market/pairs.ts';
import { signInPath } from '../../lib/return-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { publicStream, useStale } from '../../lib/streams.ts';
import { useTitle } from '../../lib/use-title.ts';
import { type Column, DenseTable, TALL_ROW_PX, useSorting } from '../../ui/dense-table.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager, usePages } from '../../ui/pager.tsx';
import { useRowWindow } from '../../ui/row-window.ts';
import { Select } from '../../ui/select.tsx';
import { Empty, ErrorState, SkeletonRows, StaleBadge } from '../../ui/states.tsx';
import classes from './market-list-page.module.css';
import { MarketSearch } from './market-search.tsx';
import { MarketTabs } from './market-tabs.tsx';
import { PairChange, PairDay, PairName, PairPrice, PairVolume, Star, StarScope } from './pair-cells.tsx';

/** Where a card is easier to read and to touch than a row. */
const CARDS_BELOW = '(width < 35em)';
const EVERYTHING = 'all';

const byDecimal = (value: (pair: CoinPair) => string | null) => (left: CoinPair, right: CoinPair) =>
  compare(decimal(value(left)), decimal(value(right)));

const STAR: Column<CoinPair> = {
  id: 'star',
  title: <HiddenText text={msg('Favorite')} />,
  width: '2.75rem',
  cell: (pair) => <Star pair={pair} />,
};

const COLUMNS: readonly Column<CoinPair>[] = [
  {
    id: 'name',
    title: msg('Name'),
    cell: (pair) => <PairName pair={pair} />,
    compare: (left, right) => left.coin.localeCompare(right.coin),
  },
  {
    id: 'price',
    title: msg('Price'),
    align: 'right',
    cell: (pair) => <PairPrice pair={pair} />,
    compare: byDecimal((pair) => pair.close),
  },
  {
    id: 'change',
    title: msg('24h Change'),
    align: 'right',
    cell: (pair) => <PairChange pair={pair} />,
    compare: byDecimal((pair) => pair.increase_in_value),
  },
  { id: 'day', title: msg('Last 24 h'), align: 'right', wideOnly: true, cell: (pair) => <PairDay pair={pair} /> },
];

const VOLUME: Column<CoinPair> = {
  id: 'volume',
  title: msg('24h Volume (USDT)'),
  align: 'right',
  wideOnly: true,
  cell: (pair) => <PairVolume pair={pair} />,
  compare: byDecimal((pair) => pair.volume_quote),
};

/** The lists in which a star is set. */
const STARRED: ReadonlySet<PairList> = new Set(['all', 'perpetuals', 'favorites']);

const LISTS = {
  all: { title: msg('All'), rows: 30, columns: [STAR, ...COLUMNS, VOLUME] },
  perpetuals: { title: msg('Perpetuals'), rows: 30, columns: [STAR, ...COLUMNS, VOLUME] },
  favorites: { title: msg('Favorites'), rows: 30, columns: [STAR, ...COLUMNS, VOLUME] },
  pos: { title: msg('POS'), rows: 30, columns: [...COLUMNS, VOLUME] },
  pow: { title: msg('POW'), rows: 30, columns: [...COLUMNS, VOLUME] },
  innovation: { title: msg('Innovation'), rows: 5, columns: COLUMNS },
} as const satisfies Partial<Record<PairList, unknown>>;

type ListName = keyof typeof LISTS;

export const marketListPages = {
  prices: () => <MarketListPage list="all" />,
  perpetuals: () => <MarketListPage list="perpetuals" />,
  favorites: () => <MarketListPage list="favorites" />,
  pos: () => <MarketListPage list="pos" />,
  pow: () => <MarketListPage list="pow" />,
  innovation: () => <MarketListPage list="innovation" />,
} as const;

function MarketListPage({ list }: { readonly list: ListName }) {
  useTitle(`${t('Markets')}: ${t(LISTS[list].title)}`);
  const stale = useStale(publicStream);
  const [search, setSearch] = useState('');
  const [size, setSize] = useState(String(LISTS[list].rows));
  return (
    <Page
      title={t('Markets')}
      actions={
        <>
          {stale && <StaleBadge />}
          <MarketSearch value={search} onChange={setSearch} />
          <Select
            aria-label={t('Rows per page')}
            w={110}
            data={['5', '30']
              .map((rows) => ({ value: rows, label: t('{{rows}} rows', { rows }) }))
              .concat({
                value: EVERYTHING,
                label: t('Everything'),
              })}
            value={size}
            allowDeselect={false}
            onChange={(value) => setSize(value ?? EVERYTHING)}
          />
        </>
      }
    >
      <MarketTabs />
      <Rows
        key={list}
        list={list}
        search={search}
        size={size === EVERYTHING ? Number.POSITIVE_INFINITY : Number(size)}
      />
    </Page>
  );
}

interface RowsProps {
  readonly list: ListName;
  readonly search: string;
  readonly size: number;
}

function Rows({ list, search, size }: RowsProps) {
  const pairs = usePairList(list);
  const narrow = useMediaQuery(CARDS_BELOW) ?? false;
  const navigate = useNavigate();
  const open = useCallback((pair: CoinPair) => void navigate(terminalOf(pair.pair_name)), [navigate]);
  const signedIn = useSignedIn();
  const columns: readonly Column<CoinPair>[] = LISTS[list].columns;
  const sorted = useSorting(searchPairs(pairs.data ?? [], search), columns);
  const { rows, page, count, setPage } = usePages(sorted.rows, size);
  const enabled = size === Number.POSITIVE_INFINITY && !narrow;
  const view = useRowWindow<HTMLTableElement>({
    rows: rows.length,
    rowPx: TALL_ROW_PX,
    spare: 6,
    scroller: 'page',
    enabled,
  });
  if (pairs.isLoading) return <SkeletonRows rows={LISTS[list].rows} columns={5} />;
  // Rows that are here stay when a later reading fails; the next one puts it right.
  if (pairs.isError && !pairs.data) {
    const title = t('The list of markets could not be loaded.');
    return <ErrorState error={pairs.error} title={title} onRetry={() => void pairs.refetch()} />;
  }
  if (rows.length === 0) return <NoRecords list={list} signedIn={signedIn} />;
  return (
    <StarScope>
      {narrow ? (
        <ul className={classes.cards} aria-label={t(LISTS[list].title)}>
          {rows.map((pair) => (
            <PairCard key={pair.pair_name} pair={pair} starred={STARRED.has(list)} />
          ))}
        </ul>
      ) : (
        <DenseTable
          tall
          label={t(LISTS[list].title)}
          columns={columns}
          rows={rows}
          rowKey={(pair) => pair.pair_name}
          onRowClick={open}
          sorting={sorted.sorting}
          onSort={sorted.onSort}
          view={view}
        />
      )}
      <Pager page={page} count={count} onChange={setPage} />
    </StarScope>
  );
}

function PairCard({ pair, starred }: { readonly pair: CoinPair; readonly starred: boolean }) {
  return (
    <li className={classes.card}>
      {starred && <Star pair={pair} />}
      <PairName pair={pair} />
      <span className={classes.figures}>
        <PairPrice pair={pair} />
        <PairChange pair={pair} />
      </span>
    </li>
  );
}

/** Favourites have to be chosen first; in every other list there is simply nothing by that name. */
function NoRecords({ list, signedIn }: { readonly list: ListName; readonly signedIn: boolean }) {
  const to = list !== 'favorites' || signedIn ? '/wallet/simple_earn' : signInPath('/markets/favorites');
  return (
    <Empty
      title={t('No Records Found')}
      action={
        <Button component={Link} to={to} variant="default">
          {t('Subscribe Now')}
        </Button>
      }
    />
  );
}
