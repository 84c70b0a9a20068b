/** Buy and Sell side by side under one choice of order type. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { NativeSelect, UnstyledButton } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { decimal } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { figuresOf } from '../../../lib/market/pairs.ts';
import { currentTicker } from '../../../lib/market/tickers.ts';
import { IconChevronDown } from '../../../ui/first-icons.ts';
import { OnDemand } from '../../../ui/on-demand.tsx';
import { Tabs } from '../../../ui/panel.tsx';
import { type MarketProps, useTerminal } from '../terminal.ts';
import { OrderSettings } from './order-settings.tsx';
import { OrderTicket } from './order-ticket.tsx';
import { ORDER_TYPES, TIME_IN_FORCE, typeLabel } from './summary-lines.ts';
import classes from './ticket.module.css';
import { hasTimeInForce, type OrderType, type Side, type TimeInForce } from './ticket.ts';
import { lastPriceNote } from './triggers.ts';
import { useTicket } from './use-ticket.ts';

interface OrderTicketsProps extends MarketProps {
  readonly sides?: readonly Side[];
  /** To the left of the fields, where a sheet has room for the book. */
  readonly beside?: ReactNode;
}

const loadTypeMenu = async () => (await import('./type-menu.tsx')).TypeMenu;
const BOTH: readonly Side[] = ['BUY', 'SELL'];

/** Keeps a limit order from beginning without a price, also after another type or pair has emptied it. */
function beginAtLastPrice(pair: CoinPair): () => void {
  const begin = () => {
    const { close: price } = figuresOf(pair, currentTicker(pair.pair_name));
    if (decimal(price).units > 0n) useTicket.getState().dispatch({ kind: 'begin-at', price });
  };
  begin();
  return useTicket.subscribe(begin);
}

export function OrderTickets({ pair, sides = BOTH, beside }: OrderTicketsProps) {
  const { ticket } = useTicket();
  const { Head } = useTerminal().ticketKind;
  useEffect(() => beginAtLastPrice(pair), [pair]);
  return (
    <section className={classes.tickets} aria-label={t('Order form')} data-keep-clear>
      <div className={classes.heads}>
        <div className={classes.types}>
          <TypeChoice />
          {hasTimeInForce(ticket.type) && <TimeInForceSelect />}
          <OrderSettings />
        </div>
        {Head && <Head pair={pair} />}
      </div>
      <div className={beside ? `${classes.sides} ${classes.withBook}` : classes.sides}>
        {beside}
        {sides.map((side) => (
          <OrderTicket key={`${pair.pair_name}${side}`} pair={pair} side={side} />
        ))}
      </div>
    </section>
  );
}

type Tab = 'market' | 'limit' | 'conditional';

/** Market and limit are one click away; those that wait for a price, and TWAP, are behind the third tab and its menu. */
function TypeChoice() {
  const { ticket, dispatch } = useTicket();
  const choose = (type: OrderType) => dispatch({ kind: 'type', type });
  const others = ORDER_TYPES.filter(({ value }) => value !== 'market' && value !== 'limit');
  const { market } = useTerminal();
  const tab: Tab = ticket.type === 'market' || ticket.type === 'limit' ? ticket.type : 'conditional';
  return (
    <>
      <Tabs<Tab>
        label={t('Order type')}
        value={tab}
        options={[
          { value: 'market', label: t('Market') },
          { value: 'limit', label: t('Limit') },
          { value: 'conditional', label: tab === 'conditional' ? typeLabel(ticket.type) : t('Stop limit') },
        ]}
        onChange={(next) => choose(next === 'conditional' ? 'stop_limit' : next)}
      />
      <OnDemand
        load={loadTypeMenu}
        given={{ types: others, onChoose: choose, note: lastPriceNote(market === 'futures') }}
        trigger={
          <UnstyledButton className={classes.more ?? ''} aria-label={t('More order types')}>
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        }
      />
    </>
  );
}

function TimeInForceSelect() {
  const { ticket, dispatch } = useTicket();
  const chosen = TIME_IN_FORCE.find((entry) => entry.value === ticket.timeInForce);
  return (
    <div className={classes.advanced} title={chosen && t(chosen.hint)}>
      <NativeSelect
        aria-label={t('Time in force')}
        size="xs"
        value={ticket.timeInForce}
        data={TIME_IN_FORCE.map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={(event) => dispatch({ kind: 'time-in-force', timeInForce: event.currentTarget.value as TimeInForce })}
      />
    </div>
  );
}
