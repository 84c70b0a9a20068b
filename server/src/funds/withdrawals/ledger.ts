/** Withdrawals as commands of the exchange: held while they are underway, then posted or voided. */
import { accountKey, accountParts, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import type { TransferLeg } from '@cambist/core/ledger/transfer.ts';
import { isOwned } from '@cambist/core/ledger/wallet-lists.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import { NotAccepted, OutcomeUnknown } from '../../exchange/engine/service.ts';
import { endPending } from '../../exchange/ledger/service.ts';
import type { Withdrawal } from './store.ts';

const REASONS: ReadonlySet<string> = new Set(['withdrawal', 'internal-withdrawal']);

export type Hold =
  | { readonly kind: 'held'; readonly transfer: number }
  | { readonly kind: 'insufficient' | 'refused' | 'not-accepted' | 'outcome-unknown' };

/** What is held for a withdrawal. */
export interface Held {
  readonly transfer: number;
  readonly withdrawal: number;
}

export interface WithdrawalLedger {
  hold(withdrawal: Withdrawal): Promise<Hold>;
  /** Resolves once the end of what is held is committed, also when an earlier attempt was. */
  end(transfer: number, decision: 'post' | 'void'): Promise<void>;
  /** All that is held and committed. */
  held(): Promise<readonly Held[]>;
  /** In the spot wallet. */
  available(owner: number, asset: number): bigint;
  /** In all wallets, without what is leaving and what open positions have lost: smallest units by asset. */
  holdings(owner: number): ReadonlyMap<number, bigint>;
}

const spot = (owner: number, asset: number) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);

function legsOf({ owner, asset, amount, fee, receiver }: Withdrawal): TransferLeg[] {
  const from = spot(owner, asset);
  if (receiver !== null) return [{ from, to: spot(receiver, asset), amount }];
  const legs = [
    { from, to: spot(SystemOwner.CUSTODY, asset), amount: amount - fee },
    { from, to: spot(SystemOwner.FEES, asset), amount: fee },
  ];
  return legs.filter((leg) => leg.amount > 0n);
}

export function createWithdrawalLedger({
  exchange,
  sequencer,
}: Pick<Engine, 'exchange' | 'sequencer'>): WithdrawalLedger {
  return {
    async hold(withdrawal) {
      try {
        const { outcome, id } = await sequencer.submit({
          kind: 'transfer',
          reason: withdrawal.receiver === null ? 'withdrawal' : 'internal-withdrawal',
          reference: withdrawal.id,
          isPending: true,
          legs: legsOf(withdrawal),
          detail: '',
        });
        if (outcome.ok) return { kind: 'held', transfer: id };
        return { kind: outcome.reason === 'INSUFFICIENT_FUNDS' ? 'insufficient' : 'refused' };
      } catch (error) {
        if (error instanceof NotAccepted) return { kind: 'not-accepted' };
        if (error instanceof OutcomeUnknown) return { kind: 'outcome-unknown' };
        throw error;
      }
    },
    end: (transferId, decision) => endPending(sequencer, transferId, decision),
    async held() {
      await sequencer.settled();
      return exchange
        .pendingTransfers()
        .filter(({ reason }) => REASONS.has(reason))
        .map(({ transferId, reference }) => ({ transfer: transferId, withdrawal: reference }));
    },
    available: (owner, asset) => exchange.balance(spot(owner, asset)),
    holdings(owner) {
      const units = new Map<number, bigint>();
      for (const account of exchange.accountsOf(owner)) {
        const { wallet, bucket, asset } = accountParts(account);
        if (!isOwned(wallet) || bucket === Bucket.PENDING) continue;
        units.set(asset, (units.get(asset) ?? 0n) + exchange.balance(account));
      }
      for (const [asset, has] of units) {
        const { profit } = exchange.marginWalletOf(owner, asset);
        if (profit < 0n) units.set(asset, has + profit);
      }
      return units;
    },
  };
}
