/** The pair, its price and the day's figures. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCompact, formatDecimal } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { usePairFigures } from '../../lib/market/pairs.ts';
import { publicStream, useStale } from '../../lib/streams.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Change, directionOf, Price } from '../../ui/figures.tsx';
import { StaleBadge } from '../../ui/states.tsx';
import classes from './pair-header.module.css';
import { PairPicker } from './pair-picker.tsx';

export function PairHeader({ pair }: { readonly pair: CoinPair }) {
  const figures = usePairFigures(pair);
  const [picking, picker] = useDisclosure(false);
  const stale = useStale(publicStream);
  const [, quote = 'USDT'] = pair.pair_name.split('-');
  useTitle(`${formatDecimal(figures.close, pair.price_scale)} ${pair.pair_name}`);
  return (
    <div className={classes.header}>
      <UnstyledButton className={classes.pair} onClick={picker.open} aria-haspopup="dialog">
        <CoinIcon code={pair.coin} size={28} />
        <span>
          <h1 className={classes.name}>
            {pair.coin}
            <span className={classes.quote}>/{quote}</span>
          </h1>
          <span className={classes.coinName}>{pair.name}</span>
        </span>
        <IconChevronDown size={16} aria-label={t('Choose a pair')} />
      </UnstyledButton>
      <div className={classes.main}>
        <Price
          value={figures.close}
          scale={pair.price_scale}
          direction={directionOf(figures.change)}
          className={classes.price}
        />
        <Change value={figures.change} arrow />
      </div>
      <dl className={classes.figures}>
        <Figure title={t('24h high')}>{formatDecimal(figures.high, pair.price_scale)}</Figure>
        <Figure title={t('24h low')}>{formatDecimal(figures.low, pair.price_scale)}</Figure>
        <Figure title={`24h volume (${pair.coin})`}>{formatCompact(figures.volume)}</Figure>
        <Figure title={`24h volume (${quote})`}>{formatCompact(figures.volumeQuote)}</Figure>
      </dl>
      {stale && <StaleBadge />}
      <PairPicker opened={picking} onClose={picker.close} />
    </div>
  );
}

function Figure({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
