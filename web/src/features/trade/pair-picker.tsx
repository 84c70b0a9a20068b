import type { CoinPair } from '@cambist/contract/markets.ts';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { dollarScale, searchPairs, usePairFigures } from '../../lib/market/pairs.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Change, Price } from '../../ui/figures.tsx';
import { IconSearch } from '../../ui/icons.ts';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './pair-picker.module.css';
import { useMarkets, useTerminal } from './terminal.ts';

const PAGE_SIZE = 20;

interface PairPickerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export default function PairPicker({ opened, onClose }: PairPickerProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Choose a pair')} size={460}>
      <PickerTable onPicked={onClose} />
    </Dialog>
  );
}

function PickerTable({ onPicked }: { readonly onPicked: () => void }) {
  const { isPaged, searchHint, path } = useTerminal();
  const navigate = useNavigate();
  const pairs = useMarkets();
  const [search, setSearch] = useState('');
  const found = searchPairs(pairs.data ?? [], search);
  const { rows, ...pages } = usePages(found, isPaged ? PAGE_SIZE : Math.max(1, found.length));
  const openFirst = () => {
    const [first] = rows;
    if (search === '' || !first) return;
    void navigate(`${path}/${first.coin}`);
    onPicked();
  };
  const columns: readonly Column<CoinPair>[] = [
    { id: 'name', title: t('Name'), cell: (pair) => <NameLink pair={pair} onPicked={onPicked} /> },
    { id: 'price', title: t('Price'), align: 'right', cell: (pair) => <LivePrice pair={pair} /> },
    { id: 'change', title: t('24h Change'), align: 'right', cell: (pair) => <LiveChange pair={pair} /> },
  ];
  return (
    <>
      <TextInput
        aria-label={t('Search pairs')}
        placeholder={t(searchHint)}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        // Not the one that ends the composition of a word.
        onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && openFirst()}
        data-autofocus
      />
      <div className={classes.table}>
        {pairs.isPending && <SkeletonRows rows={PAGE_SIZE} />}
        {pairs.isError && (
          <ErrorState
            error={pairs.error}
            title={t('The list of markets could not be loaded.')}
            onRetry={() => void pairs.refetch()}
          />
        )}
        {pairs.data && found.length === 0 && <Empty title={t('No pair matches “{{search}}”.', { search })} />}
        {found.length > 0 && (
          <DenseTable label={t('Pairs')} columns={columns} rows={rows} rowKey={(pair) => pair.pair_name} />
        )}
      </div>
      {isPaged && <Pager page={pages.page} count={pages.count} onChange={pages.setPage} />}
    </>
  );
}

function NameLink({ pair, onPicked }: { readonly pair: CoinPair; readonly onPicked: () => void }) {
  const { path } = useTerminal();
  return (
    <Link to={`${path}/${pair.coin}`} className={classes.name} onClick={onPicked}>
      <CoinIcon code={pair.coin} size={20} />
      {pair.coin}
      <span className={classes.full}>{pair.name}</span>
    </Link>
  );
}

function LivePrice({ pair }: { readonly pair: CoinPair }) {
  return <Price value={usePairFigures(pair).close} scale={dollarScale(pair)} />;
}

function LiveChange({ pair }: { readonly pair: CoinPair }) {
  return <Change value={usePairFigures(pair).change} digits={4} />;
}
