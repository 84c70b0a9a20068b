import type { TriggerSource } from '@cambist/contract/conditional-orders.ts';
import type { Fill, Order } from '@cambist/contract/trading.ts';
import { Link } from 'react-router';
import { decimal } from '../../../lib/decimal.ts';
import { formatDateTime, formatDecimal, formatExact, formatTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { terminalOf } from '../../../lib/market/pairs.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { Amount } from '../../../ui/figures.tsx';
import { typeLabel } from '../ticket/summary-lines.ts';
import { useOrderFills } from './order-fills.ts';
import classes from './orders.module.css';
import { orderSide, orderSize, tradedSide } from './side-text.ts';

/** Shown with the decimals that the server sent: they are the pair's own. */
function exact(value: string): string {
  return value === '' ? '–' : formatDecimal(value, decimal(value).scale);
}

function isZero(value: string): boolean {
  return decimal(value).units === 0n;
}

/** The server's words for states, as a person reads them. */
export const STATES = {
  PENDING: msg('Pending'),
  APPROVED: msg('Filled'),
  DISSAPROVED: msg('Cancelled'),
  DECLINED: msg('Cancelled'),
} as const;

const STOPPED = msg('Trading in the pair had stopped');
const SMALL = msg('It was below the smallest order of the pair');
const OWN = msg('It would have matched your own order');

/** Why an order ended, or was refused when its trigger placed it, as the server's codes say it. */
const REASONS: Readonly<Record<string, string>> = {
  BY_OWNER: msg('You cancelled it'),
  BY_OPERATOR: msg('The exchange cancelled it'),
  UNFILLED_REMAINDER: msg('The rest could not be filled immediately'),
  SELF_TRADE: OWN,
  PRICE_BAND: msg('The price left the allowed range'),
  INSUFFICIENT_FUNDS: msg('Insufficient funds'),
  TIME_UP: msg('Time is up'),
  NOTHING_TO_CLOSE: msg('Nothing was left to close'),
  LIQUIDATED: msg('A position was liquidated'),
  MARKET_CLEARED: STOPPED,
  MARKET_HALTED: STOPPED,
  MARKET_DELISTED: STOPPED,
  NO_LIQUIDITY: msg('There was nothing to trade with'),
  ONLY_OWN_ORDERS: OWN,
  PRICE_MOVED: msg('The price had moved by more than you allowed'),
  NOT_FILLABLE: msg('It could not be filled completely'),
  PRICE_OUTSIDE_BAND: msg('The price left the allowed range'),
  BELOW_MINIMUM_SIZE: SMALL,
  BELOW_MINIMUM_NOTIONAL: SMALL,
  ABOVE_MAXIMUM_SIZE: msg('It was above the largest order of the pair'),
  ACCOUNT_LIMIT: msg('You had too many open orders'),
  WOULD_TAKE: msg('It would have traded at once, though post-only'),
  ABOVE_RISK_LIMIT: msg('The position would have been too large for your leverage'),
  BELOW_MAINTENANCE: msg('The position would have been liquidated at once'),
  TERM_RUNNING: msg('The position has a term that hasn’t ended'),
  NO_INDEX: msg('The index price was not known'),
};

/** Empty for an order that ended as it should; one for which there is no text was refused all the same. */
export function reasonText(reason: string): string {
  return reason === '' ? '' : t(REASONS[reason] ?? msg('The pair didn’t accept it'));
}

interface Sided {
  readonly id: string;
  readonly created_at: number;
  readonly delegate_type: 'BUY' | 'SELL';
  readonly coin_pair: { readonly pair_name: string };
}

function pairColumns<Row extends Sided>(sideOf: (row: Row) => string): ListColumn<Row>[] {
  return [
    {
      id: 'time',
      title: t('Time'),
      card: 'corner',
      cell: (row) => <span className={classes.quiet}>{formatDateTime(row.created_at)}</span>,
    },
    {
      id: 'pair',
      title: t('Pair'),
      card: 'head',
      cell: (row) => <Link to={terminalOf(row.coin_pair.pair_name)}>{row.coin_pair.pair_name}</Link>,
    },
    {
      id: 'side',
      title: t('Side'),
      card: 'head',
      cell: (row) => <span className={row.delegate_type === 'BUY' ? classes.up : classes.down}>{sideOf(row)}</span>,
    },
  ];
}

/** Which price triggers, where that is not the last one. */
function triggerPriceText(source: TriggerSource): string {
  switch (source) {
    case 'last':
      return '';
    case 'mark':
      return t('by the mark price');
    case 'index':
      return t('by the index price');
  }
}

/** What triggers an untriggered order, in one short line; empty on all others. */
export function triggerText({ trigger }: Pick<Order, 'trigger'>): string {
  if (!trigger) return '';
  const parts = [
    trigger.take_profit_price && t('takes profit at {{price}}', { price: exact(trigger.take_profit_price) }),
    trigger.stop_price && t('stops at {{price}}', { price: exact(trigger.stop_price) }),
    trigger.callback_rate && t('trails by {{rate}}%', { rate: formatExact(decimal(trigger.callback_rate)) }),
    trigger.callback_distance && t('trails by {{distance}} USDT', { distance: exact(trigger.callback_distance) }),
    trigger.trailing_price && t('would trigger at {{price}}', { price: exact(trigger.trailing_price) }),
    !trigger.best_price &&
      trigger.activation_price &&
      t('from {{price}} on', { price: exact(trigger.activation_price) }),
    triggerPriceText(trigger.trigger_by),
  ];
  return parts.filter(Boolean).join(', ');
}

/** What follows once the entry fills: its exits. */
function exitsText({ exits }: Pick<Order, 'exits'>): string {
  if (!exits) return '';
  const parts = [
    exits.take_profit_price && t('takes profit at {{price}}', { price: exact(exits.take_profit_price) }),
    exits.stop_price && t('stops at {{price}}', { price: exact(exits.stop_price) }),
    triggerPriceText(exits.trigger_by),
  ].filter(Boolean);
  return parts.length === 0 ? '' : t('once filled, {{exits}}', { exits: parts.join(', ') });
}

/** How far a TWAP is, and until when it goes on. */
function progressText({ twap, state }: Order): string {
  if (!twap) return '';
  const progress = { done: String(twap.slices_done), slices: String(twap.slices) };
  if (state !== 'PENDING') return t('{{done}}/{{slices}} slices', progress);
  return t('{{done}}/{{slices}} slices, until {{time}}', { ...progress, time: formatTime(twap.ends_at) });
}

/** What there is to know of an order beside its type, each in a short line. */
function notesOf(order: Order): string[] {
  const entry = order.trigger?.entry_id;
  return [
    triggerText(order),
    progressText(order),
    exitsText(order),
    entry ? t('exit of order {{id}}', { id: entry }) : '',
    order.reduce_only ? t('reduce-only') : '',
    order.visible_quantity ? t('shows {{amount}} at a time', { amount: exact(order.visible_quantity) }) : '',
  ].filter((note) => note !== '');
}

function typeOf(order: Order) {
  return (
    <>
      <span>
        {order.type === 'convert' ? t('Convert') : typeLabel(order.twap ? 'twap' : (order.trigger?.kind ?? order.type))}
      </span>
      {notesOf(order).map((note) => (
        <span key={note} className={classes.trigger}>
          {note}
        </span>
      ))}
    </>
  );
}

/** An untriggered order that buys at market has a total in place of an amount, and one that closes a position has none. */
function amountOf(order: Order): string {
  const { amount, coin, isTotal, isAll } = orderSize(order);
  if (isAll) return amount;
  if (isTotal) return `${amount} ${coin}`;
  return isZero(order.number_of_order) ? '–' : exact(order.number_of_order);
}

/** Leads to the fills that it comes from. */
function Filled({ order }: { readonly order: Order }) {
  const show = useOrderFills((store) => store.show);
  if (isZero(order.filled)) return exact(order.filled);
  const amount = exact(order.filled);
  return (
    <button
      type="button"
      className={classes.fills}
      aria-label={t('{{amount}}, show the fills', { amount })}
      onClick={() => show(order)}
    >
      {amount}
    </button>
  );
}

/** What of the entity's fields each list shows. */
export const orderColumns = (): ListColumn<Order>[] => [
  ...pairColumns<Order>(orderSide),
  { id: 'type', title: t('Type'), card: 'line', cell: typeOf },
  {
    id: 'price',
    title: t('Price'),
    align: 'right',
    cell: (row) => (isZero(row.final_price) ? t('Market') : exact(row.final_price)),
  },
  { id: 'amount', title: t('Amount'), align: 'right', cell: amountOf },
  { id: 'filled', title: t('Filled'), align: 'right', cell: (row) => <Filled order={row} /> },
  {
    id: 'total',
    title: t('Total (USDT)'),
    align: 'right',
    cell: (row) => (isZero(row.total) ? '–' : <Amount value={row.total} digits={2} />),
  },
];

export const orderHistoryColumns = (): ListColumn<Order>[] => [
  ...orderColumns(),
  {
    id: 'state',
    title: t('State'),
    align: 'right',
    cell: (row) => (
      <span className={row.state === 'APPROVED' ? undefined : classes.quiet}>
        <span>{t(STATES[row.state])}</span>
        {/* Written out: a phone has no pointer that could rest on it. */}
        {row.reason !== '' && <span> · {reasonText(row.reason)}</span>}
      </span>
    ),
  },
];

/** The order says the rest. */
export const orderFillColumns = (): ListColumn<Fill>[] => [
  ...pairColumns<Fill>(tradedSide).filter(({ id }) => id === 'time'),
  ...fillColumns(),
];

export const tradeColumns = (): ListColumn<Fill>[] => [
  ...pairColumns<Fill>(tradedSide),
  { id: 'type', title: t('Type'), cell: (row) => (row.type === 'convert' ? t('Convert') : t('Order')) },
  ...fillColumns(),
];

const fillColumns = (): ListColumn<Fill>[] => [
  { id: 'price', title: t('Price'), align: 'right', cell: (row) => exact(row.price) },
  { id: 'quantity', title: t('Amount'), align: 'right', cell: (row) => exact(row.quantity) },
  {
    id: 'total',
    title: t('Total (USDT)'),
    align: 'right',
    cell: (row) => <Amount value={row.total} digits={2} />,
  },
  {
    id: 'fee',
    title: t('Fee'),
    align: 'right',
    // Its coin has more decimals than a fee fills.
    cell: (row) => `${formatExact(decimal(row.fee))} ${row.fee_coin}`,
  },
  {
    id: 'role',
    title: t('Role'),
    align: 'right',
    cell: (row) => (row.role === 'maker' ? t('Maker') : t('Taker')),
  },
];
