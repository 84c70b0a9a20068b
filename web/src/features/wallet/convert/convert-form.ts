/** What a person has entered to convert, and how it changes. One side is always USDT. */

export const MONEY = 'USDT';

export interface ConvertEntry {
  readonly from: string;
  readonly to: string;
  /** As typed. */
  readonly fromAmount: string;
  /** As typed on the limit tab; undefined follows the market. */
  readonly toAmount: string | undefined;
}

export type ConvertAction =
  | { readonly kind: 'from'; readonly coin: string }
  | { readonly kind: 'to'; readonly coin: string }
  | { readonly kind: 'from-amount'; readonly amount: string }
  | { readonly kind: 'to-amount'; readonly amount: string }
  /** `toAmount` is what the screen shows there, typed or derived. */
  | { readonly kind: 'swap'; readonly toAmount: string }
  /** Another tab, whose other amount follows the market until it is typed. */
  | { readonly kind: 'tab' }
  | { readonly kind: 'sent' };

export const newEntry = (coin: string): ConvertEntry => withCoins(MONEY, coin);

export type Direction = 'BUY' | 'SELL';

export const directionOf = ({ from }: ConvertEntry): Direction => (from === MONEY ? 'BUY' : 'SELL');

export const coinOf = ({ from, to }: ConvertEntry): string => (from === MONEY ? to : from);

/** Another coin has other prices and other decimals; nothing that was typed for the last one holds. */
function withCoins(from: string, to: string): ConvertEntry {
  return { from, to, fromAmount: '', toAmount: undefined };
}

export function convertReducer(entry: ConvertEntry, action: ConvertAction): ConvertEntry {
  switch (action.kind) {
    case 'from':
      if (action.coin === entry.from) return entry;
      // USDT cannot be on both sides, and one side is USDT.
      return action.coin === MONEY ? withCoins(MONEY, entry.from) : withCoins(action.coin, MONEY);
    case 'to':
      if (action.coin === entry.to) return entry;
      return action.coin === MONEY ? withCoins(entry.to, MONEY) : withCoins(MONEY, action.coin);
    case 'from-amount':
      return { ...entry, fromAmount: action.amount };
    case 'to-amount':
      return { ...entry, toAmount: action.amount };
    case 'swap':
      return { from: entry.to, to: entry.from, fromAmount: action.toAmount, toAmount: entry.fromAmount };
    case 'tab':
      return { ...entry, toAmount: undefined };
    case 'sent':
      return withCoins(entry.from, entry.to);
  }
}
