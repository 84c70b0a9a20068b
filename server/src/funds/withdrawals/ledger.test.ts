/** What a client has, as withdrawals count it while a deposit may still be undone. */
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { BTC_PERPETUAL, USDT } from '@cambist/core/simulation/markets.ts';
import { ALICE, BOB, TradingFloor } from '@cambist/core/simulation/trading-floor.ts';
import { expect, it } from 'vitest';
import { createWithdrawalLedger } from './ledger.ts';

const MARKET = BTC_PERPETUAL.id;
const PRICE = 640_000;

it('counts what open positions have lost as gone, and what they have won as not there yet', () => {
  const exchange = createExchange();
  const floor = new TradingFloor(() => exchange);
  const engine = { exchange, sequencer: {} } as unknown as Parameters<typeof createWithdrawalLedger>[0];
  const { holdings } = createWithdrawalLedger(engine);
  const has = (owner: number) => holdings(owner).get(USDT.id)!;
  for (const owner of [ALICE, BOB]) floor.moveToFutures(owner, 100_000_000_000n);
  floor.index(PRICE, MARKET);
  floor.sell({ owner: BOB, market: MARKET, price: PRICE, quantity: 10 });
  expect(floor.buy({ owner: ALICE, market: MARKET, price: PRICE, quantity: 10 })).toBe('OK');
  const [alice, bob] = [has(ALICE), has(BOB)];
  floor.index(PRICE - 10_000, MARKET);
  const lost = 10_000n * 10n * 100n;
  expect(exchange.marginWalletOf(ALICE, USDT.id).profit).toBe(-lost);
  expect([has(ALICE), has(BOB)]).toEqual([alice - lost, bob]);
});
