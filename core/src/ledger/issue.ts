import { accountKey, Bucket, SystemOwner, Wallet } from './account.ts';
import type { Transfer } from './transfer.ts';

const ISSUES = {
  'development-credit': { from: SystemOwner.DEVELOPMENT, wallet: Wallet.SPOT },
  'house-capital': { from: SystemOwner.HOUSE_CAPITAL, wallet: Wallet.SPOT },
  'fee-credit-grant': { from: SystemOwner.PROMOTIONS, wallet: Wallet.CREDIT },
} as const;

export type IssueReason = keyof typeof ISSUES;

/**
 * A transfer that brings money into circulation: from the system owner of its reason to an owner, in units of an asset.
 * Its id is the next one, unless one is given.
 */
export function issue(reason: IssueReason, owner: number, asset: number, amount: bigint, transferId = 0): Transfer {
  const { from, wallet } = ISSUES[reason];
  const leg = {
    from: accountKey(from, Wallet.SPOT, Bucket.AVAILABLE, asset),
    to: accountKey(owner, wallet, Bucket.AVAILABLE, asset),
    amount,
  };
  return { kind: 'transfer', transferId, reason, reference: owner, isPending: false, legs: [leg], detail: '' };
}
