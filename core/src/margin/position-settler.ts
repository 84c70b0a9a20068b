/**
 * Ends the positions of a market that is to be delisted: all at one price, longs against shorts, so that as many lots are long as
 * short after each command, and clearing always holds what all positions have won.
 */
import type { AccountTable } from '../ledger/account-table.ts';
import type { MarketBook } from '../orders/market-book.ts';
import { NET } from '../terms/order-terms.ts';
import { OK, type Outcome, refused } from '../terms/outcome.ts';
import type { SettlePositions } from './commands.ts';
import type { Holding } from './holding.ts';
import type { Margins } from './margins.ts';
import { type Direction, LONG, SHORT } from './perpetual.ts';

/** Positions of a side that one command may end, at most. */
export const MAXIMUM_SETTLED = 1_000;

export interface SettlerDeps {
  readonly accounts: AccountTable;
  readonly margins: Margins;
  readonly find: (market: number) => MarketBook | undefined;
  /** Conditional orders and TWAPs of a market. */
  readonly waitingIn: (market: number) => number;
}

export class PositionSettler {
  readonly #deps: SettlerDeps;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  settle({ market: id, price, maximum }: SettlePositions): Outcome {
    const market = this.#deps.find(id);
    if (market === undefined) return refused('UNKNOWN_MARKET');
    const { perpetual } = market;
    if (perpetual === undefined) return refused('INVALID_MARKET');
    if (!market.halted || market.hasResting || this.#deps.waitingIn(id) > 0) return refused('MARKET_NOT_EMPTY');
    if (!Number.isInteger(price) || price < 1 || price > market.maximumTicks) return refused('INVALID_PRICE');
    if (!Number.isInteger(maximum) || maximum < 1 || maximum > MAXIMUM_SETTLED) return refused('INVALID_QUANTITY');
    const [longs, shorts] = [this.#first(market, LONG, maximum), this.#first(market, SHORT, maximum)];
    let [long, short] = [0, 0];
    while (long < longs.length && short < shorts.length) {
      const [one, other] = [longs[long]!, shorts[short]!];
      const lots = Math.min(one.position!.lots, other.position!.lots);
      perpetual.closeAgainst(one, other, price, lots, 'settlement');
      if (one.position === undefined) long += 1;
      if (other.position === undefined) short += 1;
    }
    return OK;
  }

  /** The positions of the lowest owners: numbers are sorted, as holdings are in no order. An owner has one of a direction at most. */
  #first({ index }: MarketBook, direction: Direction, most: number): Holding[] {
    const { accounts, margins } = this.#deps;
    const open = margins.holdings.open(index, direction);
    const owners = Float64Array.from(open, ({ owner }) => accounts.ownerNumber(owner)).sort();
    return Array.from(owners.subarray(0, most), (number) => {
      const owner = accounts.findOwner(number);
      const net = margins.holdings.find(owner, index, NET);
      return net?.position === undefined ? margins.holdings.find(owner, index, direction)! : net;
    });
  }
}
