/** One side of a conversion: its coin, its amount, and for what leaves the wallet the balance and Max. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Decimal, rescale, toShortText } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { NumberField } from '../../../ui/number-field.tsx';
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
        <span className={classes.label}>
          {isFrom ? t('From', { context: 'convert' }) : t('To', { context: 'convert' })}
        </span>
        {available && (
          <span className={classes.available}>
            {t('Available: {{amount}} {{coin}}', { amount: formatExact(available), coin })}
            <Button
              size="compact-xs"
              variant="light"
              onClick={() => onAmount?.(toShortText(rescale(available, scale, 'floor')))}
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
        <NumberField
          className={classes.amount}
          inputClass={classes.input}
          variant="unstyled"
          aria-label={isFrom ? t('From amount') : t('To amount')}
          busy={isPending}
          placeholder="0"
          steps={false}
          readOnly={!onAmount}
          scale={scale}
          value={amount}
          error={error}
          onChange={(typed) => onAmount?.(typed)}
          // What is looked at to be changed no longer follows the market.
          onFocus={() => onAmount?.(amount)}
        />
      </div>
    </div>
  );
}
