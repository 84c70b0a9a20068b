import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconSearch, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatCompact } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { dollarScale, searchPairs, usePairFigures, usePairs, useToggleFavorite } from '../../lib/market/pairs.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { Change, directionOf, Price } from '../../ui/figures.tsx';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './markets-page.module.css';

const PAGE_SIZE = 30;

const columns: readonly Column<CoinPair>[] = [
  { id: 'name', title: 'Name', cell: (pair) => <Name pair={pair} /> },
  { id: 'price', title: 'Price', align: 'right', cell: (pair) => <LivePrice pair={pair} /> },
  { id: 'change', title: '24h Change', align: 'right', cell: (pair) => <LiveChange pair={pair} /> },
  {
    id: 'volume',
    title: '24h Volume (USDT)',
    align: 'right',
    wideOnly: true,
    cell: (pair) => formatCompact(pair.volume_quote),
  },
  {
    id: 'day',
    title: 'Last 24 h',
    align: 'right',
    wideOnly: true,
    cell: (pair) => <Sparkline points={pair.sparkline} up={directionOf(pair.increase_in_value) !== 'down'} />,
  },
  {
    id: 'trade',
    title: <span className="visually-hidden">{t('Trade')}</span>,
    align: 'right',
    wideOnly: true,
    cell: (pair) => (
      <Button component={Link} to={`/trades/spot/${pair.coin}`} size="compact-sm" variant="default">
        {t('Trade')}
      </Button>
    ),
  },
];

export function MarketsPage() {
  useTitle(t('Markets'));
  const navigate = useNavigate();
  const pairs = usePairs();
  const [search, setSearch] = useState('');
  const found = searchPairs(pairs.data ?? [], search);
  const { rows, page, count, setPage } = usePages(found, PAGE_SIZE);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1 className={classes.title}>{t('Markets')}</h1>
        <TextInput
          aria-label={t('Search markets')}
          placeholder={t('Search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </header>
      <div className={classes.list}>
        {pairs.isPending && <SkeletonRows rows={PAGE_SIZE / 2} columns={5} />}
        {pairs.isError && <ErrorState error={pairs.error} onRetry={() => void pairs.refetch()} />}
        {pairs.data && found.length === 0 && <Empty title={t('No Records Found')} />}
        {found.length > 0 && (
          <DenseTable
            tall
            label={t('Markets')}
            columns={columns}
            rows={rows}
            rowKey={(pair) => pair.pair_name}
            onRowClick={(pair) => void navigate(`/trades/spot/${pair.coin}`)}
          />
        )}
      </div>
      <Pager page={page} count={count} onChange={setPage} />
    </div>
  );
}

function Name({ pair }: { readonly pair: CoinPair }) {
  const signedIn = useSignedIn();
  const toggle = useToggleFavorite();
  const starred = pair.favorite !== '';
  const Star = starred ? IconStarFilled : IconStar;
  return (
    <span className={classes.name}>
      {signedIn && (
        <ActionIcon
          variant="transparent"
          size={24}
          className={starred ? classes.starred : classes.star}
          aria-label={`Favorite ${pair.pair_name}`}
          aria-pressed={starred}
          onClick={(event) => {
            event.stopPropagation();
            toggle.mutate(pair.coin_id);
          }}
        >
          <Star size={15} />
        </ActionIcon>
      )}
      <CoinIcon code={pair.coin} size={26} />
      <Link to={`/trades/spot/${pair.coin}`} className={classes.link}>
        <span className={classes.coin}>{pair.coin}</span>
        <span className={classes.full}>{pair.name}</span>
      </Link>
    </span>
  );
}

function LivePrice({ pair }: { readonly pair: CoinPair }) {
  return (
    <>
      $<Price value={usePairFigures(pair).close} scale={dollarScale(pair)} />
    </>
  );
}

function LiveChange({ pair }: { readonly pair: CoinPair }) {
  return <Change value={usePairFigures(pair).change} digits={4} />;
}
