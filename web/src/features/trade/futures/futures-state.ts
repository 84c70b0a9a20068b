/** What the form of a perpetual is computed from, and what it sums an order up to. */
import type { FuturesPosition, PositionSide, TermOffer } from '@cambist/contract/futures.ts';
import type { OppositeLeg } from '@cambist/core/margin/thresholds.ts';
import type { Decimal } from '../../../lib/decimal.ts';
import type { MarketTerms } from '../../../lib/futures/terms.ts';
import type { Impact } from '../../../lib/order-book/market-impact.ts';
import type { OrderContext } from '../ticket/order-summary.ts';

/** The term of the next position as it was typed. */
export interface TermEntry {
  /** Undefined for a position that may be closed at any time. */
  readonly days: number | undefined;
  /** USDT as typed. */
  readonly target: string;
  /** The same; empty for none. */
  readonly floor: string;
}

/** The position that orders are of, and what was chosen for it. */
export interface FuturesLeg {
  readonly leverage: number;
  readonly isIsolated: boolean;
  readonly position: FuturesPosition | undefined;
  /** Units of what backs a cross position beside its own profit; undefined while it is not known. */
  readonly crossBacking: bigint | undefined;
  /** What its open orders that may open something are worth, in the wallet's units. */
  readonly ordered: Readonly<Record<'BUY' | 'SELL', bigint>>;
  /** The other cross leg of hedge mode. */
  readonly opposite?: OppositeLeg | undefined;
}

/** What of a perpetual and of the person's wallet is known beside the figures of every market. */
export interface FuturesState extends FuturesLeg {
  readonly market: MarketTerms;
  /** In hedge mode: a buy is of the long one, a sell of the short one, and one that only reduces of the other. */
  readonly legs?: Readonly<Record<PositionSide, FuturesLeg>> | undefined;
  /** The terms that a position may be bound to, and what was chosen of them for the next one. */
  readonly offer?: TermOffer | undefined;
  readonly term?: TermEntry | undefined;
  /** Of the leg, once it is known which. */
  readonly positionSide?: PositionSide | undefined;
  readonly maximumLeverage: number;
  /** Whether the exchange's form offers to open a short position. */
  readonly sellsEmpty: boolean;
  /** USDT that may be ordered with; undefined while it is not known. */
  readonly free: string | undefined;
}

export interface FuturesContext extends OrderContext {
  readonly marks: NonNullable<OrderContext['marks']>;
  readonly futures: FuturesState;
}

export interface FuturesSummary {
  readonly lots: number;
  /** What the order is counted at: its price, or at market what the book would fill. Undefined while there is no price. */
  readonly ticks: number | undefined;
  readonly value: Decimal | undefined;
  /** Of a market order. */
  readonly impact: Impact | undefined;
  /** What must be free for the order; nothing for one that only reduces. */
  readonly cost: Decimal | undefined;
  /** At the taker's rate. */
  readonly fee: Decimal | undefined;
  readonly maximumLots: number;
}
