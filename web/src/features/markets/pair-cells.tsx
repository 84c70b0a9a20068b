/** What a row or a card of a market list is made of; each figure follows its own pair's stream. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon } from '@mantine/core';
import { createContext, type ReactNode, use, useCallback } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { formatCompact } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useToggleFavorite } from '../../lib/market/favorites.ts';
import { dollarScale, isPerpetual, terminalOf, usePairFigures } from '../../lib/market/pairs.ts';
import { signInPath } from '../../lib/return-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { Change, Dollars, directionOf } from '../../ui/figures.tsx';
import { IconStar, IconStarFilled } from '../../ui/icons.ts';
import { PatientCoinIcon } from '../../ui/patient-coin-icon.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import classes from './market-list-page.module.css';

interface PairProps {
  readonly pair: CoinPair;
}

/** What a star does; one for a whole list, in which rows come and go. */
const StarContext = createContext<(pair: CoinPair) => void>(() => undefined);

/** A visitor signs in first, and comes back to the list. */
export function StarScope({ children }: { readonly children: ReactNode }) {
  const signedIn = useSignedIn();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { mutate } = useToggleFavorite();
  const toggle = useCallback(
    (pair: CoinPair) => (signedIn ? mutate(pair.coin_id) : void navigate(signInPath(pathname))),
    [signedIn, navigate, pathname, mutate],
  );
  return <StarContext value={toggle}>{children}</StarContext>;
}

export function Star({ pair }: PairProps) {
  const toggle = use(StarContext);
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
        toggle(pair);
      }}
    >
      <Icon size={16} />
    </ActionIcon>
  );
}

export function PairName({ pair }: PairProps) {
  return (
    <Link to={terminalOf(pair.pair_name)} className={classes.name}>
      <PatientCoinIcon code={pair.coin} size={26} />
      <span className={classes.link}>
        <span className={classes.coin}>{pair.coin}</span>
        <span className={classes.full}>{isPerpetual(pair.pair_name) ? t('Perpetual') : pair.name}</span>
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
