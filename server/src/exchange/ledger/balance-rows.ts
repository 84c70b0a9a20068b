/** The last balance of each account of a run, as one row of a binary COPY. */
import type { EventBatch } from '@cambist/core/events/event-batch.ts';
import { CopyRows, copyInto, highWord, placesOf } from '../../platform/copy-rows.ts';
import type { Statement } from '../../platform/database.ts';

/** Columns, with their bytes. */
const COLUMNS = { account: 8, amount: 8 } as const;
const { account: ACCOUNT, amount: AMOUNT } = placesOf(COLUMNS);
const LOW = 4;

/** Gone with the connection, and empty after each commit. */
const MAKE_CHANGED = `CREATE TEMPORARY TABLE IF NOT EXISTS changed_balances
  ON COMMIT DELETE ROWS AS SELECT account, amount FROM balances WITH NO DATA`;
const COPY_CHANGED = copyInto('changed_balances', COLUMNS);
const UPSERT = `INSERT INTO balances (account, amount) SELECT account, amount FROM changed_balances
  ON CONFLICT (account) DO UPDATE SET amount = excluded.amount`;

export class BalanceRows {
  readonly #rows = new CopyRows(COLUMNS);
  /** Where the row of an account begins, by the account's index; 0 for none. */
  #places = new Int32Array(1024);
  /** Indexes of the accounts that have a row. */
  #accounts = new Int32Array(256);

  get size(): number {
    return this.#rows.size;
  }

  /** Keeps each balance that a batch changed, in place of the one before. */
  add({ balanceCount, balanceAccounts, balanceKeys, balances }: EventBatch): void {
    const words = new Int32Array(balances.buffer, balances.byteOffset, balanceCount * 2);
    for (let index = 0; index < balanceCount; index += 1) {
      const account = balanceAccounts[index]!;
      if (account >= this.#places.length) this.#growPlaces(account);
      let row = this.#places[account]!;
      if (row === 0) row = this.#begin(account, balanceKeys[index]!);
      const { view } = this.#rows;
      view.setInt32(row + AMOUNT, words[index * 2 + 1]!);
      view.setInt32(row + AMOUNT + LOW, words[index * 2]!);
    }
  }

  /** Good until the next `add`. */
  copy(): Uint8Array {
    return this.#rows.finish();
  }

  clear(): void {
    for (let index = 0; index < this.size; index += 1) this.#places[this.#accounts[index]!] = 0;
    this.#rows.reset();
  }

  #begin(account: number, key: number): number {
    if (this.size === this.#accounts.length) this.#accounts = widened(this.#accounts, this.size * 2);
    this.#accounts[this.size] = account;
    const row = this.#rows.add();
    this.#places[account] = row;
    const { view } = this.#rows;
    view.setInt32(row + ACCOUNT, highWord(key));
    view.setInt32(row + ACCOUNT + LOW, key | 0);
    return row;
  }

  #growPlaces(account: number): void {
    let { length } = this.#places;
    while (length <= account) length *= 2;
    this.#places = widened(this.#places, length);
  }
}

function widened(words: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length);
  wider.set(words);
  return wider;
}

export function balanceStatements(balances: BalanceRows): Statement[] {
  return [{ sql: MAKE_CHANGED }, { sql: COPY_CHANGED, copy: balances.copy() }, { sql: UPSERT }];
}
