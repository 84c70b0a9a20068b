import type { CoinPair } from '@cambist/contract/markets.ts';
import { Button } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { msg, t } from '../../lib/i18n.ts';
import { labelOf, Tabs } from '../../ui/panel.tsx';
import { lazyPart } from '../../ui/part.tsx';
import { Loading } from '../../ui/states.tsx';
import { OrderBook } from './book/order-book.tsx';
import { ChartPanel } from './chart/chart-panel.tsx';
import { AccountPanel } from './orders/account-panel.tsx';
import { PairHeader } from './pair-header.tsx';
import classes from './terminal.module.css';
import { useShownSide } from './ticket/shown-side.ts';
import { takePrice } from './ticket/use-ticket.ts';
import { RecentTrades } from './trades/recent-trades.tsx';

const CoinOverview = lazyPart(() => import('./chart/coin-overview.tsx'));
const DepthChart = lazyPart(() => import('./book/depth-chart.tsx'));
const PhoneSheet = lazyPart(() => import('./phone-sheet.tsx'), 'over');

const TABS = [
  { value: 'chart', label: msg('Chart') },
  { value: 'book', label: msg('Order book') },
  { value: 'trades', label: msg('Trades') },
  { value: 'overview', label: msg('Overview') },
  { value: 'depth', label: msg('Depth') },
] as const;

type Tab = (typeof TABS)[number]['value'];

export function PhoneLayout({ pair }: { readonly pair: CoinPair }) {
  const [tab, setTab] = useState<Tab>('chart');
  const { opened, open, close } = useShownSide();
  // Once it was opened it stays, so that it can be seen closing.
  const [wanted, setWanted] = useState(opened);
  if (opened && !wanted) setWanted(true);
  const takeAndOpen = (price: string) => {
    takePrice(price);
    open('BUY');
  };
  // Elsewhere in the program the sheet is not; it shall not be open when one comes back.
  useEffect(() => close, [close]);
  const tabs = TABS.map(({ value, label }) => ({ value, label: t(label) }));
  return (
    <div className={classes.phone}>
      <PairHeader pair={pair} />
      <div className={classes.tabs}>
        <Tabs label={t('Shown')} value={tab} options={tabs} onChange={setTab} />
      </div>
      <div className={classes.tabBody} role="tabpanel" aria-label={labelOf(tabs, tab)}>
        {tab === 'chart' && <ChartPanel pair={pair} fixedView="chart" />}
        {tab === 'book' && <OrderBook pair={pair} onPrice={takeAndOpen} />}
        {tab === 'trades' && <RecentTrades pair={pair} onPrice={takeAndOpen} />}
        <Suspense fallback={<Loading />}>
          {tab === 'overview' && <CoinOverview pair={pair} />}
          {tab === 'depth' && <DepthChart pair={pair} />}
        </Suspense>
      </div>
      <div className={classes.phoneAccount}>
        <AccountPanel />
      </div>
      <footer className={classes.footer} data-keep-clear>
        <Button className={classes.buy} onClick={() => open('BUY')}>
          {t('Buy')}
        </Button>
        <Button className={classes.sell} onClick={() => open('SELL')}>
          {t('Sell')}
        </Button>
      </footer>
      {wanted && (
        <Suspense>
          <PhoneSheet pair={pair} />
        </Suspense>
      )}
    </div>
  );
}
