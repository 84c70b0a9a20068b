/** The client's withdrawals, newest first; one of them opens with its way so far. */
import type { Withdrawal } from '@cambist/contract/withdrawals.ts';
import type { ReactNode } from 'react';
import { endsOf } from '../../../lib/ends-of.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { MovementList, type MovementView } from '../history/movement-list.tsx';
import { useWithdrawals } from './withdraw-queries.ts';
import { WithdrawalDialog } from './withdrawal-dialog.tsx';
import { awaitedOf, shownAmount, statusOf } from './withdrawal-states.ts';

interface WithdrawalListProps {
  readonly label: string;
  readonly emptyAction?: ReactNode;
}

function viewOf(withdrawal: Withdrawal): MovementView {
  const { coin, network, date, withdraw_address: address, is_internal: isInternal } = withdrawal;
  const { text, tone } = statusOf(withdrawal);
  return {
    ...{ coin, time: date, reference: endsOf(address), tone },
    network: isInternal ? t('Internal') : network,
    amount: shownAmount(withdrawal),
    status: t(text, { context: 'withdrawal' }),
    awaited: awaitedOf(withdrawal),
  };
}

export function WithdrawalList({ label, emptyAction }: WithdrawalListProps) {
  return (
    <MovementList
      label={label}
      list={useWithdrawals()}
      viewOf={viewOf}
      reference={msg('Address')}
      empty={t('No withdrawals yet. Each is listed here with everything that happens to it.')}
      emptyAction={emptyAction}
      details={(withdrawal, onClose) => <WithdrawalDialog withdrawal={withdrawal} onClose={onClose} />}
    />
  );
}
