/** What the terminals differ in: which markets they list, and what stands in the panels that are not the same in all. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import type { Chart } from 'klinecharts';
import { type ComponentType, createContext, useContext } from 'react';
import { type MarketKind, type PairList, usePairList } from '../../lib/market/pairs.ts';
import type { TicketKind } from './ticket/ticket-kind.ts';

export interface MarketProps {
  /** A perpetual has the same figures as a pair, under a name of its own. */
  readonly pair: CoinPair;
}

export interface ChartLinesProps extends MarketProps {
  readonly chart: Chart;
}

export interface Terminal {
  readonly market: MarketKind;
  readonly list: PairList;
  /** Of the screen, without the coin. */
  readonly path: string;
  /** In the fields that search for a market. */
  readonly searchHint: string;
  /** The day's figures of the header. */
  readonly Figures: ComponentType<MarketProps>;
  readonly ticketKind: TicketKind;
  readonly Account: ComponentType;
  /** Lines of the chart beside those of orders. */
  readonly ChartLines?: ComponentType<ChartLinesProps>;
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
