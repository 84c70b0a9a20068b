/** What the tables of the risk in perpetuals show of a market, a position and an account. */
import type { futuresRisk } from '@cambist/contract/admin-futures.ts';
import type { AnswerOf } from '@cambist/contract/call.ts';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { decimal } from '../../../lib/decimal.ts';
import {
  formatDateTime,
  formatDecimal,
  formatExact,
  formatPercent,
  formatShare,
  formatSigned,
  formatTime,
} from '../../../lib/format.ts';
import { inPercent } from '../../../lib/futures/figures.ts';
import { msg, t } from '../../../lib/i18n.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { HiddenText } from '../../../ui/hidden-text.tsx';
import own from './futures.module.css';

type Risk = AnswerOf<typeof futuresRisk>;
type Market = Risk['markets'][number];
type Position = Risk['positions'][number];
type Account = Risk['accounts'][number];
type Source = Risk['index_sources'][number];

const RATE_DIGITS = 4;
const MONEY_DIGITS = 2;
/** Where clients are warned: the levels of the margin calls. */
const LEVELS = { high: 0.7, critical: 0.9 } as const;

const price = (value: string | null) => (value === null ? '–' : formatDecimal(value, decimal(value).scale));
const money = (value: string) => formatDecimal(value, MONEY_DIGITS);

function Client({ id }: { readonly id: number }) {
  return <Link to={`/admin/clients/${id}`}>{t('Client {{id}}', { id })}</Link>;
}

interface LegProps {
  readonly pair: string;
  readonly side: Position['side'] | undefined;
  /** One of two positions that the client may have in the market. */
  readonly isHedge?: boolean;
}

function Leg({ pair, side, isHedge = false }: LegProps) {
  return (
    <>
      {pair}{' '}
      {side && <span className={side === 'long' ? own.up : own.down}>{side === 'long' ? t('Long') : t('Short')}</span>}
      {isHedge && ` · ${t('Hedge mode')}`}
    </>
  );
}

function Ratio({ value }: { readonly value: string }) {
  const ratio = Number(value);
  const level = ratio >= LEVELS.critical ? 'critical' : ratio >= LEVELS.high ? 'high' : 'low';
  return (
    <span className={own.ratio} data-level={level} title={t('Liquidated at 100%')}>
      {formatShare(Math.min(ratio * 100, 100), 1)}
    </span>
  );
}

export interface MarketActs {
  /** Opens the terms of a market. */
  readonly onTerms: (symbol: string) => void;
  /** Asks whether a market is to end. */
  readonly onSettle: (symbol: string) => void;
}

export const marketColumns = ({ onTerms, onSettle }: MarketActs): readonly ListColumn<Market>[] => [
  { id: 'pair', title: msg('Pair'), card: 'head', cell: ({ pair_name: name }) => <strong>{name}</strong> },
  { id: 'mark', title: msg('Mark price'), align: 'right', cell: (one) => price(one.mark_price) },
  {
    id: 'index',
    title: msg('Index price'),
    align: 'right',
    cell: ({ index_price: index }) => (index === null ? <span className={own.lost}>{t('Lost')}</span> : price(index)),
  },
  {
    id: 'interest',
    title: msg('Open interest'),
    align: 'right',
    cell: ({ open_interest: interest, pair_name: name }) => (
      <>
        {formatExact(decimal(interest))} {name.split('-')[0]}
      </>
    ),
  },
  { id: 'value', title: msg('Value (USDT)'), align: 'right', cell: ({ open_value: value }) => money(value) },
  {
    id: 'rate',
    title: msg('Funding rate now'),
    align: 'right',
    cell: ({ rate }) => (rate === null ? '–' : formatPercent(inPercent(rate), RATE_DIGITS)),
  },
  {
    id: 'next',
    // Hours away at most, so without its day, which a phone has no room for.
    title: msg('Next funding'),
    align: 'right',
    cell: ({ next_funding_at: at }) => (at === null ? '–' : formatTime(at)),
  },
  {
    id: 'act',
    title: <HiddenText text={msg('Terms')} />,
    align: 'right',
    pinned: true,
    card: 'corner',
    cell: ({ pair_name: pair }) => (
      <span className={own.acts}>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('Terms of {{pair}}', { pair })}
          onClick={() => onTerms(pair)}
        >
          {t('Terms')}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('Settle {{pair}}', { pair })}
          onClick={() => onSettle(pair)}
        >
          {t('Settle')}
        </Button>
      </span>
    ),
  },
];

