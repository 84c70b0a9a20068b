import type { CoinPair } from '@cambist/contract/markets.ts';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { publicStream, useStale } from '../../lib/streams.ts';
import { Panel, Segments } from '../../ui/panel.tsx';
import { StaleBadge } from '../../ui/states.tsx';
import { OrderBook } from './book/order-book.tsx';
import { ChartPanel } from './chart/chart-panel.tsx';
import { MarketsList } from './markets-list.tsx';
import { AccountPanel } from './orders/account-panel.tsx';
import { PairHeader } from './pair-header.tsx';
import classes from './spot.module.css';
import { OrderTickets } from './ticket/order-tickets.tsx';
import { takePrice } from './ticket/use-ticket.ts';
import { RecentTrades } from './trades/recent-trades.tsx';

interface DeskLayoutProps {
  readonly pair: CoinPair;
  /** Room for the markets list, and for book and trades at once. */
  readonly wide: boolean;
}

export function DeskLayout({ pair, wide }: DeskLayoutProps) {
  return (
    <div className={classes.desk}>
      <div className={classes.header}>
        <PairHeader pair={pair} />
      </div>
      {wide && (
        <div className={classes.markets}>
          <MarketsList current={pair} />
        </div>
      )}
      <div className={classes.chart}>
        <ChartPanel pair={pair} />
      </div>
      <div className={classes.tickets}>
        <OrderTickets pair={pair} />
      </div>
      <div className={classes.book}>{wide ? <BookAndTrades pair={pair} /> : <BookOrTrades pair={pair} />}</div>
      <div className={classes.account}>
        <AccountPanel />
      </div>
    </div>
  );
}

function MarketStale() {
  return useStale(publicStream) && <StaleBadge short />;
}

function BookAndTrades({ pair }: { readonly pair: CoinPair }) {
  return (
    <div className={classes.stack}>
      <Panel label={t('Order book')} heading="Order book" aside={<MarketStale />}>
        <OrderBook pair={pair} onPrice={takePrice} />
      </Panel>
      <Panel label={t('Recent trades')} heading="Recent trades" aside={<MarketStale />}>
        <RecentTrades pair={pair} onPrice={takePrice} />
      </Panel>
    </div>
  );
}

const VIEWS = [
  { value: 'book', label: 'Order book' },
  { value: 'trades', label: 'Trades' },
] as const;

function BookOrTrades({ pair }: { readonly pair: CoinPair }) {
  const [view, setView] = useState<'book' | 'trades'>('book');
  return (
    <Panel
      label={t('Order book and trades')}
      className={classes.full}
      aside={<MarketStale />}
      heading={<Segments label={t('Shown')} value={view} options={VIEWS} onChange={setView} />}
    >
      {view === 'book' ? (
        <OrderBook pair={pair} onPrice={takePrice} />
      ) : (
        <RecentTrades pair={pair} onPrice={takePrice} />
      )}
    </Panel>
  );
}
