/**
 * Lists and their channels against a server whose answers and messages come in any order: connections are cut, the server
 * starts anew, forgets when something changed, and holds up either way. Seeded; beside it counts a reader that reads
 * everything again at each beginning of a channel.
 */
import type { StreamPositions, StreamPush } from '@cambist/contract/stream.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { QueryCache, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { networkProblem } from '../api-problem.ts';
import { forgetPositions, receivePositions, unlessPushed } from '../futures/pushed-positions.ts';
import { noteMoment } from '../moments.ts';
import { StreamClient } from '../stream-client.ts';
import { accountKeys } from './account-keys.ts';
import { readAgainIfBehind, readAtMoment, readUpTo } from './held.ts';

const READ = 'notifications';
const PUSHED = 'positions';
const CHANNELS = [READ, PUSHED] as const;
type Channel = (typeof CHANNELS)[number];
const keys = { [READ]: ['read'], [PUSHED]: accountKeys.positions } as const;

/** A state is a version, which grows. */
const stateOf = (version: number) => ({ account: { balance: version } }) as unknown as StreamPositions;
const versionOf = (state: StreamPositions | undefined) => Number(state?.account.balance ?? 0);

class Line {
  static readonly OPEN = 1;
  static opened: Line[] = [];
  readyState = 0;
  readonly toServer: string[] = [];
  readonly toClient: string[] = [];
  onopen?: () => void;
  onmessage?: ((event: { data: string }) => void) | null;
  onclose?: (() => void) | null;
  onerror?: (() => void) | null;

  constructor() {
    Line.opened.push(this);
  }

  send(text: string): void {
    this.toServer.push(text);
  }

  close(): void {
    this.readyState = 3;
  }
}

interface Exchange {
  readonly channel: Channel;
  readonly signal: AbortSignal;
  /** Of when the server began with it. */
  moment?: string;
  /** Undefined until the server has read it. */
  version?: number;
  readonly resolve: (version: number) => void;
  readonly reject: (error: Error) => void;
}

/** What is durable stays across `restart`: versions alone. */
class Server {
  readonly version: Record<Channel, number> = { [READ]: 0, [PUSHED]: 0 };
  readonly #changedAt = new Map<Channel, number>();
  readonly #sequence = new Map<Channel, number>();
  readonly #listening = new Set<Channel>();
  #line: Line | undefined;
  #process = 1;
  #clock = 0;
  #floor = 0;

  #text = (moment: number) => `process${this.#process}-${moment}`;

  restart(): void {
    this.#process += 1;
    this.#clock = Math.floor(this.#clock / 2);
    this.#floor = 0;
    this.#changedAt.clear();
    this.drop();
  }

  forget(): void {
    this.#changedAt.clear();
    this.#floor = this.#clock;
  }

  drop(): void {
    this.#line = undefined;
    this.#listening.clear();
    this.#sequence.clear();
  }

  get moment(): string {
    return this.#text(this.#clock);
  }

  change(channel: Channel): void {
    this.#clock += 1;
    this.version[channel] += 1;
    this.#changedAt.set(channel, this.#clock);
    if (!this.#line || !this.#listening.has(channel)) return;
    const prevSeqId = this.#sequence.get(channel) ?? 0;
    this.#sequence.set(channel, prevSeqId + 1);
    const push = { arg: { channel }, data: [stateOf(this.version[channel])], seqId: prevSeqId + 1, prevSeqId };
    this.#line.toClient.push(JSON.stringify({ ...push, moment: this.#text(this.#clock) }));
  }

  hear(line: Line, text: string): void {
    if (text === 'ping') line.toClient.push('pong');
    if (!text.startsWith('{')) return;
    const { op, args } = JSON.parse(text) as { op: string; args: { channel: Channel }[] };
    if (this.#line !== line) this.drop();
    this.#line = line;
    for (const { channel } of args) {
      if (op === 'unsubscribe') this.#listening.delete(channel);
      if (op !== 'subscribe') continue;
      this.#listening.add(channel);
      const moment = this.#text(this.#changedAt.get(channel) ?? this.#floor);
      line.toClient.push(JSON.stringify({ event: 'subscribe', arg: { channel }, moment }));
    }
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Line);
  Line.opened = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  forgetPositions();
});

function createPage(): {
  readonly queries: QueryClient;
  readonly asked: Exchange[];
  readonly shown: Record<Channel, number[]>;
  readonly counts: { reads: number; naive: number };
  readonly end: () => void;
} {
  const asked: Exchange[] = [];
  const shown: Record<Channel, number[]> = { [READ]: [], [PUSHED]: [] };
  const counts = { reads: 0, naive: 2 };
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onSuccess: (_data, query) => readAgainIfBehind(queries, query) }),
    defaultOptions: {
      queries: { persister: readAtMoment, networkMode: 'always', retry: 2, retryDelay: 50, staleTime: Infinity },
    },
  });
  const ask = (channel: Channel, signal: AbortSignal) =>
    new Promise<StreamPositions>((resolve, reject) => {
      counts.reads += 1;
      asked.push({ channel, signal, resolve: (version) => resolve(stateOf(version)), reject });
    });
  const reads = {
    [READ]: ({ signal }: { readonly signal: AbortSignal }) => ask(READ, signal),
    [PUSHED]: ({ signal }: { readonly signal: AbortSignal }) => unlessPushed(signal, () => ask(PUSHED, signal)),
  };
  const stream = new StreamClient({ url: () => 'ws://test/ws' });
  const ends = CHANNELS.flatMap((channel) => {
    const observer = new QueryObserver(queries, { queryKey: keys[channel], queryFn: reads[channel] });
    const onReset = (moment: string | undefined) => {
      counts.naive += 1;
      void readUpTo(queries, keys[channel], moment);
    };
    const onPush = (push: StreamPush<StreamPositions>) => {
      if (channel === PUSHED) return receivePositions(queries, push);
      counts.naive += 1;
      void readUpTo(queries, keys[channel], push.moment);
    };
    return [
      observer.subscribe(({ data }) => data && shown[channel].push(versionOf(data))),
      stream.subscribe<StreamPositions>({ channel }, { onPush, onReset }),
    ];
  });
  return { queries, asked, shown, counts, end: () => ends.map((leave) => leave()) };
}

