import type { Order } from '@cambist/contract/trading.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { followAct } from './read-again.ts';

test.each([
  ['BTC-USDT-SWAP', true],
  ['BTC-USDT', false],
])('an order in %s makes the futures wallet be read again: %s (T-futures-47)', (pair_name, isRead) => {
  const queries = new QueryClient();
  queries.setQueryData(accountKeys.futureWallet, {});
  followAct(queries, { id: '1', state: 'APPROVED', coin_pair: { pair_name } } as Order);
  expect(queries.getQueryState(accountKeys.futureWallet)?.isInvalidated).toBe(isRead);
});
