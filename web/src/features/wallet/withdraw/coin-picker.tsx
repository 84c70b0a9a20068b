/** Chooses the coin to withdraw, in a dialog that shows what there is of each. */
import { UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { decimal } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconChevronDown } from '../../../ui/first-icons.ts';
import type { WithdrawCoin, WithdrawFunds } from './use-withdraw-form.ts';
import classes from './withdraw.module.css';

interface CoinPickerProps {
  readonly coins: readonly WithdrawCoin[];
  readonly funds: readonly WithdrawFunds[];
  readonly value: string;
  readonly onChoose: (coin: string) => void;
}

export function CoinPicker({ coins, funds, value, onChoose }: CoinPickerProps) {
  const [opened, setOpened] = useState(false);
  const label = useId();
  const close = () => setOpened(false);
  const chosen = coins.find(({ name }) => name === value);
  return (
    <div>
      <span className={classes.label} id={label}>
        {t('Coin')}
      </span>
      <UnstyledButton
        id={`${label}-button`}
        className={classes.picker ?? ''}
        aria-haspopup="dialog"
        aria-labelledby={`${label} ${label}-button`}
        onClick={() => setOpened(true)}
      >
        <CoinIcon code={value} size={22} />
        <strong>{value}</strong>
        <span className={classes.small}>{chosen?.full_name}</span>
        <IconChevronDown size={16} className={classes.chevron} aria-hidden />
      </UnstyledButton>
      <Dialog opened={opened} onClose={close} title={t('Choose a coin')} size="sm">
        <div className={classes.choices}>
          {coins.map(({ name, full_name: full }) => (
            <UnstyledButton
              key={name}
              className={classes.choice ?? ''}
              aria-pressed={name === value}
              onClick={() => {
                onChoose(name);
                close();
              }}
            >
              <CoinIcon code={name} size={26} />
              <span className={classes.two}>
                <strong>{name}</strong>
                <span className={classes.small}>{full}</span>
              </span>
              <Available amount={funds.find(({ coin }) => coin === name)?.available} />
            </UnstyledButton>
          ))}
        </div>
      </Dialog>
    </div>
  );
}

/** Nothing until it is known. */
function Available({ amount }: { readonly amount: string | undefined }) {
  return amount === undefined ? null : <span className={classes.aside}>{formatExact(decimal(amount))}</span>;
}
