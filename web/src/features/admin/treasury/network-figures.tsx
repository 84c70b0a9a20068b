/** Minimums, fees and confirmations of each coin on each network, and a dialog that changes them. */
import { changeCoinNetwork } from '@cambist/contract/admin-withdrawals.ts';
import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { decimal, toShortText } from '../../../lib/decimal.ts';
import { formatExact } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { changedIn, useEntry } from '../markets/market-form.ts';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import own from './treasury.module.css';
import { type Figures, figuresQuery } from './treasury-queries.ts';

const exact = (amount: string | null) => (amount === null ? '–' : formatExact(decimal(amount)));

const columns = (open: (figures: Figures) => void): readonly ListColumn<Figures>[] => [
  { id: 'coin', title: msg('Coin'), card: 'head', cell: ({ coin }) => <strong>{coin}</strong> },
  { id: 'network', title: msg('Network'), card: 'head', cell: ({ network }) => network },
  {
    id: 'deposit',
    title: msg('Smallest deposit'),
    align: 'right',

    cell: ({ deposit_minimum: minimum }) => exact(minimum),
  },
  {
    id: 'counts',
    title: msg('Credited / unlocked at'),
    align: 'right',

    cell: ({ credited_at: credited, unlocked_at: unlocked }) => `${credited} / ${unlocked}`,
  },
  {
    id: 'minimum',
    title: msg('Smallest withdrawal'),
    align: 'right',

    cell: ({ withdraw_minimum: minimum }) => exact(minimum),
  },
  { id: 'fee', title: msg('Withdrawal fee'), align: 'right', cell: ({ withdraw_fee: fee }) => exact(fee) },
  {
    id: 'settled',
    title: msg('Settled at'),
    align: 'right',

    cell: ({ withdraw_confirmations: count }) => count ?? '–',
  },
  {
    id: 'change',
    title: <HiddenText text={msg('Change')} />,
    align: 'right',
    pinned: true,
    card: 'corner',
    cell: (row) => (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('Change {{coin}} on {{network}}', { coin: row.coin, network: row.network })}
        onClick={() => open(row)}
      >
        {t('Change')}
      </Button>
    ),
  },
];

export function NetworkFigures() {
  const list = useQuery(figuresQuery);
  const [opened, setOpened] = useState<Figures>();
  return (
    <Section title={t('Coins and networks')}>
      {list.isPending && <SkeletonRows rows={8} columns={6} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <RowList
          label={t('Coins and networks')}
          columns={columns(setOpened)}
          rows={list.data}
          rowKey={({ coin, network }) => `${coin} ${network}`}
        />
      )}
      {opened && <FiguresDialog figures={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

interface FiguresDialogProps {
  readonly figures: Figures;
  readonly onClose: () => void;
}

const short = (amount: string | null) => (amount === null ? '' : toShortText(decimal(amount)));

/** Of any coin in the ledger. */
const MOST_DECIMALS = 9;

function FiguresDialog({ figures, onClose }: FiguresDialogProps) {
  const { coin, network, withdraw_fee: fee } = figures;
  const isWithdrawn = fee !== null;
  const change = useAct(
    (body: Parameters<typeof call<typeof changeCoinNetwork>>[1] & {}) => call(changeCoinNetwork, body),
    onClose,
  );
  // As it was opened: the list behind it is read again meanwhile.
  const [before] = useState({
    deposit_minimum: short(figures.deposit_minimum),
    credited_at: figures.credited_at,
    unlocked_at: figures.unlocked_at,
    withdraw_minimum: short(figures.withdraw_minimum),
    withdraw_fee: short(fee),
    withdraw_confirmations: figures.withdraw_confirmations ?? 1,
  });
  const form = useEntry(before, change.error);
  const { entry, set, field, problemOf } = form;
  const amount = { unit: coin, unitWidth: 64, steps: false, scale: MOST_DECIMALS };
  const count = (name: 'credited_at' | 'unlocked_at' | 'withdraw_confirmations') => ({
    min: 1,
    max: 10_000,
    allowDecimal: false,
    value: entry[name],
    error: problemOf(name),
    onChange: (value: number | string) => set(name, Number(value)),
  });
  const submit = () => {
    change.mutate({ body: { coin, network, ...changedIn(before, entry) } });
  };
  return (
    <Dialog onClose={onClose} title={t('{{coin}} on {{network}}', { coin, network: figures.name })} size="md">
      <form
        className={own.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className={own.pairs}>
          <NumberField label={t('Smallest deposit')} {...amount} {...field('deposit_minimum')} />
          <NumberInput label={t('Confirmations to credit')} {...count('credited_at')} />
          <NumberInput label={t('Confirmations to unlock')} {...count('unlocked_at')} />
          {isWithdrawn && (
            <>
              <NumberField label={t('Smallest withdrawal')} {...amount} {...field('withdraw_minimum')} />
              <NumberField label={t('Withdrawal fee')} {...amount} {...field('withdraw_fee')} />
              <NumberInput label={t('Confirmations to settle')} {...count('withdraw_confirmations')} />
            </>
          )}
        </div>
        <p className={classes.quiet}>{t('What has been requested already keeps its figures.')}</p>
        <Button type="submit" loading={change.isPending} disabled={!form.isReadable}>
          {t('Change figures')}
        </Button>
      </form>
    </Dialog>
  );
}
