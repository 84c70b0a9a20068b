/**
 * Reference prices from a public feed in the OKX v5 shape: all tickers once by REST, then by websocket. The socket comes
 * back by itself with growing pauses. A feed that falls silent is not believed: its prices are gone until it speaks.
 */
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { MAXIMUM_INT32 } from '@cambist/core/money/price.ts';
import type { Logger } from 'pino';
import WebSocket, { type RawData } from 'ws';
import { z } from 'zod';
import { guarded } from '../../platform/guarded.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { PriceSource, Reference } from './reference.ts';

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

/** Ms. What was noted by a clock that has been set back since is as old as that: a dead feed must not be believed for as long. */
const ageOf = (at: number, clock: { now(): number }): number => Math.abs(clock.now() - at);

const row = z.object({ instId: z.string(), last: z.string(), bidPx: z.string(), askPx: z.string() });
const push = z.object({ arg: z.object({ channel: z.literal('tickers') }), data: z.array(row) });
const answer = z.object({ code: z.literal('0'), data: z.array(row) });

interface Price {
  readonly ticks: number;
  readonly at: number;
  readonly momentum: number;
}

/** The latest price of each market, and where it has been heading. */
class FeedPrices {
  readonly #catalogue: Catalogue;
  readonly #clock: { now(): number };
  readonly #bySymbol = new Map<string, MarketSpec>();
  readonly #prices = new Map<number, Price>();

  constructor(catalogue: Catalogue, clock: { now(): number }) {
    this.#catalogue = catalogue;
    this.#clock = clock;
    for (const { spec } of catalogue.markets) this.#bySymbol.set(spec.symbol, spec);
    catalogue.onListed(({ spec }) => {
      if (spec.perpetual === undefined) this.#bySymbol.set(spec.symbol, spec);
    });
  }

  get symbols(): string[] {
    return this.#catalogue.markets.map(({ spec }) => spec.symbol);
  }

  get(market: number): Price | undefined {
    return this.#prices.get(market);
  }

  /** What was said before a silence says nothing of now. */
  forget(): void {
    this.#prices.clear();
  }

  learn({ instId, last, bidPx, askPx }: z.infer<typeof row>): void {
    const spec = this.#bySymbol.get(instId);
    if (spec === undefined) return;
    const middle = bidPx !== '' && askPx !== '' ? (Number(bidPx) + Number(askPx)) / 2 : Number(last);
    const ticks = middle * 10 ** spec.tickScale;
    // What no market can have would be refused, and would be a number that the journal cannot hold.
    if (!(ticks >= 1 && ticks <= MAXIMUM_INT32)) return;
    const before = this.#prices.get(spec.id);
    const change = before === undefined ? 0 : ((ticks - before.ticks) / before.ticks) * MOMENTUM_SCALE;
    const direction = Math.max(-1, Math.min(1, change));
    const momentum = MOMENTUM_KEPT * (before?.momentum ?? 0) + (1 - MOMENTUM_KEPT) * direction;
    this.#prices.set(spec.id, { ticks, at: this.#clock.now(), momentum });
  }
}

interface SocketDeps extends Pick<Deps, 'webSocketUrl' | 'clock' | 'logger'> {
  readonly staleMs: number;
  readonly prices: FeedPrices;
}

