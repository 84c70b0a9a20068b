/** Credits and reversals of deposits as commands of the exchange. */
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import { NotAccepted, OutcomeUnknown, type Submission } from '../../exchange/engine/service.ts';
import type { DepositLedger } from './crediting.ts';
import { CREDITS, type Movement } from './crediting-store.ts';

function commandOf({ source, sequence, deposit, owner, asset, amount }: Movement): Submission {
  const client = accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
  const custody = accountKey(SystemOwner.CUSTODY, Wallet.SPOT, Bucket.AVAILABLE, asset);
  const isCredit = source === CREDITS;
  const leg = isCredit ? { from: custody, to: client, amount } : { from: client, to: custody, amount };
  return {
    kind: 'transfer',
    reason: isCredit ? 'deposit' : 'deposit-reversal',
    reference: deposit ?? owner,
    isPending: false,
    legs: [leg],
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
    available: (owner, asset) => exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset)),
  };
}
