import type { StreamPositions } from '@cambist/contract/stream.ts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { accountKeys } from '../queries/account-keys.ts';
import { forgetPositions, receivePositions, unlessPushed } from './pushed-positions.ts';

const pushOf = (state: StreamPositions, moment?: string) => ({
  ...{ arg: { channel: 'positions' }, data: [state] },
  ...(moment === undefined ? {} : { moment }),
});

const open = { positions: [{ id: '1' }], account: { balance: '10' } } as unknown as StreamPositions;
const closed = { positions: [], account: { balance: '11' } } as unknown as StreamPositions;

afterEach(forgetPositions);

test('an answer that was on its way when a push came does not take its place', async () => {
  const queries = new QueryClient();
  const answers: ((answer: StreamPositions) => void)[] = [];
  const read = () => new Promise<StreamPositions>((resolve) => answers.push(resolve));
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => unlessPushed(signal, read);
  const observer = new QueryObserver(queries, { queryKey: accountKeys.positions, queryFn });
  const end = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  receivePositions(queries, pushOf(closed));
  answers[0]?.(open);
  await vi.waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(queries.getQueryData(accountKeys.positions)).toEqual(closed);
  const again = observer.refetch();
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.(open);
  await again;
  expect(queries.getQueryData(accountKeys.positions)).toEqual(open);
  end();
});

test('what was chosen in a market is read again with each push: it may have been changed elsewhere', async () => {
  const queries = new QueryClient();
  let leverage = 10;
  const queryKey = [...accountKeys.futuresSettings, 'BTC-USDT-SWAP'];
  const observer = new QueryObserver(queries, { queryKey, staleTime: 300_000, queryFn: async () => ({ leverage }) });
  const end = observer.subscribe(() => undefined);
  await vi.waitFor(() => expect(queries.getQueryData(queryKey)).toEqual({ leverage: 10 }));
  leverage = 100;
  receivePositions(queries, pushOf(closed));
  await vi.waitFor(() => expect(queries.getQueryData(queryKey)).toEqual({ leverage: 100 }));
  end();
});
