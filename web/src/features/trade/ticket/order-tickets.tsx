/** Buy and Sell side by side under one choice of order type. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { NativeSelect } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { Segments } from '../../../ui/panel.tsx';
import { OrderTicket } from './order-ticket.tsx';
import { TIME_IN_FORCE } from './summary-lines.ts';
import classes from './ticket.module.css';
import type { OrderType, Side, TimeInForce } from './ticket.ts';
import { useTicket } from './use-ticket.ts';

const TYPES: readonly { readonly value: OrderType; readonly label: string }[] = [
  { value: 'market', label: 'Market' },
  { value: 'limit', label: 'Limit' },
];

interface OrderTicketsProps {
  readonly pair: CoinPair;
  readonly sides?: readonly Side[];
}

const BOTH: readonly Side[] = ['BUY', 'SELL'];

export function OrderTickets({ pair, sides = BOTH }: OrderTicketsProps) {
  const { ticket, dispatch } = useTicket();
  return (
    <section className={classes.tickets} aria-label={t('Order form')}>
      <div className={classes.types}>
        <Segments
          label={t('Order type')}
          value={ticket.type}
          options={TYPES}
          onChange={(type) => dispatch({ kind: 'type', type })}
        />
        {ticket.type === 'limit' && <AdvancedSelect />}
      </div>
      <div className={classes.sides}>
        {sides.map((side) => (
          <OrderTicket key={`${pair.pair_name}${side}`} pair={pair} side={side} />
        ))}
      </div>
    </section>
  );
}

function AdvancedSelect() {
  const { ticket, dispatch } = useTicket();
  const chosen = TIME_IN_FORCE.find((entry) => entry.value === ticket.timeInForce);
  return (
    <div className={classes.advanced} title={chosen?.hint}>
      <span aria-hidden>{t('Advanced')}</span>
      <NativeSelect
        aria-label={t('Advanced')}
        size="xs"
        value={ticket.timeInForce}
        data={TIME_IN_FORCE.map(({ value, label }) => ({ value, label }))}
        onChange={(event) => dispatch({ kind: 'time-in-force', timeInForce: event.currentTarget.value as TimeInForce })}
      />
    </div>
  );
}
