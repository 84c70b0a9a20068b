/** Take-profit and stop-loss of a position: what each would bring, what is wrong with it, and the call that places them. */
import type { TriggerSource } from '@cambist/contract/conditional-orders.ts';
import type { FuturesPosition } from '@cambist/contract/futures.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { initialMargin } from '@cambist/core/margin/perpetual.ts';
import { reduce } from '@cambist/core/margin/position.ts';
import {
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  parseDecimal,
  toShortText,
  toText,
} from '../../../lib/decimal.ts';
import { formatDecimal } from '../../../lib/format.ts';
import { closingPrice } from '../../../lib/futures/closing-price.ts';
import { inPercent, positionOf } from '../../../lib/futures/figures.ts';
import { lotsOf, type MarketTerms, ticksOf, usdt } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import type { BookView } from '../../../lib/order-book/book-state.ts';
import { orderSize } from '../orders/side-text.ts';
import { isAbove } from '../ticket/exits.ts';
import type { ConditionalBody } from '../ticket/order-types.ts';
import { EXITS, type ExitName, type Side } from '../ticket/ticket.ts';
import { triggerProblem } from '../ticket/triggers.ts';

export interface ExitEntry extends Readonly<Record<ExitName, string>> {
  readonly source: TriggerSource;
  /** Undefined for whatever is open when the trigger is reached. */
  readonly quantity: string | undefined;
}

export type ExitProblems = Partial<Readonly<Record<ExitName | 'quantity', string>>>;

/** What triggers are held against. */
export interface WatchedPrices {
  readonly last: string;
  /** Undefined while it is not known. */
  readonly index: string | undefined;
}

/** Decimals of profit over margin. */
const RATE_SCALE = 6;

const openingSide = ({ side }: FuturesPosition): Side => (side === 'long' ? 'BUY' : 'SELL');
const closingSide = ({ side }: FuturesPosition): Side => (side === 'long' ? 'SELL' : 'BUY');
const positive = (text: string): Decimal | undefined => {
  const entered = parseDecimal(text);
  return entered && entered.units > 0n ? entered : undefined;
};

export interface ExitOutcome {
  readonly profit: Decimal;
  /** Of the initial margin of what is closed. */
  readonly percent: Decimal;
}

const watchedPrice = (source: TriggerSource, { mark_price: mark }: FuturesPosition, { last, index }: WatchedPrices) =>
  ({ last, mark, index })[source];

/**
 * The price that an exit would get once it triggers: as far from its trigger as a close now would be from the watched price.
 * Without a book, or without a watched price, it is the trigger.
 */
export function exitPrice(
  name: ExitName,
  entry: ExitEntry,
  position: FuturesPosition,
  watched: WatchedPrices,
  book: BookView | undefined,
): string {
  const trigger = positive(entry[name]);
  const size = positive(entry.quantity ?? position.quantity);
  const now = positive(watchedPrice(entry.source, position, watched) ?? '');
  const closing = closingPrice(position, size, book);
  if (!trigger || !now || closing.from === 'mark') return entry[name];
  const rounding = position.side === 'long' ? 'floor' : 'ceil';
  const price = divide(multiply(trigger, closing.price), now, closing.price.scale, rounding);
  return price ? toText(price) : entry[name];
}

/** What closing at a price would bring before its fee; undefined where price or quantity cannot be read. */
export function exitOutcome(
  position: FuturesPosition,
  market: MarketTerms,
  price: string,
  quantity: string | undefined,
): ExitOutcome | undefined {
  const open = positionOf(market, position);
  const size = positive(quantity ?? position.quantity);
  const lots = size ? lotsOf(market, toText(size)) : 0;
  if (!positive(price) || lots === 0 || lots > open.lots) return undefined;
  const { left, realised } = reduce(market.terms, open, ticksOf(market, price), lots);
  const margin = initialMargin(open.cost - (left?.cost ?? 0n), position.leverage);
  const rate = divide(usdt(realised), usdt(margin), RATE_SCALE, 'nearest');
  return rate && { profit: usdt(realised), percent: inPercent(toText(rate)) };
}

function sideProblem(
  name: ExitName,
  price: Decimal,
  { source }: ExitEntry,
  position: FuturesPosition,
  watched: WatchedPrices,
) {
  const now = watchedPrice(source, position, watched);
  return triggerProblem(price, isAbove(name, openingSide(position)), source, now);
}

function quantityProblem(quantity: string, position: FuturesPosition, most: string): string | undefined {
  const size = positive(quantity);
  if (!size) return t('Amount is required');
  return compare(size, decimal(position.quantity)) > 0
    ? t('Only {{amount}} can be closed', { amount: most })
    : undefined;
}

/** @param most the size of the position, as a sentence says it */
export function exitProblems(
  entry: ExitEntry,
  position: FuturesPosition,
  { most, ...watched }: WatchedPrices & { readonly most: string },
): ExitProblems {
  if (EXITS.every((name) => entry[name] === '')) {
    return { takeProfitExit: t('Enter a take profit, a stop loss, or both') };
  }
  const wrong = EXITS.flatMap((name) => {
    if (entry[name] === '') return [];
    const price = positive(entry[name]);
    const problem = price ? sideProblem(name, price, entry, position, watched) : t('Price is required');
    return problem ? [[name, problem] as const] : [];
  });
  const quantity = entry.quantity === undefined ? undefined : quantityProblem(entry.quantity, position, most);
  return { ...Object.fromEntries(wrong), ...(quantity && { quantity }) };
}

/** A stop that lies at the liquidation price or beyond it protects nothing. */
export function stopWarning({ stopExit }: ExitEntry, position: FuturesPosition): string | undefined {
  const stop = positive(stopExit);
  const end = position.estimated_force_parity;
  if (!stop || end === null) return undefined;
  const beyond = compare(stop, decimal(end));
  if (position.side === 'long' ? beyond > 0 : beyond < 0) return undefined;
  return t('The position would be liquidated first, at {{price}}', {
    price: formatDecimal(end, decimal(end).scale),
  });
}

/** An entry without problems, as orders that only reduce and trade at market. */
export function exitsBody(entry: ExitEntry, position: FuturesPosition): ConditionalBody {
  const { takeProfitExit, stopExit, source, quantity } = entry;
  return {
    symbol: position.coin_pair.pair_name,
    side: closingSide(position),
    kind: stopExit === '' ? 'take_profit_market' : takeProfitExit === '' ? 'stop_market' : 'oco',
    trigger_by: source,
    reduce_only: true,
    ...(position.position_side && { position_side: position.position_side }),
    ...(quantity === undefined ? {} : { quantity: toShortText(decimal(quantity)) }),
    ...(takeProfitExit === '' ? {} : { take_profit_price: toShortText(decimal(takeProfitExit)) }),
    ...(stopExit === '' ? {} : { stop_price: toShortText(decimal(stopExit)) }),
  };
}

/** The untriggered orders that close a position at a fixed price: all of it, or what an entry with exits has filled. */
export function exitsOf(orders: readonly Order[], position: FuturesPosition): Order[] {
  return orders.filter(
    (order) =>
      order.coin_pair.pair_name === position.coin_pair.pair_name &&
      order.delegate_type === closingSide(position) &&
      order.trigger?.status === 'untriggered' &&
      order.trigger.kind !== 'trailing_stop' &&
      (orderSize(order).isAll || order.trigger.entry_id !== undefined),
  );
}
