import { notional } from '@cambist/core/money/notional.ts';
import type { OrderView } from '@cambist/core/orders/order-view.ts';
import { BTC_USDT } from '@cambist/core/simulation/markets.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import { expect, it } from 'vitest';
import { describeOrder } from './describe.ts';

const filled = (fills: readonly (readonly [ticks: number, lots: number])[]): OrderView => {
  const quantity = fills.reduce((sum, [, lots]) => sum + lots, 0);
  return {
    ...{ orderId: 1, owner: 100, market: BTC_USDT.id, side: BUY, type: 'market', timeInForce: 'IOC' },
    ...{ selfTrade: 'CANCEL_NEWEST', price: 0, quantity, remaining: 0, quoteTotal: 0n, priority: 0, visible: 0 },
    filledValue: fills.reduce((sum, [ticks, lots]) => sum + notional(BTC_USDT, ticks, lots), 0n),
    ...{ hidden: 0, fee: 0n, credit: 0n, createdAt: 1, updatedAt: 1, status: 'filled', reason: 'NONE' },
    ...{ trigger: undefined, clientOrderId: undefined },
    ...{ exits: undefined, twap: undefined },
  };
};

it('states the average price to the nearest tick', () => {
  const averageOf = (...fills: readonly (readonly [number, number])[]) =>
    Number(describeOrder(BTC_USDT, filled(fills)).average_price) * 10 ** BTC_USDT.tickScale;
  expect(averageOf([640_000, 10])).toBeCloseTo(640_000, 6);
  expect(averageOf([640_000, 10], [640_001, 20])).toBeCloseTo(640_001, 6);
  expect(averageOf([640_000, 20], [640_001, 10])).toBeCloseTo(640_000, 6);
  expect(averageOf([640_000, 10], [640_001, 10])).toBeCloseTo(640_001, 6);
});
