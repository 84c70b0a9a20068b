/** The websockets `/ws/v5/public`, `/ws/v5/business` and `/ws/v5/private`: who connects, and what they ask for. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { PrivateChannel } from '@cambist/contract/stream.ts';
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Logger } from 'pino';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { CallServer } from '../../platform/calls.ts';
import { guarded } from '../../platform/guarded.ts';
import type { Moments } from '../../platform/moments.ts';
import { networkOf } from '../../platform/throttle.ts';
import type { ExchangeView } from '../engine/feed.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { MarketData } from '../market-data/service.ts';
import type { OrderCanceller } from './cancel-on-disconnect.ts';
import { Connection, type DropReason, defaultLimits, type StreamLimits, type StreamPath } from './connection.ts';
import { Hub } from './hub.ts';
import { errorEvent, Messages } from './messages.ts';
import { createPrivateAccess, type StreamAuthority } from './private-access.ts';
import { type PrivateFeed, PrivateHub } from './private-hub.ts';
import { StreamRequests } from './requests.ts';
import { refuseUpgrade, streamOf } from './upgrade.ts';

export { defaultLimits, type StreamLimits } from './connection.ts';
export type { StreamAuthority } from './private-access.ts';

interface Deps {
  readonly catalogue: Catalogue;
  readonly marketData: MarketData;
  readonly feed: PrivateFeed;
  readonly view: ExchangeView;
  readonly views: OrderViews;
  readonly authority: StreamAuthority;
  readonly orders: OrderCanceller;
  readonly clock: { now(): number };
  readonly moments: Moments;
  readonly logger: Logger;
  readonly limits?: Partial<StreamLimits>;
  readonly coalesceMs?: number;
  /** Behind a proxy the address is in a header. */
  readonly addressOf?: (request: IncomingMessage) => string;
}

const COALESCE_MS = 50;
const HEARTBEAT_MS = 20_000;
/** A peer that answers no ping for so many heartbeats is gone. */
const SILENT_BEATS = 3;

/** Sockets that are open, and how many each network has: whoever has one address of IPv6 has 2^64 of them. */
class OpenSockets {
  readonly connections = new Set<Connection>();
  readonly #perNetwork = new Map<string, number>();

  /** Of all in the network of an address. */
  countOf(address: string): number {
    return this.#perNetwork.get(networkOf(address)) ?? 0;
  }

  add(connection: Connection): void {
    this.connections.add(connection);
    this.#perNetwork.set(networkOf(connection.address), this.countOf(connection.address) + 1);
  }

  /** @returns whether it was among them */
  remove(connection: Connection): boolean {
    if (!this.connections.delete(connection)) return false;
    const [network, left] = [networkOf(connection.address), this.countOf(connection.address) - 1];
    if (left === 0) this.#perNetwork.delete(network);
    else this.#perNetwork.set(network, left);
    return true;
  }
}

export class Streams {
  readonly #clock: { now(): number };
  readonly #logger: Logger;
  readonly #limits: StreamLimits;
  readonly #addressOf: (request: IncomingMessage) => string;
  readonly #sockets = new OpenSockets();
  readonly #hub: Hub;
  readonly #privateHub: PrivateHub;
  readonly #access: ReturnType<typeof createPrivateAccess>;
  readonly #requests: StreamRequests;
  readonly #messages: Messages;
  readonly #webSockets: WebSocketServer;
  readonly #heartbeatTimer: NodeJS.Timeout;