/**
 * One thing after another, by chance.
 * @param readsLate the server takes its time between the moment of an answer and what is in it: a push of in between may
 *   then be shown for as long as the next one needs, and the end is the same
 */
async function play(seed: number, steps: number, readsLate: boolean): Promise<{ reads: number; naive: number }> {
  const random = new Random(seed);
  const server = new Server();
  const page = createPage();
  const line = () => Line.opened.at(-1);
  const settle = () => vi.advanceTimersByTimeAsync(1 + random.between(0, 30));

  const reach = (exchange: Exchange | undefined) => {
    if (!exchange) return;
    const isBegun = exchange.moment !== undefined;
    exchange.moment ??= server.moment;
    if (isBegun || !readsLate) exchange.version ??= server.version[exchange.channel];
  };
  const arrive = (exchange: Exchange | undefined) => {
    if (exchange?.moment === undefined || exchange.version === undefined) return;
    page.asked.splice(page.asked.indexOf(exchange), 1);
    const headers = { 'stream-moment': exchange.moment };
    noteMoment(exchange.signal, new Response(null, { headers }));
    exchange.resolve(exchange.version);
  };
  const open = () => {
    const one = line();
    if (one?.readyState !== 0) return;
    one.readyState = 1;
    one.onopen?.();
  };
  const hear = () => {
    const one = line();
    const text = one?.readyState === 1 ? one.toServer.shift() : undefined;
    if (one && text !== undefined) server.hear(one, text);
  };
  const tell = () => {
    const one = line();
    const data = one?.readyState === 1 ? one.toClient.shift() : undefined;
    if (one && data !== undefined) one.onmessage?.({ data });
  };
  const cut = () => {
    const one = line();
    if (one?.readyState !== 1) return;
    server.drop();
    one.readyState = 3;
    one.onclose?.();
  };
  const restart = () => {
    cut();
    server.restart();
    // What had not been answered never will be; an answer that is on its way still comes.
    for (const exchange of page.asked.filter(({ version }) => version === undefined)) {
      page.asked.splice(page.asked.indexOf(exchange), 1);
      exchange.reject(networkProblem());
    }
  };
  const any = () => page.asked[random.between(0, page.asked.length)];
  const acts: readonly (readonly [number, () => void])[] = [
    [18, () => server.change(random.pick(CHANNELS))],
    [30, () => reach(any())],
    [30, () => arrive(any())],
    [20, open],
    [25, hear],
    [25, tell],
    [3, cut],
    [1, restart],
    [1, () => server.forget()],
  ];
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  for (let step = 0; step < steps; step += 1) {
    let drawn = random.between(0, total - 1);
    acts.find(([weight]) => {
      drawn -= weight;
      return drawn < 0;
    })?.[1]();
    await settle();
  }
  // All that is underway arrives, and nothing changes any more.
  for (let turn = 0; turn < 200; turn += 1) {
    open();
    hear();
    tell();
    for (const exchange of [...page.asked]) {
      reach(exchange);
      reach(exchange);
      arrive(exchange);
    }
    await vi.advanceTimersByTimeAsync(100);
  }
  for (const channel of CHANNELS) {
    const state = page.queries.getQueryData<StreamPositions>(keys[channel]);
    expect([channel, versionOf(state)]).toEqual([channel, server.version[channel]]);
    const versions = page.shown[channel];
    if (!readsLate) expect(versions, `${channel} went back`).toEqual(versions.toSorted((one, other) => one - other));
  }
  page.end();
  page.queries.clear();
  forgetPositions();
  await vi.advanceTimersByTimeAsync(20_000);
  return page.counts;
}

const SEEDS = Number(process.env.ANY_ORDER_SEEDS ?? 60);

async function playAll(readsLate: boolean): Promise<{ reads: number; naive: number }> {
  const sum = { reads: 0, naive: 0 };
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { reads, naive } = await play(seed, 120, readsLate).catch((error: Error) => {
      throw new Error(`Seed ${seed}: ${error.message}`);
    });
    sum.reads += reads;
    sum.naive += naive;
  }
  return sum;
}

test('whatever comes first, each list ends as the server has it, and never goes back; it is read less often than by one that reads all again', async () => {
  const { reads, naive } = await playAll(false);
  expect(reads).toBeLessThan(naive);
});

test('a server that changes between the moment of an answer and its reading leads to the same end', async () => {
  const { reads, naive } = await playAll(true);
  expect(reads).toBeLessThan(naive);
});
