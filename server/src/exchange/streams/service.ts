/** The websockets `/ws/v5/public`, `/ws/v5/business` and `/ws/v5/private`: who connects, and what they ask for. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ChannelArgument, OrderRequest, PrivateChannel, StreamRequest } from '@cambist/contract/stream.ts';
import { PRIVATE_CHANNELS, streamRequest } from '@cambist/contract/stream.ts';
import type { OrderViews } from '@cambist/core/orders/order-view.ts';
import type { Logger } from 'pino';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { CallServer } from '../../platform/calls.ts';
import { guarded } from '../../platform/guarded.ts';
import type { ExchangeView } from '../engine/feed.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { MarketData } from '../market-data/service.ts';
import type { OrderCanceller } from './cancel-on-disconnect.ts';
import { Connection, type DropReason, defaultLimits, type StreamLimits, type StreamPath } from './connection.ts';
import { createHub } from './hub.ts';
import { createPrivateAccess, type StreamAuthority } from './private-access.ts';
import { type PrivateFeed, PrivateHub } from './private-hub.ts';
import { StreamRequests } from './requests.ts';
import { parseChannel, topicKey } from './topics.ts';

export { defaultLimits, type StreamLimits } from './connection.ts';
export type { StreamAuthority } from './private-access.ts';

/** Counters for the operator; each is called often and must be cheap. */
export interface StreamMetrics {
  onOpen?(path: StreamPath): void;
  onClose?(path: StreamPath): void;
  onDrop?(reason: DropReason): void;
  onFlush?(figures: { readonly frames: number; readonly writes: number; readonly bytes: number }): void;
}

interface Deps {
  readonly catalogue: Catalogue;
  readonly marketData: MarketData;
  readonly feed: PrivateFeed;
  readonly view: ExchangeView;
  readonly views: OrderViews;
  readonly authority: StreamAuthority;
  readonly orders: OrderCanceller;
  readonly clock: { now(): number };
  readonly logger: Logger;
  readonly limits?: Partial<StreamLimits>;
  readonly coalesceMs?: number;
  readonly metrics?: StreamMetrics;
  /** Behind a proxy the address is in a header. */
  readonly addressOf?: (request: IncomingMessage) => string;
}

const COALESCE_MS = 50;
const HEARTBEAT_MS = 20_000;
const SILENT_MS = 65_000;

/** A Map, not an object: a target such as `constructor` must not find what every object has. */
const paths: ReadonlyMap<string, StreamPath> = new Map([
  ['/ws/v5/public', 'public'],
  ['/ws/v5/business', 'business'],
  ['/ws/v5/private', 'private'],
]);

const errorEvent = (code: string, msg: string) => ({ event: 'error', code, msg });

