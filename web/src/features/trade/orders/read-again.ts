import type { QueryClient } from '@tanstack/react-query';
import { accountKeys } from '../../../lib/queries/account-keys.ts';

/** After the person's own act; the private stream usually has told it already. */
export function readAccountAgain(queries: QueryClient): void {
  for (const queryKey of [accountKeys.funds, accountKeys.openOrders, accountKeys.orderHistory]) {
    void queries.invalidateQueries({ queryKey });
  }
}