/** The websocket of the feed: kept alive, and opened again with growing pauses. */
class FeedSocket {
  readonly #deps: SocketDeps;
  #socket: WebSocket | undefined;
  #heardAt = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #pingTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(deps: SocketDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#connect();
    const { logger, staleMs } = this.#deps;
    this.#pingTimer = setInterval(
      guarded(logger, 'market feed ping', () => this.#keepAlive()),
      staleMs / 3,
    );
    this.#pingTimer.unref();
  }

  /** Something came from the feed just now; call it before its prices are learnt. */
  hear(): void {
    if (this.isStale()) this.#deps.prices.forget();
    this.#heardAt = this.#deps.clock.now();
  }

  isStale(): boolean {
    return ageOf(this.#heardAt, this.#deps.clock) > this.#deps.staleMs;
  }

  /** Nothing while the socket is closed: it subscribes to all symbols once it opens. */
  subscribe(symbols: readonly string[]): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const args = symbols.map((instId) => ({ channel: 'tickers', instId }));
    for (let start = 0; start < args.length; start += ARGUMENTS_PER_REQUEST) {
      socket.send(JSON.stringify({ op: 'subscribe', args: args.slice(start, start + ARGUMENTS_PER_REQUEST) }));
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#reconnectTimer);
    clearInterval(this.#pingTimer);
    this.#socket?.terminate();
  }

  #connect(): void {
    const { webSocketUrl, logger } = this.#deps;
    const opened = new WebSocket(`${webSocketUrl}/public`, { handshakeTimeout: REST_TIMEOUT_MS });
    this.#socket = opened;
    opened.on(
      'open',
      guarded(logger, 'market feed open', () => this.#onOpen()),
    );
    opened.on(
      'message',
      guarded(logger, 'market feed message', (data: RawData) => this.#onText(String(data))),
    );
    opened.on(
      'error',
      guarded(logger, 'market feed error', (error: Error) => logger.warn({ err: error }, 'market feed')),
    );
    opened.on(
      'close',
      guarded(logger, 'market feed close', () => this.#reconnectLater()),
    );
  }

  #onOpen(): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.subscribe(this.#deps.prices.symbols);
  }

  #onText(text: string): void {
    this.hear();
    if (text === 'pong') return;
    try {
      const parsed = push.safeParse(JSON.parse(text));
      if (parsed.success) for (const entry of parsed.data.data) this.#deps.prices.learn(entry);
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'the market feed sent something unreadable');
    }
  }

  #reconnectLater(): void {
    if (this.#closed) return;
    const { logger } = this.#deps;
    const wait = this.#pauseMs * (0.75 + Math.random() / 2);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    logger.warn({ waitMs: Math.round(wait) }, 'the market feed is gone; it is tried again');
    const again = () => this.#reconnectLater();
    this.#reconnectTimer = setTimeout(
      guarded(logger, 'market feed', () => this.#connect(), again),
      wait,
    );
    this.#reconnectTimer.unref();
  }

  /** A ping keeps the feed open; one that stays unanswered means that it is dead. */
  #keepAlive(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (this.isStale()) this.#socket.terminate();
    else this.#socket.send('ping');
  }
}

export function createOkxReference(deps: Deps): Reference & Omit<PriceSource, 'name'> {
  const { catalogue, restUrl, webSocketUrl, clock, logger } = deps;
  const prices = new FeedPrices(catalogue, clock);
  const socket = new FeedSocket({ prices, webSocketUrl, clock, logger, staleMs: deps.staleMs ?? STALE_MS });
  catalogue.onListed(({ spec }) => {
    if (spec.perpetual === undefined) socket.subscribe([spec.symbol]);
  });

  async function readAll(): Promise<void> {
    const signal = AbortSignal.timeout(REST_TIMEOUT_MS);
    const response = await fetch(`${restUrl}/api/v5/market/tickers?instType=SPOT`, { redirect: 'error', signal });
    const { data } = answer.parse(await response.json());
    socket.hear();
    for (const entry of data) prices.learn(entry);
  }

  return {
    isFresh: () => !socket.isStale(),

    last: (market) => prices.get(market),

    async start() {
      await readAll().catch((error: unknown) => logger.warn({ err: error }, 'the first prices could not be read'));
      socket.start();
    },

    price(market) {
      const known = prices.get(market);
      if (known === undefined || socket.isStale() || ageOf(known.at, clock) > QUIET_MS) return undefined;
      return known.ticks;
    },

    momentum: (market) => prices.get(market)?.momentum ?? 0,

    close: async () => socket.close(),
  };
}
