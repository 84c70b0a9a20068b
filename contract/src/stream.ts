/**
 * The websocket in the OKX v5 shape. Public and business channels: the field names are OKX's. The private stream takes
 * a session token or an API key in `login` and carries the client's own orders (the `Order` of the calls), fills and
 * balances.
 *
 * `/ws/v5/public`   tickers, trades, books, books5, bbo-tbt; of perpetuals also mark-price, index-tickers (by the index's name,
 *                   such as BTC-USDT), funding-rate, open-interest and liquidation-orders (of one, or by `instType` SWAP)
 * `/ws/v5/business` candle1m, candle3m, candle5m, candle15m, candle30m, candle1H, candle2H, candle4H, candle6H,
 *                   candle12H, candle1D, candle1W, candle1M; by UTC, so the names that end in `utc` mean the same;
 *                   of perpetuals also mark-price-candle… and, by the name of the spot market, index-candle…
 * `/ws/v5/private`  those of `PRIVATE_CHANNELS`
 *
 * A private socket has one identity for its life: the first login that succeeds; another is refused (60009). It is closed
 * when the session or the API key ends. A key hears `orders`, `fills`, `account`, `positions` and `alerts`, and only with
 * `read` (60033). While the account is frozen (60031) or the exchange is maintained (60032, operators excepted) `account-state`
 * alone is open: what was subscribed ends with an `unsubscribe` event, and is to be subscribed again afterwards.
 *
 * A text frame `ping` is answered with `pong`. Errors: `{event:"error",code,msg}`. Every private push carries `seqId`
 * and `prevSeqId`, numbered for each client and channel; a gap means: read the lists again. It also carries its `moment`, and
 * the `subscribe` event that of the channel's last change: a list whose answer has that moment or a later one
 * (`MOMENT_HEADER`) needs nothing but what is pushed from there on. `account-state` has no moments.
 *
 * Orders: `{id,op,key,args}` is the call that names `op`, with its schemas, permissions and outcomes, and `key` as its
 * Idempotency-Key; `args` are the fields of its path and body together. It is answered by `{id,op,status,body}` with the
 * status and body that HTTP would answer with, and `retry_after` in seconds where HTTP sends Retry-After, after the commit
 * and never before; a later request may be answered first. Each client may send 100 requests a second, on all sockets together, and three seconds' worth at once; each
 * socket may have 64 unanswered. What is beyond is answered by 429 and was not done; those who go on are let go. A socket
 * that ends takes its answers with it: the same key, here or by HTTP, finds the outcome.
 *
 * `cancel-on-disconnect` cancels, `timeout_ms` after its socket has ended for whatever reason, the orders that were placed
 * on that socket and are still open or untriggered, unless another socket of the same session or key has sent
 * `cancel-on-disconnect` before; that socket then answers for them. `null` switches it off, as it is at first. The end
 * of a connection that falls silent is noticed within 85 seconds. A restart of the server forgets it: the orders stay.
 */

import { z } from 'zod';
import { STREAM_OPERATIONS } from './call.ts';
import type { Deposit } from './deposits.ts';
import type { FuturesAccount, FuturesPosition } from './futures.ts';
import type { Notification } from './notifications.ts';
import type { Transfer } from './transfers.ts';
import type { Withdrawal } from './withdrawals.ts';

/**
 * On each answer but those of public calls and of those that trade: the moment at which it was asked for, such as `Gx0aTq3b-48211093`. All that the
 * private channels had told by then is in it. Numbers have an order where what is before the hyphen is the same; where it is
 * not, the server has started anew in between.
 */
export const MOMENT_HEADER = 'stream-moment';

export const PRIVATE_CHANNELS = [
  ...(['orders', 'fills', 'account', 'transfers', 'deposits', 'withdrawals'] as const),
  ...(['support', 'alerts', 'notifications', 'account-state', 'positions'] as const),
] as const;
export type PrivateChannel = (typeof PRIVATE_CHANNELS)[number];

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
  z.object({
    op: z.enum([...STREAM_OPERATIONS, 'cancel-on-disconnect']),
    id: z.string().min(1).max(64),
    key: z.string().optional(),
    /** Of the texts in the answer; as Accept-Language. */
    language: z.string().max(200).optional(),
    args: z.record(z.string(), z.unknown()),
  }),
]);

export const cancelOnDisconnect = z.strictObject({
  timeout_ms: z.number().int().min(0).max(60_000).nullable(),
});

export type ChannelArgument = z.infer<typeof channelArgument>;
export type StreamRequest = z.infer<typeof streamRequest>;
export type OrderRequest = Extract<StreamRequest, { readonly language?: string | undefined }>;

export interface StreamAnswer {
  readonly id: string;
  readonly op: string;
  readonly status: number;
  readonly body: unknown;
  /** Where HTTP sends `Retry-After`: after how many seconds it may be worth another try. */
  readonly retry_after?: number;
}

/** `alerts` channel; a price alert that has just triggered. */
export interface StreamAlert {
  readonly alertId: string;
  readonly instId: string;
  readonly direction: 'above' | 'below';
  readonly px: string;
  /** The price of the trade that triggered it. */
  readonly triggeredPx: string;
  readonly note: string;
  readonly channels: readonly ('page' | 'browser' | 'mail')[];
  /** Ms since 1970. */
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

/**
 * `positions` channel; all open positions and the futures wallet, after each commit that changes them. What changes with the
 * mark price alone is not said here: the public channel `mark-price` has it.
 */
export interface StreamPositions {
  readonly positions: readonly FuturesPosition[];
  readonly account: FuturesAccount;
}

/** `transfers` channel; a transfer between wallets whenever a witness confirms it, or it completes or is reversed. */
export type StreamTransfer = Transfer;

/** `deposits` channel; a deposit of the client when it is seen, whenever its confirmations grow, and at each change of state. */
export type StreamDeposit = Deposit;

/** `withdrawals` channel; a withdrawal of the client at each change of stage, and whenever its confirmations grow. */
export type StreamWithdrawal = Withdrawal;

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
  /** On private channels: when that was told. An answer of the same moment or a later one has it already. */
  readonly moment?: string;
}
