/** Steps of prices, and which sides are shown. Loaded at the first use of its button. */
import { Menu } from '@mantine/core';
import { msg, t } from '../../../lib/i18n.ts';
import { IconCheck } from '../../../ui/icons.ts';
import type { OnDemandMenuProps } from '../../../ui/on-demand.tsx';
import { useFloating } from '../../../ui/use-floating.ts';
import { BOOK_SIDES, type BookSides, useTradePreferences } from '../trade-preferences.ts';
import { stepsFor, stepText } from './book-levels.ts';

export interface StepMenuProps {
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

export function StepChoices({ value, lastTicks, scale, onChange, trigger }: StepMenuProps & OnDemandMenuProps) {
  const { bookSides, set } = useTradePreferences();
  return (
    <Menu position="bottom-end" {...useFloating()}>
      <Menu.Target>{trigger}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Price step')}</Menu.Label>
        {stepsFor(lastTicks).map((step) => (
          <Choice key={step} chosen={step === value} text={stepText(step, scale)} onChoose={() => onChange(step)} />
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
}
