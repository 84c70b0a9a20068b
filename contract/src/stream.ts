/**
 * The websocket in the OKX v5 shape. Public and business channels: the field names are OKX's. The private stream takes
 * a session token in `login` and carries the client's own orders, fills and balances.
 *
 * `/ws/v5/public`   tickers, trades, books, books5, bbo-tbt
 * `/ws/v5/business` candle1m, candle5m, candle15m, candle30m, candle1H, candle4H, candle1D, candle1W, candle1M
 * `/ws/v5/private`  orders, fills, account, support, alerts, notifications, account-state
 *
 * A private socket has one identity for its life: the first login that succeeds; another is refused (60009). It is closed
 * when the session or the API key ends. A key hears `orders`, `fills`, `account` and `alerts`, and only with `read`
 * (60033). While the account is frozen (60031) or the exchange is maintained (60032, operators excepted) `account-state`
 * alone is open: what was subscribed ends with an `unsubscribe` event, and is to be subscribed again afterwards.
 *
 * A text frame `ping` is answered with `pong`. Errors: `{event:"error",code,msg}`. Every private push carries `seqId`
 * and `prevSeqId`, numbered for each client and channel; a gap means: read the lists again.
 */

import { z } from 'zod';
import type { Notification } from './notifications.ts';

export const channelArgument = z.object({
  channel: z.string().max(40),
  instId: z.string().max(24).optional(),
  instType: z.string().max(12).optional(),
});

export const streamRequest = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('subscribe'),
    id: z.string().max(64).optional(),
    args: z.array(channelArgument).min(1).max(100),
  }),
  z.object({
    op: z.literal('unsubscribe'),
    id: z.string().max(64).optional(),
    args: z.array(channelArgument).min(1).max(100),
  }),
  z.object({
    op: z.literal('login'),
    args: z
      .array(z.object({ token: z.string().max(128) }))
      .min(1)
      .max(1),
  }),
]);

export type ChannelArgument = z.infer<typeof channelArgument>;
export type StreamRequest = z.infer<typeof streamRequest>;

/** `alerts` channel; a price alert that has just fired. */
export interface StreamAlert {
  readonly alertId: string;
  readonly instId: string;
  readonly direction: 'above' | 'below';
  readonly px: string;
  /** The price of the trade that fired it. */
  readonly firedPx: string;
  readonly note: string;
  readonly channels: readonly ('page' | 'browser' | 'mail')[];
  /** Ms since 1970. */
  readonly ts: string;
}

/** `fills` channel; one of the client's own trades. */
export interface StreamFill {
  readonly instId: string;
  readonly tradeId: string;
  readonly ordId: string;
  readonly side: 'buy' | 'sell';
  readonly fillPx: string;
  readonly fillSz: string;
  readonly fee: string;
  readonly feeCcy: string;
  readonly execType: 'M' | 'T';
  readonly ts: string;
}

/** `account` channel; the spot balances that changed. */
export interface StreamBalance {
  readonly ccy: string;
  readonly eq: string;
  readonly availBal: string;
  readonly frozenBal: string;
  readonly uTime: string;
}

/** `support` channel; a message that came into one of the client's conversations, from either side. */
export interface StreamSupportMessage {
  readonly id: number;
  readonly conversation_id: number;
  readonly author: 'customer' | 'operator';
  readonly body: string;
  readonly sent_at: number;
}

/** `notifications` channel; there is something new, which `check-notification` says in the client's language. */
export interface StreamNotification {
  readonly id: number;
  readonly type: Notification['type'];
}

/** `account-state` channel; what happened to the account or to this sign-in. */
export interface StreamAccountState {
  readonly kind:
    | 'frozen'
    | 'unfrozen'
    | 'maintenance'
    | 'maintenance-ended'
    | 'session-ended'
    | 'hold-begun'
    | 'hold-ended';
  /** Why, as it is shown to the person; empty where there is nothing to say. */
  readonly reason: string;
  /** Ms since 1970; null is open. */
  readonly until: number | null;
  /** Ms since 1970. */
  readonly ts: string;
}

export interface StreamPush<Data> {
  readonly arg: ChannelArgument;
  readonly action?: 'snapshot' | 'update';
  readonly data: readonly Data[];
  /** On private channels; on books they stand inside the data, as OKX has them. */
  readonly seqId?: number;
  readonly prevSeqId?: number;
}
