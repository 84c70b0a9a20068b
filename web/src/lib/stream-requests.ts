/** Requests on a socket, known to their answers by number. */
import type { OrderRequest, StreamAnswer } from '@cambist/contract/stream.ts';

export type OrderMessage = Omit<OrderRequest, 'id'>;

/** Past this the request is asked again by HTTP, under the same key. */
const ANSWER_WITHIN_MS = 5_000;

export class StreamRequests {
  readonly #waiting = new Map<string, (answer: StreamAnswer | undefined) => void>();
  #last = 0;

  /** @returns undefined when no answer came in time, or the socket was lost */
  send(message: OrderMessage, write: (text: string) => void): Promise<StreamAnswer | undefined> {
    this.#last += 1;
    const id = String(this.#last);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), ANSWER_WITHIN_MS);
      const settle = (answer: StreamAnswer | undefined) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, settle);
      write(JSON.stringify({ id, ...message } satisfies OrderRequest));
    });
  }

  receive(answer: StreamAnswer): void {
    this.#waiting.get(answer.id)?.(answer);
  }

  /** The socket is gone, and the answers with it. */
  lose(): void {
    for (const settle of [...this.#waiting.values()]) settle(undefined);
  }
}
