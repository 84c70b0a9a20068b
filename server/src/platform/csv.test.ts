import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLine, csvTime } from './csv.ts';

/** One line as RFC 4180 reads it. */
function parse(line: string): string[] {
  expect(line.endsWith('\r\n')).toBe(true);
  const cells: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy;
  for (const [, quoted, plain = '', end] of line.matchAll(pattern)) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') break;
  }
  return cells;
}

it('keeps every text as it is, but for what a spreadsheet would calculate', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (texts) => {
      const cells = parse(csvLine(texts));
      expect(cells.map((cell, at) => (cell === `'${texts[at]}` ? texts[at] : cell))).toEqual(texts);
      for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/);
    }),
  );
});

it('guards formulas and leaves numbers exact', () => {
  expect(csvLine(['=1+1', '+1', '-2+3', '@sum', '-0.00000001', '12345678901234567890.123456789', 7])).toBe(
    "'=1+1,'+1,'-2+3,'@sum,-0.00000001,12345678901234567890.123456789,7\r\n",
  );
  expect(csvLine(['a "b"', 'c,d', 'e\nf'])).toBe('"a ""b""","c,d","e\nf"\r\n');
});

it('writes times in UTC', () => {
  expect(csvTime(1_700_000_000_123)).toBe('2023-11-14T22:13:20.123Z');
});
