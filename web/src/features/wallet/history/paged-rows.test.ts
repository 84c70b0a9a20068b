import { describe, expect, test } from 'vitest';
import { type HeardRow, mergeRows, type RowPage, withHeard } from './paged-rows.ts';
import { amountText, priceText, type SideRecord, stateOf } from './side-list.tsx';

interface Row {
  readonly id: string;
  readonly confirmations: number;
}

const row = (id: number, confirmations: number): Row => ({ id: String(id), confirmations });
const page = (askedAt: number, ...rows: Row[]): RowPage<Row> => ({ askedAt, rows });
const heard = (heardAt: number, one: Row): HeardRow<Row> => ({ heardAt, row: one });
const shown = (rows: readonly Row[]) => rows.map(({ id, confirmations }) => `${id}:${confirmations}`).join(' ');

describe('a list and what is pushed', () => {
  test('a push replaces what was read before it, also where confirmations fall', () => {
    expect(shown(mergeRows([page(100, row(2, 5), row(1, 9))], [heard(150, row(2, 3))], false))).toBe('2:3 1:9');
  });

  test('a push that came before the list was asked for takes nothing back', () => {
    expect(shown(mergeRows([page(200, row(2, 5))], [heard(150, row(2, 3))], false))).toBe('2:5');
  });

  test('a push that comes after the list, of a moment that the list reaches, takes nothing back', () => {
    const read = { ...page(100, row(2, 5)), moment: 'a-20' };
    expect(shown(mergeRows([read], [{ ...heard(150, row(2, 3)), moment: 'a-19' }], false))).toBe('2:5');
    expect(shown(mergeRows([read], [{ ...heard(150, row(2, 3)), moment: 'a-21' }], false))).toBe('2:3');
    expect(shown(mergeRows([read], [{ ...heard(150, row(2, 3)), moment: 'b-1' }], false))).toBe('2:3');
  });

  test('each page has its own time: one that was read anew stands beside an older one', () => {
    const pages = [page(300, row(4, 6)), page(100, row(3, 1))];
    expect(shown(mergeRows(pages, [heard(200, row(4, 2)), heard(200, row(3, 2))], false))).toBe('4:6 3:2');
  });

  test('what the list does not have yet comes first, once, by its id and not by when it was heard', () => {
    const merged = mergeRows([page(100, row(9, 1))], [heard(150, row(11, 0)), heard(160, row(10, 0))], true);
    expect(shown(merged)).toBe('11:0 10:0 9:1');
  });

  test('one that is older than all that was read waits for its page, and shows where there is no other', () => {
    const old = [heard(150, row(1, 7))];
    expect(shown(mergeRows([page(100, row(9, 1))], old, true))).toBe('9:1');
    expect(shown(mergeRows([page(100, row(9, 1))], old, false))).toBe('9:1 1:7');
    expect(shown(mergeRows([page(100)], old, false))).toBe('1:7');
  });

  test('of several pushes of a row the last is kept, and what is too much asks for a new list', () => {
    const first = withHeard([], [row(1, 1), row(2, 1)], 10) ?? [];
    expect(withHeard(first, [row(1, 2)], 20)).toEqual([heard(20, row(1, 2)), heard(10, row(2, 1))]);
    const flood = Array.from({ length: 201 }, (_, at) => row(at, 0));
    expect(withHeard([], flood.slice(1), 10)).toHaveLength(200);
    expect(withHeard([], flood, 10)).toBeUndefined();
  });
});

describe('the state of an order in its history', () => {
  test('a buy order that is APPROVED shows Filled, one that is DISSAPROVED Cancelled (T-histories-10) (T-histories-11)', () => {
    expect(stateOf('APPROVED').text).toBe('Filled');
    expect(stateOf('DISSAPROVED').text).toBe('Cancelled');
  });

  test('a sell order that is APPROVED shows Filled, one that is DECLINED Cancelled (T-histories-12) (T-histories-13)', () => {
    expect(stateOf('APPROVED').text).toBe('Filled');
    expect(stateOf('DECLINED').text).toBe('Cancelled');
  });

  test('one that is open is pending', () => expect(stateOf('PENDING').text).toBe('Pending'));
});

describe('what an order was for, in its history', () => {
  const order = (figures: Partial<SideRecord>): SideRecord => ({
    ...{ id: '1', coin_pair: { pair_name: 'ETH-USDT', coin_pair_name: 'ETH/USDT' }, state: 'PENDING', created_at: 0 },
    ...{ final_price: '3000.00', number_of_order: '1.0000', total: '3000.00' },
    ...figures,
  });

  test('an order at a limit shows its price and its amount', () => {
    expect([priceText(order({})), amountText(order({}))]).toEqual(['3,000.00', '1.0000']);
  });

  test('one at market says so while it has no price: 0 would be read as one', () => {
    expect(priceText(order({ final_price: '0' }))).toBe('Market');
    expect(priceText(order({ final_price: '' }))).toBe('Market');
  });

  test('one that is sized by what it may spend shows that, and nothing where there is neither', () => {
    expect(amountText(order({ number_of_order: '0.0000', total: '3100.50000000' }))).toBe('3,100.5 USDT');
    expect(amountText(order({ number_of_order: '', total: '0' }))).toBe('–');
  });
});
