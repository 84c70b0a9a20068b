import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import { useToggleFavorite } from '../../lib/market/favorites.ts';
import {
  dollarScale,
  isPerpetual,
  searchPairs,
  terminalOf,
  usePairFigures,
  usePairList,
} from '../../lib/market/pairs.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { type Column, DenseTable } from '../../ui/dense-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Change, Price } from '../../ui/figures.tsx';
import { IconSearch, IconStar, IconStarFilled } from '../../ui/icons.ts';
import { Pager, usePages } from '../../ui/pager.tsx';
import { Segments } from '../../ui/panel.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './pair-picker.module.css';
import { useTerminal } from './terminal.ts';

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

const VIEWS = [
  { value: 'all', label: msg('Spot') },
  { value: 'perpetuals', label: msg('Perpetuals') },
  { value: 'favorites', label: msg('Favorites') },
] as const;

type View = (typeof VIEWS)[number]['value'];

function nothingText(view: View, search: string): string {
  if (search) return t('No pair matches “{{search}}”.', { search });
  return view === 'favorites' ? t('No favorites yet. Tap a star in the list of all pairs.') : t('No pairs yet.');
}

function PickerTable({ onPicked }: { readonly onPicked: () => void }) {
  const { market, searchHint } = useTerminal();
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const [view, setView] = useState<View>(market === 'futures' ? 'perpetuals' : 'all');
  const pairs = usePairList(view);
  const [search, setSearch] = useState('');
  const found = searchPairs(pairs.data ?? [], search);
  const isPaged = view === 'all';
  const { rows, ...pages } = usePages(found, isPaged ? PAGE_SIZE : Math.max(1, found.length));
  const openFirst = () => {
    const [first] = rows;
    if (search === '' || !first) return;
    void navigate(terminalOf(first.pair_name));
    onPicked();
  };
  const columns: readonly Column<CoinPair>[] = [
    { id: 'name', title: t('Name'), cell: (pair) => <Name pair={pair} onPicked={onPicked} /> },
    { id: 'price', title: t('Price'), align: 'right', cell: (pair) => <LivePrice pair={pair} /> },
    { id: 'change', title: t('24h Change'), align: 'right', cell: (pair) => <LiveChange pair={pair} /> },
  ];
  const views = VIEWS.filter(({ value }) => signedIn || value !== 'favorites');
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
      <div className={classes.views}>
        <Segments
          label={t('Markets shown')}
          value={view}
          options={views.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={setView}
        />
      </div>
      <div className={classes.table}>
        {pairs.isPending && <SkeletonRows rows={PAGE_SIZE} />}
        {pairs.isError && (
          <ErrorState
            error={pairs.error}
            title={t('The list of markets could not be loaded.')}
            onRetry={() => void pairs.refetch()}
          />
        )}
        {pairs.data && found.length === 0 && <Empty title={nothingText(view, search)} />}
        {found.length > 0 && (
          <DenseTable label={t('Pairs')} columns={columns} rows={rows} rowKey={(pair) => pair.pair_name} />
        )}
      </div>
      {isPaged && <Pager page={pages.page} count={pages.count} onChange={pages.setPage} />}
    </>
  );
}

function Name({ pair, onPicked }: { readonly pair: CoinPair; readonly onPicked: () => void }) {
  const signedIn = useSignedIn();
  const { mutate: toggle } = useToggleFavorite();
  const starred = pair.favorite !== '';
  const Star = starred ? IconStarFilled : IconStar;
  return (
    <span className={classes.row}>
      {signedIn && (
        <ActionIcon
          variant="transparent"
          size={24}
          className={starred ? classes.starred : classes.star}
          aria-label={t('Favorite {{pair}}', { pair: pair.pair_name })}
          aria-pressed={starred}
          onClick={() => toggle(pair.coin_id)}
        >
          <Star size={14} />
        </ActionIcon>
      )}
      <Link to={terminalOf(pair.pair_name)} className={classes.name} onClick={onPicked}>
        <CoinIcon code={pair.coin} size={20} />
        {pair.coin}
        {isPerpetual(pair.pair_name) ? (
          <span className={classes.kind}>{t('Perpetual')}</span>
        ) : (
          <span className={classes.full}>{pair.name}</span>
        )}
      </Link>
    </span>
  );
}

function LivePrice({ pair }: { readonly pair: CoinPair }) {
  return <Price value={usePairFigures(pair).close} scale={dollarScale(pair)} />;
}

function LiveChange({ pair }: { readonly pair: CoinPair }) {
  return <Change value={usePairFigures(pair).change} digits={4} />;
}
