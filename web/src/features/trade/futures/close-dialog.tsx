/** Closes a position or a part of it, or turns it around: says in amounts what that brings before it is done. */
import type { FuturesPosition } from '@cambist/contract/futures.ts';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { add, compare, type Decimal, decimal, parseDecimal, share, toShortText } from '../../../lib/decimal.ts';
import { formatDecimal, formatExact, formatSigned, withPercent } from '../../../lib/format.ts';
import { useClosedNotices } from '../../../lib/futures/closed-notices.ts';
import { useClosingFee } from '../../../lib/futures/closing-fee.ts';
import {
  bookMarketOf,
  type ClosingPrice,
  closingPrice,
  closingPriceText,
  realisedAt,
} from '../../../lib/futures/closing-price.ts';
import { settingsQuery } from '../../../lib/futures/positions.ts';
import { t } from '../../../lib/i18n.ts';
import type { BookView } from '../../../lib/order-book/book-state.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NOTICE_MS, noticeError, noticeSuccess } from '../../../ui/notices.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { Segments } from '../../../ui/panel.tsx';
import { noticeTerm, TermDialog, type TermRunning } from '../../../ui/term-dialog.tsx';
import type { SummaryLine } from '../ticket/summary-lines.ts';
import ticketClasses from '../ticket/ticket.module.css';
import classes from './futures.module.css';
import { notOffered } from './futures-order.ts';
import { Signed, useSignedAct } from './signed-act.tsx';
import type { PositionAct } from './use-position-act.ts';

const SHARES = [25, 50, 75, 100] as const;
/** Of USDT in sentences. */
const DIGITS = 2;

export const scaleOf = (text: string) => decimal(text).scale;
export const coinOf = ({ coin_pair: { pair_name: name } }: FuturesPosition) => name.split('-')[0] ?? '';

export function sizeText(position: FuturesPosition, quantity: Decimal = decimal(position.quantity)): string {
  return `${formatExact(quantity)} ${coinOf(position)}`;
}

export interface ActProps {
  readonly position: FuturesPosition;
  readonly onClose: () => void;
}

interface Entry {
  readonly type: 'market' | 'limit';
  readonly price: string;
  readonly quantity: string;
}

interface Problems {
  readonly price?: string;
  readonly quantity?: string;
}

function problemsOf({ type, price, quantity }: Entry, position: FuturesPosition): Problems {
  const amount = parseDecimal(quantity);
  const limit = parseDecimal(price);
  const tooMuch = amount && compare(amount, decimal(position.quantity)) > 0;
  return {
    ...(!amount || amount.units <= 0n ? { quantity: t('Amount is required') } : {}),
    ...(tooMuch ? { quantity: t('Only {{amount}} can be closed', { amount: sizeText(position) }) } : {}),
    ...(type === 'limit' && (!limit || limit.units <= 0n) ? { price: t('Price is required') } : {}),
  };
}

const marketPriceText = (price: ClosingPrice) =>
  closingPriceText(price, { book: t('Best available'), mark: t('Mark price') });

function closeLines(
  { type, price: limit, quantity: text }: Entry,
  position: FuturesPosition,
  book: BookView | undefined,
  feeText: ReturnType<typeof useClosingFee>,
): SummaryLine[] {
  const quantity = parseDecimal(text);
  const atMarket = closingPrice(position, quantity, book);
  const price = type === 'limit' ? decimal(limit) : atMarket.price;
  const gain = quantity && realisedAt(position, quantity, price);
  return [
    { title: t('Amount'), value: quantity ? sizeText(position, quantity) : '–' },
    {
      title: t('Price'),
      value: type === 'limit' ? formatDecimal(price, scaleOf(position.mark_price)) : marketPriceText(atMarket),
    },
    { title: t('Est. realized income'), value: gain ? `≈ ${formatSigned(gain, DIGITS)} USDT` : '–' },
    { title: t('Max. fee'), value: feeText(quantity, price) },
  ];
}

function closeAct({ type, price, quantity }: Entry, position: FuturesPosition): PositionAct {
  const { position_side } = position;
  const limit = type === 'limit' ? { price: toShortText(decimal(price)) } : {};
  return {
    kind: 'close',
    body: {
      symbol: position.coin_pair.pair_name,
      position_side,
      type,
      ...limit,
      quantity: toShortText(decimal(quantity)),
    },
  };
}

