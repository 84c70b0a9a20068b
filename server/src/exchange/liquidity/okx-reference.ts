/**
 * Reference prices from a public feed in the OKX v5 shape: all tickers once by REST, then by websocket. The socket comes
 * back by itself with growing pauses. A feed that falls silent is not believed: its prices are gone until it speaks.
 */
import type { Logger } from 'pino';
import WebSocket, { type RawData } from 'ws';
import { z } from 'zod';
import { guarded } from '../../platform/guarded.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { Reference } from './reference.ts';

interface Deps {
  readonly catalogue: Catalogue;
  /** `https://www.okx.com` */
  readonly restUrl: string;
  /** `wss://ws.okx.com:8443/ws/v5`; the path `/public` is added. */
  readonly webSocketUrl: string;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** Silence after which the feed is stale. */
  readonly staleMs?: number;
}

const STALE_MS = 10_000;
/** A quiet instrument keeps its price for so long while the feed as a whole is alive. */
const QUIET_MS = 120_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const REST_TIMEOUT_MS = 5_000;
const ARGUMENTS_PER_REQUEST = 50;
const MOMENTUM_SCALE = 1_000;
const MOMENTUM_KEPT = 0.9;

const row = z.object({ instId: z.string(), last: z.string(), bidPx: z.string(), askPx: z.string() });
const push = z.object({ arg: z.object({ channel: z.literal('tickers') }), data: z.array(row) });
const answer = z.object({ code: z.literal('0'), data: z.array(row) });

interface Price {
  readonly ticks: number;
  readonly at: number;
  readonly momentum: number;
}

export function createOkxReference(deps: Deps): Reference & { isStale(): boolean } {
  const { catalogue, restUrl, webSocketUrl, clock, logger } = deps;
  const staleMs = deps.staleMs ?? STALE_MS;
  const bySymbol = new Map(catalogue.specs.map((spec) => [spec.symbol, spec]));
  const prices = new Map<number, Price>();
  let socket: WebSocket | undefined;
  let heardAt = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let pingTimer: NodeJS.Timeout | undefined;
  let closed = false;

  const isStale = () => clock.now() - heardAt > staleMs;

  function learn({ instId, last, bidPx, askPx }: z.infer<typeof row>): void {
    const spec = bySymbol.get(instId);
    if (spec === undefined) return;
    const middle = bidPx !== '' && askPx !== '' ? (Number(bidPx) + Number(askPx)) / 2 : Number(last);
    const ticks = middle * 10 ** spec.tickScale;
    if (!Number.isFinite(ticks) || ticks < 1) return;
    const before = prices.get(spec.id);
    const change = before === undefined ? 0 : ((ticks - before.ticks) / before.ticks) * MOMENTUM_SCALE;
    const direction = Math.max(-1, Math.min(1, change));
    const momentum = MOMENTUM_KEPT * (before?.momentum ?? 0) + (1 - MOMENTUM_KEPT) * direction;
    prices.set(spec.id, { ticks, at: clock.now(), momentum });
  }

  async function readAll(): Promise<void> {
    const signal = AbortSignal.timeout(REST_TIMEOUT_MS);
    const response = await fetch(`${restUrl}/api/v5/market/tickers?instType=SPOT`, { redirect: 'error', signal });
    for (const entry of answer.parse(await response.json()).data) learn(entry);
    heardAt = clock.now();
  }

  function onText(text: string): void {
    heardAt = clock.now();
    if (text === 'pong') return;
    try {
      const parsed = push.safeParse(JSON.parse(text));
      if (parsed.success) for (const entry of parsed.data.data) learn(entry);
    } catch (error) {
      logger.warn({ err: error }, 'the market feed sent something unreadable');
    }
  }

  function onOpen(opened: WebSocket): void {
    pauseMs = FIRST_PAUSE_MS;
    const args = catalogue.specs.map((spec) => ({ channel: 'tickers', instId: spec.symbol }));
    for (let start = 0; start < args.length; start += ARGUMENTS_PER_REQUEST) {
      opened.send(JSON.stringify({ op: 'subscribe', args: args.slice(start, start + ARGUMENTS_PER_REQUEST) }));
    }
  }

  function reconnectLater(): void {
    if (closed) return;
    const wait = pauseMs * (0.75 + Math.random() / 2);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    logger.warn({ waitMs: Math.round(wait) }, 'the market feed is gone; it is tried again');
    reconnectTimer = setTimeout(guarded(logger, 'market feed', connect, reconnectLater), wait);
    reconnectTimer.unref();
  }

  function connect(): void {
    const opened = new WebSocket(`${webSocketUrl}/public`, { handshakeTimeout: REST_TIMEOUT_MS });
    socket = opened;
    opened.on(
      'open',
      guarded(logger, 'market feed open', () => onOpen(opened)),
    );
    opened.on(
      'message',
      guarded(logger, 'market feed message', (data: RawData) => onText(String(data))),
    );
    opened.on(
      'error',
      guarded(logger, 'market feed error', (error: Error) => logger.warn({ err: error }, 'market feed')),
    );
    opened.on('close', guarded(logger, 'market feed close', reconnectLater));
  }

  /** A ping keeps the feed open; one that stays unanswered means that it is dead. */
  function keepAlive(): void {
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (isStale()) socket.terminate();
    else socket.send('ping');
  }

  return {
    isStale,

    async start() {
      await readAll().catch((error: unknown) => logger.warn({ err: error }, 'the first prices could not be read'));
      connect();
      pingTimer = setInterval(guarded(logger, 'market feed ping', keepAlive), staleMs / 3);
      pingTimer.unref();
    },

    price(market) {
      const known = prices.get(market);
      if (known === undefined || isStale() || clock.now() - known.at > QUIET_MS) return undefined;
      return known.ticks;
    },

    momentum: (market) => prices.get(market)?.momentum ?? 0,

    async close() {
      closed = true;
      clearTimeout(reconnectTimer);
      clearInterval(pingTimer);
      socket?.terminate();
    },
  };
}
