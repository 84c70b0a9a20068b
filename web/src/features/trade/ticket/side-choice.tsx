/** Buy or Sell, where the form has room for one of them; and the form below the choice in a narrow panel. */
import { t } from '../../../lib/i18n.ts';
import { Tabs } from '../../../ui/panel.tsx';
import { type MarketProps, useTerminal } from '../terminal.ts';
import { OrderTickets } from './order-tickets.tsx';
import { useShownSide } from './shown-side.ts';
import classes from './side-choice.module.css';

const SIDES = ['BUY', 'SELL'] as const;

export function SideChoice() {
  const { sideLabel } = useTerminal().ticketKind;
  const { side, choose } = useShownSide();
  return (
    <Tabs
      label={t('Side')}
      value={side}
      options={SIDES.map((value) => ({ value, label: sideLabel(value) }))}
      onChange={choose}
    />
  );
}

export function NarrowTicket({ pair }: MarketProps) {
  const side = useShownSide((store) => store.side);
  return (
    <div className={classes.narrow}>
      <div className={classes.choice}>
        <SideChoice />
      </div>
      <OrderTickets pair={pair} sides={[side]} />
    </div>
  );
}
