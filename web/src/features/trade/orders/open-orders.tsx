import { cancelOrder, type Order } from '@cambist/contract/trading.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf, titleOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { openOrdersQuery } from '../../../lib/queries/account.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { IconButton } from '../../../ui/button.tsx';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { IconPencil } from '../../../ui/icons.ts';
import { useDialogs } from '../dialogs.ts';
import { IconX } from '../icons.ts';
import { noticeError, noticeSuccess } from '../notices.ts';
import { useTerminal } from '../terminal.ts';
import { AccountList, listOf } from './account-list.tsx';
import { canAmend } from './amend-fields.ts';
import { filterIn, ordersIn, pairsOf, useOpenFilter } from './open-filter.ts';
import { orderColumns } from './order-columns.tsx';
import classes from './orders.module.css';
import { followAct } from './read-again.ts';
import { sideText } from './side-text.ts';
import { useAmend } from './use-amend.ts';

const columns = (): ListColumn<Order>[] => [
  ...orderColumns(),
  {
    id: 'actions',
    pinned: true,
    card: 'end',
    title: <span className="visually-hidden">{t('Actions')}</span>,
    align: 'right',
    cell: (order) => <OrderActions order={order} />,
  },
];

/** For the orders of several pairs; of one there is nothing to choose. */
function PairFilter({ pairs, pair }: { readonly pairs: readonly string[]; readonly pair: string }) {
  const choose = useOpenFilter((store) => store.choose);
  return (
    <NativeSelect
      size="xs"
      aria-label={t('Pair')}
      value={pair}
      data={[{ value: '', label: t('All pairs') }, ...pairs]}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

export function OpenOrders() {
  const { market } = useTerminal();
  const query = useQuery(openOrdersQuery(market));
  const show = useDialogs((store) => store.show);
  const chosen = useOpenFilter((store) => store.pair);
  const pair = filterIn(market, chosen);
  const pairs = pairsOf(query.data?.orders ?? [], pair);
  return (
    <AccountList
      label={t('Open orders')}
      list={listOf(query, ({ orders }) => ordersIn(orders, { pair, side: 'both' }))}
      columns={columns()}
      rowKey={(order) => order.id}
      empty={
        pair === ''
          ? t('No open orders. Your open orders will appear here.')
          : t('No open orders in {{pair}}.', { pair })
      }
      tools={(pair !== '' || pairs.length > 1) && <PairFilter pairs={pairs} pair={pair} />}
      action={
        <Button size="compact-xs" variant="default" onClick={() => show('cancel-all')}>
          {t('Cancel all')}
        </Button>
      }
    />
  );
}

interface OrderActionsProps {
  readonly order: Order;
  /** As pictures: where there is no room for words. */
  readonly isCompact?: boolean;
}

export function OrderActions({ order, isCompact = false }: OrderActionsProps) {
  return (
    <span className={classes.actions}>
      {canAmend(order) && <AmendButton order={order} isCompact={isCompact} />}
      <CancelButton order={order} isCompact={isCompact} />
    </span>
  );
}

interface ActionButtonProps {
  readonly label: string;
  /** Shown in place of the picture; undefined where there is no room for it. */
  readonly text: string | undefined;
  readonly Icon: typeof IconX;
  readonly isPending?: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

function ActionButton({ label, text, Icon, isPending = false, onClick }: ActionButtonProps) {
  if (text === undefined) {
    return (
      <IconButton size="sm" aria-label={label} title={label} disabled={isPending} onClick={onClick}>
        <Icon size={14} />
      </IconButton>
    );
  }
  return (
    <Button size="compact-xs" variant="default" aria-label={label} loading={isPending} onClick={onClick}>
      {text}
    </Button>
  );
}

function AmendButton({ order, isCompact }: Required<OrderActionsProps>) {
  const begin = useAmend((store) => store.begin);
  return (
    <ActionButton
      label={t('Change {{order}}', { order: sideText(order) })}
      text={isCompact ? undefined : t('Change')}
      Icon={IconPencil}
      onClick={() => begin({ order, changes: {}, fromChart: false })}
    />
  );
}

function CancelButton({ order, isCompact }: Required<OrderActionsProps>) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => call(cancelOrder, { params: { id: order.id } }),
    onError: (error) => {
      noticeError(titleOf(error, t('Cancellation failed')), messageOf(error));
      void queries.invalidateQueries({ queryKey: accountKeys.openOrders });
    },
    onSuccess: ({ order: cancelled }) => {
      noticeSuccess(t('Order cancelled'), t('{{order}} is no longer in the book.', { order: sideText(order) }));
      followAct(queries, cancelled);
    },
  });
  return (
    <ActionButton
      label={t('Cancel {{order}}', { order: sideText(order) })}
      text={isCompact ? undefined : t('Cancel', { context: 'order' })}
      Icon={IconX}
      isPending={cancel.isPending}
      // The second click of a double click would be a refusal, or fall on the order that has moved up.
      onClick={({ detail }) => detail < 2 && cancel.mutate()}
    />
  );
}
