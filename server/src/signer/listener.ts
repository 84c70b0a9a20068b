/** The signer's socket: whoever has the server's key is answered, all others are cut off. */
import type { KeyObject } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { writeJson } from '../funds/chains/transactions.ts';
import { guarded } from '../platform/guarded.ts';
import type { Logger } from '../platform/logger.ts';
import { createLines, FRESH_MS, listenAddress, readMessage, request, writeMessage } from './messages.ts';
import type { Signer } from './signer.ts';

export interface ListenerParts {
  readonly signer: Signer;
  /** The signer's private key, and the server's public one. */
  readonly key: KeyObject;
  readonly serverKey: KeyObject;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** One server, and what it opens while an old connection ends; and those of whoever has not shown the server's key yet. */
const MAXIMUM_CONNECTIONS = { proven: 8, unproven: 32 };
/** Within which a new connection shows the server's key. */
const PROOF_MS = 5_000;
const IDLE_MS = 120_000;
/** Answers that a connection may wait for. */
const MAXIMUM_UNANSWERED = 100;

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function answerTo({ signer, logger }: ListenerParts, body: string): Promise<object> {
  const parsed = request.safeParse(parsedJson(body));
  if (!parsed.success) return { error: 'INVALID' };
  const asked = parsed.data;
  try {
    if (asked.call === 'xpub') return { value: signer.xpub(asked.family) };
    if (asked.call === 'signed') return { value: signer.signed(asked.id) };
    if (asked.call === 'address') return { value: signer.address(asked.family, asked.index) };
    if (asked.call === 'hot-address') return { value: signer.hotAddress(asked.network) };
    if (asked.call === 'reserves') {
      const told = await signer.reserves(asked.statement);
      const { batch, commitment } = asked.statement;
      logger.info({ batch, commitment, ...(told.ok ? {} : { refused: told.code }) }, 'Asked to sign reserves');
      return { value: told };
    }
    if (asked.call === 'cold-address') return { value: await signer.coldAddress(asked.network) };
    const value = await signer.sign(asked.intent, asked.newest);
    const { id, attempt } = asked.intent;
    logger.info(
      { id, attempt, ...(value.ok ? { transaction: value.transaction } : { refused: value.code }) },
      'Asked to sign',
    );
    return { value };
  } catch (error) {
    logger.error({ err: error }, 'A request could not be answered');
    return { error: 'FAILED' };
  }
}

/**
 * Connections in their order. One without the server's key has a few seconds, however little it says meanwhile, and goes first where
 * there are too many: it never keeps the server's own from being answered.
 */
class Connections {
  readonly #proven = new Set<Socket>();
  readonly #unproven = new Map<Socket, NodeJS.Timeout>();

  /** @param timer ends it */
  add(socket: Socket, timer: NodeJS.Timeout): void {
    this.#unproven.set(socket, timer);
    if (this.#unproven.size > MAXIMUM_CONNECTIONS.unproven) destroyFirst(this.#unproven.keys());
  }

  prove(socket: Socket): void {
    if (this.#proven.has(socket)) return;
    this.#drop(socket);
    this.#proven.add(socket);
    if (this.#proven.size > MAXIMUM_CONNECTIONS.proven) destroyFirst(this.#proven.keys());
  }

  remove(socket: Socket): void {
    this.#drop(socket);
    this.#proven.delete(socket);
  }

  destroyAll(): void {
    for (const socket of [...this.#proven, ...this.#unproven.keys()]) socket.destroy();
  }

  #drop(socket: Socket): void {
    clearTimeout(this.#unproven.get(socket));
    this.#unproven.delete(socket);
  }
}

function destroyFirst(sockets: Iterable<Socket>): void {
  for (const socket of sockets) {
    socket.destroy();
    return;
  }
}

function serve(parts: ListenerParts, socket: Socket, connections: Connections): void {
  const { key, serverKey, clock, logger } = parts;
  const lines = createLines();
  let unanswered = 0;
  const cut = (why: string) => {
    logger.error({ why }, 'A connection was cut off');
    socket.destroy();
  };
  const take = async (line: string) => {
    const message = readMessage('request', serverKey, line);
    if (message === undefined || unanswered >= MAXIMUM_UNANSWERED) {
      cut(message === undefined ? 'not signed by the server' : 'too many requests at once');
      return;
    }
    unanswered += 1;
    const isFresh = Math.abs(clock.now() - message.time) <= FRESH_MS;
    if (isFresh) connections.prove(socket);
    const told = isFresh ? await answerTo(parts, message.body) : { error: 'STALE' };
    unanswered -= 1;
    if (socket.writable) socket.write(writeMessage('answer', key, message.id, clock.now(), writeJson(told)));
  };
  const end = () => cut('it has not shown the key of the server');
  connections.add(socket, setTimeout(guarded(logger, 'proof', end), PROOF_MS).unref());
  socket.setTimeout(IDLE_MS);
  socket.on(
    'timeout',
    guarded(logger, 'timeout', () => socket.destroy()),
  );
  socket.on(
    'error',
    guarded(logger, 'error', () => socket.destroy()),
  );
  socket.on(
    'data',
    guarded(logger, 'data', async (chunk: Buffer) => {
      const found = lines(chunk);
      if (found === undefined) cut('a line is too long');
      else await Promise.all(found.map(take));
    }),
  );
}

/** @param listen a path, or host:port @returns how to end it */
export async function listen(parts: ListenerParts, at: string): Promise<() => Promise<void>> {
  const connections = new Connections();
  const server: Server = createServer(
    guarded(parts.logger, 'connection', (socket: Socket) => {
      socket.on(
        'close',
        guarded(parts.logger, 'close', () => connections.remove(socket)),
      );
      serve(parts, socket, connections);
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listenAddress(at), resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      connections.destroyAll();
    });
}