export const accountKey = ({ client_id: id, pair_name: name, position_side: side }: Account) =>
  `${id} ${name ?? ''} ${side ?? ''}`;

export const accountColumns: readonly ListColumn<Account>[] = [
  { id: 'client', title: msg('Client'), card: 'head', cell: ({ client_id: id }) => <Client id={id} /> },
  {
    id: 'what',
    title: msg('Positions'),
    card: 'corner',
    cell: ({ pair_name: name, position_side: side }) =>
      name === null ? t('All cross positions') : <Leg pair={name} side={side} isHedge={side !== undefined} />,
  },
  { id: 'equity', title: msg('Equity (USDT)'), align: 'right', cell: ({ equity }) => money(equity) },
  {
    id: 'required',
    title: msg('Must have (USDT)'),
    align: 'right',
    cell: ({ maintenance_margin: required }) => money(required),
  },
  {
    id: 'ratio',
    title: msg('Risk'),
    align: 'right',
    cell: ({ margin_ratio: ratio }) => <Ratio value={ratio} />,
  },
];

export const sourceColumns: readonly ListColumn<Source>[] = [
  { id: 'name', title: msg('Source'), card: 'head', cell: ({ name }) => <strong>{name}</strong> },
  {
    id: 'state',
    title: msg('State'),
    card: 'corner',
    cell: ({ is_fresh: isFresh }) => (isFresh ? t('Fresh') : <span className={own.lost}>{t('Stale, left out')}</span>),
  },
  {
    id: 'prices',
    title: msg('Prices in use'),
    align: 'right',
    cell: ({ prices }) => `${prices.filter(({ is_used: isUsed }) => isUsed).length} / ${prices.length}`,
  },
  {
    id: 'said',
    title: msg('Last price at'),
    align: 'right',
    cell: ({ prices }) => (prices.length === 0 ? '–' : formatDateTime(Math.max(...prices.map((one) => one.said_at)))),
  },
  {
    id: 'strays',
    title: msg('More than 1% off'),
    align: 'right',
    cell: ({ prices }) => {
      const off = prices
        .filter(({ strays }) => strays)
        .map(({ pair_name: name, price: said }) => `${name} ${price(said)}`);
      return off.length === 0 ? '–' : <span className={own.lost}>{off.join(', ')}</span>;
    },
  },
];

export const positionKey = ({ client_id: client, id, side }: Position) => `${client} ${id} ${side}`;

export const positionColumns: readonly ListColumn<Position>[] = [
  { id: 'client', title: msg('Client'), card: 'head', cell: ({ client_id: id }) => <Client id={id} /> },
  {
    id: 'pair',
    title: msg('Pair'),
    card: 'corner',
    cell: ({ coin_pair: { pair_name: name }, side, position_side: leg }) => (
      <Leg pair={name} side={side} isHedge={leg !== undefined} />
    ),
  },
  { id: 'quantity', title: msg('Quantity'), align: 'right', cell: ({ quantity }) => formatExact(decimal(quantity)) },
  { id: 'value', title: msg('Value (USDT)'), align: 'right', cell: ({ value }) => money(value) },
  {
    id: 'leverage',
    title: msg('Leverage'),
    align: 'right',
    cell: ({ leverage, margin_mode: mode }) => `x${leverage} ${mode === 'cross' ? t('Cross') : t('Isolated')}`,
  },
  { id: 'opening', title: msg('Opening price'), align: 'right', cell: (one) => price(one.opening_price) },
  {
    id: 'income',
    title: msg('Income (USDT)'),
    align: 'right',
    cell: ({ income }) => formatSigned(income, MONEY_DIGITS),
  },
  {
    id: 'liquidation',
    title: msg('Liquidation price'),
    align: 'right',
    cell: (one) => price(one.estimated_force_parity),
  },
  {
    id: 'ratio',
    title: msg('Risk'),
    align: 'right',
    cell: ({ margin_ratio: ratio }) => <Ratio value={ratio} />,
  },
];
