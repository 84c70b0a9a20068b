/** Which pair's open orders the list shows, and which of them Cancel all ends. */
import type { Order } from '@cambist/contract/trading.ts';
import { create } from 'zustand';
import { kindOf, type MarketKind } from '../../../lib/market/pairs.ts';

interface OpenFilter {
  /** Empty for every pair. */
  readonly pair: string;
  choose(pair: string): void;
}

export const useOpenFilter = create<OpenFilter>()((set) => ({ pair: '', choose: (pair) => set({ pair }) }));

/** The chosen pair, in the terminal of its market alone; empty for every pair. */
export const filterIn = (market: MarketKind, pair: string): string =>
  pair !== '' && kindOf(pair) === market ? pair : '';

export const pairOf = ({ coin_pair: { pair_name: name } }: Order): string => name;

/** In the order of the alphabet. The chosen one is among them when its last order has ended. */
export const pairsOf = (orders: readonly Order[], chosen: string): string[] =>
  [...new Set([...orders.map(pairOf), ...(chosen === '' ? [] : [chosen])])].sort();

export type SideScope = 'both' | 'BUY' | 'SELL';

interface Scope {
  /** Empty for every pair. */
  readonly pair: string;
  readonly side: SideScope;
}

/** Those that the same limits of the call end. */
export const ordersIn = (orders: readonly Order[], { pair, side }: Scope): Order[] =>
  orders.filter(
    (order) => (pair === '' || pairOf(order) === pair) && (side === 'both' || order.delegate_type === side),
  );
