/** The types of orders beside market and limit, each with what it does. Loaded at the first use of its button. */
import { Menu } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import type { OnDemandMenuProps } from '../../../ui/on-demand.tsx';
import { useFloating } from '../../../ui/use-floating.ts';
import classes from './ticket.module.css';
import type { OrderType } from './ticket.ts';

interface TypeMenuProps extends OnDemandMenuProps {
  readonly types: readonly { readonly value: OrderType; readonly label: string; readonly hint: string }[];
  readonly onChoose: (type: OrderType) => void;
  /** What holds for all that wait for a price. */
  readonly note: string;
}

export function TypeMenu({ types, onChoose, note, trigger }: TypeMenuProps) {
  return (
    <Menu position="bottom-start" width={320} {...useFloating()}>
      <Menu.Target>{trigger}</Menu.Target>
      <Menu.Dropdown className={classes.typeMenu ?? ''}>
        {types.map(({ value, label, hint }) => (
          <Menu.Item key={value} onClick={() => onChoose(value)}>
            {t(label)}
            <span className={classes.hint}>{t(hint)}</span>
          </Menu.Item>
        ))}
        <Menu.Label className={classes.menuNote ?? ''}>{note}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
