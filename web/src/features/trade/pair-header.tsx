/** The pair, its price and the day's figures. */

import { Box, UnstyledButton } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { formatCompact, formatDateTime, formatPrice } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { dollarScale, usePairFigures } from '../../lib/market/pairs.ts';
import { useDelisting } from '../../lib/market/tickers.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { publicStream, useStale } from '../../lib/streams.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Change, directionOf, Price } from '../../ui/figures.tsx';
import { IconChevronDown } from '../../ui/first-icons.ts';
import { lazyPart } from '../../ui/part.tsx';
import { StaleBadge } from '../../ui/states.tsx';
import { useDialogs } from './dialogs.ts';
import { HeaderTools } from './header-tools.tsx';
import classes from './pair-header.module.css';
import { type MarketProps, useTerminal } from './terminal.ts';
import { useQuoteFallback } from './use-quote-fallback.ts';

const OwnTitle = lazyPart(() => import('./own-title.ts'), 'unseen');
const PairPicker = lazyPart(() => import('./pair-picker.tsx'), 'over');

export function PairHeader({ pair }: MarketProps) {
  const figures = usePairFigures(pair);
  const { open, show, close } = useDialogs();
  const stale = useStale(publicStream);
  const { endsAt } = useDelisting(pair.pair_name);
  const { Figures, market } = useTerminal();
  const isPerpetual = market === 'futures';
  const scale = isPerpetual ? dollarScale(pair) : pair.price_scale;
  useQuoteFallback(pair);
  const [, quote = 'USDT'] = pair.pair_name.split('-');
  return (
    <section className={classes.header} aria-label={pair.pair_name}>
      <TabTitle text={`${formatPrice(figures.close, scale)} ${pair.pair_name}`} />
      <UnstyledButton className={classes.pair} onClick={() => show('pairs')} aria-haspopup="dialog">
        <CoinIcon code={pair.coin} size={28} />
        <span>
          <h1 className={classes.name}>
            {pair.coin}
            <span className={classes.quote}>/{quote}</span>
          </h1>
          <span className={classes.coinName}>{isPerpetual ? t('Perpetual') : pair.name}</span>
        </span>
        <IconChevronDown size={16} aria-label={t('Choose a pair')} />
      </UnstyledButton>
      <div className={classes.main}>
        <Price value={figures.close} scale={scale} direction={directionOf(figures.change)} className={classes.price} />
        <Change value={figures.change} digits={4} arrow />
      </div>
      <Figures pair={pair} />
      {endsAt > 0 && <p className={classes.ending}>{t('Delisting on {{date}}', { date: formatDateTime(endsAt) })}</p>}
      {stale && <StaleBadge />}
      <HeaderTools />
      {open === 'pairs' && (
        <Suspense fallback={null}>
          <PairPicker opened onClose={close} />
        </Suspense>
      )}
    </section>
  );
}

export function PairFigures({ pair }: MarketProps) {
  const figures = usePairFigures(pair);
  const [, quote = 'USDT'] = pair.pair_name.split('-');
  return (
    <dl className={classes.figures}>
      <Figure title={t('24h high')}>{formatPrice(figures.high, pair.price_scale)}</Figure>
      <Figure title={t('24h low')}>{formatPrice(figures.low, pair.price_scale)}</Figure>
      <Figure title={t('24h volume ({{coin}})', { coin: pair.coin })}>{formatCompact(figures.volume)}</Figure>
      <Figure title={t('24h volume ({{coin}})', { coin: quote })}>{formatCompact(figures.volumeQuote)}</Figure>
    </dl>
  );
}

function PlainTitle({ text }: { readonly text: string }) {
  useTitle(text);
  return null;
}

/** The price; and for who has orders, how many are open and what was just filled. */
function TabTitle({ text }: { readonly text: string }) {
  const signedIn = useSignedIn();
  const plain = <PlainTitle text={text} />;
  return signedIn ? (
    <Suspense fallback={plain}>
      <OwnTitle text={text} />
    </Suspense>
  ) : (
    plain
  );
}

/** More of them than there is room for are scrolled, so that the row can have the focus. */
export const ScrolledFigures = ({ children }: { readonly children: ReactNode }) => (
  <Box component="dl" className={classes.figures ?? ''} aria-label={t('Figures of the market')} tabIndex={0}>
    {children}
  </Box>
);

interface FigureProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

export function Figure({ title, hint, children }: FigureProps) {
  return (
    <div className={classes.figure} title={hint}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
