/** Since when a channel of a stream may have said something that was not heard, for what is told once and not only listed. */
import { exchangeTime } from './exchange-time.ts';

/** A page that hears its channel as soon as this has missed nothing that its lists do not show. */
const AT_ONCE_MS = 3_000;

export class Heard {
  #at = exchangeTime();
  #hasBegun = false;

  /** The channel has said something: all before it was heard. */
  push(): void {
    this.#at = exchangeTime();
  }

  /**
   * The channel begins, or begins again.
   * @returns from when on to look for what was missed, ms since 1970; undefined where nothing was
   */
  begin(): number | undefined {
    const since = this.#at;
    const isAtOnce = !this.#hasBegun && exchangeTime() - since < AT_ONCE_MS;
    this.#hasBegun = true;
    this.#at = exchangeTime();
    return isAtOnce ? undefined : since;
  }
}
