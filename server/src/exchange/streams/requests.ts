/**
 * Orders over the private socket: each request is the call of its name, made and answered as HTTP does. A client has
 * one budget for all its sockets, and a socket a bounded number of unanswered requests.
 */
import type { StreamOperation } from '@cambist/contract/call.ts';
import { cancelOnDisconnect, type OrderRequest, type StreamAnswer } from '@cambist/contract/stream.ts';
import { cancelAllOrders, type Order } from '@cambist/contract/trading.ts';
import type { Logger } from 'pino';
import { type CallServer, Refusal, refuseIssues } from '../../platform/calls.ts';
import { problemOf, refusalForError, tooMany } from '../../platform/refusals.ts';
import { localeOfHeader } from '../../platform/texts.ts';
import { CancelOnDisconnect, type OrderCanceller } from './cancel-on-disconnect.ts';
import { Budget, type Connection, type StreamLimits } from './connection.ts';

interface Deps {
  readonly orders: OrderCanceller;
  readonly limits: Pick<StreamLimits, 'requestsPerSecond' | 'requestsInFlight'>;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

const placing: ReadonlySet<string> = new Set<StreamOperation>(['place', 'place-many', 'place-conditional']);

/** The orders of an answer to a call that places some. */
function ordersOf(answer: unknown): Order[] {
  const { order, results = [] } = answer as { order?: Order; results?: readonly { order?: Order }[] };
  return [order, ...results.map((result) => result.order)].filter((one) => one !== undefined);
}

export class StreamRequests {
  readonly #deps: Deps;
  readonly #budgets = new Map<number, Budget>();
  readonly #cancels: CancelOnDisconnect;
  #calls: Pick<CallServer, 'perform' | 'admit'> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#cancels = new CancelOnDisconnect(deps);
  }

  /** The calls that are served; known once all slices have registered theirs. */
  serve(calls: Pick<CallServer, 'perform' | 'admit'>): void {
    this.#calls = calls;
  }

  /** @returns whether the request was within the limits; it is answered either way */
  receive(connection: Connection, request: OrderRequest): boolean {
    const { limits, clock } = this.#deps;
    const isWithin = connection.inFlight < limits.requestsInFlight && this.#budgetOf(connection).take(clock.now());
    if (isWithin) void this.#answer(connection, request);
    else this.#send(connection, request, tooMany(1));
    return isWithin;
  }

  end(connection: Connection): void {
    this.#cancels.end(connection);
  }

  /** Forgets budgets of clients who have not asked for a while. */
  forgetIdle(): void {
    const now = this.#deps.clock.now();
    for (const [client, budget] of this.#budgets) if (budget.isFull(now)) this.#budgets.delete(client);
  }

  close(): void {
    this.#cancels.close();
  }

  /** Those who are not signed in share one: all that they get is a refusal. */
  #budgetOf({ login }: Connection): Budget {
    const client = login?.clientId ?? 0;
    const { limits, clock } = this.#deps;
    const budget = this.#budgets.get(client) ?? new Budget(limits.requestsPerSecond, clock.now());
    this.#budgets.set(client, budget);
    return budget;
  }

  async #answer(connection: Connection, request: OrderRequest): Promise<void> {
    connection.inFlight += 1;
    try {
      const answer = await this.#perform(connection, request);
      if (placing.has(request.op) && !(answer instanceof Refusal)) this.#cancels.note(connection, ordersOf(answer));
      this.#send(connection, request, answer);
    } catch (error) {
      const { logger } = this.#deps;
      const context = { isRead: false, requestId: request.id, logger };
      this.#send(connection, request, refusalForError(error as Error, context));
    } finally {
      connection.inFlight -= 1;
    }
  }

  async #perform(connection: Connection, { op, args, key, language }: OrderRequest): Promise<unknown | Refusal> {
    const calls = this.#calls;
    if (calls === undefined) throw new Error('Orders came before their calls were served');
    const token = connection.login?.token;
    if (op !== 'cancel-on-disconnect') {
      return calls.perform(op, { token, args, key, locale: localeOfHeader(language) });
    }
    // Whoever may cancel all orders at once may also have these cancelled later.
    const identity = await calls.admit(cancelAllOrders, token);
    if (identity instanceof Refusal) return identity;
    const parsed = cancelOnDisconnect.safeParse(args);
    if (!parsed.success) return refuseIssues(parsed.error.issues);
    this.#cancels.set(connection, parsed.data.timeout_ms);
    return { message: 'success', ...parsed.data };
  }

  #send(connection: Connection, { id, op, language }: OrderRequest, answer: unknown | Refusal): void {
    if (!(answer instanceof Refusal)) {
      connection.send({ id, op, status: 200, body: answer } satisfies StreamAnswer);
      return;
    }
    const seconds = answer.headers['retry-after'];
    const body = problemOf(answer, localeOfHeader(language), id);
    const retryAfter = seconds === undefined ? {} : { retry_after: Number(seconds) };
    connection.send({ id, op, status: answer.status, body, ...retryAfter } satisfies StreamAnswer);
  }
}