export function CloseDialog({ position, onClose }: ActProps) {
  const navigate = useNavigate();
  const { pair_name: symbol } = position.coin_pair;
  const [entry, setEntry] = useState<Entry>({
    type: 'market',
    price: position.mark_price,
    quantity: position.quantity,
  });
  const [tried, setTried] = useState(false);
  const [term, setTerm] = useState<TermRunning>();
  const act = useSignedAct(position.id, (acted, isShown) => {
    if (typeof acted === 'object' && acted.message === 'closePositionError')
      return isShown ? setTerm(acted) : noticeTerm(acted);
    if (isShown) onClose();
    if (typeof acted === 'object') {
      const text = t('{{filled}} of {{amount}} was closed. The rest of your position is still open.', { ...acted });
      return noticeError(t('Closed in part'), text);
    }
    if (acted === 'success') {
      const size = sizeText(position, decimal(entry.quantity));
      useClosedNotices.getState().add({ pair: symbol, size });
      // The panel with the notice is not on the screen any more.
      if (!isShown) noticeSuccess(t('Close Position Success'), size, NOTICE_MS.trade);
      return;
    }
    noticeSuccess(t('Success'), t('The order that closes the position is in the book.'), NOTICE_MS.trade);
    // A close at market that rests is the documented reply; a limit is meant to rest.
    if (isShown && entry.type === 'market') void navigate('/home');
  });
  const problems = problemsOf(entry, position);
  const book = useBook(bookMarketOf(position));
  const lines = closeLines(entry, position, book, useClosingFee(symbol));
  const title = t('Close position {{pair}}', { pair: symbol });
  if (term) return <TermDialog term={term} onClose={onClose} />;
  if (act.asked) return <Signed title={title} lines={lines} act={act} />;
  return (
    <Dialog onClose={onClose} size={400} title={title}>
      <form
        className={ticketClasses.confirm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (Object.keys(problems).length === 0) act.begin(closeAct(entry, position));
        }}
      >
        <CloseFields
          position={position}
          entry={entry}
          problems={tried ? problems : {}}
          onChange={(part) => setEntry((now) => ({ ...now, ...part }))}
        />
        <Lines lines={lines} />
        <Group grow>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={act.pending}>
            {t('Close Position')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

interface CloseFieldsProps {
  readonly position: FuturesPosition;
  readonly entry: Entry;
  readonly problems: Problems;
  readonly onChange: (part: Partial<Entry>) => void;
}

function CloseFields({ position, entry, problems, onChange }: CloseFieldsProps) {
  const whole = decimal(position.quantity);
  return (
    <>
      <Segments<Entry['type']>
        label={t('Order type')}
        value={entry.type}
        options={[
          { value: 'market', label: t('Market') },
          { value: 'limit', label: t('Limit') },
        ]}
        onChange={(type) => onChange({ type })}
      />
      {entry.type === 'limit' && (
        <NumberField
          label={t('Price')}
          value={entry.price}
          scale={scaleOf(position.mark_price)}
          unit="USDT"
          error={problems.price}
          onChange={(price) => onChange({ price })}
        />
      )}
      <NumberField
        label={t('Amount')}
        value={entry.quantity}
        scale={whole.scale}
        unit={coinOf(position)}
        error={problems.quantity}
        onChange={(quantity) => onChange({ quantity })}
      />
      <div className={classes.shares}>
        {SHARES.map((percent) => (
          <Button
            key={percent}
            size="compact-sm"
            variant="default"
            flex={1}
            onClick={() => onChange({ quantity: toShortText(share(whole, percent, whole.scale)) })}
          >
            {withPercent(percent)}
          </Button>
        ))}
      </div>
    </>
  );
}

export function Lines({ lines }: { readonly lines: readonly SummaryLine[] }) {
  return (
    <dl className={ticketClasses.lines}>
      {lines.map(({ title, value }) => (
        <div key={title} className={ticketClasses.line}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Why reversing is not offered: what is long would become a short position, which the form may not open either. */
function useShortRefusal(symbol: string, isLong: boolean): string | undefined {
  const settings = useQuery(settingsQuery(symbol)).data;
  return isLong && settings?.sells_empty === false ? notOffered() : undefined;
}

export function ReverseDialog({ position, onClose }: ActProps) {
  const { pair_name: symbol } = position.coin_pair;
  const act = useSignedAct(position.id, (acted, isShown) => {
    if (isShown) onClose();
    if (typeof acted === 'object' && acted.message === 'partly') {
      const text = t('{{filled}} of {{amount}} was traded. Check your position before you go on.', { ...acted });
      return noticeError(t('Reversed in part'), text);
    }
    noticeSuccess(t('Success'), t('Your position in {{pair}} was reversed.', { pair: symbol }), NOTICE_MS.trade);
  });
  const quantity = decimal(position.quantity);
  const book = useBook(bookMarketOf(position));
  // One order closes and opens, so that it meets the book with twice as much.
  const atMarket = closingPrice(position, add(quantity, quantity), book);
  const { price } = atMarket;
  const gain = realisedAt(position, quantity, price);
  const feeText = useClosingFee(symbol);
  const sideText = (isLong: boolean) => (isLong ? t('Long') : t('Short'));
  const isLong = position.side === 'long';
  const refusal = useShortRefusal(symbol, isLong);
  const lines = [
    { title: t('Closes'), value: `${sideText(isLong)} ${sizeText(position)}` },
    { title: t('Opens'), value: `${sideText(!isLong)} ${sizeText(position)}` },
    { title: t('Price'), value: marketPriceText(atMarket) },
    { title: t('Est. realized income'), value: `≈ ${formatSigned(gain, DIGITS)} USDT` },
    // Twice as much is traded as is open.
    { title: t('Max. fee'), value: feeText(add(quantity, quantity), price) },
  ];
  const title = t('Reverse position {{pair}}', { pair: symbol });
  if (act.asked) return <Signed title={title} lines={lines} act={act} />;
  return (
    <Dialog onClose={onClose} size={400} title={title}>
      <div className={ticketClasses.confirm}>
        <Lines lines={lines} />
        {refusal && (
          <p className={ticketClasses.warning} role="alert">
            {refusal}
          </p>
        )}
        <Group grow>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            loading={act.pending}
            disabled={refusal !== undefined}
            onClick={() => act.begin({ kind: 'reverse', symbol })}
          >
            {t('Reverse')}
          </Button>
        </Group>
      </div>
    </Dialog>
  );
}
