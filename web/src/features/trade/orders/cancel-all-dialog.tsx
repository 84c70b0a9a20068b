/** Says what would be cancelled before it is. */
import { cancelAllOrders } from '@cambist/contract/trading.ts';
import { Button, Group, Radio } from '@mantine/core';
import '@mantine/core/styles/Radio.layer.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf, titleOf } from '../../../lib/api-problem.ts';
import { t } from '../../../lib/i18n.ts';
import { openOrdersQuery } from '../../../lib/queries/account.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useDialogs } from '../dialogs.ts';
import { noticeError, noticeSuccess } from '../notices.ts';
import { useTerminal } from '../terminal.ts';
import classes from '../ticket/ticket.module.css';
import { followAct } from './read-again.ts';

export default function CancelAllDialog({ symbol }: { readonly symbol: string }) {
  const queries = useQueryClient();
  const { market } = useTerminal();
  const end = useDialogs((store) => store.close);
  const orders = useQuery(openOrdersQuery(market)).data?.orders ?? [];
  const here = orders.filter((order) => order.coin_pair.pair_name === symbol).length;
  const [scope, setScope] = useState<'pair' | 'all'>(here > 0 ? 'pair' : 'all');
  const count = scope === 'pair' ? here : orders.length;
  const cancel = useMutation({
    mutationFn: () => call(cancelAllOrders, { body: scope === 'pair' ? { symbol } : { market } }),
    onSuccess: ({ cancelled }) => {
      noticeSuccess(t('Orders cancelled'), t('{{count}} orders were cancelled.', { count: cancelled }));
      followAct(queries);
      end();
    },
    onError: (error) => noticeError(titleOf(error, t('Cancellation failed')), messageOf(error)),
  });
  return (
    <Dialog onClose={end} size={400} title={t('Cancel all orders')}>
      <div className={classes.confirm}>
        <Radio.Group
          label={t('Orders to cancel')}
          value={scope}
          onChange={(next) => setScope(next === 'all' ? 'all' : 'pair')}
        >
          <Radio mt="xs" value="pair" label={t('{{pair}} only: {{count}} orders', { pair: symbol, count: here })} />
          <Radio mt="xs" value="all" label={t('Every pair: {{count}} orders', { count: orders.length })} />
        </Radio.Group>
        <p className={classes.warning}>{t('Reserved funds are released immediately. This cannot be undone.')}</p>
        <Group grow>
          <Button variant="default" onClick={end}>
            {t('Keep orders')}
          </Button>
          <Button color="red" disabled={count === 0} loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('Cancel {{count}} orders', { count })}
          </Button>
        </Group>
      </div>
    </Dialog>
  );
}
