/** A wallet and a movement that no file but their declarations knows: whatever shows or sums money follows from those. */
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { TransferReason } from '@cambist/core/ledger/movements.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp, TRANSACTION_PASSWORD } from '../../../test/app.ts';
import { databaseKinds } from '../../../test/databases.ts';

vi.mock('@cambist/core/ledger/wallets.ts', async (original) => {
  const { WALLETS } = await original<typeof import('@cambist/core/ledger/wallets.ts')>();
  const transfers = { whenShort: 'Insufficient balance in vault' };
  return {
    WALLETS: [...WALLETS, { name: 'VAULT', number: 5, title: 'Vault', label: 'Vault', inTotals: true, transfers }],
  };
});

vi.mock('@cambist/core/ledger/movements.ts', async (original) => {
  const { TRANSFERS } = await original<typeof import('@cambist/core/ledger/movements.ts')>();
  const { SystemOwner, Wallet } = await import('@cambist/core/ledger/account.ts');
  const from = { owners: [SystemOwner.INTEREST_EXPENSE], wallets: [Wallet.SPOT] };
  const to = { owners: 'clients', wallets: [5] };
  const interest = { reason: 'vault-interest', effect: 'gain', label: 'Interest', from, to, mayPend: false };
  return { TRANSFERS: [...TRANSFERS, interest] };
});

/** As both declarations above say it. */
const VAULT = 5 as Wallet;

describe.each(databaseKinds)('a wallet and a movement that are declared and nothing else (%s)', (kind) => {
  let server: TestApp;
  afterEach(() => server.remove());

  it('are in totals, profit, lists and statements', async () => {
    server = await startTestApp(kind);
    const token = await server.trader('saver', { USDT: '1000' });
    const read = async (path: string) => (await server.call({ method: 'GET', url: `/api/v3/${path}`, token })).body;
    const owner = 1000;
    const asset = server.app.engine.exchange.assets().find(({ code }) => code === 'USDT')!;
    const inVault = accountKey(owner, VAULT, Bucket.AVAILABLE, asset.id);
    const move = async (reason: string, from: number, whole: bigint) => {
      const legs = [{ from, to: inVault, amount: whole * 10n ** BigInt(asset.scale) }];
      const facts = { kind: 'transfer', reference: owner, isPending: false, detail: '' } as const;
      const { outcome } = await server.app.engine.sequencer.submit({
        ...facts,
        reason: reason as TransferReason,
        legs,
      });
      expect(outcome).toMatchObject({ ok: true });
    };
    await move('wallet-transfer', accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset.id), 400n);
    const expense = accountKey(SystemOwner.INTEREST_EXPENSE, Wallet.SPOT, Bucket.AVAILABLE, asset.id);
    await move('vault-interest', expense, 25n);

    const overview = await read('overview');
    expect(overview).toMatchObject({ overviewTotal: '1025.00000000', spotTotal: '600.00000000' });
    expect(overview.wallets).toContainEqual({ wallet: 'VAULT', total: '425.00000000' });
    // What the exchange has paid is a gain; what the client brought, and moved between wallets, is none.
    expect(overview.pnl).toMatchObject({ value: '25.00000000' });
    const { wallet } = await read('wallets/coins?wallet=VAULT');
    expect(wallet).toContainEqual(expect.objectContaining({ name: 'USDT', coin_value: '425.00000000' }));
    const { entries } = await read('statement?wallet=VAULT&coin=USDT');
    expect(entries).toMatchObject([
      { cause: 'vault-interest', amount: '25.00000000', balance: '425.00000000' },
      { cause: 'wallet-transfer', amount: '400.00000000', balance: '400.00000000' },
    ]);
    await vi.waitFor(async () => {
      const { complete, points } = await read('wallets/balance-history?days=7');
      expect({ complete, now: (points as unknown as { value: string }[]).at(-1)?.value }).toEqual({
        ...{ complete: true, now: '1025.00000000' },
      });
    }, 10_000);
    const transaction_password = TRANSACTION_PASSWORD;
    // A transfer by the client's own hand knows the wallet and refuses in its words.
    const wish = { from: 'VAULT', to: 'SPOT', coin: 'USDT', amount: '426', transaction_password };
    const refused = await server.call({ method: 'POST', url: '/api/v3/transfers', token, payload: wish });
    expect(refused).toMatchObject({ status: 422, body: { detail: 'Insufficient balance in vault' } });
  });
});
