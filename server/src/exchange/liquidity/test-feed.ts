/** An exchange that plays an outside feed, for tests: our own endpoints speak the same protocol. */
import type { Socket } from 'node:net';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { startTestExchange, type TestExchange } from '../market-data/test-exchange.ts';
import type { Streams } from '../streams/service.ts';
import { attachStreams } from '../streams/test-streams.ts';

const QUOTER = 1000;

export class TestFeed {
  readonly exchange: TestExchange;
  /** `127.0.0.1:4321` */
  readonly host: string;
  readonly #sockets = new Set<Socket>();
  #streams: Streams | undefined;
  #hangs = false;

  private constructor(exchange: TestExchange, host: string) {
    this.exchange = exchange;
    this.host = host;
    exchange.http.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      if (this.#hangs) silence(socket);
    });
    this.comeBack();
  }

  /** @param past of its markets, in candles */
  static async start(price: number, past?: 'simulated'): Promise<TestFeed> {
    const exchange = await startTestExchange(Date, past);
    await exchange.fund(QUOTER, 'USDT', 10n ** 17n);
    await exchange.fund(QUOTER, 'BTC', 10n ** 13n);
    const feed = new TestFeed(exchange, await exchange.listen());
    await feed.quote(price);
    return feed;
  }

  get urls() {
    return { restUrl: `http://${this.host}`, webSocketUrl: `ws://${this.host}/ws/v5` };
  }

  /** Moves the price of the first market: one bid and one ask, ten ticks around. */
  async quote(price: number): Promise<void> {
    const { engine, place } = this.exchange;
    for (const { orderId } of engine.exchange.openOrdersOf(QUOTER)) {
      await engine.sequencer.submit({ kind: 'cancel-order', owner: QUOTER, orderId });
    }
    await place(QUOTER, 0, BUY, price - 10, 100_000);
    await place(QUOTER, 0, SELL, price + 10, 100_000);
  }

  /** Its websockets end, and it takes no new ones. */
  async die(): Promise<void> {
    await this.#streams?.close();
    this.#streams = undefined;
    this.exchange.http.server.removeAllListeners('upgrade');
  }

  comeBack(): void {
    this.exchange.http.server.removeAllListeners('upgrade');
    this.#streams = attachStreams(this.exchange);
  }

  /** Connections stay open and new ones are taken; nothing is read or said on any of them. */
  hang(): void {
    this.#hangs = true;
    for (const socket of this.#sockets) silence(socket);
  }

  goOn(): void {
    this.#hangs = false;
    for (const socket of this.#sockets) {
      socket.uncork();
      socket.resume();
    }
  }

  async stop(): Promise<void> {
    this.goOn();
    await this.die();
    await this.exchange.stop();
    await this.exchange.source.remove();
  }
}

function silence(socket: Socket): void {
  socket.pause();
  socket.cork();
}
