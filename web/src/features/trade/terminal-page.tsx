/** A terminal's screen. The coin comes from the address; widths decide the arrangement. */

import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { findPair, pairsQuery } from '../../lib/market/pairs.ts';
import { queryClient } from '../../lib/query-client.ts';
import { useSession } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { DeskLayout } from './desk-layout.tsx';
import { useTerminalKeys } from './keyboard/use-terminal-keys.ts';
import classes from './terminal.module.css';
import { type MarketProps, type Terminal, TerminalContext, useMarkets, useTerminal } from './terminal.ts';
import { TerminalDialogs } from './terminal-dialogs.tsx';
import { openTicket } from './ticket/use-ticket.ts';

const DEFAULT_COIN = 'BTC';
const PATIENCE_MS = 200;

/**
 * The markets of a terminal have usually been asked for already; what stands in for it would be drawn for nothing. They are
 * not waited for long.
 */
export async function awaitMarkets({ list }: Terminal): Promise<void> {
  const markets = queryClient.prefetchQuery(pairsQuery(list, useSession.getState().client?.id));
  await Promise.race([markets, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

export function TerminalPage({ terminal }: { readonly terminal: Terminal }) {
  return (
    <TerminalContext value={terminal}>
      <ChosenMarket />
    </TerminalContext>
  );
}

function ChosenMarket() {
  const { coin } = useParams();
  const markets = useMarkets();
  const { data: listed = [] } = markets;
  // An operator may have delisted the usual one.
  const pair = findPair(listed, coin ?? DEFAULT_COIN) ?? (coin === undefined ? listed[0] : undefined);
  if (pair) return <Panels key={pair.pair_name} pair={pair} />;
  if (markets.isPending) return <TerminalSkeleton />;
  if (markets.isError) return <ErrorState error={markets.error} onRetry={() => void markets.refetch()} />;
  return <UnknownCoin coin={coin ?? DEFAULT_COIN} />;
}

const AT_ONCE = { getInitialValueInEffect: false } as const;

function Panels({ pair }: MarketProps) {
  const { Phone, ticketKind } = useTerminal();
  const phone = useMediaQuery('(width < 48em)', false, AT_ONCE);
  const wide = useMediaQuery('(width >= 90.625em)', false, AT_ONCE);
  useEffect(() => openTicket(pair.pair_name, ticketKind), [pair.pair_name, ticketKind]);
  useTerminalKeys();
  return (
    <>
      {phone ? <Phone pair={pair} /> : <DeskLayout pair={pair} wide={wide} />}
      <TerminalDialogs pair={pair} />
    </>
  );
}

const SKELETON = [
  { area: 'header', rows: 1, columns: 8 },
  { area: 'markets', rows: 18, columns: 3 },
  { area: 'chart', rows: 0, columns: 0 },
  { area: 'tickets', rows: 6, columns: 2 },
  { area: 'book', rows: 18, columns: 3 },
  { area: 'account', rows: 6, columns: 6 },
] as const;

/** The terminal's own shape while the pairs load, so that nothing moves when they are here. */
function TerminalSkeleton() {
  useTitle(t('Trade'));
  return (
    <div className={classes.desk}>
      {SKELETON.map(({ area, rows, columns }) => (
        <div key={area} className={`${classes[area]} ${classes.blank}`}>
          <SkeletonRows rows={rows} columns={columns} />
        </div>
      ))}
    </div>
  );
}

function UnknownCoin({ coin }: { readonly coin: string }) {
  useTitle(t('Unknown pair'));
  return (
    <Empty
      title={t('There is no market for {{coin}}.', { coin: coin.toUpperCase() })}
      action={
        <Button component={Link} to="/markets" variant="default">
          {t('See all markets')}
        </Button>
      }
    />
  );
}
