/** One ledger transaction: postings over accounts that sum to zero for each asset. Append only. */
export type LedgerReason =
  | 'order-hold'
  | 'order-release'
  | 'trade'
  | 'development-credit'
  | 'house-capital'
  | 'fee-credit-grant';

export interface LedgerEvent {
  readonly kind: 'ledger';
  readonly time: number;
  readonly reason: LedgerReason;
  /** The order, trade or other thing that it belongs to. */
  readonly reference: number;
  /** Account keys, and beside each the signed change in smallest units of its asset. */
  readonly accounts: readonly number[];
  readonly amounts: readonly bigint[];
}
