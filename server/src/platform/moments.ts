/**
 * The order in which clients' pages are told of changes, in a form that an answer can carry: whoever asks at a moment is
 * answered with all that was told up to then, so an answer and a stream can be put in order, whichever arrives first.
 */
import { randomBytes } from 'node:crypto';

/** Microseconds of the process; a count of changes would say how much all others do. */
type Moment = number;

export class Moments {
  /** Moments of two processes have no order. */
  readonly #process = randomBytes(6).toString('base64url').replaceAll(/[-_]/g, 'x');
  #last = 0;

  /** Not before any change that was noted; before every one that will be. */
  now(): Moment {
    this.#last = Math.max(this.#last, Math.floor(performance.now() * 1_000));
    return this.#last;
  }

  /** Of a change, after all that has been asked at so far. */
  next(): Moment {
    this.#last = Math.max(this.#last + 1, Math.floor(performance.now() * 1_000));
    return this.#last;
  }

  /** As the contract says it. */
  textOf(moment: Moment): string {
    return `${this.#process}-${moment}`;
  }
}