  constructor(deps: Deps) {
    const { catalogue, marketData, clock, moments, logger, feed, view, views } = deps;
    const { connections } = this.#sockets;
    const limits = { ...defaultLimits, ...deps.limits };
    this.#clock = clock;
    this.#logger = logger;
    this.#limits = limits;
    this.#addressOf = deps.addressOf ?? ((request) => request.socket.remoteAddress ?? '');
    const hub = new Hub({
      marketData,
      clock,
      logger,
      coalesceMs: deps.coalesceMs ?? COALESCE_MS,
    });
    const privateHub = new PrivateHub({ feed, view, views, catalogue, clock, moments });
    this.#hub = hub;
    this.#privateHub = privateHub;
    this.#access = createPrivateAccess({ authority: deps.authority, hub: privateHub, connections, clock });
    this.#requests = new StreamRequests({ orders: deps.orders, limits, clock, logger });
    const parts = { catalogue, hub, privateHub, access: this.#access, requests: this.#requests };
    this.#messages = new Messages({ ...parts, limits, clock });
    this.#webSockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: limits.messageBytes,
      clientTracking: false,
    });
    this.#heartbeatTimer = setInterval(
      guarded(logger, 'stream heartbeat', () => this.#heartbeat()),
      HEARTBEAT_MS,
    );
    this.#heartbeatTimer.unref();
  }

  /** Takes the websocket upgrades of an HTTP server; every other upgrade is refused. */
  attach(server: Server): void {
    const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#onUpgrade(request, socket as Socket, head);
    server.on(
      'upgrade',
      guarded(this.#logger, 'upgrade', upgrade, (_request, socket) => socket.destroy()),
    );
  }

  /** Sends to a client's open pages, after the commit of what it tells of. @returns whether one of them is subscribed */
  push(clientId: number, channel: PrivateChannel, data: readonly unknown[]): boolean {
    return this.#privateHub.push(clientId, channel, data);
  }

  /** Whether one of a client's open pages is subscribed. */
  isHeard(clientId: number, channel: PrivateChannel): boolean {
    return this.#privateHub.isHeard(clientId, channel);
  }

  /**
   * For what is costly to say: notes that it has changed, so that a page that comes later knows, after its commit.
   * @returns whether it is to be pushed, as one of a client's open pages is subscribed
   */
  note(clientId: number, channel: PrivateChannel): boolean {
    this.#privateHub.note(clientId, channel);
    return this.#privateHub.isHeard(clientId, channel);
  }

  /** Takes orders, by the calls that the slices serve. */
  serveRequests(calls: CallServer): void {
    this.#requests.serve(calls);
  }

  connectionCount(): number {
    return this.#sockets.connections.size;
  }

  /** Asks every client to come back later. Call it before the HTTP server closes. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeatTimer);
    this.#access.close();
    this.#requests.close();
    this.#hub.close();
    this.#privateHub.close();
    const leaving = [...this.#sockets.connections];
    for (const connection of leaving) connection.drop('closing');
    if (leaving.length > 0) await new Promise((resolve) => setTimeout(resolve, 200));
    for (const connection of leaving) connection.terminate();
  }

  #onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on(
      'error',
      guarded(this.#logger, 'upgrade error', () => socket.destroy()),
    );
    const path = streamOf(request.url ?? '');
    const address = this.#addressOf(request);
    if (path === '400 Bad Request' || path === '404 Not Found') refuseUpgrade(socket, path);
    else if (this.#sockets.connections.size >= this.#limits.connections)
      refuseUpgrade(socket, '503 Service Unavailable');
    else if (this.#sockets.countOf(address) >= this.#limits.connectionsPerAddress)
      refuseUpgrade(socket, '429 Too Many Requests');
    else
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) =>
        this.#open(path, address, socket, webSocket),
      );
  }

  #open(path: StreamPath, address: string, socket: Socket, webSocket: WebSocket): void {
    socket.setNoDelay(true);
    const [logger, now] = [this.#logger, this.#clock.now()];
    const onDrop = (dropped: Connection, reason: DropReason) => this.#onDrop(dropped, reason);
    const connection = new Connection({ path, address, socket, webSocket, limits: this.#limits, now, onDrop });
    this.#sockets.add(connection);
    const terminate = () => connection.terminate();
    const hear = (data: RawData, isBinary: boolean) => this.#onMessage(connection, isBinary ? '' : data.toString());
    const hearPong = () => {
      connection.beatsUnheard = 0;
    };
    webSocket.on('message', guarded(logger, 'stream message', hear, terminate));
    webSocket.on('pong', guarded(logger, 'stream pong', hearPong, terminate));
    webSocket.on(
      'close',
      guarded(logger, 'stream close', () => this.#forget(connection)),
    );
    webSocket.on('error', guarded(logger, 'stream error', terminate));
  }

  #onMessage(connection: Connection, text: string): Promise<void> | undefined {
    // A socket that was dropped may still send until it has closed.
    if (!this.#sockets.connections.has(connection)) return undefined;
    return this.#messages.receive(connection, text).catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'a stream request failed');
      connection.send(errorEvent('60026', 'The server could not do this now. Try again in a moment.'));
    });
  }

  #onDrop(connection: Connection, reason: DropReason): void {
    this.#logger.info({ reason, path: connection.path, address: connection.address }, 'stream dropped');
    this.#forget(connection);
  }

  #forget(connection: Connection): void {
    if (!this.#sockets.remove(connection)) return;
    this.#requests.end(connection);
    if (connection.path === 'private') this.#privateHub.leaveAll(connection);
    else this.#hub.leaveAll(connection);
  }

  #heartbeat(): void {
    this.#requests.forgetIdle();
    for (const connection of this.#sockets.connections) {
      if (connection.beatsUnheard >= SILENT_BEATS) connection.drop('silent');
      else if (connection.hasStalled()) connection.drop('slow');
      else connection.ping();
      connection.beatsUnheard += 1;
      this.#access
        .check(connection)
        .catch((error: unknown) => this.#logger.warn({ err: error }, 'a session could not be checked'));
    }
  }
}
