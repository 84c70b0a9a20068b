/** Says what would be cancelled before it is. */
import { cancelAllOrders } from '@cambist/contract/trading.ts';
import { Button, Group, Radio } from '@mantine/core';
import '@mantine/core/styles/Radio.layer.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf, titleOf } from '../../../lib/api-problem.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { openOrdersQuery } from '../../../lib/queries/account.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Segments } from '../../../ui/panel.tsx';
import { useDialogs } from '../dialogs.ts';
import { noticeError, noticeSuccess } from '../notices.ts';
import { useTerminal } from '../terminal.ts';
import classes from '../ticket/ticket.module.css';
import { filterIn, ordersIn, type SideScope, useOpenFilter } from './open-filter.ts';
import { followAct } from './read-again.ts';

const SIDES = [
  { value: 'both', label: msg('Buys and sells') },
  { value: 'BUY', label: msg('Buys only') },
  { value: 'SELL', label: msg('Sells only') },
] as const;

/** @param onScreen the pair of the terminal; the list's filter comes first */
export default function CancelAllDialog({ symbol: onScreen }: { readonly symbol: string }) {
  const queries = useQueryClient();
  const { market } = useTerminal();
  const end = useDialogs((store) => store.close);
  const symbol = filterIn(market, useOpenFilter.getState().pair) || onScreen;
  const orders = useQuery(openOrdersQuery(market)).data?.orders ?? [];
  const [side, setSide] = useState<SideScope>('both');
  const [scope, setScope] = useState<'pair' | 'all'>(() =>
    ordersIn(orders, { pair: symbol, side }).length > 0 ? 'pair' : 'all',
  );
  const here = ordersIn(orders, { pair: symbol, side }).length;
  const everywhere = ordersIn(orders, { pair: '', side }).length;
  const count = scope === 'pair' ? here : everywhere;
  const cancel = useMutation({
    mutationFn: () =>
      call(cancelAllOrders, {
        body: { ...(scope === 'pair' ? { symbol } : { market }), ...(side !== 'both' && { side }) },
      }),
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
        <Segments<SideScope>
          label={t('Side')}
          value={side}
          options={SIDES.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={setSide}
        />
        <Radio.Group
          label={t('Orders to cancel')}
          value={scope}
          onChange={(next) => setScope(next === 'all' ? 'all' : 'pair')}
        >
          <Radio mt="xs" value="pair" label={t('{{pair}} only: {{count}} orders', { pair: symbol, count: here })} />
          <Radio mt="xs" value="all" label={t('Every pair: {{count}} orders', { count: everywhere })} />
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
