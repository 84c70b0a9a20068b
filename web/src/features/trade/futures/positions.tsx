/** Open positions, valued at the marks of now, and what can be done with each. */
import type { FuturesPosition } from '@cambist/contract/futures.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, Suspense } from 'react';
import { Link } from 'react-router';
import { decimal, rescale, toText } from '../../../lib/decimal.ts';
import { formatDecimal, formatExact, formatShare, formatSigned } from '../../../lib/format.ts';
import { useClosedTexts } from '../../../lib/futures/closed-notices.ts';
import { inPercent, type LiveFutures, riskPercent, sumsOf } from '../../../lib/futures/figures.ts';
import { useFutures } from '../../../lib/futures/positions.ts';
import { t } from '../../../lib/i18n.ts';
import { terminalOf } from '../../../lib/market/pairs.ts';
import { openOrdersQuery } from '../../../lib/queries/account.ts';
import type { ListColumn } from '../../../ui/card-list.tsx';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { Amount, Change, directionOf } from '../../../ui/figures.tsx';
import { KeptNotices } from '../../../ui/kept-notices.tsx';
import { lazyPart } from '../../../ui/part.tsx';
import { AccountList } from '../orders/account-list.tsx';
import { OrderActions } from '../orders/open-orders.tsx';
import orderClasses from '../orders/orders.module.css';
import classes from './futures.module.css';
import { type PositionDialog, usePositionDialogs } from './position-dialogs.ts';
import { exitsOf } from './position-exits.ts';

const OpenedDialog = lazyPart(() => import('./position-dialog.tsx'), 'over');

/** As the specification says for positions. */
export const POSITIONS_PER_PAGE = 20;
const DIGITS = 2;
/** Percent of the way to liquidation from which a position is shown as at risk: the levels of the margin calls. */
const LEVELS = { high: 70, critical: 90 } as const;

const price = (value: string | null) => (value === null ? '–' : formatDecimal(value, decimal(value).scale));

function Signed({ value }: { readonly value: string }) {
  const direction = directionOf(toText(rescale(decimal(value), DIGITS, 'nearest')));
  return (
    <span className={direction === 'flat' ? undefined : orderClasses[direction]}>{formatSigned(value, DIGITS)}</span>
  );
}

function Risk({ position }: { readonly position: FuturesPosition }) {
  const percent = riskPercent(position.margin_ratio);
  const level = percent >= LEVELS.critical ? 'critical' : percent >= LEVELS.high ? 'high' : 'low';
  return (
    <span
      className={classes.gauge}
      data-level={level}
      title={t('Maintenance margin over what backs the position: at 100% it is liquidated')}
    >
      <span className={classes.gaugeRail} aria-hidden>
        <span className={classes.gaugeFill} style={{ transform: `scaleX(${percent / 100})` } satisfies CSSProperties} />
      </span>
      {formatShare(percent, 1)}
    </span>
  );
}

const LIGHTS = [1, 2, 3, 4, 5] as const;

/** Where the position stands among those of its side that automatic deleveraging would close. */
function DeleveragingLight({ position: { deleveraging_light: light } }: { readonly position: FuturesPosition }) {
  if (light === undefined) return '–';
  const text = t('Automatic deleveraging: {{light}} of 5. Positions at 5 are closed first.', { light });
  return (
    <span className={classes.lights} role="img" aria-label={text} title={text}>
      {LIGHTS.map((one) => (
        <span key={one} data-on={one <= light || undefined} />
      ))}
    </span>
  );
}

function Actions({ position }: { readonly position: FuturesPosition }) {
  const show = usePositionDialogs((store) => store.show);
  const { pair_name: pair } = position.coin_pair;
  const button = (name: PositionDialog, text: string, label: string) => (
    <Button size="compact-xs" variant="default" aria-label={label} onClick={() => show(name, position.id)}>
      {text}
    </Button>
  );
  return (
    <span className={classes.actions}>
      {button('exits', t('TP/SL'), t('TP/SL of {{pair}}', { pair }))}
      {position.margin_mode === 'isolated' &&
        button('margin', t('Margin'), t('Change the margin of {{pair}}', { pair }))}
      {position.position_side === undefined &&
        button('reverse', t('Reverse'), t('Reverse position {{pair}}', { pair }))}
      {button('close', t('Close'), t('Close position {{pair}}', { pair }))}
    </span>
  );
}

const leverageText = ({ leverage, margin_mode: mode }: FuturesPosition) =>
  `x${leverage} ${mode === 'cross' ? t('Cross') : t('Isolated')}`;

function Pair({ position }: { readonly position: FuturesPosition }) {
  const { pair_name: name } = position.coin_pair;
  const isLong = position.side === 'long';
  return (
    <span className={classes.pair}>
      <CoinIcon code={name.split('-')[0] ?? ''} size={16} />
      <Link to={terminalOf(name)}>{name}</Link>
      <span className={isLong ? orderClasses.up : orderClasses.down}>{isLong ? t('Long') : t('Short')}</span>
    </span>
  );
}

/** What closes the position: its take-profit and its stop, most often of one order. */
function Exits({ orders }: { readonly orders: readonly Order[] }) {
  if (orders.length === 0) return '–';
  return (
    <span className={classes.exits}>
      {orders.map((order) => (
        <span key={order.id} className={classes.exit}>
          <span className={classes.exitPrices}>
            <span title={t('Take profit')}>{price(order.trigger?.take_profit_price || null)}</span>
            <span title={t('Stop loss')}>{price(order.trigger?.stop_price || null)}</span>
          </span>
          <OrderActions order={order} isCompact />
        </span>
      ))}
    </span>
  );
}

