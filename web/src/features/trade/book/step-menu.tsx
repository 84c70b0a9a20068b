import { Menu, UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { IconCheck, IconChevronDown } from '../../../ui/icons.ts';
import { BOOK_SIDES, type BookSides, useTradePreferences } from '../trade-preferences.ts';
import { stepsFor } from './book-levels.ts';
import classes from './order-book.module.css';

interface StepMenuProps {
  /** Ticks. */
  readonly value: number;
  readonly lastTicks: number;
  readonly scale: number;
  readonly onChange: (step: number) => void;
}

const SIDES: Readonly<Record<BookSides, string>> = {
  both: msg('Both sides'),
  bids: msg('Bids only'),
  asks: msg('Asks only'),
};

interface ChoiceProps {
  readonly chosen: boolean;
  readonly text: string;
  readonly onChoose: () => void;
}

function Choice({ chosen, text, onChoose }: ChoiceProps) {
  return (
    <Menu.Item aria-current={chosen} rightSection={chosen && <IconCheck size={14} aria-hidden />} onClick={onChoose}>
      {text}
    </Menu.Item>
  );
}

/** A menu is dear to draw, and the book around this one changes several times a second. */
export const StepMenu = memo(function StepMenu({ value, lastTicks, scale, onChange }: StepMenuProps) {
  const { bookSides, set } = useTradePreferences();
  const text = (step: number) => formatExact({ units: BigInt(step), scale });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes.step} aria-label={t('Price step {{step}}', { step: text(value) })}>
          {text(value)}
          <IconChevronDown size={12} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Price step')}</Menu.Label>
        {stepsFor(lastTicks).map((step) => (
          <Choice key={step} chosen={step === value} text={text(step)} onChoose={() => onChange(step)} />
        ))}
        <Menu.Divider />
        {BOOK_SIDES.map((sides) => (
          <Choice
            key={sides}
            chosen={sides === bookSides}
            text={t(SIDES[sides])}
            onChoose={() => set({ bookSides: sides })}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
