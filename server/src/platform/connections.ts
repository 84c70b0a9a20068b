/** Who may hold a connection, how many, and for how long without any progress. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from './calls.ts';
import type { Capacity } from './capacity.ts';
import { guarded } from './guarded.ts';
import { sendRefusal } from './http.ts';
import type { Logger } from './logger.ts';
import type { Proxies } from './proxies.ts';
import { say } from './texts.ts';
import { networkOf } from './throttle.ts';

export interface ConnectionDeps {
  readonly app: FastifyInstance;
  readonly capacity: Capacity;
  readonly proxies: Pick<Proxies, 'trust'>;
  readonly logger: Logger;
}

export interface ConnectionFigures {
  readonly connections: number;
  readonly refusedConnections: number;
}

/** A connection on which nothing has moved for so long is closed, unless an answer is being worked out for it. */
const STALL_MS = 30_000;
const LOG_EVERY_MS = 10_000;
/** From this part of the capacity on, a connection that is kept for later requests is kept shortly. */
const CROWDED = 0.75;
const CROWDED_KEEP_ALIVE_MS = 5000;

/** At most one run in so many ms. */
function paced(everyMs: number, work: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < everyMs) return;
    last = performance.now();
    work();
  };
}

/** @returns figures for the operator */
function limitConnections({ app, capacity, proxies, logger }: ConnectionDeps): () => ConnectionFigures {
  const { server } = app;
  /** By network: whoever has one address of IPv6 has 2^64 of them. */
  const perNetwork = new Map<string, number>();
  let connections = 0;
  let refused = 0;
  const report = paced(LOG_EVERY_MS, () =>
    logger.warn(
      { connections, refused, capacity: capacity.connections },
      'Connections are refused: there are too many',
    ),
  );
  const { keepAliveTimeout } = server;

  function refuse(socket?: Socket): void {
    refused += 1;
    socket?.destroy();
    report();
  }

  function change(by: number): void {
    connections += by;
    const isCrowded = connections > capacity.connections * CROWDED;
    server.keepAliveTimeout = isCrowded ? CROWDED_KEEP_ALIVE_MS : keepAliveTimeout;
  }

  function leave(network: string): void {
    change(-1);
    const left = (perNetwork.get(network) ?? 1) - 1;
    if (left === 0) perNetwork.delete(network);
    else perNetwork.set(network, left);
  }

  function onConnection(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    const mine = (perNetwork.get(network) ?? 0) + 1;
    // A proxy's connections are those of all its clients.
    const isProxy = proxies.trust !== false && proxies.trust(address, 0);
    if (!isProxy && mine > capacity.connectionsPerAddress) {
      refuse(socket);
      return;
    }
    change(1);
    perNetwork.set(network, mine);
    socket.once(
      'close',
      guarded(logger, 'connection close', () => leave(network)),
    );
  }

  // Beyond it Node accepts and closes, so that the waiting line of the system does not fill up either.
  server.maxConnections = capacity.connections;
  server.on(
    'drop',
    guarded(logger, 'drop', () => refuse()),
  );
  server.on(
    'connection',
    guarded(logger, 'connection', onConnection, (socket) => socket.destroy()),
  );
  return () => ({ connections, refusedConnections: refused });
}

const tooManyFiles = new Refusal(
  503,
  'UNAVAILABLE',
  say('The exchange is busy and nothing was done. Try again in a moment.'),
  { 'retry-after': '1' },
);

/**
 * Counts what is being answered. Each page or asset on its way is an open file, and requests sent in one breath would
 * open any number of them.
 */
function countAnswers({ app, capacity, logger }: ConnectionDeps): { isAnswered(socket: Socket): boolean } {
  const answers = new WeakMap<Socket, number>();
  let files = 0;
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const file = request.url.startsWith('/api/') ? 0 : 1;
    if (file === 1 && files >= capacity.servedFiles) {
      sendRefusal(reply, tooManyFiles);
      return;
    }
    files += file;
    answers.set(socket, (answers.get(socket) ?? 0) + 1);
    // Comes once, whether the answer was sent or its reader is gone.
    reply.raw.once(
      'close',
      guarded(logger, 'answer close', () => {
        files -= file;
        answers.set(socket, (answers.get(socket) ?? 1) - 1);
      }),
    );
    done();
  });
  return { isAnswered: (socket) => (answers.get(socket) ?? 0) > 0 };
}

/** An order may wait for the database longer than a connection may be still; an unread answer may not. */
function closeStalled({ app, logger }: ConnectionDeps, isAnswered: (socket: Socket) => boolean): void {
  const onTimeout = (socket: Socket) => {
    if (!isAnswered(socket) || socket.writableLength > 0) socket.destroy();
  };
  app.server.setTimeout(STALL_MS);
  app.server.on('timeout', guarded(logger, 'connection timeout', onTimeout));
}

export function superviseConnections(deps: ConnectionDeps): () => ConnectionFigures {
  closeStalled(deps, countAnswers(deps).isAnswered);
  return limitConnections(deps);
}
