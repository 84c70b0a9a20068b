import { describe, expect, it } from 'vitest';
import { CopyRows, copyInto, highWord, placesOf } from './copy-rows.ts';

const COLUMNS = { id: 8, side: 2 } as const;
const { id: ID, side: SIDE } = placesOf(COLUMNS);
const HEADER = [...Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), 0, 0, 0, 0, 0, 0, 0, 0];
const row = (...id: readonly number[]) => [0, 2, 0, 0, 0, 8, ...id, 0, 0, 0, 2, 0, 1];
const END = [0xff, 0xff];

function add(rows: CopyRows, id: number): number {
  const at = rows.add();
  rows.view.setInt32(at + ID, highWord(id));
  rows.view.setInt32(at + ID + 4, id | 0);
  rows.view.setInt16(at + SIDE, 1);
  return at;
}

describe('rows for a binary copy', () => {
  it('have a count and lengths beside their values, and an end', () => {
    const rows = new CopyRows(COLUMNS);
    add(rows, 7);
    add(rows, 2 ** 40 + 2 ** 31 + 3);
    const expected = [...HEADER, ...row(0, 0, 0, 0, 0, 0, 0, 7), ...row(0, 0, 1, 0, 0x80, 0, 0, 3), ...END];
    expect([...rows.finish()]).toEqual(expected);
    expect(copyInto('orders', COLUMNS)).toBe('COPY orders (id, side) FROM STDIN (FORMAT binary)');
  });

  it('may be changed until they are finished, and more of them than there was room for', () => {
    const rows = new CopyRows(COLUMNS);
    const first = add(rows, 1);
    for (let id = 2; id <= 1_000; id += 1) add(rows, id);
    rows.view.setInt32(first + ID + 4, 0x01020304);
    const bytes = rows.finish();
    expect(rows.size).toBe(1_000);
    expect(bytes.length).toBe(HEADER.length + 1_000 * 20 + 2);
    expect([...bytes.subarray(HEADER.length, HEADER.length + 20)]).toEqual(row(0, 0, 0, 0, 1, 2, 3, 4));
    expect([...bytes.subarray(-22)]).toEqual([...row(0, 0, 0, 0, 0, 0, 3, 0xe8), ...END]);
  });

  it('begin again in the same memory, also where the end was written', () => {
    const rows = new CopyRows(COLUMNS);
    add(rows, 1);
    rows.finish();
    rows.reset();
    expect([...rows.finish()]).toEqual([...HEADER, ...END]);
    rows.reset();
    add(rows, 2);
    add(rows, 3);
    const expected = [...HEADER, ...row(0, 0, 0, 0, 0, 0, 0, 2), ...row(0, 0, 0, 0, 0, 0, 0, 3), ...END];
    expect([...rows.finish()]).toEqual(expected);
  });
});