function refuseUpgrade(socket: Socket, status: string): void {
  // A peer that never closes its side would keep the socket.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The path of a request's target; undefined when the target is malformed or names another host without a scheme. */
function pathOf(target: string): string | undefined {
  return target.startsWith('//') ? undefined : URL.parse(target, 'http://localhost')?.pathname;
}

function parseRequest(text: string): StreamRequest | undefined {
  try {
    const parsed = streamRequest.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

export function createStreams(deps: Deps) {
  const { catalogue, marketData, clock, logger, metrics = {} } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const addressOf = deps.addressOf ?? ((request) => request.socket.remoteAddress ?? '');
  const hub = createHub({
    marketData,
    clock,
    logger,
    coalesceMs: deps.coalesceMs ?? COALESCE_MS,
    ...(metrics.onFlush ? { onFlush: metrics.onFlush } : {}),
  });
  const { feed, view, views } = deps;
  const privateHub = new PrivateHub({ feed, view, views, catalogue, clock });
  const connections = new Set<Connection>();
  const access = createPrivateAccess({ authority: deps.authority, hub: privateHub, connections, clock });
  const requests = new StreamRequests({ orders: deps.orders, limits, clock, logger });
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    clientTracking: false,
  });
  const perAddress = new Map<string, number>();

  function forget(connection: Connection): void {
    if (!connections.delete(connection)) return;
    requests.end(connection);
    if (connection.path === 'private') privateHub.leaveAll(connection);
    else hub.leaveAll(connection);
    const left = (perAddress.get(connection.address) ?? 1) - 1;
    if (left === 0) perAddress.delete(connection.address);
    else perAddress.set(connection.address, left);
    metrics.onClose?.(connection.path);
  }

  function onDrop(connection: Connection, reason: DropReason): void {
    metrics.onDrop?.(reason);
    logger.info({ reason, path: connection.path, address: connection.address }, 'stream dropped');
    forget(connection);
  }

  /** What subscribing would do; undefined when this path has no such channel. */
  function joining(connection: Connection, arg: ChannelArgument): (() => void) | undefined {
    if (connection.path === 'private') {
      const channel = PRIVATE_CHANNELS.find((name) => name === arg.channel);
      if (channel === undefined) return undefined;
      return () => privateHub.join(connection, channel, arg);
    }
    const parsed = parseChannel(connection.path, arg.channel);
    const spec = catalogue.specs.find(({ symbol }) => symbol === arg.instId);
    if (parsed === undefined || spec === undefined) return undefined;
    return () => hub.join(connection, arg, parsed, spec);
  }

  function subscribe(connection: Connection, arg: ChannelArgument, id: string | undefined): void {
    const join = joining(connection, arg);
    const refused =
      connection.path === 'private' ? access.refusal(connection, arg.channel as PrivateChannel) : undefined;
    if (refused !== undefined) connection.send(refused);
    else if (join === undefined) {
      const name = `${arg.channel} ${arg.instId ?? ''}`.trim();
      connection.send(errorEvent('60018', `Wrong URL or channel:${name} doesn't exist.`));
    } else if (connection.topics.size >= limits.subscriptions) {
      connection.send(errorEvent('60014', `At most ${limits.subscriptions} subscriptions for each connection`));
    } else {
      // The acknowledgement comes before the first data.
      connection.send({ ...(id === undefined ? {} : { id }), event: 'subscribe', arg });
      join();
    }
  }

  function unsubscribe(connection: Connection, arg: ChannelArgument, id: string | undefined): void {
    if (connection.path === 'private') privateHub.leave(connection, arg.channel as PrivateChannel);
    else hub.leave(connection, topicKey(arg));
    connection.send({ ...(id === undefined ? {} : { id }), event: 'unsubscribe', arg });
  }

  function onFailure(connection: Connection, error: unknown): void {
    logger.warn({ err: error }, 'a stream request failed');
    connection.send(errorEvent('60026', 'The server could not do this now. Try again in a moment.'));
  }

  /** Orders have a budget of their own; one that is beyond it counts as a message, so that a flood of them ends too. */
  function isAllowed(connection: Connection, request: StreamRequest | undefined): boolean {
    const isOrder = request !== undefined && !Array.isArray(request.args) && connection.path === 'private';
    if (isOrder && requests.receive(connection, request as OrderRequest)) return true;
    if (connection.allowMessage(clock.now())) return true;
    connection.send(errorEvent('60014', 'Requests too frequent'));
    connection.drop('flood');
    return false;
  }

  async function onMessage(connection: Connection, text: string): Promise<void> {
    // A socket that was dropped may still send until it has closed.
    if (!connections.has(connection)) return;
    connection.heardAt = clock.now();
    const request = text === 'ping' ? undefined : parseRequest(text);
    if (!isAllowed(connection, request)) return;
    if (text === 'ping') connection.send('pong');
    else if (request === undefined || (connection.path !== 'private' && !Array.isArray(request.args)))
      connection.send(errorEvent('60012', `Invalid request: ${text.slice(0, 100)}`));
    else if (request.op === 'login') await access.login(connection, request.args[0]!.token);
    else if (request.op === 'subscribe') for (const arg of request.args) subscribe(connection, arg, request.id);
    else if (request.op === 'unsubscribe') for (const arg of request.args) unsubscribe(connection, arg, request.id);
  }

  function open(path: StreamPath, address: string, socket: Socket, webSocket: WebSocket): void {
    socket.setNoDelay(true);
    const connection = new Connection({ path, address, socket, webSocket, limits, now: clock.now(), onDrop });
    connections.add(connection);
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    metrics.onOpen?.(path);
    const terminate = () => connection.terminate();
    const hear = (data: RawData, isBinary: boolean) => {
      const text = isBinary ? '' : data.toString();
      return onMessage(connection, text).catch((error: unknown) => onFailure(connection, error));
    };
    const hearPong = () => {
      connection.heardAt = clock.now();
    };
    webSocket.on('message', guarded(logger, 'stream message', hear, terminate));
    webSocket.on('pong', guarded(logger, 'stream pong', hearPong, terminate));
    webSocket.on(
      'close',
      guarded(logger, 'stream close', () => forget(connection)),
    );
    webSocket.on('error', guarded(logger, 'stream error', terminate));
  }

  function onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on(
      'error',
      guarded(logger, 'upgrade error', () => socket.destroy()),
    );
    const target = pathOf(request.url ?? '');
    const path = paths.get(target ?? '');
    const address = addressOf(request);
    if (target === undefined) refuseUpgrade(socket, '400 Bad Request');
    else if (path === undefined) refuseUpgrade(socket, '404 Not Found');
    else if (connections.size >= limits.connections) refuseUpgrade(socket, '503 Service Unavailable');
    else if ((perAddress.get(address) ?? 0) >= limits.connectionsPerAddress)
      refuseUpgrade(socket, '429 Too Many Requests');
    else webSockets.handleUpgrade(request, socket, head, (webSocket) => open(path, address, socket, webSocket));
  }

  function heartbeat(): void {
    const now = clock.now();
    requests.forgetIdle();
    for (const connection of connections) {
      if (now - connection.heardAt > SILENT_MS) connection.drop('silent');
      else if (connection.hasStalled()) connection.drop('slow');
      else connection.ping();
      access.check(connection).catch((error: unknown) => logger.warn({ err: error }, 'a session could not be checked'));
    }
  }

  const heartbeatTimer = setInterval(guarded(logger, 'stream heartbeat', heartbeat), HEARTBEAT_MS);
  heartbeatTimer.unref();

  return {
    /** Takes the websocket upgrades of an HTTP server; every other upgrade is refused. */
    attach(server: Server): void {
      const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        onUpgrade(request, socket as Socket, head);
      server.on(
        'upgrade',
        guarded(logger, 'upgrade', upgrade, (_request, socket) => socket.destroy()),
      );
    },

    /** Tells a client's open pages something. @returns whether there was one that listens */
    push: (clientId: number, channel: PrivateChannel, data: readonly unknown[]): boolean =>
      privateHub.push(clientId, channel, data),

    /** Takes orders, by the calls that the slices serve. */
    serveRequests: (calls: CallServer): void => requests.serve(calls),

    connectionCount: (): number => connections.size,

    /** Tells everyone to come back later. Call it before the HTTP server closes. */
    async close(): Promise<void> {
      clearInterval(heartbeatTimer);
      access.close();
      requests.close();
      hub.close();
      privateHub.close();
      const leaving = [...connections];
      for (const connection of leaving) connection.drop('closing');
      if (leaving.length > 0) await new Promise((resolve) => setTimeout(resolve, 200));
      for (const connection of leaving) connection.terminate();
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;
