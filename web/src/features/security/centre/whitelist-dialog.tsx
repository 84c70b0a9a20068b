/** The addresses that may be withdrawn to: the list, and a form for one more. */

import type { AnswerOf } from '@cambist/contract/call.ts';
import { addWhitelisted, removeWhitelisted, type whitelist } from '@cambist/contract/security.ts';
import type { withdrawNetworks } from '@cambist/contract/withdrawals.ts';
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem } from '../../../lib/api-problem.ts';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { toFirstError } from '../../../ui/first-error.ts';
import { IconTrash } from '../../../ui/icons.ts';
import { noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { Empty } from '../../../ui/states.tsx';
import classes from '../parts.module.css';
import { Loaded, Row } from '../parts.tsx';
import { networksQuery, whitelistQuery } from '../queries.ts';
import { useAct } from '../use-act.ts';

type Coin = AnswerOf<typeof withdrawNetworks>['coins'][number];
type Address = AnswerOf<typeof whitelist>['addresses'][number];

export function WhitelistDialog({ onClose }: { readonly onClose: () => void }) {
  const list = useQuery(whitelistQuery);
  const networks = useQuery(networksQuery);
  return (
    <Dialog onClose={onClose} title={t('Withdrawal addresses')} size="lg">
      <Loaded query={list} rows={3}>
        {({ addresses }) =>
          addresses.length === 0 ? (
            <Empty title={t('No addresses yet.')} />
          ) : (
            addresses.map((address) => <AddressRow key={address.id} address={address} />)
          )
        }
      </Loaded>
      <Loaded query={networks} rows={4}>
        {({ coins }) => <AddressForm coins={coins} />}
      </Loaded>
    </Dialog>
  );
}

function AddressRow({
  address: { id, label, coin, network, address, active_at: activeAt },
}: {
  readonly address: Address;
}) {
  const remove = useAct(
    () => call(removeWhitelisted, { params: { id: String(id) } }),
    () => noticeSuccess(t('Success'), t('Address removed.')),
  );
  const isActive = activeAt <= exchangeTime();
  return (
    <Row
      title={`${label} (${coin}, ${network})`}
      hint={address}
      state={!isActive ? t('Active from {{time}}', { time: formatDateTime(activeAt) }) : t('Active')}
    >
      {isActive && (
        <Button
          component={Link}
          to={`/wallet/withdraw?coin=${coin}`}
          // Not by the address of the page, which anyone can write.
          state={{ network, address }}
          variant="default"
          size="xs"
        >
          {t('Withdraw')}
        </Button>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Remove {{name}}', { name: label })}
        loading={remove.isPending}
        onClick={() => remove.mutate(undefined)}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Row>
  );
}

const networksOf = (coins: readonly Coin[], coin: string) => coins.find(({ name }) => name === coin)?.networks ?? [];

function AddressForm({ coins }: { readonly coins: readonly Coin[] }) {
  const first = coins.find(({ name }) => name === 'USDT') ?? coins[0];
  const form = useForm({
    initialValues: { label: '', coin: first?.name ?? '', network: first?.networks[0]?.value ?? '', address: '' },
    validate: {
      label: (value) => (value.trim() === '' ? t('Field is required') : null),
      address: (value) => (/^[A-Za-z0-9]{20,100}$/.test(value.trim()) ? null : t('Not a valid address')),
    },
  });
  const add = useAct(
    () =>
      call(addWhitelisted, { body: form.getValues() }).catch((problem: unknown) => {
        if (problem instanceof ApiProblem) form.setErrors(Object.fromEntries(problem.fields));
        throw problem;
      }),
    ({ message, address }) => {
      if (message === 'exist') return noticeError(t('Action failed'), t('This address is on your list already.'));
      form.reset();
      const time = formatDateTime(address.active_at);
      noticeSuccess(t('Success'), t('You can use the address from {{time}}.', { time }));
    },
  );
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit(() => add.mutate(undefined), toFirstError)}>
      <TextInput label={t('Name')} maxLength={60} autoComplete="off" {...form.getInputProps('label')} />
      <NativeSelect
        label={t('Coin')}
        data={coins.map(({ name, full_name }) => ({ value: name, label: `${name} (${full_name})` }))}
        {...form.getInputProps('coin')}
        onChange={({ currentTarget: { value: coin } }) =>
          form.setValues({ coin, network: networksOf(coins, coin)[0]?.value ?? '' })
        }
      />
      <NativeSelect
        label={t('Network')}
        data={networksOf(coins, form.values.coin).map(({ name, value }) => ({ value, label: name }))}
        {...form.getInputProps('network')}
      />
      <TextInput label={t('Address')} maxLength={100} autoComplete="off" {...form.getInputProps('address')} />
      <Button type="submit" loading={add.isPending}>
        {t('Add address')}
      </Button>
    </form>
  );
}
