/** What the terminals differ in: which markets they list, and what stands in the panels that are not the same in all. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import { type PairList, usePairList } from '../../lib/market/pairs.ts';
import type { Side } from './ticket/ticket.ts';

export interface MarketProps {
  /** A perpetual has the same figures as a pair, under a name of its own. */
  readonly pair: CoinPair;
}

export interface TicketsProps extends MarketProps {
  readonly sides?: readonly Side[];
  /** To the left of the fields, where a sheet has room for the book. */
  readonly beside?: ReactNode;
}

export interface Terminal {
  readonly list: PairList;
  /** Of the screen, without the coin. */
  readonly path: string;
  /** In the fields that search for a market. */
  readonly searchHint: string;
  /** Whether the list to choose from is read page by page. */
  readonly isPaged: boolean;
  /** Whether orders may wait for a trigger, and prices raise alerts. */
  readonly hasTriggers: boolean;
  /** The day's figures of the header. */
  readonly Figures: ComponentType<MarketProps>;
  readonly Tickets: ComponentType<TicketsProps>;
  readonly Account: ComponentType;
  /** The arrangement of a phone. */
  readonly Phone: ComponentType<MarketProps>;
}

export const TerminalContext = createContext<Terminal | undefined>(undefined);

export function useTerminal(): Terminal {
  const terminal = useContext(TerminalContext);
  if (!terminal) throw new Error('A part of the terminal is outside of one');
  return terminal;
}

/** The markets among which the terminal chooses. */
export const useMarkets = () => usePairList(useTerminal().list);
