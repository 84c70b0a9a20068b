import type { CoinPair } from '@cambist/contract/markets.ts';
import { Button, Drawer } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Segments } from '../../ui/panel.tsx';
import { OrderBook } from './book/order-book.tsx';
import { ChartPanel } from './chart/chart-panel.tsx';
import { CoinOverview } from './chart/coin-overview.tsx';
import { AccountPanel } from './orders/account-panel.tsx';
import { PairHeader } from './pair-header.tsx';
import classes from './spot.module.css';
import { OrderTickets } from './ticket/order-tickets.tsx';
import type { Side } from './ticket/ticket.ts';
import { takePrice } from './ticket/use-ticket.ts';
import { RecentTrades } from './trades/recent-trades.tsx';

const TABS = [
  { value: 'chart', label: 'Chart' },
  { value: 'book', label: 'Order book' },
  { value: 'trades', label: 'Trades' },
  { value: 'overview', label: 'Overview' },
] as const;

type Tab = (typeof TABS)[number]['value'];

export function PhoneLayout({ pair }: { readonly pair: CoinPair }) {
  const [tab, setTab] = useState<Tab>('chart');
  const [side, setSide] = useState<Side>();
  const takeAndOpen = (price: string) => {
    takePrice(price);
    setSide('BUY');
  };
  return (
    <div className={classes.phone}>
      <PairHeader pair={pair} />
      <div className={classes.tabs}>
        <Segments label={t('Shown')} value={tab} options={TABS} onChange={setTab} />
      </div>
      <div className={classes.tabBody}>
        {tab === 'chart' && <ChartPanel pair={pair} fixedView="chart" />}
        {tab === 'book' && <OrderBook pair={pair} onPrice={takeAndOpen} />}
        {tab === 'trades' && <RecentTrades pair={pair} onPrice={takeAndOpen} />}
        {tab === 'overview' && <CoinOverview pair={pair} />}
      </div>
      <div className={classes.phoneAccount}>
        <AccountPanel />
      </div>
      <footer className={classes.footer}>
        <Button className={classes.buy} onClick={() => setSide('BUY')}>
          {t('Buy')}
        </Button>
        <Button className={classes.sell} onClick={() => setSide('SELL')}>
          {t('Sell')}
        </Button>
      </footer>
      <Drawer
        opened={side !== undefined}
        onClose={() => setSide(undefined)}
        position="bottom"
        size="auto"
        title={side && <Segments label={t('Side')} value={side} options={SIDES} onChange={setSide} />}
        closeButtonProps={{ 'aria-label': 'Close' }}
        classNames={{
          header: classes.sheetHeader ?? '',
          body: classes.sheet ?? '',
          content: classes.sheetContent ?? '',
        }}
      >
        {side && <OrderTickets pair={pair} sides={[side]} />}
      </Drawer>
    </div>
  );
}

const SIDES = [
  { value: 'BUY', label: 'Buy' },
  { value: 'SELL', label: 'Sell' },
] as const;
