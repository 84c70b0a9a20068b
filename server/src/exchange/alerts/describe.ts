/** Alerts and what they led to, as calls and streams say them. */
import type { PriceAlert } from '@cambist/contract/alerts.ts';
import type { StreamAlert } from '@cambist/contract/stream.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import type { AlertRow, Triggering, TriggeringRow } from './store.ts';

export const channelsOf = ({ channels }: Pick<AlertRow, 'channels'>) =>
  channels.split(',') as StreamAlert['channels'][number][];

const directionOf = ({ above }: Pick<AlertRow, 'above'>) => (above ? ('above' as const) : ('below' as const));

export function describeAlert(row: AlertRow, market: MarketSpec, now: number): PriceAlert {
  const isPaused = row.paused_until > now;
  return {
    id: String(row.id),
    symbol: market.symbol,
    direction: directionOf(row),
    price: formatTicks(row.price, market),
    repeat: row.pause_minutes > 0 ? 'repeating' : 'once',
    pause_minutes: row.pause_minutes,
    channels: channelsOf(row),
    note: row.note,
    state: row.done ? 'done' : isPaused ? 'paused' : 'active',
    paused_until: isPaused ? row.paused_until : null,
    times_triggered: row.times_triggered,
    triggered_price: row.times_triggered > 0 ? formatTicks(row.triggered_price, market) : '',
    triggered_at: row.times_triggered > 0 ? row.triggered_at : null,
    created_at: row.created_at,
  };
}

export function describePush({ alert, trade }: Triggering, market: MarketSpec): StreamAlert {
  return {
    alertId: String(alert.id),
    instId: market.symbol,
    direction: directionOf(alert),
    px: formatTicks(alert.price, market),
    triggeredPx: formatTicks(trade.price, market),
    note: alert.note,
    channels: channelsOf(alert),
    ts: String(trade.time),
  };
}

export function describeTriggering(row: TriggeringRow, market: MarketSpec) {
  return {
    id: String(row.id),
    alert_id: String(row.alert_id),
    symbol: market.symbol,
    direction: directionOf(row),
    price: formatTicks(row.price, market),
    triggered_price: formatTicks(row.triggered_price, market),
    note: row.note,
    triggered_at: row.triggered_at,
  };
}
