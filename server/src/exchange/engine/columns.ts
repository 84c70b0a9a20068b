import type { Parameter } from '../../platform/database.ts';

type Value = number | bigint | string | boolean;

/** Rows gathered as one array for each column, in the form in which `unnest` takes them. */
export class Columns {
  readonly #columns: Value[][];

  constructor(width: number) {
    this.#columns = Array.from({ length: width }, () => []);
  }

  get size(): number {
    return this.#columns[0]!.length;
  }

  /** @returns the row's index */
  add(...values: readonly Value[]): number {
    for (let column = 0; column < values.length; column += 1) this.#columns[column]!.push(values[column]!);
    return this.size - 1;
  }

  /** Replaces a row. */
  set(row: number, ...values: readonly Value[]): void {
    for (let column = 0; column < values.length; column += 1) this.#columns[column]![row] = values[column]!;
  }

  parameters(): Parameter[] {
    return this.#columns;
  }
}
