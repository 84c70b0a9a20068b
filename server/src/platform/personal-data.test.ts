import { expect, it } from 'vitest';
import type { Database } from './database.ts';
import { personalDataOf } from './personal-data.ts';

it('gives amounts beyond the safe integers as they are in the tables', async () => {
  const rows = [{ row: '{"id":7,"filled_quote":9007199254740993}' }];
  const database = { query: async () => rows } as unknown as Database;
  const { export: copy } = personalDataOf(database, { exported: { orders: 'SELECT' }, erased: [] });
  expect(await copy(1)).toEqual({ orders: [{ id: 7, filled_quote: '9007199254740993' }] });
});
