/** The mail of an alert, in the language that the client had when the alert was made. */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import { mailMessage } from '../../platform/mail-template.ts';
import type { Message } from '../../platform/outbox.ts';
import { say } from '../../platform/texts.ts';
import type { Triggering } from './store.ts';

/** A mail about a price is worth nothing later. */
const LIFETIME_MS = 86_400_000;

/** One message for each alert and trade, however often the trade is looked at. */
export function alertMessage({ alert, trade }: Triggering, market: MarketSpec, site: string): Message {
  const values = {
    pair: market.symbol,
    price: formatTicks(alert.price, market),
    triggered: formatTicks(trade.price, market),
    time: `${new Date(trade.time).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  };
  const told = alert.above
    ? say('{{pair}} traded at {{triggered}}, at or above the {{price}} of your alert ({{time}}).', values)
    : say('{{pair}} traded at {{triggered}}, at or below the {{price}} of your alert ({{time}}).', values);
  const why = say('You get this email because of a price alert on {{site}}. You can delete the alert there.', { site });
  const template = {
    to: { clientId: alert.client_id },
    locale: alert.locale,
    subject: say('{{pair}} is at {{triggered}}', values),
    paragraphs: [told, ...(alert.note === '' ? [] : [{ words: alert.note }]), why],
  };
  return mailMessage(template, { kind: 'alert', lifetimeMs: LIFETIME_MS, key: `alert:${alert.id}:${trade.id}` });
}
