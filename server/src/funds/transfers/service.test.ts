import { describe, expect, it } from 'vitest';
import { createTransferService, type Position, type TransferDeps, type Wish } from './service.ts';

const USDT = { id: 0, code: 'USDT', scale: 8 };
const identity = { clientId: 200, sessionId: 1, role: 'client' as const };
const position: Position = { id: '7', pairName: 'BTC-USDT', asset: USDT, free: 99_999_999n };

/** A service whose ledger takes everything, and what it was asked to take. */
function serviceWith(positions: readonly Position[]) {
  const wishes: Wish[] = [];
  const unused = () => Promise.reject(new Error('Not asked here'));
  const service = createTransferService({
    store: { find: unused, list: unused } as unknown as TransferDeps['store'],
    ledger: {
      reserve: async (wish) => {
        wishes.push(wish);
        return { kind: 'insufficient' };
      },
      end: unused,
      pending: () => [],
    },
    confirmer: { take: unused, find: () => undefined },
    assetByCode: () => USDT,
    assetById: () => USDT,
    password: { check: async () => 'ok' },
    exposureOf: () => positions,
    witnesses: [],
  });
  const begin = (from: 'SPOT' | 'FUTURE' | 'FUNDING', to: 'SPOT' | 'FUTURE') =>
    service.begin(identity, { from, to, coin: 'USDT', amount: '1', password: 'given' });
  return { begin, wishes };
}

describe('an open cross-margin exposure', () => {
  it('blocks what it needs in the futures wallet, and says which position and how much is free (T-transfer-22)', async () => {
    const { begin, wishes } = serviceWith([position]);
    expect(await begin('FUTURE', 'SPOT')).toEqual({ ok: false, error: { kind: 'exposed', position } });
    expect(wishes).toEqual([]);
  });

  it('lets out what it does not need', async () => {
    const { begin, wishes } = serviceWith([{ ...position, free: 100_000_000n }]);
    await begin('FUTURE', 'SPOT');
    expect(wishes).toMatchObject([{ from: 'FUTURE', amount: 100_000_000n }]);
  });

  it('blocks nothing that comes into it or passes by it', async () => {
    const { begin, wishes } = serviceWith([position]);
    await begin('SPOT', 'FUTURE');
    await begin('FUNDING', 'SPOT');
    expect(wishes.map(({ from }) => from)).toEqual(['SPOT', 'FUNDING']);
  });

  it('of another kind or none at all lets everything pass', async () => {
    const { begin, wishes } = serviceWith([]);
    await begin('FUTURE', 'SPOT');
    expect(wishes).toMatchObject([{ owner: 200, from: 'FUTURE', to: 'SPOT', amount: 100_000_000n }]);
  });
});
