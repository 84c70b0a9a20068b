/** What both tabs are made of: the two sides with the button between them, the lines below, and Convert. */

import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon, Button } from '@mantine/core';
import type { Dispatch, ReactNode } from 'react';
import type { Decimal } from '../../../lib/decimal.ts';
import { t } from '../../../lib/i18n.ts';
import { IconArrowsDownUp } from '../../../ui/icons.ts';
import type { CoinOption } from '../coin-select.tsx';
import classes from './convert.module.css';
import { ConvertField } from './convert-field.tsx';
import type { ConvertAction, ConvertEntry } from './convert-form.ts';
import { amountScale, type ConvertErrors, type Minimums } from './convert-maths.ts';

export interface ConvertFormProps {
  readonly pair: CoinPair;
  readonly entry: ConvertEntry;
  readonly dispatch: Dispatch<ConvertAction>;
  readonly coins: readonly CoinOption[];
  /** Of the coin that is converted. */
  readonly available: Decimal;
  readonly minimums: Minimums | undefined;
}

export interface Line {
  readonly title: string;
  readonly value: ReactNode;
}

interface FormFrameProps extends Omit<ConvertFormProps, 'minimums'> {
  /** What stands on the other side, typed or derived. */
  readonly toAmount: string;
  readonly isToPending?: boolean;
  readonly onToAmount?: (amount: string) => void;
  readonly errors: ConvertErrors;
  readonly lines: readonly Line[];
  readonly note?: ReactNode;
  readonly busy?: boolean;
  readonly onSubmit: () => void;
}

export function FormFrame({
  pair,
  entry,
  dispatch,
  coins,
  available,
  toAmount,
  errors,
  lines,
  ...rest
}: FormFrameProps) {
  const { isToPending = false, onToAmount, note, busy = false, onSubmit } = rest;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit();
      }}
    >
      <ConvertField
        side="from"
        coins={coins}
        coin={entry.from}
        amount={entry.fromAmount}
        scale={amountScale(entry.from, pair)}
        available={available}
        error={errors.from}
        onCoin={(coin) => dispatch({ kind: 'from', coin })}
        onAmount={(amount) => dispatch({ kind: 'from-amount', amount })}
      />
      <ActionIcon
        variant="default"
        size={36}
        radius="xl"
        className={classes.swap}
        aria-label={t('Swap coins')}
        onClick={() => dispatch({ kind: 'swap', toAmount })}
      >
        <IconArrowsDownUp size={18} aria-hidden />
      </ActionIcon>
      <ConvertField
        side="to"
        coins={coins}
        coin={entry.to}
        amount={toAmount}
        scale={amountScale(entry.to, pair)}
        error={errors.to}
        isPending={isToPending}
        onCoin={(coin) => dispatch({ kind: 'to', coin })}
        {...(onToAmount ? { onAmount: onToAmount } : {})}
      />
      <dl className={classes.lines}>
        {lines.map(({ title, value }) => (
          <div key={title} className={classes.line}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {note && <p className={classes.note}>{note}</p>}
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('Convert')}
      </Button>
    </form>
  );
}
