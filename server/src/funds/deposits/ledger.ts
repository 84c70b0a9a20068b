/** Credits and reversals of deposits as commands of the exchange. */
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import { NotAccepted, OutcomeUnknown, type Submission } from '../../exchange/engine/service.ts';
import type { DepositLedger } from './crediting.ts';
import { CREDITS, type Movement } from './crediting-store.ts';

function commandOf({ source, sequence, deposit, owner, asset, amount, funding, future }: Movement): Submission {
  const accountIn = (wallet: Wallet) => accountKey(owner, wallet, Bucket.AVAILABLE, asset);
  const custody = accountKey(SystemOwner.CUSTODY, Wallet.SPOT, Bucket.AVAILABLE, asset);
  const isCredit = source === CREDITS;
  const taken = [
    { from: accountIn(Wallet.SPOT), to: custody, amount: amount - funding - future },
    { from: accountIn(Wallet.FUNDING), to: custody, amount: funding },
    { from: accountIn(Wallet.FUTURE), to: custody, amount: future },
  ];
  const legs = isCredit
    ? [{ from: custody, to: accountIn(Wallet.SPOT), amount }]
    : taken.filter((leg) => leg.amount > 0n);
  return {
    kind: 'transfer',
    reason: isCredit ? 'deposit' : 'deposit-reversal',
    reference: deposit ?? owner,
    isPending: false,
    legs,
    detail: '',
    origin: { source, sequence },
  };
}

export function createDepositLedger({ exchange, sequencer }: Pick<Engine, 'exchange' | 'sequencer'>): DepositLedger {
  return {
    async submit(movement) {
      try {
        const { outcome } = await sequencer.submit(commandOf(movement));
        // The ledger keeps the last sequence of a source: one that it has had is done.
        if (outcome.ok || outcome.reason === 'DUPLICATE_ID') return 'done';
        if (outcome.reason === 'OUT_OF_SEQUENCE') return 'again';
        return outcome.reason === 'INSUFFICIENT_FUNDS' ? 'insufficient' : 'refused';
      } catch (error) {
        if (error instanceof NotAccepted || error instanceof OutcomeUnknown) return 'again';
        throw error;
      }
    },
    available: (owner, asset) => ({
      spot: exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset)),
      funding: exchange.balance(accountKey(owner, Wallet.FUNDING, Bucket.AVAILABLE, asset)),
      future: exchange.marginWalletOf(owner, asset).free,
    }),
  };
}
