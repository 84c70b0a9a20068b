/**
 * One shared websocket per path. Subscriptions are counted by reference; the socket comes back by itself with growing
 * pauses; a hole in a channel's sequence numbers resubscribes that channel, and its listeners hear `onReset`: read again
 * what does not reach the moment that it says.
 */
import type { ChannelArgument, StreamAnswer, StreamPush, StreamRequest } from '@cambist/contract/stream.ts';
import { type Moment, reaches } from './moments.ts';
import { type OrderMessage, StreamRequests } from './stream-requests.ts';

export interface StreamListener<Data = unknown> {
  onPush(push: StreamPush<Data>): void;
  /**
   * The channel starts (again), or was joined after its start: what was read has to reach this moment, undefined where that
   * is not known, and whatever has not is read by a call.
   */
  onReset?(moment: Moment): void;
}

interface Channel {
  readonly argument: ChannelArgument;
  readonly listeners: Set<StreamListener>;
  /** Whether the server was told. */
  active: boolean;
  /** Whether the server has confirmed it: a listener that joins later missed what was pushed before. */
  begun: boolean;
  lastSequence: number | undefined;
  /** From where on all has been heard. */
  since: Moment;
  /** Up to where: nothing of the channel has changed between its last message and this. */
  heard: Moment;
}

type StreamMessage = Partial<StreamPush<unknown>> & Partial<StreamAnswer> & { event?: string; code?: string };

/** A silent second brings a ping, a ping without an answer makes the stream stale: three seconds in all. */
const PING_AFTER_MS = 1_000;
const ANSWER_WITHIN_MS = 1_300;
const STALE_AFTER_MS = 3_000;
const DEAD_AFTER_MS = 10_000;
const IDLE_CLOSE_MS = 5_000;
const BACKOFF_FIRST_MS = 300;
const BACKOFF_LIMIT_MS = 10_000;

export function channelKey(argument: ChannelArgument): string {
  return `${argument.channel}|${argument.instId ?? ''}`;
}

interface Sequence {
  readonly seqId?: number;
  readonly prevSeqId?: number;
}

/** Private channels number the push, books number their data. */
function sequenceOf(push: StreamMessage): Sequence {
  if (push.seqId !== undefined) return push as Sequence;
  return (push.data?.[0] as Sequence | undefined) ?? {};
}

export function followsOn(last: number | undefined, next: Sequence): boolean {
  if (last === undefined || next.seqId === undefined || next.prevSeqId === undefined) return true;
  return next.prevSeqId === -1 || next.prevSeqId === last;
}

export interface StreamOptions {
  readonly url: () => string;
  /** The token of the private stream; without it the stream needs no login. */
  readonly token?: () => string | undefined;
}

