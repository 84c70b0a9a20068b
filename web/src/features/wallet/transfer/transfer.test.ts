import type { Transfer } from '@cambist/contract/transfers.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decimal } from '../../../lib/decimal.ts';
import { useSession } from '../../../lib/session-store.ts';
import { amountProblem, offered, swapped, type TransferEntry, usualSource } from './transfer-form.ts';
import { mergeTransfer, TRANSFERS_SHOWN } from './transfer-queries.ts';
import { useTransferType } from './transfer-type.ts';

const entry: TransferEntry = { from: 'SPOT', to: 'FUTURE', coin: 'USDT', amount: '10' };

describe('what a transfer is about', () => {
  test.each(['', '.', '0', '0.000'])('the amount %j counts as missing (T-transfer-24)', (amount) => {
    expect(amountProblem({ ...entry, amount }, decimal('100'))).toBe('Amount is required');
  });

  test('the whole balance may go, and not one unit more (T-transfer-25)', () => {
    const available = decimal('10.00000001');
    expect(amountProblem({ ...entry, amount: '10.00000001' }, available)).toBeUndefined();
    expect(amountProblem({ ...entry, amount: '10.00000002' }, available)).toBe('Insufficient balance in spot wallet');
  });

  test('too much names the wallet that it would come from (T-transfer-26)', () => {
    const problemOf = (from: TransferEntry['from']) => amountProblem({ ...entry, from }, decimal('9'));
    expect(problemOf('FUTURE')).toBe('Insufficient balance in future wallet');
    expect(problemOf('FUNDING')).toBe('Insufficient balance in funding wallet');
  });

  test('a coin that an address names is kept where the wallet has it', () => {
    const coins = [{ code: 'USDT' }, { code: 'BTC' }];
    expect(offered({ ...entry, coin: 'BTC' }, coins).coin).toBe('BTC');
    expect(offered({ ...entry, coin: 'BTC' }, undefined).coin).toBe('BTC');
    expect(offered({ ...entry, coin: 'NONSENSE' }, coins)).toEqual(entry);
  });

  test('swapping exchanges the wallets and keeps coin and amount (T-transfer-05)', () => {
    expect(swapped(entry)).toEqual({ ...entry, from: 'FUTURE', to: 'SPOT' });
    expect(swapped(swapped(entry))).toEqual(entry);
  });

  test('no destination is its own usual source', () => {
    for (const to of ['SPOT', 'FUTURE', 'FUNDING'] as const) expect(usualSource(to)).not.toBe(to);
  });
});

describe('the transfer type', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('is FUTURE until another is chosen, which the device keeps until the session ends (T-transfer-13) (A-account-state-37)', async () => {
    const kept = new Map<string, string>();
    const localStorage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    };
    vi.stubGlobal('window', { localStorage });
    const name = useTransferType.persist.getOptions().name ?? '';
    expect(useTransferType.getState().type).toBe('FUTURE');
    useTransferType.getState().setType('FUNDING');
    const visit = kept.get(name) ?? '';
    expect(visit).toContain('FUNDING');

    useSession.setState({ token: 'a-session' });
    useSession.getState().signOut();
    expect(useTransferType.getState().type).toBe('FUTURE');
    expect(kept.get(name)).not.toContain('FUNDING');
    kept.set(name, visit);
    await useTransferType.persist.rehydrate();
    expect(useTransferType.getState().type).toBe('FUNDING');
  });
});

describe('the list of transfers follows the stream', () => {
  const transfer = (id: string, confirmations: number, change: Partial<Transfer> = {}): Transfer => ({
    id,
    from: 'SPOT',
    to: 'FUTURE',
    coin: 'USDT',
    amount: '1',
    state: 'PENDING',
    confirmations,
    confirmations_required: 5,
    witnesses: [],
    reason: null,
    created_at: 1,
    updated_at: confirmations,
    ...change,
  });

  test('a new transfer comes first, and the list stays as long as it is', () => {
    const full = Array.from({ length: TRANSFERS_SHOWN }, (_, index) => transfer(String(index), 5));
    const merged = mergeTransfer(full, transfer('new', 0));
    expect(merged[0]?.id).toBe('new');
    expect(merged).toHaveLength(TRANSFERS_SHOWN);
  });

  test('a confirmation replaces what was known', () => {
    expect(
      mergeTransfer([transfer('a', 1), transfer('b', 0)], transfer('b', 2)).map((one) => one.confirmations),
    ).toEqual([1, 2]);
  });

  test('a push that arrives late takes nothing back', () => {
    const done = transfer('a', 5, { state: 'COMPLETED' });
    expect(mergeTransfer([done], transfer('a', 3))).toEqual([done]);
  });
});
