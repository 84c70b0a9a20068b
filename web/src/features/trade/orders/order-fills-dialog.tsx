/** Every fill of one order, from the server, and what they come to. */
import type { Order } from '@cambist/contract/trading.ts';
import { decimal } from '../../../lib/decimal.ts';
import { formatDecimal, formatExact } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { isPerpetual } from '../../../lib/market/pairs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { AccountList } from './account-list.tsx';
import { NO_FILTER } from './history-filter.ts';
import { orderFillColumns } from './order-columns.tsx';
import { useOrderFills } from './order-fills.ts';
import classes from './orders.module.css';
import { delegateTypeName, sideText } from './side-text.ts';
import { useTradeHistory } from './use-history.ts';

const exact = (value: string) => formatDecimal(value, decimal(value).scale);

export default function OrderFillsDialog({ order }: { readonly order: Order }) {
  const close = useOrderFills((store) => store.close);
  const list = useTradeHistory({ ...NO_FILTER, order: order.id });
  const [base = ''] = order.coin_pair.pair_name.split('-');
  const figures = [
    { name: t('Filled'), value: `${exact(order.filled)} ${base}` },
    { name: t('Average price'), value: exact(order.average_price) },
    { name: t('Fee'), value: `${formatExact(decimal(order.fee))} ${order.fee_coin}` },
  ];
  return (
    <Dialog onClose={close} size={640} title={t('Fills of order {{id}}', { id: order.id })}>
      <p className={classes.summary}>
        {order.coin_pair.pair_name} · {sideText({ ...order, remaining: '0' })}
        {isPerpetual(order.coin_pair.pair_name) && ` · ${delegateTypeName(order.delegate_type)}`}
      </p>
      <Facts look="tiles" facts={figures} className={classes.totals} />
      <AccountList
        label={t('Fills of order {{id}}', { id: order.id })}
        list={list}
        columns={orderFillColumns()}
        rowKey={(fill) => fill.id}
        empty={t('This order has no fills yet.')}
      />
    </Dialog>
  );
}
