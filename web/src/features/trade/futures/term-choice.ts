/** The term that the next opening order binds its position to: as it was typed, what is wrong with it, and as the call takes it. */
import type { TermOffer } from '@cambist/contract/futures.ts';
import { initialMargin, notionalOf } from '@cambist/core/margin/perpetual.ts';
import { create } from 'zustand';
import { compare, type Decimal, decimal, parseDecimal, rescale, toShortText } from '../../../lib/decimal.ts';
import { formatDecimal } from '../../../lib/format.ts';
import { USDT_SCALE, usdt } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import type { OrderErrors } from '../ticket/order-errors.ts';
import type { Ticket } from '../ticket/ticket.ts';
import type { FuturesState, FuturesSummary, TermEntry } from './futures-state.ts';

export const useTermChoice = create<TermEntry & { change(part: Partial<TermEntry>): void }>()((set) => ({
  days: undefined,
  target: '',
  floor: '',
  change: (part) => set(part),
}));

/** USDT in sentences and fields. */
export const TERM_DIGITS = 2;
const HUNDRED = 100n;

/** What an order may be bound to: only one that opens a position, at once. */
export function termOffered(ticket: Ticket, futures: FuturesState): TermOffer | undefined {
  const opens = ticket.type === 'market' && !ticket.isReduceOnly && futures.position === undefined;
  return opens ? futures.offer : undefined;
}

/** Of the initial margin that the order opens with. */
const shareOf = (initial: bigint, percent: string, rounding: 'ceil' | 'floor'): Decimal => {
  const { units, scale } = decimal(percent);
  return rescale(
    { units: initial * units, scale: USDT_SCALE + scale + HUNDRED.toString().length - 1 },
    TERM_DIGITS,
    rounding,
  );
};

export interface TermBounds {
  readonly target: Decimal;
  readonly floor: Decimal;
}

/** The lowest target and the highest floor; undefined while there is no amount. */
export function termBounds(
  offer: TermOffer,
  { lots, ticks }: FuturesSummary,
  { market, leverage }: FuturesState,
): TermBounds | undefined {
  if (lots === 0 || ticks === undefined) return undefined;
  const initial = initialMargin(notionalOf(market.terms, ticks, lots), leverage);
  return {
    target: shareOf(initial, offer.minimum_target_percent, 'ceil'),
    floor: shareOf(initial, offer.maximum_floor_percent, 'floor'),
  };
}

export function termErrors(entry: TermEntry, bounds: TermBounds | undefined): OrderErrors {
  if (entry.days === undefined || !bounds) return {};
  const target = parseDecimal(entry.target);
  const floor = entry.floor === '' ? usdt(0n) : parseDecimal(entry.floor);
  const text = (amount: Decimal) => formatDecimal(amount, TERM_DIGITS);
  return {
    ...((!target || compare(target, bounds.target) < 0) && {
      target: t('At least {{amount}} USDT', { amount: text(bounds.target) }),
    }),
    ...((!floor || compare(floor, bounds.floor) > 0) && {
      floor: t('At most {{amount}} USDT', { amount: text(bounds.floor) }),
    }),
  };
}

/** What the confirmation says of it, without problems. */
export function termLines(entry: TermEntry | undefined): { readonly title: string; readonly value: string }[] {
  if (entry?.days === undefined) return [];
  const money = (text: string) => `${formatDecimal(text === '' ? '0' : text, TERM_DIGITS)} USDT`;
  return [
    { title: t('Fixed term'), value: t('{{days}} days', { days: entry.days }) },
    { title: t('Target income'), value: money(entry.target) },
    { title: t('Floor of total assets'), value: money(entry.floor) },
  ];
}

/** Nothing for an order without a term. */
export function termRequest(entry: TermEntry) {
  if (entry.days === undefined) return {};
  const floor = entry.floor === '' ? {} : { funds_floor: toShortText(decimal(entry.floor)) };
  return { term_days: entry.days, target_income: toShortText(decimal(entry.target)), ...floor };
}
