/** Price alerts: a form for a new one and the list of those that are kept on the server. */

import { createAlert, deleteAlert, type PriceAlert } from '@cambist/contract/alerts.ts';
import type { CoinPair } from '@cambist/contract/markets.ts';
import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { usePairFigures } from '../../../lib/market/pairs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconTrash } from '../../../ui/icons.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { useDialogs } from '../dialogs.ts';
import { noticeError, noticeSuccess } from '../notices.ts';
import { type AlertChannel, alertBody, alertErrors, NEW_ALERT, toggleChannel } from './alert-form.ts';
import classes from './alerts.module.css';
import { alertsQuery } from './alerts-query.ts';

const CHANNELS: readonly { readonly value: AlertChannel; readonly label: string }[] = [
  { value: 'page', label: msg('On this page') },
  { value: 'browser', label: msg('By browser notification') },
  { value: 'mail', label: msg('By email') },
];

export default function AlertsDialog({ pair }: { readonly pair: CoinPair }) {
  const close = useDialogs((store) => store.close);
  return (
    <Dialog onClose={close} size={480} title={t('Price alerts')}>
      <AlertForm pair={pair} />
      <AlertList />
    </Dialog>
  );
}

/** The browser asks the person once; who refuses is told in the other ways. */
async function askBrowser(): Promise<void> {
  if ('Notification' in window && Notification.permission === 'default') await Notification.requestPermission();
}

function AlertForm({ pair }: { readonly pair: CoinPair }) {
  const queries = useQueryClient();
  const { close: last } = usePairFigures(pair);
  const [entry, setEntry] = useState({ ...NEW_ALERT, price: useDialogs.getState().alertPrice });
  const [tried, setTried] = useState(false);
  const errors = tried ? alertErrors(entry) : {};
  const create = useMutation({
    mutationFn: () => call(createAlert, { body: alertBody(entry, pair.pair_name, last) }),
    onSuccess: () => {
      setEntry({ ...NEW_ALERT, channels: entry.channels });
      setTried(false);
      noticeSuccess(t('Alert set'), pair.pair_name);
      void queries.invalidateQueries({ queryKey: alertsQuery.queryKey });
    },
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error)),
  });
  const choose = (channel: AlertChannel) => {
    if (channel === 'browser') void askBrowser();
    setEntry({ ...entry, channels: toggleChannel(entry.channels, channel) });
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (Object.keys(alertErrors(entry)).length === 0) create.mutate();
      }}
    >
      <NumberField
        label={t('Notify me when {{pair}} reaches', { pair: pair.pair_name })}
        hint={t('Now {{value}}', { value: formatDecimal(last, pair.price_scale) })}
        autoFocusInDialog
        unit="USDT"
        scale={pair.price_scale}
        value={entry.price}
        error={errors.price}
        onChange={(price) => setEntry({ ...entry, price })}
      />
      <TextInput
        label={t('Note')}
        maxLength={80}
        value={entry.note}
        onChange={({ currentTarget }) => setEntry({ ...entry, note: currentTarget.value })}
      />
      <Checkbox.Group label={t('Notify me by')} value={[...entry.channels]} error={errors.channels}>
        <div className={classes.channels}>
          {CHANNELS.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={t(label)} onChange={() => choose(value)} />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        label={t('Repeat, at most once an hour')}
        checked={entry.repeat === 'repeating'}
        onChange={({ currentTarget }) => setEntry({ ...entry, repeat: currentTarget.checked ? 'repeating' : 'once' })}
      />
      <Button type="submit" loading={create.isPending}>
        {t('Set alert')}
      </Button>
    </form>
  );
}

function AlertList() {
  const query = useQuery(alertsQuery);
  if (query.isLoadingError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <SkeletonRows rows={3} columns={2} />;
  if (query.data.alerts.length === 0) return <Empty title={t('No alerts yet.')} />;
  return (
    <ul className={classes.list} aria-label={t('Your alerts')}>
      {query.data.alerts.map((alert) => (
        <AlertRow key={alert.id} alert={alert} />
      ))}
    </ul>
  );
}

/** One that repeats goes on after it has triggered, and counts as one of those that a client may have. */
function stateTexts({ state, repeat, triggered_at: time }: PriceAlert): string[] {
  const active = repeat === 'once' ? t('Active') : t('Active, repeats');
  const triggered = time === null ? [] : [t('Triggered {{time}}', { time: formatDateTime(time) })];
  return state === 'done' ? triggered : [active, ...triggered];
}

function AlertRow({ alert }: { readonly alert: PriceAlert }) {
  const queries = useQueryClient();
  const price = formatDecimal(alert.price, decimal(alert.price).scale);
  const text =
    alert.direction === 'above'
      ? t('{{pair}} at {{price}} or above', { pair: alert.symbol, price })
      : t('{{pair}} at {{price}} or below', { pair: alert.symbol, price });
  const remove = useMutation({
    mutationFn: () => call(deleteAlert, { params: { id: alert.id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: alertsQuery.queryKey }),
    onError: (error) => noticeError(t('Something went wrong'), messageOf(error)),
  });
  return (
    <li>
      <span>
        {text}
        <span className={classes.quiet}>{[...stateTexts(alert), alert.note].filter(Boolean).join(' · ')}</span>
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Delete the alert {{alert}}', { alert: text })}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        <IconTrash size={16} stroke={1.6} />
      </ActionIcon>
    </li>
  );
}