type PositionColumn = ListColumn<FuturesPosition>;

const figure = (id: string, title: string, cell: PositionColumn['cell']): PositionColumn => ({
  id,
  title,
  align: 'right',
  cell,
});

const figures = (orders: readonly Order[]) => ({
  size: figure('size', t('Amount'), ({ quantity }) => formatExact(decimal(quantity))),
  total: figure('total', t('Total asset'), ({ total_asset: value }) => <Amount value={value} digits={DIGITS} />),
  topUp: figure('top-up', t('Top up'), ({ total_top_up: value }) => <Amount value={value} digits={DIGITS} />),
  income: figure('income', t('Income'), ({ income }) => <Signed value={income} />),
  rate: figure('rate', t('Rate of return'), ({ rate_of_return: rate }) => (
    <Change value={toText(inPercent(rate))} digits={DIGITS} />
  )),
  margin: figure('margin', t('Margin'), ({ margin }) => <Amount value={margin} digits={DIGITS} />),
  opening: figure('opening', t('Opening price'), (one) => price(one.opening_price)),
  mark: figure('mark', t('Mark price'), (one) => price(one.mark_price)),
  liquidation: figure('liquidation', t('Est. liquidation price'), (one) => price(one.estimated_force_parity)),
  risk: figure('risk', t('Risk'), (position) => <Risk position={position} />),
  deleveraging: figure('deleveraging', t('ADL'), (position) => <DeleveragingLight position={position} />),
  exits: figure('exits', t('TP/SL'), (position) => <Exits orders={exitsOf(orders, position)} />),
});

const ActionsTitle = () => <span className="visually-hidden">{t('Actions')}</span>;

const acts: PositionColumn = {
  id: 'actions',
  pinned: true,
  card: 'end',
  title: <ActionsTitle />,
  align: 'right',
  cell: (position) => <Actions position={position} />,
};

/** One over the other in a column: sixteen figures side by side are wider than most screens. */
const over = (upper: PositionColumn, lower: PositionColumn): PositionColumn => ({
  id: upper.id,
  align: 'right',
  title: (
    <span className={classes.two}>
      <span>{upper.title}</span>
      <span>{lower.title}</span>
    </span>
  ),
  cell: (position) => (
    <span className={classes.two}>
      <span>{upper.cell(position)}</span>
      <span>{lower.cell(position)}</span>
    </span>
  ),
});

const PairAndTerms = ({ position }: { readonly position: FuturesPosition }) => (
  <span className={classes.two}>
    <Pair position={position} />
    <span className={orderClasses.quiet}>
      <span>#{position.id}</span> <span>{leverageText(position)}</span>
    </span>
  </span>
);

function tableColumns(orders: readonly Order[]): readonly PositionColumn[] {
  const { size, total, topUp, income, rate, margin, opening, mark, liquidation, risk, ...rest } = figures(orders);
  return [
    { id: 'pair', title: t('Pair'), cell: (position) => <PairAndTerms position={position} /> },
    over(size, total),
    over(margin, topUp),
    over(income, rate),
    over(opening, mark),
    liquidation,
    over(risk, rest.deleveraging),
    rest.exits,
    acts,
  ];
}

const cardColumns = (orders: readonly Order[]): readonly PositionColumn[] => [
  { id: 'id', title: t('ID'), card: 'corner', cell: ({ id }) => <span className={orderClasses.quiet}>#{id}</span> },
  { id: 'pair', title: t('Pair'), card: 'head', cell: (position) => <Pair position={position} /> },
  figure('leverage', t('Leverage'), leverageText),
  ...Object.values(figures(orders)),
  acts,
];

/** The wallet that backs cross positions. Its income is that of the rows below; the equity has what they owe taken off. */
function AccountFigures({ account, positions }: LiveFutures) {
  const { income, owed } = sumsOf(positions);
  const figures = [
    { title: t('Equity'), value: account.equity },
    { title: t('Available'), value: account.free },
    { title: t('Margin'), value: account.position_margin },
    { title: t('In orders'), value: account.order_margin },
    { title: t('Maintenance margin'), value: account.maintenance_margin },
  ];
  return (
    <dl className={classes.account}>
      {figures.map(({ title, value }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{formatDecimal(value, DIGITS)}</dd>
        </div>
      ))}
      <div>
        <dt>{t('Income')}</dt>
        <dd>
          <Signed value={income} />
        </dd>
      </div>
      {decimal(owed).units !== 0n && (
        <div>
          <dt>{t('Funding owed')}</dt>
          <dd>{formatDecimal(owed, DIGITS)}</dd>
        </div>
      )}
      <div>
        <dt>{t('Cross risk')}</dt>
        <dd>{formatShare(riskPercent(account.margin_ratio), 1)}</dd>
      </div>
    </dl>
  );
}

export function Positions() {
  const { live, error, refetch } = useFutures();
  const orders = useQuery(openOrdersQuery('futures')).data?.orders ?? [];
  const isOpen = usePositionDialogs((store) => store.open !== undefined);
  return (
    <>
      <KeptNotices {...useClosedTexts()} />
      {live && <AccountFigures {...live} />}
      <AccountList
        label={t('Positions')}
        list={{ rows: live?.positions, error, retry: () => void refetch() }}
        columns={tableColumns(orders)}
        cards={cardColumns(orders)}
        rowKey={({ id }) => id}
        pageSize={POSITIONS_PER_PAGE}
        empty={t('No margins. Your open positions will appear here.')}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <OpenedDialog />
        </Suspense>
      )}
    </>
  );
}
