/** Sets the take-profit and the stop-loss of a position: says in amounts what each would bring before they are placed. */
import type { FuturesPosition } from '@cambist/contract/futures.ts';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { decimal } from '../../../lib/decimal.ts';
import { formatDecimal, formatPercent, formatSigned } from '../../../lib/format.ts';
import { bookMarketOf } from '../../../lib/futures/closing-price.ts';
import { useFutures } from '../../../lib/futures/positions.ts';
import { useMarketPrices } from '../../../lib/futures/prices.ts';
import type { MarketTerms } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import { useTicker } from '../../../lib/market/tickers.ts';
import type { BookView } from '../../../lib/order-book/book-state.ts';
import { useBook } from '../../../lib/order-book/use-book.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NOTICE_MS, noticeSuccess } from '../../../ui/notices.ts';
import { NumberField } from '../../../ui/number-field.tsx';
import { exitLabel } from '../ticket/exits.ts';
import type { SummaryLine } from '../ticket/summary-lines.ts';
import ticketClasses from '../ticket/ticket.module.css';
import { EXITS, type ExitName } from '../ticket/ticket.ts';
import { sourceLabel } from '../ticket/triggers.ts';
import { Choice, TriggerChoice } from './choice.tsx';
import { type ActProps, coinOf, Lines, scaleOf, sizeText } from './close-dialog.tsx';
import classes from './futures.module.css';
import {
  type ExitEntry,
  type ExitProblems,
  exitOutcome,
  exitPrice,
  exitProblems,
  exitsBody,
  stopWarning,
  type WatchedPrices,
} from './position-exits.ts';
import { Signed, useSignedAct } from './signed-act.tsx';

/** Of USDT in sentences. */
const DIGITS = 2;

const EMPTY: ExitEntry = { takeProfitExit: '', stopExit: '', source: 'mark', quantity: undefined };

const priceText = (price: string) => formatDecimal(price, decimal(price).scale);

/** What the outcome of an exit is estimated from. */
interface ExitMarket {
  /** Undefined while they are not known. */
  readonly terms: MarketTerms | undefined;
  readonly watched: WatchedPrices;
  readonly book: BookView | undefined;
}

function outcomeText(
  name: ExitName,
  entry: ExitEntry,
  position: FuturesPosition,
  { terms, watched, book }: ExitMarket,
) {
  const price = exitPrice(name, entry, position, watched, book);
  const outcome = terms && exitOutcome(position, terms, price, entry.quantity);
  return outcome && `≈ ${formatSigned(outcome.profit, DIGITS)} USDT (${formatPercent(outcome.percent)})`;
}

function marketLines(position: FuturesPosition): SummaryLine[] {
  const end = position.estimated_force_parity;
  return [
    { title: t('Opening price'), value: priceText(position.opening_price) },
    { title: t('Mark price'), value: priceText(position.mark_price) },
    { title: t('Est. liquidation price'), value: end === null ? '–' : priceText(end) },
  ];
}

function exitsLines(entry: ExitEntry, position: FuturesPosition, market: ExitMarket): SummaryLine[] {
  const { quantity, source } = entry;
  const legs = EXITS.filter((name) => entry[name] !== '').flatMap((name) => [
    { title: exitLabel(name), value: priceText(entry[name]) },
    { title: `${exitLabel(name)} · ${t('Income')}`, value: outcomeText(name, entry, position, market) ?? '–' },
  ]);
  const amount = quantity === undefined ? t('Whole position') : sizeText(position, decimal(quantity));
  return [
    { title: t('Amount'), value: amount },
    ...legs,
    { title: t('Triggered by'), value: sourceLabel(source) },
    { title: t('Price'), value: t('Best available') },
  ];
}

export function ExitsDialog({ position, onClose }: ActProps) {
  const { pair_name: symbol } = position.coin_pair;
  const last = useTicker(symbol)?.last || position.mark_price;
  const { index } = useMarketPrices(symbol);
  const terms = useFutures().all?.find(({ shown }) => shown.id === position.id)?.market;
  const market = { terms, watched: { last, index }, book: useBook(bookMarketOf(position)) };
  const [entry, setEntry] = useState<ExitEntry>(EMPTY);
  const [tried, setTried] = useState(false);
  const act = useSignedAct(position.id, (_, isShown) => {
    if (isShown) onClose();
    noticeSuccess(t('Success'), t('Order created successfully'), NOTICE_MS.trade);
  });
  const problems = exitProblems(entry, position, { ...market.watched, most: sizeText(position) });
  const title = t('TP/SL of {{pair}}', { pair: symbol });
  if (act.asked) return <Signed title={title} lines={exitsLines(entry, position, market)} act={act} />;
  return (
    <Dialog onClose={onClose} size={400} title={title}>
      <form
        className={ticketClasses.confirm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (Object.keys(problems).length === 0) act.begin({ kind: 'exits', body: exitsBody(entry, position) });
        }}
      >
        <Lines lines={marketLines(position)} />
        <ExitFields
          position={position}
          market={market}
          entry={entry}
          problems={tried ? problems : {}}
          onChange={(part) => setEntry((now) => ({ ...now, ...part }))}
        />
        <Group grow>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={act.pending}>
            {t('Confirm')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

interface ExitFieldsProps {
  readonly position: FuturesPosition;
  readonly market: ExitMarket;
  readonly entry: ExitEntry;
  readonly problems: ExitProblems;
  readonly onChange: (part: Partial<ExitEntry>) => void;
}

function ExitFields({ position, market, entry, problems, onChange }: ExitFieldsProps) {
  const isWhole = entry.quantity === undefined;
  return (
    <>
      {EXITS.map((name) => {
        const outcome = outcomeText(name, entry, position, market);
        return (
          <NumberField
            key={name}
            label={exitLabel(name)}
            value={entry[name]}
            scale={scaleOf(position.mark_price)}
            unit="USDT"
            autoFocusInDialog={name === EXITS[0]}
            error={problems[name]}
            {...(outcome && { hint: outcome })}
            onChange={(price) => onChange({ [name]: price })}
          />
        );
      })}
      <p className={classes.foreseen} aria-live="polite">
        {stopWarning(entry, position)}
      </p>
      <TriggerChoice value={entry.source} onChange={(source) => onChange({ source })} />
      <Choice<'whole' | 'part'>
        label={t('Closes')}
        value={isWhole ? 'whole' : 'part'}
        options={[
          { value: 'whole', label: t('Whole position') },
          { value: 'part', label: t('Amount') },
        ]}
        onChange={(chosen) => onChange({ quantity: chosen === 'whole' ? undefined : position.quantity })}
      />
      {!isWhole && (
        <NumberField
          label={t('Amount')}
          value={entry.quantity}
          scale={scaleOf(position.quantity)}
          unit={coinOf(position)}
          error={problems.quantity}
          onChange={(quantity) => onChange({ quantity })}
        />
      )}
    </>
  );
}
