/** One side of a conversion: its coin, its amount, and for what leaves the wallet the balance and Max. */
import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Decimal, toShortText } from '../../../lib/decimal.ts';
import { formatExact, localizeNumber, typedAmount } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { type CoinOption, CoinSelect } from '../coin-select.tsx';
import classes from './convert.module.css';

interface ConvertFieldProps {
  readonly side: 'from' | 'to';
  readonly coins: readonly CoinOption[];
  readonly coin: string;
  readonly amount: string;
  /** Decimals that the amount may have. */
  readonly scale: number;
  readonly available?: Decimal;
  readonly error?: string | undefined;
  /** The amount on its way here. */
  readonly isPending?: boolean;
  readonly onCoin: (coin: string) => void;
  /** Without it the amount is only shown. */
  readonly onAmount?: (amount: string) => void;
  readonly aside?: ReactNode;
}

export function ConvertField({ side, coins, coin, amount, scale, available, error, ...field }: ConvertFieldProps) {
  const { isPending = false, onCoin, onAmount, aside } = field;
  const isFrom = side === 'from';
  return (
    <div className={classes.side} data-error={error !== undefined}>
      <div className={classes.head}>
        <span className={classes.label}>{isFrom ? t('From') : t('To')}</span>
        {available && (
          <span className={classes.available}>
            {t('Available: {{amount}} {{coin}}', { amount: formatExact(available), coin })}
            <Button
              size="compact-xs"
              variant="light"
              onClick={() => onAmount?.(typedAmount(toShortText(available), scale))}
            >
              {t('Max')}
            </Button>
          </span>
        )}
        {aside}
      </div>
      <div className={classes.entry}>
        <div className={classes.coin}>
          <CoinSelect
            hideLabel
            label={isFrom ? t('From coin') : t('To coin')}
            coins={coins}
            value={coin}
            onChange={onCoin}
          />
        </div>
        <TextInput
          className={classes.amount ?? ''}
          classNames={{ input: classes.input ?? '' }}
          variant="unstyled"
          aria-label={isFrom ? t('From amount') : t('To amount')}
          aria-busy={isPending}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          readOnly={!onAmount}
          value={onAmount ? amount : localizeNumber(amount)}
          error={error !== undefined}
          onChange={({ currentTarget }) => onAmount?.(typedAmount(currentTarget.value, scale))}
        />
      </div>
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
