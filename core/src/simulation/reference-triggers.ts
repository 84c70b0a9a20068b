/** What untriggered orders of the reference exchange wait for. */
import { divCeil, divFloor } from '../money/rounding.ts';
import type { TriggeredLeg } from '../orders/conditional/conditional-order.ts';
import { SELL } from '../terms/order-terms.ts';
import type { UntriggeredRecord } from './reference-state.ts';

interface Crossed {
  readonly order: UntriggeredRecord;
  readonly purpose: TriggeredLeg | 'activation';
  readonly trigger: number;
}

/** What an order waits for as the price falls, or as it rises. */
export function triggersOf(order: UntriggeredRecord, falls: boolean): Crossed[] {
  const sells = order.side === SELL;
  const crossed: Crossed[] = [];
  const { takeProfit, stop, trailing, best } = order;
  if (takeProfit !== undefined && sells !== falls) {
    crossed.push({ order, purpose: 'take-profit', trigger: takeProfit.trigger });
  }
  if (stop !== undefined && sells === falls) crossed.push({ order, purpose: 'stop', trigger: stop.trigger });
  if (trailing === undefined) return crossed;
  if (best === 0) {
    if (sells !== falls) crossed.push({ order, purpose: 'activation', trigger: trailing.activation });
  } else if (sells === falls) {
    crossed.push({ order, purpose: 'trailing', trigger: comebackOf(order) });
  }
  return crossed;
}

function comebackOf({ side, best, trailing }: UntriggeredRecord): number {
  const { callbackPpm, callbackTicks } = trailing!;
  const sign = side === SELL ? -1 : 1;
  if (callbackTicks > 0) return best + sign * callbackTicks;
  const scaled = BigInt(best) * BigInt(1_000_000 + sign * callbackPpm);
  return Number(side === SELL ? divFloor(scaled, 1_000_000n) : divCeil(scaled, 1_000_000n));
}
