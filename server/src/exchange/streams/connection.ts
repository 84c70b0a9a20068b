/**
 * One socket: what it subscribed to, what waits to be written, and what it may ask of us. Frames are written to the
 * socket as they are; a reader that doesn't keep up is let go rather than buffered for.
 */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Identity } from '../../platform/calls.ts';
import { textFrame } from './frame.ts';

export type StreamPath = 'public' | 'business' | 'private';

export type DropReason = 'slow' | 'silent' | 'flood' | 'session-ended' | 'closing';

export interface StreamLimits {
  /** Unsent bytes before a reader counts as too slow. */
  readonly bufferedBytes: number;
  readonly subscriptions: number;
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
  /** Of orders, of one client on all its sockets. */
  readonly requestsPerSecond: number;
  /** Unanswered, of one socket. */
  readonly requestsInFlight: number;
  readonly connectionsPerAddress: number;
  readonly connections: number;
}

export const defaultLimits: StreamLimits = {
  bufferedBytes: 2 * 1024 * 1024,
  subscriptions: 300,
  messageBytes: 16 * 1024,
  messagesPerSecond: 50,
  requestsPerSecond: 100,
  requestsInFlight: 64,
  connectionsPerAddress: 100,
  connections: 20_000,
};

/** What a message may burst to above the steady rate. */
const BURST_SECONDS = 3;

/** So many a second, and the seconds of a burst at once. */
export class Budget {
  readonly #perSecond: number;
  #tokens: number;
  #at: number;

  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond * BURST_SECONDS;
    this.#at = now;
  }

  /** @returns false when there were too many */
  take(now: number): boolean {
    // A clock that is set back takes nothing away.
    const refill = (Math.max(0, now - this.#at) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#perSecond * BURST_SECONDS, this.#tokens + refill) - 1;
    this.#at = now;
    return this.#tokens >= 0;
  }

  /** Whether nothing was taken for so long that forgetting it changes nothing. */
  isFull(now: number): boolean {
    return this.#tokens + ((now - this.#at) / 1000) * this.#perSecond >= this.#perSecond * BURST_SECONDS;
  }
}

const closeCodes: Readonly<Record<DropReason, number>> = {
  slow: 4008,
  silent: 4004,
  flood: 4014,
  'session-ended': 4001,
  closing: 1001,
};

export interface Login extends Identity {
  readonly token: string;
}

export class Connection {
  readonly path: StreamPath;
  readonly address: string;
  /** Keys of the topics that it hears. */
  readonly topics = new Set<string>();
  /** From the first login on its way; a socket never becomes another's. */
  isClaimed = false;
  login: Login | undefined;
  /** Heartbeats since it was last heard: counted and not timed, since a clock may be set forward. */
  beatsUnheard = 0;
  /** Requests that are not answered yet. */
  inFlight = 0;
  readonly #socket: Socket;
  readonly #webSocket: WebSocket;
  readonly #limits: StreamLimits;
  readonly #onDrop: (connection: Connection, reason: DropReason) => void;
  #waiting: Buffer[] = [];
  readonly #messages: Budget;
  #dropped = false;
  #taken = 0;

  constructor(parts: {
    readonly path: StreamPath;
    readonly address: string;
    readonly socket: Socket;
    readonly webSocket: WebSocket;
    readonly limits: StreamLimits;
    readonly now: number;
    readonly onDrop: (connection: Connection, reason: DropReason) => void;
  }) {
    this.path = parts.path;
    this.address = parts.address;
    this.#socket = parts.socket;
    this.#webSocket = parts.webSocket;
    this.#limits = parts.limits;
    this.#onDrop = parts.onDrop;
    this.#messages = new Budget(parts.limits.messagesPerSecond, parts.now);
  }

  /** Counts a message that is not an order. @returns false when there were too many */
  allowMessage(now: number): boolean {
    return this.#messages.take(now);
  }

  /** Keeps a frame until the next `writeWaiting`. @returns whether it is the first one that waits */
  queue(frame: Buffer): boolean {
    return this.#waiting.push(frame) === 1;
  }

  /** Writes what waits in one go; readers that wait for the same frames share the joined bytes. */
  writeWaiting(join: (frames: readonly Buffer[]) => Buffer): void {
    if (this.#waiting.length === 0) return;
    const frames = this.#waiting;
    this.#waiting = [];
    this.#write(join(frames));
  }

  /** Answers at once, after whatever waits. */
  send(message: unknown): void {
    this.sendText(typeof message === 'string' ? message : JSON.stringify(message));
  }

  sendText(text: string): void {
    this.writeWaiting(Buffer.concat);
    this.#write(textFrame(text));
  }

  /** Asked once in a while. @returns whether the peer has read nothing since the last time of what waits for it */
  hasStalled(): boolean {
    const taken = this.#socket.bytesWritten - this.#socket.writableLength;
    const stalled = this.#socket.writableLength > 0 && taken === this.#taken;
    this.#taken = taken;
    return stalled;
  }

  ping(): void {
    this.#webSocket.ping();
  }

  /** Ends it with a reason that the other side can read, if it still reads. */
  drop(reason: DropReason): void {
    if (this.#dropped) return;
    this.#dropped = true;
    this.#waiting = [];
    this.#onDrop(this, reason);
    if (reason === 'slow' || reason === 'silent') this.#socket.destroy();
    else this.#webSocket.close(closeCodes[reason], reason);
  }

  terminate(): void {
    this.#socket.destroy();
  }

  #write(bytes: Buffer): void {
    if (this.#dropped || !this.#socket.writable) return;
    if (this.#socket.writableLength > this.#limits.bufferedBytes) this.drop('slow');
    else this.#socket.write(bytes);
  }
}
