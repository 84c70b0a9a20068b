/** What the form of perpetuals offers, as an operator sets it. Kept in memory, since each form asks. */
import type { FuturesStore } from './store.ts';

export class FuturesForm {
  readonly #store: Pick<FuturesStore, 'sellsEmpty' | 'setSellsEmpty'>;
  #sellsEmpty = true;

  constructor(store: Pick<FuturesStore, 'sellsEmpty' | 'setSellsEmpty'>) {
    this.#store = store;
  }

  async load(): Promise<void> {
    this.#sellsEmpty = await this.#store.sellsEmpty();
  }

  /** Whether it offers to open a short position. */
  get sellsEmpty(): boolean {
    return this.#sellsEmpty;
  }

  async setSellsEmpty(isOn: boolean): Promise<void> {
    await this.#store.setSellsEmpty(isOn);
    this.#sellsEmpty = isOn;
  }
}
