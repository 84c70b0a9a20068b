import type { AnswerOf } from '@cambist/contract/call.ts';
import type { drawOutStatus } from '@cambist/contract/transfers.ts';
import { TRANSFERABLE_WALLETS } from '@cambist/core/ledger/wallet-lists.ts';
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { ActionIcon, Alert, Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Decimal, decimal, toShortText } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { IconArrowsExchange } from '../../../ui/icons.ts';
import { NOTICE_MS, noticeError } from '../../../ui/notices.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { CoinSelect } from '../coin-select.tsx';
import { availableIn, heldFirst, type WalletRead, walletLabel, walletTitle } from '../wallets.ts';
import classes from './transfer.module.css';
import { amountProblem, excessProblem, swapped, type TransferEntry, WALLET_PAIRS } from './transfer-form.ts';
import { drawOutQuery } from './transfer-queries.ts';

interface TransferFieldsProps {
  readonly entry: TransferEntry;
  readonly wallets: Readonly<Record<WalletName, WalletRead>>;
  readonly onChange: (entry: TransferEntry) => void;
  readonly onReview: () => void;
}

/** Undefined while nothing keeps funds in the futures wallet. */
function useExposure(from: WalletName) {
  const { data } = useQuery({ ...drawOutQuery, enabled: from === 'FUTURE' });
  return from === 'FUTURE' && data?.draw_status === 'NO' ? data : undefined;
}

const exposureText = () =>
  t(
    'You have an unresolved cross-margin exposure: close or reduce it before you move funds out of the futures wallet.',
  );

export function TransferFields({ entry, wallets, onChange, onReview }: TransferFieldsProps) {
  // Of other wallets or another coin nothing was tried: their amount begins empty.
  const [triedOf, setTriedOf] = useState<string>();
  const subject = `${entry.from} ${entry.to} ${entry.coin}`;
  const exposure = useExposure(entry.from);
  const source = wallets[entry.from];
  const available = availableIn(source, entry.coin);
  const problem = amountProblem(entry, available);
  const shown = triedOf === subject ? problem : excessProblem(entry, available);
  const submit = () => {
    setTriedOf(subject);
    if (exposure) return noticeError(t('Transfer blocked'), exposureText(), NOTICE_MS.default);
    if (!problem) onReview();
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <WalletChoice entry={entry} onChange={onChange} />
      {exposure && <ExposureAlert positions={exposure.positions} />}
      <CoinSelect
        label={t('Coin')}
        coins={heldFirst(source.data ?? []).map((coin) => ({
          code: coin.code,
          name: coin.name,
          aside: formatExact(availableIn(source, coin.code)),
        }))}
        value={entry.coin}
        onChange={(coin) => onChange({ ...entry, coin, amount: '' })}
      />
      <AmountField
        entry={entry}
        available={available}
        error={shown ? t(shown) : undefined}
        onChange={(amount) => onChange({ ...entry, amount })}
      />
      <Button type="submit" size="md" fullWidth>
        {t('Transfer')}
      </Button>
    </form>
  );
}

type Positions = AnswerOf<typeof drawOutStatus>['positions'];

/** Which positions need the funds, and how much of each coin they leave free. */
function ExposureAlert({ positions }: { readonly positions: Positions }) {
  return (
    <Alert color="yellow" title={t('Transfer blocked')}>
      <p className={classes.text}>{exposureText()}</p>
      <ul className={classes.positions}>
        {positions.map(({ id, pair_name: pair, coin, free }) => (
          <li key={id}>{t('{{pair}}: {{free}} {{coin}} is free', { pair, free: formatExact(decimal(free)), coin })}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** Decimals to type while the balance, whose own decimals count, is not there. */
const LEDGER_SCALE = 8;

interface AmountFieldProps {
  readonly entry: TransferEntry;
  readonly available: Decimal;
  readonly error: string | undefined;
  readonly onChange: (amount: string) => void;
}

function AmountField({ entry: { coin, amount }, available, error, onChange }: AmountFieldProps) {
  return (
    <NumberField
      label={t('Amount')}
      beside={t('Available: {{amount}} {{coin}}', { amount: formatExact(available), coin })}
      placeholder="0"
      scale={available.scale || LEDGER_SCALE}
      steps={false}
      value={amount}
      error={error}
      unitWidth={116}
      unit={
        <span className={classes.unit}>
          {coin}
          <Button size="compact-xs" variant="light" onClick={() => onChange(toShortText(available))}>
            {t('Max')}
          </Button>
        </span>
      }
      onChange={onChange}
    />
  );
}

interface WalletChoiceProps {
  readonly entry: TransferEntry;
  readonly onChange: (entry: TransferEntry) => void;
}

/** Which two wallets; the fields below only show them, and the button between them turns them round. */
function WalletChoice({ entry, onChange }: WalletChoiceProps) {
  const pairs = WALLET_PAIRS.map(([from, to]) => ({
    value: `${from} ${to}`,
    label: t('{{from}} – {{to}}', { from: walletTitle(from), to: walletTitle(to) }),
    from,
    to,
  }));
  const chosen = pairs.find(({ from, to }) => [from, to].includes(entry.from) && [from, to].includes(entry.to));
  const wallets = TRANSFERABLE_WALLETS.map(({ name }) => ({ value: name, label: walletLabel(name) }));
  return (
    <>
      <SegmentedControl
        fullWidth
        classNames={{ label: classes.choice ?? '' }}
        aria-label={t('Wallets')}
        data={pairs.map(({ value, label }) => ({ value, label }))}
        value={chosen?.value ?? ''}
        onChange={(value) => {
          const pair = pairs.find((each) => each.value === value);
          if (pair) onChange({ ...entry, from: pair.from, to: pair.to, amount: '' });
        }}
      />
      <div className={classes.route}>
        <Select className={classes.wallet ?? ''} label={t('From')} data={wallets} value={entry.from} disabled />
        <ActionIcon variant="default" size={36} aria-label={t('Swap wallets')} onClick={() => onChange(swapped(entry))}>
          <IconArrowsExchange size={18} aria-hidden />
        </ActionIcon>
        <Select className={classes.wallet ?? ''} label={t('To')} data={wallets} value={entry.to} disabled />
      </div>
    </>
  );
}
