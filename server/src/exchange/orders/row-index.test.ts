import { Random } from '@cambist/core/simulation/random.ts';
import { describe, expect, it } from 'vitest';
import { RowIndex } from './row-index.ts';

/** What a run of a market does: new orders with gaps between their ids, old ones, and some far from either. */
function fill(index: RowIndex, seed: number): Map<number, number> {
  const random = new Random(seed);
  const rows = new Map<number, number>();
  let next = random.between(1, 2 ** 33);
  for (let row = 1; row <= 5_000; row += 1) {
    const isNew = random.chance(60);
    if (isNew) next += random.chance(99) ? random.between(1, 3) : random.between(1, 3_000_000);
    const id = isNew ? next : random.between(1, next);
    expect(index.get(id)).toBe(rows.get(id) ?? 0);
    if (rows.has(id)) continue;
    index.add(id, row, isNew);
    rows.set(id, row);
  }
  return rows;
}

describe('the rows of a run by order', () => {
  it('are found, and no others', () => {
    const index = new RowIndex();
    for (const seed of [1, 2, 3]) {
      const rows = fill(index, seed);
      for (const [id, row] of rows) expect([id, index.get(id)]).toEqual([id, row]);
      for (const id of rows.keys()) expect(index.get(id + 1)).toBe(rows.get(id + 1) ?? 0);
      index.clear();
      for (const id of rows.keys()) expect(index.get(id)).toBe(0);
    }
  });
});
