/** What a person has entered for a new price alert, and what is wrong with it. */
import type { alertChannel, createAlert } from '@cambist/contract/alerts.ts';
import type { z } from 'zod';
import { compare, decimal, parseDecimal, toShortText } from '../../../lib/decimal.ts';
import { currentLocale, t } from '../../../lib/i18n.ts';

export type AlertChannel = z.infer<typeof alertChannel>;
type Body = z.input<NonNullable<(typeof createAlert)['body']>>;

export interface AlertEntry {
  readonly price: string;
  readonly repeat: 'once' | 'repeating';
  readonly channels: readonly AlertChannel[];
  readonly note: string;
}

export const NEW_ALERT: AlertEntry = { price: '', repeat: 'once', channels: ['page'], note: '' };

export function toggleChannel(channels: readonly AlertChannel[], channel: AlertChannel): AlertChannel[] {
  return channels.includes(channel) ? channels.filter((entry) => entry !== channel) : [...channels, channel];
}

export interface AlertErrors {
  readonly price?: string;
  readonly channels?: string;
}

export function alertErrors(entry: AlertEntry): AlertErrors {
  const price = parseDecimal(entry.price);
  return {
    ...(price && price.units > 0n ? {} : { price: t('Price is required') }),
    ...(entry.channels.length > 0 ? {} : { channels: t('Choose at least one way to be notified') }),
  };
}

/** Above the last price it waits for a rise, else for a fall. */
export function directionOf(price: string, lastPrice: string): 'above' | 'below' {
  return compare(decimal(price), decimal(lastPrice)) >= 0 ? 'above' : 'below';
}

/** With the language of the page, in which the alert's email will be. */
export function alertBody(entry: AlertEntry, symbol: string, lastPrice: string): Body {
  const price = toShortText(decimal(entry.price));
  const { repeat, channels, note } = entry;
  const { name: locale } = currentLocale();
  return { symbol, price, direction: directionOf(price, lastPrice), repeat, channels: [...channels], note, locale };
}
