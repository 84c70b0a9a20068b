/** What an operator sees of a client's balances, orders, positions and payments, by example. */
import { LOCALES } from '@cambist/contract/locales.ts';
import { createExchange, type FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import { BTC_PERPETUAL } from '@cambist/core/simulation/markets.ts';
import { ALICE, BOB, TradingFloor } from '@cambist/core/simulation/trading-floor.ts';
import { SELL } from '@cambist/core/terms/order-terms.ts';
import { expect, it } from 'vitest';
import { type HoldingsDeps, holdingsOf } from './holdings.ts';

const MARKET = BTC_PERPETUAL.id;
const USD = 1_000_000n;

it('what a client has is listed by wallet and coin, orders and payments newest first', async () => {
  const floor = new TradingFloor(createExchange);
  for (const owner of [ALICE, BOB]) floor.moveToFutures(owner, 100n * USD);
  floor.index(10_000, MARKET);
  floor.sell({ market: MARKET, owner: BOB, price: 10_000, quantity: 50 });
  floor.buy({ market: MARKET, owner: ALICE, price: 10_000, quantity: 50 });
  expect(floor.sell({ market: MARKET, owner: ALICE, price: 11_000, quantity: 20, reduceOnly: true })).toBe('OK');
  const stop = { side: SELL, source: 'mark', quantity: 0, quoteTotal: 0n, stop: { trigger: 9_500, price: 0 } } as const;
  expect(floor.place({ ...stop, market: MARKET, owner: ALICE, reduceOnly: true })).toBe('OK');
  const payment = { id: '1', coin: 'BTC', network: 'BTC' };
  const deps = {
    view: floor.exchange as FastExchange,
    deposits: { list: async () => [{ ...payment, date: 5, recharge_amount: '1', state: 'CREDITED' }] },
    withdrawals: { list: async () => [{ ...payment, date: 9, withdraw_amount: '2', stage: 'SETTLED' }] },
  } as unknown as HoldingsDeps;
  const { balances, orders, positions, payments } = await holdingsOf(deps, ALICE, LOCALES[0]);
  expect(new Set(balances.map(({ wallet }) => wallet))).toEqual(new Set(['SPOT', 'FUTURE']));
  expect(balances.every(({ available, reserved }) => Number(available) > 0 || Number(reserved) > 0)).toBe(true);
  expect(orders.map(({ kind, side, filled }) => [kind, side, Number(filled)])).toEqual([
    ['conditional', 'SELL', 0],
    ['limit', 'SELL', 0],
  ]);
  expect(positions).toMatchObject([{ pair: BTC_PERPETUAL.symbol, side: 'LONG', margin_mode: 'cross' }]);
  expect(payments.map(({ kind, at, state }) => [kind, at, state])).toEqual([
    ['withdrawal', 9, 'SETTLED'],
    ['deposit', 5, 'CREDITED'],
  ]);
});
