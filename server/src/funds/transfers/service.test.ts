import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Identity } from '../../platform/calls.ts';
import { createTransferService, type Position, type TransferDeps, type Wish } from './service.ts';
import type { Transfer } from './store.ts';

const USDT = { id: 0, code: 'USDT', scale: 8 };
const identity = { clientId: 200, sessionId: 1, role: 'client' as const };
const position: Position = { id: '7', pairName: 'BTC-USDT', asset: USDT, free: 99_999_999n };

const earlier = { id: 5 } as Transfer;

/** A service whose ledger takes everything, with what it was asked to take, and knows the key `earlier`. */
function serviceWith(positions: readonly Position[]) {
  const wishes: Wish[] = [];
  const underWay = new Map([[earlier.id, earlier]]);
  const unused = () => Promise.reject(new Error('Not asked here'));
  const service = createTransferService({
    // A database answers later than what is in memory.
    store: { find: () => setTimeout(5, undefined), list: unused } as unknown as TransferDeps['store'],
    ledger: {
      reservedBefore: async (_, { key }) => (key === 'earlier' ? { kind: 'repeated', id: earlier.id } : undefined),
      reserve: async (wish) => {
        wishes.push(wish);
        return { kind: 'insufficient' };
      },
      end: unused,
      pending: () => [],
    },
    confirmer: { take: unused, find: (id) => underWay.get(id) },
    assetByCode: () => USDT,
    assetById: () => USDT,
    password: { check: async () => 'ok' },
    exposureOf: () => positions,
    witnesses: [],
    noteChange: () => undefined,
  });
  const begin = (from: 'SPOT' | 'FUTURE' | 'FUNDING', to: 'SPOT' | 'FUTURE', key = 'new') =>
    service.begin(identity, { from, to, coin: 'USDT', amount: '1', password: 'given' }, { key, fingerprint: 'any' });
  const beginAs = (who: Identity, password: string) =>
    service.begin(who, { from: 'SPOT', to: 'FUTURE', coin: 'USDT', amount: '1', password });
  return { begin, beginAs, wishes, underWay };
}

describe('a transfer without a password', () => {
  it('is for a session that is unlocked, never for an API key (T-transfer-28)', async () => {
    const { beginAs, wishes } = serviceWith([]);
    const required = { ok: false, error: { kind: 'password-required' } };
    expect(await beginAs({ ...identity, permissions: ['read', 'trade'] }, '')).toEqual(required);
    expect(wishes).toEqual([]);
    await beginAs(identity, '');
    expect(wishes).toHaveLength(1);
  });
});

describe('a transfer, and an open cross-margin exposure', () => {
  it('blocks what it needs in the futures wallet, and says which position and how much is free (T-transfer-22)', async () => {
    const { begin, wishes } = serviceWith([position]);
    expect(await begin('FUTURE', 'SPOT')).toEqual({ ok: false, error: { kind: 'exposed', position } });
    expect(wishes).toEqual([]);
  });

  it('is not asked about where the transfer was made before, so that nothing is free any more', async () => {
    const { begin, wishes } = serviceWith([position]);
    expect(await begin('FUTURE', 'SPOT', 'earlier')).toEqual({ ok: true, value: earlier });
    expect(wishes).toEqual([]);
  });

  it('answers who sent a transfer again a moment before who sent it first has its answer', async () => {
    const { begin, underWay } = serviceWith([]);
    underWay.delete(earlier.id);
    const again = begin('FUTURE', 'SPOT', 'earlier');
    setImmediate(() => underWay.set(earlier.id, earlier));
    expect(await again).toEqual({ ok: true, value: earlier });
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
