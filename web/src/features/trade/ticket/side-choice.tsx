/** Buy or Sell, where the form has room for one of them; and the form below the choice in a narrow panel. */
import { msg, t } from '../../../lib/i18n.ts';
import { Segments } from '../../../ui/panel.tsx';
import { type MarketProps, useTerminal } from '../terminal.ts';
import { useShownSide } from './shown-side.ts';
import classes from './side-choice.module.css';

const SIDES = [
  { value: 'BUY', label: msg('Buy') },
  { value: 'SELL', label: msg('Sell') },
] as const;

export function SideChoice() {
  const { side, choose } = useShownSide();
  return (
    <Segments
      label={t('Side')}
      value={side}
      options={SIDES.map(({ value, label }) => ({ value, label: t(label) }))}
      onChange={choose}
    />
  );
}

export function NarrowTicket({ pair }: MarketProps) {
  const { Tickets } = useTerminal();
  const side = useShownSide((store) => store.side);
  return (
    <div className={classes.narrow}>
      <div className={classes.choice}>
        <SideChoice />
      </div>
      <Tickets pair={pair} sides={[side]} />
    </div>
  );
}
