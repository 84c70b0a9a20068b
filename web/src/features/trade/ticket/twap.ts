/** A TWAP at the ticket: its duration and interval as they are typed, what is wrong with them, and how they are said. */

import { compare, type Decimal, decimal, divide, multiply, rescale } from '../../../lib/decimal.ts';
import { exchangeTime } from '../../../lib/exchange-time.ts';
import { formatDecimal, formatExact, formatTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { enteredPrice, type OrderContext } from './order-summary.ts';
import type { Side, Ticket } from './ticket.ts';

/** Seconds, as the exchange takes them. */
const SHORTEST = 5;
const LONGEST = 86_400;
const MOST_SLICES = 1_000;

/** Seconds of a text such as `30m`, `1h 30m` or `90s`; undefined for any other. */
export function secondsOf(text: string): number | undefined {
  const [, ...parts] =
    /^\s*(?:(\d{1,5})\s*h)?\s*(?:(\d{1,5})\s*m)?\s*(?:(\d{1,5})\s*s)?\s*$/i.exec(text.normalize('NFKC')) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return hours * 3_600 + minutes * 60 + seconds || undefined;
}

/** The same the other way round. */
export function durationText(seconds: number): string {
  const parts = [`${Math.floor(seconds / 3_600)}h`, `${Math.floor((seconds % 3_600) / 60)}m`, `${seconds % 60}s`];
  return parts.filter((part) => !part.startsWith('0')).join(' ');
}

interface Schedule {
  readonly duration: number;
  readonly interval: number;
  readonly slices: number;
}

/** The schedule in seconds; undefined while either text says nothing. */
function scheduleOf({ duration: long, interval: apart }: Ticket): Schedule | undefined {
  const [duration, interval] = [secondsOf(long), secondsOf(apart)];
  if (duration === undefined || interval === undefined) return undefined;
  return { duration, interval, slices: Math.ceil(duration / interval) };
}

function durationError({ duration }: Ticket): string | undefined {
  const seconds = secondsOf(duration);
  if (seconds === undefined) return t('Write it as 30m, 1h or 90s');
  return seconds < SHORTEST || seconds > LONGEST ? t('Use 5 seconds to 24 hours') : undefined;
}

function intervalError(ticket: Ticket): string | undefined {
  if (secondsOf(ticket.interval) === undefined) return t('Write it as 30m, 1h or 90s');
  const schedule = scheduleOf(ticket);
  if (schedule === undefined) return undefined;
  if (schedule.interval >= schedule.duration) return t('Must be less than the duration');
  return schedule.slices > MOST_SLICES ? t('Use at most 1,000 slices') : undefined;
}

/** Base coin of a slice, cut to whole lots. */
function sliceOf(ticket: Ticket, quantity: Decimal | undefined, context: OrderContext): Decimal | undefined {
  const schedule = scheduleOf(ticket);
  if (!quantity || !schedule) return undefined;
  return divide(quantity, { units: BigInt(schedule.slices), scale: 0 }, context.quantityScale, 'floor');
}

/** Each slice must be an order of the pair in itself. */
function sizeError(ticket: Ticket, side: Side, quantity: Decimal | undefined, context: OrderContext) {
  const slice = sliceOf(ticket, quantity, context);
  const price = enteredPrice(ticket, side, 'price');
  if (!slice || !price || !context.minimums) return undefined;
  const { minimum_sell: lots, minimum_total: total } = context.minimums;
  const isSmall = compare(slice, decimal(lots)) < 0 || compare(multiply(slice, price), decimal(total)) < 0;
  return isSmall ? t('Each slice would be too small. Use fewer slices or a larger amount.') : undefined;
}

/** What is wrong with a TWAP of so much beside its price and amount; nothing with an order of another type. */
export function twapErrors(ticket: Ticket, side: Side, quantity: Decimal | undefined, context: OrderContext) {
  if (ticket.type !== 'twap') return {};
  const [duration, interval] = [durationError(ticket), intervalError(ticket)];
  const amount = duration || interval ? undefined : sizeError(ticket, side, quantity, context);
  return { ...(duration && { duration }), ...(interval && { interval }), ...(amount && { amount }) };
}

export const scheduleLabel = (name: 'duration' | 'interval'): string =>
  name === 'duration' ? t('Duration') : t('Interval');

/** `20 slices of about 0.05 BTC, one every 30s, until 14:35:00`; undefined while anything of it is missing or wrong. */
export function scheduleText(
  ticket: Ticket,
  quantity: Decimal | undefined,
  context: OrderContext,
  now: number,
): string | undefined {
  const schedule = scheduleOf(ticket);
  const slice = sliceOf(ticket, quantity, context);
  if (!schedule || !slice || slice.units === 0n || durationError(ticket) || intervalError(ticket)) return undefined;
  return t('{{count}} slices of about {{amount}} {{coin}}, one every {{interval}}, until {{end}}', {
    count: formatDecimal({ units: BigInt(schedule.slices), scale: 0 }, 0),
    amount: formatExact(rescale(slice, context.quantityScale, 'floor')),
    coin: context.base,
    interval: durationText(schedule.interval),
    end: formatTime(now + schedule.duration * 1_000),
  });
}

/** For the dialog that asks for confirmation. */
export function twapLines(ticket: Ticket, quantity: Decimal | undefined, context: OrderContext) {
  const text = ticket.type === 'twap' ? scheduleText(ticket, quantity, context, exchangeTime()) : undefined;
  return text === undefined ? [] : [{ title: t('Schedule'), value: text }];
}

/** As the call takes it. */
export function twapRequest(ticket: Ticket): { twap?: { duration_seconds: number; interval_seconds: number } } {
  const schedule = ticket.type === 'twap' ? scheduleOf(ticket) : undefined;
  return schedule ? { twap: { duration_seconds: schedule.duration, interval_seconds: schedule.interval } } : {};
}
