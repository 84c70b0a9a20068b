/** A wallet and a movement that no file but their declarations knows: the screens have words and places for both. */
import type { WalletName } from '@cambist/core/ledger/wallets.ts';
import { expect, test, vi } from 'vitest';
import { causeOf } from './coin/statement-words.ts';
import { amountProblem, WALLET_PAIRS } from './transfer/transfer-form.ts';
import { walletLabel } from './wallets.ts';

vi.mock('@cambist/core/ledger/wallets.ts', async (original) => {
  const { WALLETS } = await original<typeof import('@cambist/core/ledger/wallets.ts')>();
  const transfers = { whenShort: 'Insufficient balance in vault' };
  return {
    WALLETS: [
      ...WALLETS,
      { name: 'VAULT', number: 5, title: 'Vault', label: 'Vault wallet', inTotals: true, transfers },
    ],
  };
});

vi.mock('@cambist/core/ledger/movements.ts', async (original) => {
  const { TRANSFERS } = await original<typeof import('@cambist/core/ledger/movements.ts')>();
  return { TRANSFERS: [...TRANSFERS, { reason: 'vault-interest', label: { incoming: 'Paid', outgoing: 'Taken' } }] };
});

const VAULT = 'VAULT' as WalletName as 'SPOT';

test('a wallet that is declared has a name, pairs to move between, and its own refusal', () => {
  expect(walletLabel(VAULT)).toBe('Vault wallet');
  expect(WALLET_PAIRS).toContainEqual(['SPOT', 'VAULT']);
  const entry = { from: VAULT, to: 'SPOT', coin: 'USDT', amount: '2' } as const;
  expect(amountProblem(entry, { units: 1n, scale: 0 })).toBe('Insufficient balance in vault');
});

test('a movement that is declared has its words in a statement', () => {
  const line = { cause: 'vault-interest' as 'deposit', pair: null };
  expect(causeOf('USDT', { ...line, amount: '1' })).toBe('Paid');
  expect(causeOf('USDT', { ...line, amount: '-1' })).toBe('Taken');
});
