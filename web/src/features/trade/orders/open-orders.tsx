import { cancelOrder, type Order } from '@cambist/contract/trading.ts';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { messageOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { accountKeys, openOrdersQuery } from '../../../lib/queries/account.ts';
import type { Column } from '../../../ui/dense-table.tsx';
import { noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { AccountList } from './account-list.tsx';
import { openOrderColumns } from './order-columns.tsx';
import { sideText } from './side-text.ts';

const columns: readonly Column<Order>[] = [
  ...openOrderColumns,
  {
    id: 'cancel',
    title: <span className="visually-hidden">{t('Cancel')}</span>,
    align: 'right',
    cell: (order) => <CancelButton order={order} />,
  },
];

export function OpenOrders() {
  const query = useQuery(openOrdersQuery);
  return (
    <AccountList
      label={t('Open orders')}
      query={query}
      rowsOf={(answer) => answer.orders}
      columns={columns}
      rowKey={(order) => order.id}
      empty="No open orders. A limit order waits here until it fills."
    />
  );
}

function CancelButton({ order }: { readonly order: Order }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => call(cancelOrder, { params: { id: order.id } }),
    onError: (error) => {
      noticeError('Not cancelled', messageOf(error));
      void queries.invalidateQueries({ queryKey: accountKeys.openOrders });
    },
    onSuccess: () => {
      noticeSuccess('Order cancelled', `${sideText(order)} is no longer in the book.`);
      for (const queryKey of [accountKeys.openOrders, accountKeys.orderHistory, accountKeys.funds]) {
        void queries.invalidateQueries({ queryKey });
      }
    },
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Cancel ${sideText(order)}`}
      loading={cancel.isPending}
      onClick={() => cancel.mutate()}
    >
      {t('Cancel')}
    </Button>
  );
}
