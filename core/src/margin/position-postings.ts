/** What a change of a position moves, as postings. */
import { accountKey, Bucket, type Posting, SystemOwner, Wallet } from '../ledger/account.ts';

/** Settlement units by account: the owner's own, and those of the exchange. */
export interface Moved {
  readonly available: bigint;
  readonly held: bigint;
  readonly margin: bigint;
  readonly clearing: bigint;
  readonly fees: bigint;
  readonly funding: bigint;
  readonly insurance: bigint;
}

/** In the order of the accounts of `Moved`; an account to which nothing is moved has no posting. @param owner a number */
export function postingsOf(owner: number, asset: number, moved: Moved): readonly Posting[] {
  const postings: Posting[] = [];
  const { available, held, margin, clearing, fees, funding, insurance } = moved;
  if (available !== 0n) postings.push(own(owner, Bucket.AVAILABLE, asset, available));
  if (held !== 0n) postings.push(own(owner, Bucket.HELD, asset, held));
  if (margin !== 0n) postings.push(own(owner, Bucket.MARGIN, asset, margin));
  if (clearing !== 0n) postings.push(ofSystem(SystemOwner.CLEARING, asset, clearing));
  if (fees !== 0n) postings.push(ofSystem(SystemOwner.FEES, asset, fees));
  if (funding !== 0n) postings.push(ofSystem(SystemOwner.FUNDING, asset, funding));
  if (insurance !== 0n) postings.push(ofSystem(SystemOwner.INSURANCE, asset, insurance));
  return postings;
}

const own = (owner: number, bucket: Bucket, asset: number, amount: bigint): Posting => ({
  account: accountKey(owner, Wallet.FUTURE, bucket, asset),
  amount,
});

const ofSystem = (owner: SystemOwner, asset: number, amount: bigint): Posting => ({
  account: accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset),
  amount,
});
