/** The futures terminal of a phone: one thing under the other, with the form or the book below the chart. */
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Tabs } from '../../../ui/panel.tsx';
import { OrderBook } from '../book/order-book.tsx';
import { ChartPanel } from '../chart/chart-panel.tsx';
import { PairHeader } from '../pair-header.tsx';
import terminalClasses from '../terminal.module.css';
import type { MarketProps } from '../terminal.ts';
import { NarrowTicket } from '../ticket/side-choice.tsx';
import { takePrice } from '../ticket/use-ticket.ts';
import classes from './futures.module.css';
import { FuturesAccount } from './futures-account.tsx';

type Shown = 'form' | 'book';

export function FuturesPhone({ pair }: MarketProps) {
  const [shown, setShown] = useState<Shown>('form');
  const takeAndShow = (price: string) => {
    takePrice(price);
    setShown('form');
  };
  return (
    <div className={terminalClasses.stacked}>
      <PairHeader pair={pair} />
      <div className={classes.phoneChart}>
        <ChartPanel pair={pair} fixedView="chart" />
      </div>
      <div className={classes.phoneTabs}>
        <Tabs<Shown>
          label={t('Shown')}
          value={shown}
          options={[
            { value: 'form', label: t('Buy/Sell') },
            { value: 'book', label: t('Order Books') },
          ]}
          onChange={setShown}
        />
      </div>
      {shown === 'form' ? (
        <div className={classes.phonePanel} role="tabpanel" aria-label={t('Buy/Sell')}>
          <NarrowTicket pair={pair} />
        </div>
      ) : (
        <div className={classes.phoneBook} role="tabpanel" aria-label={t('Order Books')}>
          <OrderBook pair={pair} onPrice={takeAndShow} />
        </div>
      )}
      <div className={terminalClasses.phoneAccount}>
        <FuturesAccount />
      </div>
    </div>
  );
}
