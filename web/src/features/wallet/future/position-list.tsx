/** Open positions as the wallet shows them, each with the way to close it. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import type { clientMargin } from '@cambist/contract/futures.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { decimal, toText } from '../../../lib/decimal.ts';
import { formatDate, formatDecimal, formatExact, formatSigned } from '../../../lib/format.ts';
import { useClosedTexts } from '../../../lib/futures/closed-notices.ts';
import { useClosingFee } from '../../../lib/futures/closing-fee.ts';
import { bookMarketOf, closingPrice, closingPriceText, realisedAt } from '../../../lib/futures/closing-price.ts';
import { inPercent } from '../../../lib/futures/figures.ts';
import { clientMarginQuery, useFutures } from '../../../lib/futures/positions.ts';
import { t } from '../../../lib/i18n.ts';
import { terminalOf } from '../../../lib/market/pairs.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { type ListColumn, RowList } from '../../../ui/card-list.tsx';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { Change } from '../../../ui/figures.tsx';
import { KeptNotices } from '../../../ui/kept-notices.tsx';
import { Pager, usePages } from '../../../ui/pager.tsx';
import { PasswordDialog } from '../../../ui/password-dialog.tsx';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { TermDialog, type TermRunning } from '../../../ui/term-dialog.tsx';
import { Private } from '../hide-button.tsx';
import classes from '../wallet-page.module.css';
import { useClosePosition } from './use-close-position.ts';

type Row = AnswerOf<typeof clientMargin>['margin'][number];

export const PAGE_SIZE = 20;
const DIGITS = 2;

const price = (value: string | null) => (value === null ? '–' : formatDecimal(value, decimal(value).scale));
const sideText = ({ side }: Row) => (side === 'long' ? t('Long') : t('Short'));

function Pair({ row }: { readonly row: Row }) {
  const { pair_name: name } = row.coin_pair;
  return (
    <span className={classes.coin}>
      <CoinIcon code={name.split('-')[0] ?? ''} size={26} />
      <span className={classes.names}>
        <Link to={terminalOf(name)} className={classes.code}>
          {name}
        </Link>
        <span className={classes.full}>
          {sideText(row)} x{row.leverage}
        </span>
      </span>
    </span>
  );
}

/** Since when it is open, and until when. */
function Opened({ row }: { readonly row: Row }) {
  return (
    <span className={classes.names}>
      <span>{formatDate(row.start_date)}</span>
      <span className={classes.full}>{row.end_date === null ? t('No end date') : formatDate(row.end_date)}</span>
    </span>
  );
}

const columns = (onClose: (row: Row) => void): readonly ListColumn<Row>[] => [
  { id: 'pair', title: t('Pair'), card: 'head', cell: (row) => <Pair row={row} /> },
  {
    id: 'amount',
    title: t('Amount'),
    align: 'right',
    cell: (row) => <Private>{formatExact(decimal(row.open_interest))}</Private>,
  },
  { id: 'opening', title: t('Opening price'), align: 'right', cell: (row) => price(row.opening_price) },
  { id: 'current', title: t('Current price'), align: 'right', cell: (row) => price(row.current_price) },
  {
    id: 'margin',
    title: t('Margin'),
    align: 'right',
    cell: (row) => <Private>{formatDecimal(row.margin, DIGITS)}</Private>,
  },
  {
    id: 'income',
    title: t('Income'),
    align: 'right',
    cell: (row) => (
      <span className={classes.names}>
        <Private>{formatSigned(row.income, DIGITS)}</Private>
        <Change value={toText(inPercent(row.rate_of_return))} digits={DIGITS} />
      </span>
    ),
  },
  { id: 'opened', title: t('Opened on'), align: 'right', cell: (row) => <Opened row={row} /> },
  {
    id: 'close',
    title: <span className="visually-hidden">{t('Actions')}</span>,
    align: 'right',
    card: 'end',
    pinned: true,
    cell: (row) => (
      <Button size="compact-sm" variant="default" onClick={() => onClose(row)}>
        {t('Close Position')}
      </Button>
    ),
  },
];

/** The wallet's fields beside the figures of this moment. */
function useRows() {
  const read = useQuery(clientMarginQuery);
  const live = new Map(useFutures().live?.positions.map((one) => [one.id, one]));
  const rows = read.data?.margin.map((row) => {
    const now = live.get(row.id);
    return now ? { ...row, ...now, current_price: now.mark_price } : row;
  });
  return { ...read, rows };
}

export function PositionList() {
  const { rows, error, refetch } = useRows();
  const closedTexts = useClosedTexts();
  const [closing, setClosing] = useState<string>();
  const pages = usePages(rows ?? [], PAGE_SIZE);
  if (error && !rows) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!rows) return <SkeletonRows rows={3} columns={5} />;
  const closed = rows.find(({ id }) => id === closing);
  return (
    <>
      <KeptNotices {...closedTexts} />
      <div className={classes.list}>
        {rows.length === 0 ? (
          <Empty
            title={t('No margins. Your open positions will appear here.')}
            action={
              <Button component={Link} to="/trades/futures" variant="default">
                {t('Trade futures')}
              </Button>
            }
          />
        ) : (
          <RowList
            tall
            label={t('Positions')}
            columns={columns(({ id }) => setClosing(id))}
            rows={pages.rows}
            rowKey={({ id }: Row) => id}
          />
        )}
      </div>
      <Pager page={pages.page} count={pages.count} onChange={pages.setPage} />
      {closed && <CloseDialog row={closed} onClose={() => setClosing(undefined)} />}
    </>
  );
}

function CloseDialog({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) {
  const [wrong, setWrong] = useState(false);
  const [term, setTerm] = useState<TermRunning>();
  const { pair_name: pair } = row.coin_pair;
  const [coin = ''] = pair.split('-');
  const quantity = decimal(row.quantity);
  const size = `${formatExact(quantity)} ${coin}`;
  const close = useClosePosition(
    { id: row.id, closed: { pair, size } },
    { onWrong: () => setWrong(true), onTerm: setTerm, onDone: onClose },
  );
  const atMarket = closingPrice(row, quantity, useBook(bookMarketOf(row)));
  const fee = useClosingFee(pair)(quantity, atMarket.price);
  const gain = realisedAt(row, quantity, atMarket.price);
  if (term) return <TermDialog term={term} onClose={onClose} />;
  return (
    <PasswordDialog
      title={t('Close Position')}
      facts={[
        { name: t('Pair'), value: `${pair} ${sideText(row)}` },
        { name: t('Amount'), value: size },
        { name: t('Price'), value: closingPriceText(atMarket, { book: t('Best available'), mark: t('Mark price') }) },
        { name: t('Est. realized income'), value: `≈ ${formatSigned(gain, DIGITS)} USDT` },
        { name: t('Max. fee'), value: fee },
      ]}
      busy={close.isPending}
      wrong={wrong}
      onClose={onClose}
      onConfirm={(password) => {
        setWrong(false);
        close.mutate(password);
      }}
    />
  );
}
