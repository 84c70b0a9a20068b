/** Settling of a perpetual in the reference exchange: the lowest owner of each side, one lot after another side's lot, until enough. */
import type { SettlePositions } from '../margin/commands.ts';
import { LONG, SHORT } from '../margin/perpetual.ts';
import { maximumTicks } from '../money/notional.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import type { ReferencePerpetuals } from './reference-perpetuals.ts';
import { isWithin, type Refusal } from './reference-rules.ts';
import type { ReferenceState } from './reference-state.ts';

export class ReferenceSettling {
  readonly #state: ReferenceState;
  readonly #perpetuals: ReferencePerpetuals;

  constructor(state: ReferenceState, perpetuals: ReferencePerpetuals) {
    this.#state = state;
    this.#perpetuals = perpetuals;
  }

  settle(time: number, { market: id, price, maximum }: SettlePositions): Refusal {
    const market = this.#state.market(id);
    if (market === undefined) return 'UNKNOWN_MARKET';
    const { spec, state } = market;
    if (spec.perpetual === undefined) return 'INVALID_MARKET';
    const orders = [...this.#state.orders, ...this.#state.untriggered, ...this.#state.twaps];
    if (!state.halted || orders.some((order) => order.market === id)) return 'MARKET_NOT_EMPTY';
    if (!isWithin(price, 1, maximumTicks(spec))) return 'INVALID_PRICE';
    if (!isWithin(maximum, 1, 1_000)) return 'INVALID_QUANTITY';
    let left = { longs: maximum, shorts: maximum };
    while (left.longs > 0 && left.shorts > 0) {
      const [long, short] = [this.#lowest(id, LONG), this.#lowest(id, SHORT)];
      if (long === undefined || short === undefined) return undefined;
      const lots = Math.min(long.position!.lots, short.position!.lots);
      const [seller, buyer] = [
        { owner: long.owner, side: SELL, leg: long.leg } as const,
        { owner: short.owner, side: BUY, leg: short.leg } as const,
      ];
      for (const one of [seller, buyer]) this.#perpetuals.move(time, spec, one, price, lots, 0n, 0n, 'settlement');
      left = {
        longs: left.longs - (long.position!.lots === lots ? 1 : 0),
        shorts: left.shorts - (short.position!.lots === lots ? 1 : 0),
      };
    }
    return undefined;
  }

  #lowest(market: number, direction: number) {
    const open = this.#state.holdings.filter((one) => one.market === market && one.position?.direction === direction);
    return open.sort((one, other) => one.owner - other.owner)[0];
  }
}
