/** What a row or a card of a market list is made of; each figure follows its own pair's stream. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { Link, useLocation, useNavigate } from 'react-router';
import { formatCompact } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useToggleFavorite } from '../../lib/market/favorites.ts';
import { dollarScale, usePairFigures } from '../../lib/market/pairs.ts';
import { signInPath } from '../../lib/return-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Change, Dollars, directionOf } from '../../ui/figures.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import classes from './market-list-page.module.css';

interface PairProps {
  readonly pair: CoinPair;
}

export const spotPath = (pair: CoinPair) => `/trades/spot/${pair.coin}`;

/** A visitor signs in first, and comes back to the list. */
export function Star({ pair }: PairProps) {
  const signedIn = useSignedIn();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const toggle = useToggleFavorite();
  const starred = pair.favorite !== '';
  const Icon = starred ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      variant="transparent"
      size={28}
      className={starred ? classes.starred : classes.star}
      aria-label={t('Favorite {{pair}}', { pair: pair.pair_name })}
      aria-pressed={starred}
      onClick={(event) => {
        event.stopPropagation();
        if (signedIn) toggle.mutate(pair.coin_id);
        else void navigate(signInPath(pathname));
      }}
    >
      <Icon size={16} />
    </ActionIcon>
  );
}

export function PairName({ pair }: PairProps) {
  return (
    <Link to={spotPath(pair)} className={classes.name}>
      <CoinIcon code={pair.coin} size={26} />
      <span className={classes.link}>
        <span className={classes.coin}>{pair.coin}</span>
        <span className={classes.full}>{pair.name}</span>
      </span>
    </Link>
  );
}

export function PairPrice({ pair }: PairProps) {
  return <Dollars value={usePairFigures(pair).close} digits={dollarScale(pair)} />;
}

export function PairChange({ pair }: PairProps) {
  return <Change value={usePairFigures(pair).change} digits={4} />;
}

export function PairVolume({ pair }: PairProps) {
  return formatCompact(usePairFigures(pair).volumeQuote);
}

export function PairDay({ pair }: PairProps) {
  return <Sparkline points={pair.sparkline} up={directionOf(usePairFigures(pair).change) !== 'down'} />;
}
