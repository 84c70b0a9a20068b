/** What decides whether an operator looks, which addresses are refused, and the figures of each coin on each network. */
import {
  addFraudulentAddress,
  changeWithdrawalPolicy,
  removeFraudulentAddress,
} from '@cambist/contract/admin-withdrawals.ts';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { ActionIcon, Button, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { decimal, toShortText } from '../../../lib/decimal.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import { IconTrash } from '../../../ui/icons.ts';
import { noticeError } from '../../../ui/notices.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { changedIn, useEntry } from '../markets/market-form.ts';
import { Section } from '../section.tsx';
import { isReason, REASON_LIMIT, useAct } from '../use-act.ts';
import { NetworkFigures } from './network-figures.tsx';
import own from './treasury.module.css';
import { type FraudulentAddress, fraudulentQuery, type Policy, policyQuery } from './treasury-queries.ts';

/** Of USDT. */
const USDT_SCALE = 8;
const NETWORKS: readonly NetworkName[] = ['TRC20', 'ERC20', 'BEP20', 'BTC'];

export function RulesTab() {
  const policy = useQuery(policyQuery);
  return (
    <>
      <Section title={t('Manual review')}>
        {policy.isPending && <SkeletonRows rows={2} columns={4} />}
        {policy.isError && <ErrorState error={policy.error} onRetry={() => void policy.refetch()} />}
        {policy.data && <PolicyForm key={JSON.stringify(policy.data)} policy={policy.data} />}
      </Section>
      <Fraudulent />
      <NetworkFigures />
    </>
  );
}

const shortText = (amount: string) => toShortText(decimal(amount));

function PolicyForm({ policy }: { readonly policy: Policy }) {
  const change = useAct((body: Partial<Policy>) => call(changeWithdrawalPolicy, { body }));
  const before = {
    ...policy,
    approval_usdt: shortText(policy.approval_usdt),
    four_eyes_usdt: shortText(policy.four_eyes_usdt),
  };
  const { entry, set, field, problemOf, isReadable } = useEntry(before, change.error);
  const amount = { unit: 'USDT', unitWidth: 64, steps: false, scale: USDT_SCALE, className: own.amount };
  const count = (name: 'hourly_count' | 'median_factor', min: number) => ({
    min,
    max: 1_000,
    allowDecimal: false,
    value: entry[name],
    error: problemOf(name),
    onChange: (value: number | string) => set(name, Number(value)),
  });
  const isChanged = JSON.stringify(entry) !== JSON.stringify(before);
  return (
    <form
      className={own.fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(changedIn(before, entry));
      }}
    >
      <NumberField label={t('One approval from')} hint={t('In 24 hours')} {...amount} {...field('approval_usdt')} />
      <NumberField label={t('Two approvals from')} hint={t('In 24 hours')} {...amount} {...field('four_eyes_usdt')} />
      <NumberInput label={t('Withdrawals an hour')} {...count('hourly_count', 1)} />
      <NumberInput label={t('Times the usual amount')} {...count('median_factor', 2)} />
      <Button type="submit" variant="default" loading={change.isPending} disabled={!isChanged || !isReadable}>
        {t('Change rules')}
      </Button>
    </form>
  );
}

function Fraudulent() {
  const list = useQuery(fraudulentQuery);
  const remove = useAct((id: number) => call(removeFraudulentAddress, { params: { id: String(id) } }));
  const columns: readonly ListColumn<FraudulentAddress>[] = [
    { id: 'network', title: msg('Network'), card: 'head', cell: ({ network }) => network },
    {
      id: 'address',
      title: msg('Address'),
      card: 'line',
      cell: ({ address }) => <span className={own.mono}>{address}</span>,
    },
    { id: 'note', title: msg('Reason'), cell: ({ note }) => note },
    { id: 'added', title: msg('Since'), cell: ({ added_at: at }) => formatDateTime(at) },
    {
      id: 'remove',
      title: <HiddenText text={msg('Remove')} />,
      align: 'right',
      pinned: true,
      card: 'corner',
      cell: ({ id, address }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={t('Remove {{name}}', { name: address })}
          disabled={remove.isPending}
          onClick={() => remove.mutate(id)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      ),
    },
  ];
  return (
    <Section title={t('Fraudulent addresses')}>
      {list.isPending && <SkeletonRows rows={2} columns={4} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && <p className={classes.quiet}>{t('Nothing here.')}</p>}
      {list.data && list.data.length > 0 && (
        <RowList label={t('Fraudulent addresses')} columns={columns} rows={list.data} rowKey={({ id }) => String(id)} />
      )}
      <FraudulentForm />
    </Section>
  );
}

const BLANK = { network: 'TRC20' as NetworkName, address: '', note: '' };

function FraudulentForm() {
  const add = useAct(async (body: typeof BLANK) => {
    const { message } = await call(addFraudulentAddress, { body });
    if (message === 'exist') noticeError(t('Action failed'), t('It is on the list already.'));
  });
  const { entry, set, text } = useEntry(BLANK, add.error);
  return (
    <form
      className={own.fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(entry, { onSuccess: () => set('address', '') });
      }}
    >
      <Select
        label={t('Network')}
        allowDeselect={false}
        data={[...NETWORKS]}
        value={entry.network}
        onChange={(value) => set('network', (value ?? 'TRC20') as NetworkName)}
      />
      <TextInput
        className={own.wide ?? ''}
        label={t('Address')}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        {...text('address')}
      />
      <TextInput className={own.wide ?? ''} label={t('Reason')} maxLength={REASON_LIMIT} {...text('note')} />
      <Button
        type="submit"
        variant="default"
        loading={add.isPending}
        disabled={entry.address.trim() === '' || !isReason(entry.note)}
      >
        {t('Add address')}
      </Button>
    </form>
  );
}
