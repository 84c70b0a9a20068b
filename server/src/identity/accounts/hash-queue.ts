/** The queue of password hashes: few run at once, and no client or network can keep the others from their turn. */

/** Too many wait already; the answer is 503 with Retry-After, and nothing was done. */
class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** `order`: a transaction password, which money waits for. `entry`: sign-in and changes of passwords. */
export type Lane = 'order' | 'entry';

export interface HashCaller {
  readonly lane: Lane;
  /** One hash of a client runs at a time. */
  readonly client?: string | undefined;
  /** Networks take turns; a caller without one takes turns as a client. */
  readonly network?: string | undefined;
}

interface Job {
  readonly caller: HashCaller;
  readonly start: () => void;
}

export interface HashQueueLimits {
  readonly running: number;
  readonly waiting: number;
  readonly waitingOfClient: number;
  readonly waitingOfNetwork: number;
}

const other: Readonly<Record<Lane, Lane>> = { order: 'entry', entry: 'order' };

/** Who shares a turn. */
const partyOf = ({ network, client }: HashCaller): string => network ?? client ?? '';

/**
 * Starts waiting work by turns: the lanes alternate, and within a lane the network or client that was served longest ago is
 * next. Without turns one client with its own right password could keep all others from signing in.
 */
export class HashQueue {
  readonly #limits: HashQueueLimits;
  readonly #waiting: Record<Lane, Job[]> = { order: [], entry: [] };
  readonly #runningClients = new Set<string>();
  /** The turn in which a party was served last. All are forgotten once nothing waits. */
  readonly #servedAt = new Map<string, number>();
  #running = 0;
  #turn = 0;
  #next: Lane = 'order';

  constructor(limits: HashQueueLimits) {
    this.#limits = limits;
  }

  /** @throws Overloaded when too many wait, or too many of the client or the network */
  async run<Result>(caller: HashCaller, work: () => Promise<Result>): Promise<Result> {
    this.#refuseOverload(caller);
    await new Promise<void>((start) => {
      this.#waiting[caller.lane].push({ caller, start });
      this.#startWaiting();
    });
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (caller.client !== undefined) this.#runningClients.delete(caller.client);
      this.#startWaiting();
    }
  }

  #refuseOverload({ client, network }: HashCaller): void {
    const { waiting, waitingOfClient, waitingOfNetwork } = this.#limits;
    const all = [...this.#waiting.order, ...this.#waiting.entry];
    const count = (key: 'client' | 'network', value: string | undefined) =>
      value === undefined ? 0 : all.filter(({ caller }) => caller[key] === value).length;
    if (
      all.length >= waiting ||
      count('client', client) >= waitingOfClient ||
      count('network', network) >= waitingOfNetwork
    )
      throw new Overloaded('Too many wait for a hash');
  }

  #startWaiting(): void {
    while (this.#running < this.#limits.running) {
      const job = this.#take(this.#next) ?? this.#take(other[this.#next]);
      if (job === undefined) break;
      const { lane, client } = job.caller;
      this.#next = other[lane];
      this.#running += 1;
      if (client !== undefined) this.#runningClients.add(client);
      this.#turn += 1;
      this.#servedAt.set(partyOf(job.caller), this.#turn);
      job.start();
    }
    if (this.#waiting.order.length === 0 && this.#waiting.entry.length === 0) this.#servedAt.clear();
  }

  /** Takes the next job of a lane whose client has none running. */
  #take(lane: Lane): Job | undefined {
    const jobs = this.#waiting[lane];
    let best: Job | undefined;
    let bestTurn = Number.POSITIVE_INFINITY;
    for (const job of jobs) {
      const { client } = job.caller;
      if (client !== undefined && this.#runningClients.has(client)) continue;
      const turn = this.#servedAt.get(partyOf(job.caller)) ?? 0;
      if (turn >= bestTurn) continue;
      best = job;
      bestTurn = turn;
    }
    if (best !== undefined) jobs.splice(jobs.indexOf(best), 1);
    return best;
  }
}
