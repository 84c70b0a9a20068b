import { Menu, UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { IconChevronDown } from '../../../ui/icons.ts';
import { stepsFor } from './book-levels.ts';
import classes from './order-book.module.css';

interface StepMenuProps {
  /** Ticks. */
  readonly value: number;
  readonly lastTicks: number;
  readonly scale: number;
  readonly onChange: (step: number) => void;
}

/** A menu is dear to draw, and the book around this one changes several times a second. */
export const StepMenu = memo(function StepMenu({ value, lastTicks, scale, onChange }: StepMenuProps) {
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
        {stepsFor(lastTicks).map((step) => (
          <Menu.Item key={step} onClick={() => onChange(step)}>
            {text(step)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
