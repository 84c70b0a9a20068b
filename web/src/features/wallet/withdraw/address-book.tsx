/** The addresses that are saved, and those that were withdrawn to before. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { withdrawAddresses } from '@cambist/contract/withdrawals.ts';
import { Anchor, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { formatDate, formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import type { WithdrawCoin, WithdrawTarget } from './use-withdraw-form.ts';
import classes from './withdraw.module.css';
import { addressesQuery } from './withdraw-queries.ts';

type Address = AnswerOf<typeof withdrawAddresses>['addresses'][number];

interface AddressBookProps {
  readonly coin: WithdrawCoin;
  readonly isWhitelistOnly: boolean;
  readonly onChoose: (target: WithdrawTarget) => void;
  readonly onClose: () => void;
}

export function AddressBook({ coin, isWhitelistOnly, onChoose, onClose }: AddressBookProps) {
  const list = useQuery(addressesQuery(coin.name));
  const known = new Set<string>(coin.networks.map(({ value }) => value));
  const addresses = list.data?.filter(({ network }) => known.has(network));
  return (
    <Dialog onClose={onClose} title={t('Choose an address')} size={460}>
      {isWhitelistOnly && (
        <p className={classes.hint}>{t('Withdrawals are limited to addresses you saved at least 24 hours ago.')}</p>
      )}
      {list.isPending && <SkeletonRows rows={3} columns={1} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {addresses?.length === 0 && (
        <Empty title={t('No {{coin}} addresses yet. Those you withdraw to will be here.', { coin: coin.name })} />
      )}
      <div className={classes.choices}>
        {addresses?.map((one) => (
          <Choice
            key={`${one.network} ${one.address}`}
            address={one}
            isUsable={isActive(one) && (one.is_saved || !isWhitelistOnly)}
            onChoose={onChoose}
          />
        ))}
      </div>
      <p className={classes.foot}>
        <Anchor component={Link} to="/account/security" size="sm">
          {t('Manage saved addresses')}
        </Anchor>
      </p>
    </Dialog>
  );
}

const isActive = ({ active_at: from }: Address) => from === null || from <= exchangeTime();

interface ChoiceProps {
  readonly address: Address;
  readonly isUsable: boolean;
  readonly onChoose: (target: WithdrawTarget) => void;
}

function Choice({ address: one, isUsable, onChoose }: ChoiceProps) {
  const { label, network, address } = one;
  return (
    <UnstyledButton
      className={classes.choice ?? ''}
      disabled={!isUsable}
      onClick={() => onChoose({ network, address })}
    >
      <span className={classes.known}>
        <span className={classes.knownHead}>
          <strong>{label || t('Used before')}</strong>
          <span className={classes.small}>{network}</span>
        </span>
        <span className={classes.mono}>{address}</span>
        <span className={classes.small}>{sinceOf(one)}</span>
      </span>
    </UnstyledButton>
  );
}

function sinceOf(address: Address): string {
  const { active_at: active, last_used_at: used } = address;
  if (!isActive(address) && active !== null) return t('Can be used from {{time}}', { time: formatDateTime(active) });
  return used === null ? t('Not used yet') : t('Last used {{date}}', { date: formatDate(used) });
}
