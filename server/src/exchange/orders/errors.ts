/** Why an order was refused, as codes that programs read and sentences that people read. */
import { msg } from '@cambist/contract/locales.ts';
import { MAXIMUM_FLOOR_PERCENT, MINIMUM_TARGET_PERCENT } from '@cambist/core/margin/term.ts';
import type { ParseError } from '@cambist/core/money/amount.ts';
import type { RejectReason } from '@cambist/core/terms/outcome.ts';
import type { Refusal } from '../../platform/calls.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';

export type OrderError =
  /** With the bound that it was beyond, where it is one of the market. */
  | {
      readonly kind: 'rejected';
      readonly reason: RejectReason;
      readonly bound?: LocalizedText | undefined;
      /** Of a market that pauses: when it goes on, ms. */
      readonly resumesAt?: number | undefined;
    }
  | { readonly kind: 'unknown-pair'; readonly name: string }
  | { readonly kind: 'invalid-field'; readonly field: string; readonly detail: LocalizedText }
  | { readonly kind: 'order-not-found' }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'password-required' }
  | { readonly kind: 'wrong-password' }
  | { readonly kind: 'hedge-mode' }
  | { readonly kind: 'too-large-to-reverse' }
  /** The account was frozen since the call was admitted, or its owner owes a reversed deposit. */
  | { readonly kind: 'shut-out'; readonly refusal: Refusal }
  /** Nothing was done. */
  | { readonly kind: 'not-accepted'; readonly retryAfterSeconds: number }
  /** It may have been done. */
  | { readonly kind: 'outcome-unknown' };

