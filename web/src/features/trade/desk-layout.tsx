import type { CoinPair } from '@cambist/contract/markets.ts';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, Suspense, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { publicStream, useStale } from '../../lib/streams.ts';
import { labelOf, Panel, Tabs } from '../../ui/panel.tsx';
import { lazyPart } from '../../ui/part.tsx';
import { Loading, StaleBadge } from '../../ui/states.tsx';
import { OrderBook } from './book/order-book.tsx';
import { ChartPanel } from './chart/chart-panel.tsx';
import { PanelGrid } from './layout/panel-grid.tsx';
import { narrowTicketQuery, type PanelId, useLayout } from './layout/panel-layouts.ts';
import { MarketsList } from './markets-list.tsx';
import { PairHeader } from './pair-header.tsx';
import classes from './terminal.module.css';
import { useTerminal } from './terminal.ts';
import { OrderTickets } from './ticket/order-tickets.tsx';
import { NarrowTicket } from './ticket/side-choice.tsx';
import { takePrice } from './ticket/use-ticket.ts';
import { RecentTrades } from './trades/recent-trades.tsx';

const PanelEditor = lazyPart(() => import('./layout/panel-editor.tsx'));
const DepthChart = lazyPart(() => import('./book/depth-chart.tsx'));

interface DeskLayoutProps {
  readonly pair: CoinPair;
  /** Room for the markets list, and for book and trades at once. */
  readonly wide: boolean;
}

const AT_ONCE = { getInitialValueInEffect: false } as const;

export function DeskLayout({ pair, wide }: DeskLayoutProps) {
  const { Account } = useTerminal();
  const size = wide ? 'wide' : 'medium';
  const { places, editing } = useLayout();
  const arrangeable = useMediaQuery('(width >= 64em)', false, AT_ONCE);
  const chosen = arrangeable ? places[size] : undefined;
  const narrow = useMediaQuery(narrowTicketQuery(chosen), false, AT_ONCE);
  const panels: Readonly<Record<PanelId, ReactNode>> = {
    markets: <MarketsList current={pair} />,
    chart: <ChartPanel pair={pair} />,
    tickets: narrow ? <NarrowTicket pair={pair} /> : <OrderTickets pair={pair} />,
    book: wide ? <BookPanel pair={pair} /> : <SharedPanel pair={pair} />,
    trades: <TradesPanel pair={pair} />,
    account: <Account />,
  };
  if (!chosen && !(editing && arrangeable)) return <StandardDesk pair={pair} wide={wide} panels={panels} />;
  return (
    <div className={classes.arranged}>
      <PairHeader pair={pair} />
      {editing ? (
        <Suspense fallback={<Loading />}>
          <PanelEditor key={size} size={size} />
        </Suspense>
      ) : (
        <PanelGrid places={chosen ?? []} panels={panels} />
      )}
    </div>
  );
}

interface StandardDeskProps extends DeskLayoutProps {
  readonly panels: Readonly<Record<PanelId, ReactNode>>;
}

function StandardDesk({ pair, wide, panels }: StandardDeskProps) {
  return (
    <div className={classes.desk}>
      <div className={classes.header}>
        <PairHeader pair={pair} />
      </div>
      {wide && <div className={classes.markets}>{panels.markets}</div>}
      <div className={classes.chart}>{panels.chart}</div>
      <div className={classes.tickets}>{panels.tickets}</div>
      <div className={classes.book}>
        <div className={wide ? classes.stack : classes.full}>
          {panels.book}
          {wide && panels.trades}
        </div>
      </div>
      <div className={classes.account}>{panels.account}</div>
    </div>
  );
}

function MarketStale() {
  return useStale(publicStream) && <StaleBadge short />;
}

type BookView = 'book' | 'depth' | 'trades';

function BookContent({ pair, view }: { readonly pair: CoinPair; readonly view: BookView }) {
  if (view === 'book') return <OrderBook pair={pair} onPrice={takePrice} />;
  if (view === 'trades') return <RecentTrades pair={pair} onPrice={takePrice} />;
  return (
    <Suspense fallback={<Loading />}>
      <DepthChart pair={pair} />
    </Suspense>
  );
}

function BookPanel({ pair }: { readonly pair: CoinPair }) {
  const [view, setView] = useState<'book' | 'depth'>('book');
  const views = [
    { value: 'book', label: t('Order book') },
    { value: 'depth', label: t('Depth') },
  ] as const;
  return (
    <Panel
      label={t('Order book')}
      tab={labelOf(views, view)}
      aside={<MarketStale />}
      heading={<Tabs<'book' | 'depth'> label={t('Shown')} value={view} options={views} onChange={setView} />}
    >
      <BookContent pair={pair} view={view} />
    </Panel>
  );
}

function TradesPanel({ pair }: { readonly pair: CoinPair }) {
  return (
    <Panel label={t('Recent trades')} heading={t('Recent trades')} aside={<MarketStale />}>
      <RecentTrades pair={pair} onPrice={takePrice} />
    </Panel>
  );
}

/** Below 1450 px book and trades share one panel. */
function SharedPanel({ pair }: { readonly pair: CoinPair }) {
  const [view, setView] = useState<BookView>('book');
  const views = [
    { value: 'book', label: t('Order book') },
    { value: 'trades', label: t('Trades') },
    { value: 'depth', label: t('Depth') },
  ] as const;
  return (
    <Panel
      label={t('Order book and trades')}
      tab={labelOf<BookView>(views, view)}
      className={classes.whole}
      aside={<MarketStale />}
      heading={<Tabs<BookView> label={t('Shown')} value={view} options={views} onChange={setView} />}
    >
      <BookContent pair={pair} view={view} />
    </Panel>
  );
}
