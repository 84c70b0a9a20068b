/** The narrow list at the left of wide screens: favourites, search, one click to change the pair. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon, TextInput } from '@mantine/core';
import { memo, useState } from 'react';
import { NavLink } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import { useToggleFavorite } from '../../lib/market/favorites.ts';
import { searchPairs, usePairFigures } from '../../lib/market/pairs.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Change, Price } from '../../ui/figures.tsx';
import { IconSearch, IconStar, IconStarFilled } from '../../ui/icons.ts';
import { Segments } from '../../ui/panel.tsx';
import { moveGridFocus } from '../../ui/row-focus.ts';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './markets-list.module.css';
import { useMarkets, useTerminal } from './terminal.ts';

const VIEWS = [
  { value: 'all', label: msg('All') },
  { value: 'favorites', label: msg('Favorites') },
] as const;

const SKELETONS = 14;

export function MarketsList({ current }: { readonly current: CoinPair }) {
  const { path, searchHint } = useTerminal();
  const pairs = useMarkets();
  const signedIn = useSignedIn();
  const toggle = useToggleFavorite();
  const [view, setView] = useState<'all' | 'favorites'>('all');
  const [search, setSearch] = useState('');
  const listed = (pairs.data ?? []).filter((pair) => view === 'all' || pair.favorite !== '');
  const found = searchPairs(listed, search);
  const [reached, setReached] = useState(current.pair_name);
  const isFound = (name: string) => found.some((pair) => pair.pair_name === name);
  const stop = [reached, current.pair_name].find(isFound) ?? found[0]?.pair_name;
  const nothing = search
    ? t('No pair matches “{{search}}”.', { search })
    : t('No favorites yet. Tap a star in the list of all pairs.');
  return (
    <section className={classes.markets} aria-label={t('Markets')}>
      <div className={classes.top}>
        <TextInput
          size="xs"
          aria-label={t('Search markets')}
          placeholder={t(searchHint)}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Segments
          label={t('Markets shown')}
          value={view}
          options={VIEWS.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={setView}
        />
      </div>
      <div className={classes.head}>
        <span>{t('Pair')}</span>
        <span>{t('Price')}</span>
        <span>{t('24h')}</span>
      </div>
      <div className={classes.list}>
        {pairs.isPending && <SkeletonRows rows={SKELETONS} />}
        {pairs.isError && (
          <ErrorState
            error={pairs.error}
            title={t('The list of markets could not be loaded.')}
            onRetry={() => void pairs.refetch()}
          />
        )}
        {pairs.data && found.length === 0 && <Empty title={nothing} />}
        {found.map((pair) => (
          <MarketRow
            key={pair.pair_name}
            pair={pair}
            to={`${path}/${pair.coin}`}
            current={pair.pair_name === current.pair_name}
            isStop={pair.pair_name === stop}
            onReach={setReached}
            onStar={signedIn ? toggle.mutate : undefined}
          />
        ))}
      </div>
    </section>
  );
}

interface MarketRowProps {
  readonly pair: CoinPair;
  readonly to: string;
  readonly current: boolean;
  /** The one row of the list that Tab stops at: where the focus was last, at first the pair on screen. */
  readonly isStop: boolean;
  readonly onReach: (name: string) => void;
  readonly onStar: ((coinId: number) => void) | undefined;
}

const MarketRow = memo(function MarketRow({ pair, to, current, isStop, onReach, onStar }: MarketRowProps) {
  const figures = usePairFigures(pair);
  const starred = pair.favorite !== '';
  const keys = { onKeyDown: moveGridFocus, onFocus: () => onReach(pair.pair_name) };
  const Star = starred ? IconStarFilled : IconStar;
  return (
    <div className={current ? `${classes.row} ${classes.current}` : classes.row}>
      {onStar && (
        <ActionIcon
          variant="transparent"
          size={24}
          className={starred ? classes.starred : classes.star}
          aria-label={t('Favorite {{pair}}', { pair: pair.pair_name })}
          aria-pressed={starred}
          tabIndex={-1}
          {...keys}
          onClick={() => onStar(pair.coin_id)}
        >
          <Star size={13} />
        </ActionIcon>
      )}
      <NavLink to={to} className={classes.link ?? ''} tabIndex={isStop ? 0 : -1} {...keys}>
        <span className={classes.name}>
          <CoinIcon code={pair.coin} size={16} />
          {pair.coin}
        </span>
        <Price value={figures.close} scale={pair.price_scale} />
        <Change value={figures.change} digits={4} />
      </NavLink>
    </div>
  );
});
