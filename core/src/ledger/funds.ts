/** Commands that move money outside trading: one for each business event. Each becomes one ledger transaction. */

/** Development only: funds from the faucet, into the client's spot wallet. */
export interface CreditDevelopmentFunds {
  readonly kind: 'credit-development-funds';
  readonly owner: number;
  readonly asset: number;
  /** Smallest units, above zero. */
  readonly amount: bigint;
}

/** Capital that the operator puts behind the house maker or taker. */
export interface ProvideHouseCapital {
  readonly kind: 'provide-house-capital';
  readonly owner: number;
  readonly asset: number;
  readonly amount: bigint;
}

/** Fee credit (referral, rewards), in the quote asset; trading fees use it up first. */
export interface GrantFeeCredit {
  readonly kind: 'grant-fee-credit';
  readonly owner: number;
  readonly asset: number;
  readonly amount: bigint;
}

export type FundsCommand = CreditDevelopmentFunds | ProvideHouseCapital | GrantFeeCredit;
