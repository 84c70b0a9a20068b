import { UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { t } from '../../../lib/i18n.ts';
import { IconChevronDown } from '../../../ui/first-icons.ts';
import { OnDemand } from '../../../ui/on-demand.tsx';
import { stepText } from './book-levels.ts';
import classes from './order-book.module.css';
import type { StepMenuProps } from './step-choices.tsx';

const loadChoices = async () => (await import('./step-choices.tsx')).StepChoices;

/** A menu is dear to draw, and the book around this one changes several times a second. */
export const StepMenu = memo(function StepMenu(props: StepMenuProps) {
  const text = stepText(props.value, props.scale);
  return (
    <OnDemand
      load={loadChoices}
      given={props}
      trigger={
        <UnstyledButton className={classes.step ?? ''} aria-label={t('Price step {{step}}', { step: text })}>
          {text}
          <IconChevronDown size={12} aria-hidden />
        </UnstyledButton>
      }
    />
  );
});