const rejectDetails: Readonly<Record<RejectReason, string>> = {
  DUPLICATE_ID: msg('This order id was used before.'),
  UNKNOWN_MARKET: msg('There is no such pair.'),
  MARKET_HALTED: msg('Trading in this pair is halted. Open orders can be cancelled.'),
  MARKET_PAUSED: msg('This pair pauses, since its price has moved to the end of its band. Orders can be cancelled.'),
  MARKET_CLOSE_ONLY: msg(
    'This pair will be delisted. Only orders that sell the coin or reduce a position are accepted.',
  ),
  INVALID_PRICE: msg('The price is outside what this pair accepts.'),
  INVALID_QUANTITY: msg('The quantity is outside what this pair accepts.'),
  BELOW_MINIMUM_SIZE: msg('The quantity is below the smallest of this pair.'),
  ABOVE_MAXIMUM_SIZE: msg('The quantity is above the largest of this pair.'),
  BELOW_MINIMUM_NOTIONAL: msg('The order is worth less than the smallest order of this pair.'),
  PRICE_OUTSIDE_BAND: msg('The price is too far from the reference price.'),
  INSUFFICIENT_FUNDS: msg('Your available balance does not cover this order.'),
  WOULD_TAKE: msg('A post-only order may not trade at once; this one would.'),
  NOT_FILLABLE: msg('The book cannot fill this order completely now.'),
  NO_LIQUIDITY: msg('The book has nothing this order could trade with.'),
  PRICE_MOVED: msg('The price has moved by more than you allowed. Nothing was done.'),
  ONLY_OWN_ORDERS: msg('The only orders that this one could trade with are your own.'),
  ORDER_NOT_FOUND: msg('There is no such open order.'),
  NOTHING_TO_AMEND: msg('Nothing would change.'),
  INVALID_AMOUNT: msg('The amount is outside what an account can hold.'),
  INVALID_FEE: msg('The fee is out of range.'),
  ALREADY_TRADED: msg('This pair has traded already.'),
  ACCOUNT_LIMIT: msg('The account cannot hold more open orders.'),
  INVALID_TRIGGER: msg('The trigger is not one that this order can have.'),
  WOULD_TRIGGER: msg(
    'The price has already been reached, so this order would trigger immediately. For a sell, the stop is below the price and the take profit above it; for a buy, the other way round.',
  ),
  NO_PRICE: msg('This pair has no such price to watch yet.'),
  UNTRIGGERED_LIMIT: msg('This pair takes no more untriggered orders. Cancel one first.'),
  UNKNOWN_ASSET: msg('There is no such coin.'),
  INVALID_MARKET: msg('The terms of this pair are not valid.'),
  MARKET_DELISTED: msg('This pair is no longer traded.'),
  MARKET_NOT_EMPTY: msg('The pair must be halted and without orders first.'),
  INVALID_TRANSFER: msg('This transfer is not possible.'),
  TRANSFER_NOT_FOUND: msg('There is no such pending transfer.'),
  OUT_OF_SEQUENCE: msg('Commands arrived out of order.'),
  INVALID_CLIENT_ORDER_ID: msg('A client order id has 1 to 36 letters, digits, hyphens and underscores'),
  DUPLICATE_CLIENT_ORDER_ID: msg('Another open order of yours has this client order id.'),
  INVALID_TAKE_PROFIT: msg('A take-profit must be above the price of a buy, or below the price of a sell.'),
  INVALID_VISIBLE_QUANTITY: msg(
    'The visible quantity must be at least the smallest order of this pair, a hundredth of the whole or more, and less than the whole, on a limit order that stays in the book.',
  ),
  INVALID_SCHEDULE: msg('A TWAP lasts 5 seconds to 24 hours, in 2 to 1,000 slices that are at least a second apart.'),
  SLICE_BELOW_MINIMUM: msg(
    'Each slice of a TWAP must be at least the smallest order of this pair. Use fewer slices or a larger amount.',
  ),
  NOT_AMENDABLE: msg('A TWAP can’t be changed. Cancel it and place another one.'),
  ABOVE_RISK_LIMIT: msg(
    'Your position and its open orders would be larger than your leverage allows. Use less leverage or a smaller order.',
  ),
  NOTHING_TO_CLOSE: msg('There is nothing left to close: you have no such position, or open orders close all of it.'),
  INVALID_LEVERAGE: msg('The leverage is a whole number from 1 to the highest of this market.'),
  POSITION_OPEN: msg('Close your position in this market first.'),
  ORDERS_OPEN: msg('Cancel your open orders in this market first.'),
  NO_POSITION: msg('You have no position with a margin of its own in this market.'),
  SPOT_ONLY: msg('This kind of order is for spot markets.'),
  EXITS_NEED_ENTRY: msg('An order that only reduces a position can’t have a take-profit or stop-loss of its own.'),
  NO_INDEX: msg('The index price is not known at the moment: positions can be closed, not opened.'),
  POSITION_SIDE_MISMATCH: msg(
    'In hedge mode an order names the long or the short position; in one-way mode there is only one.',
  ),
  BELOW_MAINTENANCE: msg(
    'At the mark price, what this order opens would be liquidated at once. Use a better price, less leverage or a smaller order.',
  ),
  TERM_RUNNING: msg('This position has a term that hasn’t ended, and neither its target nor its floor is reached.'),
  INVALID_TERM: msg(
    'A term needs an order that opens a position at once, with a target of at least {{target}}% and a floor of at most {{floor}}% of its initial margin.',
  ),
  INVALID_STOP_LOSS: msg('A stop-loss must be below the price of a buy, or above the price of a sell.'),
};

const rejectValues: Partial<Record<RejectReason, LocalizedText['values']>> = {
  INVALID_TERM: { target: String(MINIMUM_TARGET_PERCENT), floor: String(MAXIMUM_FLOOR_PERCENT) },
};

export function rejectDetail(reason: RejectReason): LocalizedText {
  const values = rejectValues[reason];
  return { text: rejectDetails[reason], ...(values && { values }) };
}

/** Why a text is no amount with so many decimals. */
export function amountProblem(error: ParseError, scale: number): LocalizedText {
  switch (error) {
    case 'EMPTY':
      return say('Amount is required');
    case 'TOO_MANY_DECIMALS':
      return say('Use at most {{scale}} decimal places', { scale });
    case 'OVERFLOW':
      return say('The number is too large');
    case 'MALFORMED':
      return say('Enter a plain decimal number such as 0.25');
  }
}
