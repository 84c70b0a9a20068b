/** Why an order was refused, as codes that programs read and sentences that people read. */
import type { RejectReason } from '@cambist/core/exchange/command.ts';

export type OrderError =
  | { readonly kind: 'rejected'; readonly reason: RejectReason }
  | { readonly kind: 'unknown-pair'; readonly name: string }
  | { readonly kind: 'invalid-field'; readonly field: string; readonly detail: string }
  | { readonly kind: 'order-not-found' }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'password-required' }
  | { readonly kind: 'wrong-password' };

export const rejectDetails: Readonly<Record<RejectReason, string>> = {
  DUPLICATE_ID: 'This order id was used before.',
  UNKNOWN_MARKET: 'There is no such pair.',
  MARKET_HALTED: 'Trading in this pair is halted. Open orders can be cancelled.',
  INVALID_PRICE: 'The price is outside what this pair accepts.',
  INVALID_QUANTITY: 'The quantity is outside what this pair accepts.',
  BELOW_MINIMUM_SIZE: 'The quantity is below the smallest of this pair.',
  ABOVE_MAXIMUM_SIZE: 'The quantity is above the largest of this pair.',
  BELOW_MINIMUM_NOTIONAL: 'The order is worth less than the smallest order of this pair.',
  PRICE_OUTSIDE_BAND: 'The price is too far from the last price.',
  INSUFFICIENT_FUNDS: 'Your available balance does not cover this order.',
  WOULD_TAKE: 'A post-only order may not trade at once; this one would.',
  NOT_FILLABLE: 'The book cannot fill this order completely now.',
  NO_LIQUIDITY: 'Nobody is offering anything that this order could trade with.',
  ORDER_NOT_FOUND: 'There is no such open order.',
  NOTHING_TO_AMEND: 'Nothing would change.',
  INVALID_AMOUNT: 'The amount is outside what an account can hold.',
  INVALID_FEE: 'The fee is out of range.',
  ALREADY_TRADED: 'This pair has traded already.',
  ACCOUNT_LIMIT: 'The account cannot hold more open orders.',
  INVALID_TRIGGER: 'The trigger is not one that this order can have.',
  WOULD_TRIGGER:
    "The price is there already, so this order would fire at once. A sell's stop stands below the price and its take-profit above; a buy's the other way round.",
  NO_PRICE: 'This pair has no such price to watch yet.',
  WAITING_LIMIT: 'No more orders can wait in this pair. Cancel one first.',
};
