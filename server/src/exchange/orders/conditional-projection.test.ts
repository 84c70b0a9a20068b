/** What a run of batches gathers of trailing orders. */
import type { UntriggeredOrder } from '@cambist/core/orders/conditional/conditional-order.ts';
import type { OneConditionalEvent } from '@cambist/core/orders/order-view.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import { describe, expect, it, vi } from 'vitest';
import { addMove, addUntriggered, emptyRun } from './conditional-projection.ts';

const TRAILING = { callbackPpm: 1_000, callbackTicks: 0, activation: 0 };

function order(orderId: number, terms: Partial<UntriggeredOrder> = {}): UntriggeredOrder {
  const size = { quantity: 1, quoteTotal: 0n, timeInForce: 'GTC', selfTrade: 'CANCEL_OLDEST' } as const;
  const legs = { takeProfit: undefined, stop: undefined, trailing: TRAILING };
  return {
    orderId,
    owner: 100,
    market: 1,
    side: SELL,
    source: 'last',
    ...size,
    ...legs,
    createdAt: 1,
    best: 500,
    ...terms,
  };
}
const untriggered = (one: UntriggeredOrder): OneConditionalEvent => {
  return { kind: 'order-untriggered', order: one, held: 0n, time: 1 };
};
const triggered = (one: UntriggeredOrder): OneConditionalEvent => {
  return { kind: 'order-triggered', order: one, leg: 'stop', price: 9, held: 0n, time: 2 };
};
const moved = (best: number, terms: { side?: typeof SELL | typeof BUY; market?: number } = {}) => {
  return { kind: 'trailing-moved', market: 1, side: SELL, source: 'last', best, time: 2, ...terms } as const;
};

describe('the best price of trailing orders in a run', () => {
  it('is that of the moves since they were placed, of their own market, side and source, and never worse', () => {
    const run = emptyRun();
    addUntriggered(run, untriggered(order(1)));
    addMove(run, moved(510));
    addUntriggered(run, untriggered(order(2, { best: 505 })));
    addMove(run, moved(508));
    addMove(run, moved(900, { market: 2 }));
    addMove(run, moved(100, { side: BUY }));
    const best = [...run.changes.values()].map((change) => change.order.best);
    expect(best).toEqual([510, 508]);
    expect([...run.moves.values()].map((move) => move.best)).toEqual([510, 900, 100]);
  });

  it('of one that was triggered stays where it was', () => {
    const run = emptyRun();
    addUntriggered(run, untriggered(order(1)));
    addUntriggered(run, triggered(order(1)));
    addMove(run, moved(510));
    expect(run.changes.get(1)!.order.best).toBe(500);
  });

  it('is brought up to date without a look at what else the run has changed, which may be all that a crash triggers', () => {
    const run = emptyRun();
    for (let orderId = 1; orderId <= 100; orderId += 1) addUntriggered(run, triggered(order(orderId, { best: 0 })));
    const looked = vi.spyOn(run.changes, 'values');
    for (let price = 501; price <= 600; price += 1) addMove(run, moved(price));
    expect(looked).not.toHaveBeenCalled();
    expect(run.followers.size).toBe(0);
  });
});