export class StreamClient {
  readonly #options: StreamOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #staleListeners = new Set<() => void>();
  readonly #wanted = new Set<string>();
  readonly #unwanted = new Set<string>();
  readonly #requests = new StreamRequests();
  #socket: WebSocket | undefined;
  /** What the socket logs in with. */
  #token: string | undefined;
  #ready = false;
  #attempts = 0;
  #heardAt = 0;
  #pingedAt = 0;
  #stale = false;
  #watch: ReturnType<typeof setInterval> | undefined;
  #reconnect: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    globalThis.addEventListener?.('online', () => {
      this.#attempts = 0;
      this.#connect();
    });
  }

  /** Whether nothing was heard for three seconds although something is subscribed. */
  isStale = (): boolean => this.#stale;

  watchStale = (listener: () => void): (() => void) => {
    this.#staleListeners.add(listener);
    return () => this.#staleListeners.delete(listener);
  };

  /** Lets go of a socket that logged in with another token than the one of now; the next one logs in with that. */
  followToken(): void {
    if (this.#socket && this.#token === this.#options.token?.()) return;
    this.#attempts = 0;
    this.#drop();
  }

  /** Begins again: for when the server took back what it had given. Listeners hear `onReset`. */
  restart(): void {
    this.#attempts = 0;
    this.#drop();
  }

  /** Whether it is signed in where it must be, and answers. */
  isUp = (): boolean => this.#ready && !this.#stale && this.#socket?.readyState === WebSocket.OPEN;

  /** @returns undefined where no answer came: the socket is not up, or was lost before it */
  async request(message: OrderMessage): Promise<StreamAnswer | undefined> {
    const socket = this.#socket;
    if (!socket || !this.isUp()) return undefined;
    return this.#requests.send(message, (text) => socket.send(text));
  }

  subscribe<Data>(argument: ChannelArgument, listener: StreamListener<Data>): () => void {
    const key = channelKey(argument);
    const channel = this.#channels.get(key) ?? newChannel(argument);
    this.#channels.set(key, channel);
    const known = listener as StreamListener;
    channel.listeners.add(known);
    if (channel.listeners.size === 1) this.#enqueue(this.#wanted, key);
    // Its lists may be from before it last listened.
    channel.since = channel.heard;
    if (channel.listeners.size > 1 && channel.begun)
      queueMicrotask(() => channel.listeners.has(known) && known.onReset?.(channel.heard));
    this.#connect();
    return () => {
      channel.listeners.delete(known);
      if (channel.listeners.size > 0) return;
      this.#wanted.delete(key);
      this.#enqueue(this.#unwanted, key);
      this.#closeWhenIdle();
    };
  }

  #enqueue(queue: Set<string>, key: string): void {
    if (this.#wanted.size + this.#unwanted.size === 0) queueMicrotask(() => this.#flush());
    queue.add(key);
  }

  /** Dozens of subscriptions of one render become one frame. */
  #flush(): void {
    if (!this.#ready) return;
    const leaving = [...this.#unwanted].flatMap((key) => this.#channels.get(key) ?? []).filter((entry) => entry.active);
    const joining = [...this.#wanted].flatMap((key) => this.#channels.get(key) ?? []);
    this.#unwanted.clear();
    this.#wanted.clear();
    for (const channel of leaving) Object.assign(channel, { active: false, begun: false });
    for (const channel of joining) Object.assign(channel, { active: true, begun: false, lastSequence: undefined });
    this.#write('unsubscribe', leaving);
    this.#write('subscribe', joining);
    for (const [key, channel] of this.#channels) if (channel.listeners.size === 0) this.#channels.delete(key);
  }

  #write(op: 'subscribe' | 'unsubscribe', channels: readonly Channel[]): void {
    for (let start = 0; start < channels.length; start += 100) {
      const args = channels.slice(start, start + 100).map((channel) => channel.argument);
      this.#socket?.send(JSON.stringify({ op, args } satisfies StreamRequest));
    }
  }

  #begin(): void {
    this.#ready = true;
    this.#attempts = 0;
    this.#unwanted.clear();
    for (const [key, channel] of this.#channels) {
      channel.active = false;
      channel.begun = false;
      if (channel.listeners.size > 0) this.#wanted.add(key);
    }
    this.#flush();
  }

  #receive(message: StreamMessage): void {
    if (message.event === 'login') {
      this.#begin();
      return;
    }
    // The server could not look who it is, or knows the token no more: the next socket asks again.
    if (message.event === 'error' && !this.#ready) this.#drop();
    if (message.status !== undefined) this.#requests.receive(message as StreamAnswer);
    const channel = message.arg && this.#channels.get(channelKey(message.arg));
    if (!channel) return;
    if (message.event === 'subscribe') {
      channel.begun = true;
      // Where it has not changed since it was heard, whatever reached its former beginning has all of it.
      if (!reaches(channel.heard, message.moment)) {
        channel.since = message.moment;
        channel.heard = message.moment;
      }
      for (const listener of channel.listeners) listener.onReset?.(channel.since);
    }
    if (message.data) this.#deliver(channel, message as StreamPush<unknown>);
  }

  #deliver(channel: Channel, push: StreamPush<unknown>): void {
    const sequence = sequenceOf(push);
    if (!followsOn(channel.lastSequence, sequence)) {
      const key = channelKey(channel.argument);
      this.#enqueue(this.#unwanted, key);
      this.#wanted.add(key);
      return;
    }
    if (sequence.seqId !== undefined) channel.lastSequence = sequence.seqId;
    channel.heard = push.moment;
    for (const listener of channel.listeners) listener.onPush(push);
  }

  #setStale(next: boolean): void {
    if (next === this.#stale) return;
    this.#stale = next;
    for (const listener of this.#staleListeners) listener();
  }

  #check(): void {
    const now = Date.now();
    // The clock was set back: what was noted by the old one would be news for as long as that was ahead.
    if (now < this.#heardAt) this.#heardAt = now;
    if (now < this.#pingedAt) this.#pingedAt = 0;
    const silence = now - this.#heardAt;
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      if (silence > STALE_AFTER_MS) this.#setStale(this.#channels.size > 0);
      return;
    }
    // Judged by unanswered pings and not by silence: the timers of a hidden tab may sleep for a minute.
    if (this.#pingedAt <= this.#heardAt) {
      if (silence <= PING_AFTER_MS) return;
      // A device that has slept shows what it heard before; whether the socket still lives is known later.
      if (silence > STALE_AFTER_MS) this.#setStale(this.#channels.size > 0);
      this.#socket.send('ping');
      this.#pingedAt = now;
      return;
    }
    const waited = now - this.#pingedAt;
    if (waited > ANSWER_WITHIN_MS) this.#setStale(this.#channels.size > 0);
    if (waited > DEAD_AFTER_MS) this.#drop();
  }

  /** Lets go of a socket at once; a dead one would take long to say that it is closed. */
  #drop(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.onclose = null;
    socket.onmessage = null;
    // Closing a socket that is still connecting counts as its failure.
    socket.onerror = null;
    socket.close();
    this.#closed(socket);
  }

  #connect(): void {
    clearTimeout(this.#reconnect);
    if (this.#socket || this.#channels.size === 0) return;
    const token = this.#options.token?.();
    if (this.#options.token && !token) return;
    const socket = new WebSocket(this.#options.url());
    this.#socket = socket;
    // What another client has heard says nothing of this one's lists.
    if (this.#token !== token) for (const channel of this.#channels.values()) channel.heard = undefined;
    this.#token = token;
    if (this.#attempts === 0) this.#heardAt = Date.now();
    this.#watch ??= setInterval(() => this.#check(), 500);
    socket.onopen = () => {
      this.#pingedAt = 0;
      if (token) socket.send(JSON.stringify({ op: 'login', args: [{ token }] }));
      else this.#begin();
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = event.data === 'pong' ? undefined : parse(event.data);
      if (message) this.#receive(message);
      // Who is not logged in hears nothing of what is subscribed, whatever else comes.
      if (!this.#ready) return;
      this.#heardAt = Date.now();
      this.#setStale(false);
    };
    // No notice: the badge says when figures are old, and the socket comes back by itself.
    socket.onerror = () => console.error(`The stream ${this.#options.url()} failed`);
    socket.onclose = () => this.#closed(socket);
  }

  #closed(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#ready = false;
    this.#requests.lose();
    if (this.#channels.size === 0) return;
    const pause = Math.min(BACKOFF_LIMIT_MS, BACKOFF_FIRST_MS * 2 ** this.#attempts);
    this.#attempts += 1;
    clearTimeout(this.#reconnect);
    // A little chance in the pause keeps a thousand clients from coming back in the same instant.
    this.#reconnect = setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2));
  }

  #closeWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if ([...this.#channels.values()].some((channel) => channel.listeners.size > 0)) return;
      this.#channels.clear();
      clearInterval(this.#watch);
      this.#watch = undefined;
      this.#setStale(false);
      this.#drop();
    }, IDLE_CLOSE_MS);
  }
}

/** What cannot be read is only logged; the hole that it leaves in the numbers is found by the next message. */
function parse(text: string): StreamMessage | undefined {
  try {
    return JSON.parse(text) as StreamMessage;
  } catch (error) {
    console.error('A message of the stream could not be read', error);
    return undefined;
  }
}

function newChannel(argument: ChannelArgument): Channel {
  const unheard = { lastSequence: undefined, since: undefined, heard: undefined };
  return { argument, listeners: new Set(), active: false, begun: false, ...unheard };
}
