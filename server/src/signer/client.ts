/** The signer in a process of its own, as the server asks it. */
import { type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { z } from 'zod';
import { writeJson } from '../funds/chains/transactions.ts';
import { guarded } from '../platform/guarded.ts';
import type { Logger } from '../platform/logger.ts';
import { signAnswer, signedAttempts } from './intent.ts';
import {
  answer,
  createLines,
  FRESH_MS,
  listenAddress,
  readMessage,
  readPrivateKey,
  readPublicKey,
  type SignerRequest,
  writeMessage,
} from './messages.ts';
import { reservesAnswer } from './reserves.ts';
import { SignerAway, type SignerLink } from './service.ts';

interface ClientParts {
  /** Where the signer listens: a path, or host:port. */
  readonly at: string;
  /** The server's private key, and the signer's public one. */
  readonly key: KeyObject;
  readonly signerKey: KeyObject;
  readonly clock: { now(): number };
  readonly logger: Logger;
  /** For an answer; ten seconds where it is absent. */
  readonly patienceMs?: number;
}

export interface SignerAddress extends Omit<ClientParts, 'key' | 'signerKey'> {
  /** The server's private key, and the signer's public one. */
  readonly keyFile: string;
  readonly signerKeyFile: string;
}

const PATIENCE_MS = 10_000;

interface Waiting {
  readonly resolve: (body: string) => void;
  readonly reject: (error: Error) => void;
}

class Connection {
  readonly #parts: ClientParts;
  readonly #waiting = new Map<string, Waiting>();
  #socket: Socket | undefined;
  /** How often something came by this connection and those before it. */
  #heard = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** @throws SignerAway where there is no answer within ten seconds, or none that the signer has signed */
  ask(body: string): Promise<string> {
    const { key, clock, logger, patienceMs = PATIENCE_MS } = this.#parts;
    const id = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    return new Promise<string>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const socket = this.#open();
      const heard = this.#heard;
      // Questions of others keep a connection from being idle.
      const isLate = () => {
        if (this.#heard === heard) this.#end(socket, 'does not answer');
        reject(new SignerAway('The signer has not answered this in time'));
      };
      timer = setTimeout(guarded(logger, 'signer patience', isLate), patienceMs);
      socket.ref();
      socket.write(writeMessage('request', key, id, clock.now(), body));
    }).finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
      // A connection alone does not keep the process alive.
      if (this.#waiting.size === 0) this.#socket?.unref();
    });
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    const { at, logger, patienceMs = PATIENCE_MS } = this.#parts;
    const socket = connect(listenAddress(at));
    const lines = createLines();
    this.#socket = socket;
    socket.setTimeout(patienceMs);
    socket.on(
      'timeout',
      guarded(logger, 'signer timeout', () => this.#end(socket, 'does not answer')),
    );
    socket.on(
      'error',
      guarded(logger, 'signer error', (error: Error) => this.#end(socket, error.message)),
    );
    socket.on(
      'close',
      guarded(logger, 'signer close', () => this.#end(socket, 'has closed the connection')),
    );
    socket.on(
      'data',
      guarded(logger, 'signer data', (chunk: Buffer) => this.#read(socket, lines(chunk))),
    );
    return socket;
  }

  #read(socket: Socket, lines: readonly string[] | undefined): void {
    const { signerKey, clock } = this.#parts;
    this.#heard += 1;
    for (const line of lines ?? ['']) {
      const message = readMessage('answer', signerKey, line);
      const isFresh = message !== undefined && Math.abs(clock.now() - message.time) <= FRESH_MS;
      if (isFresh) this.#waiting.get(message.id)?.resolve(message.body);
      else this.#end(socket, 'has answered with something that it has not signed now');
    }
  }

  /** What waits on this connection is not answered. An idle one ends too, and the next question opens another. */
  #end(socket: Socket, why: string): void {
    socket.destroy();
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    for (const { reject } of this.#waiting.values()) reject(new SignerAway(`The signer ${why}`));
  }
}

/** @throws where a key cannot be read */
export function connectSigner({ keyFile, signerKeyFile, ...parts }: SignerAddress): SignerLink {
  const key = readPrivateKey(readFileSync(keyFile, 'utf8'), keyFile);
  const signerKey = readPublicKey(readFileSync(signerKeyFile, 'utf8'), signerKeyFile);
  const connection = new Connection({ ...parts, key, signerKey });
  async function ask<S extends z.ZodType>(schema: S, asked: SignerRequest): Promise<z.output<S>> {
    const told = answer.parse(JSON.parse(await connection.ask(writeJson(asked))));
    if ('error' in told) throw new SignerAway(`The signer has not answered: ${told.error}`);
    return schema.parse(told.value);
  }
  return {
    isInProcess: false,
    sign: (intent, newest = null) => ask(signAnswer, { call: 'sign', intent, newest }),
    signed: (id) => ask(signedAttempts, { call: 'signed', id }),
    xpub: (family) => ask(z.string(), { call: 'xpub', family }),
    address: (family, index) => ask(z.string(), { call: 'address', family, index }),
    hotAddress: (network) => ask(z.string(), { call: 'hot-address', network }),
    reserves: (statement) => ask(reservesAnswer, { call: 'reserves', statement }),
    coldAddress: (network) => ask(z.string().nullable(), { call: 'cold-address', network }),
  };
}
