/** The client's deposits, newest first; one of them opens with its way so far. */
import type { Deposit } from '@cambist/contract/deposits.ts';
import type { ReactNode } from 'react';
import { endsOf } from '../../../lib/ends-of.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { MovementList, type MovementView } from '../history/movement-list.tsx';
import { DepositDialog } from './deposit-dialog.tsx';
import { useDeposits } from './deposit-queries.ts';
import { awaitedOf, shownAmount, statusOf } from './deposit-states.ts';

interface DepositListProps {
  readonly label: string;
  readonly emptyAction?: ReactNode;
}

function viewOf(deposit: Deposit): MovementView {
  const { coin, network, date, transaction, is_internal: isInternal } = deposit;
  const reference = transaction === null ? t('From another client') : endsOf(transaction);
  const { text, tone } = statusOf(deposit);
  return {
    ...{ coin, time: date, reference, tone },
    network: isInternal ? t('Internal') : network,
    amount: shownAmount(deposit),
    status: t(text, { context: 'deposit' }),
    awaited: awaitedOf(deposit),
  };
}

export function DepositList({ label, emptyAction }: DepositListProps) {
  return (
    <MovementList
      label={label}
      list={useDeposits()}
      viewOf={viewOf}
      reference={msg('Transaction')}
      empty={t('No deposits yet. What you send is listed here as soon as the network has seen it.')}
      emptyAction={emptyAction}
      details={(deposit, onClose) => <DepositDialog deposit={deposit} onClose={onClose} />}
    />
  );
}
