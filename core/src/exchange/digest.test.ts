import { describe, expect, it } from 'vitest';
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import { BTC_PERPETUAL, listing, USDT } from '../simulation/markets.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import type { Command } from './command.ts';
import { createExchange } from './create-exchange.ts';
import { digestOf } from './digest.ts';

const [ALICE, BOB] = [1_000, 1_001];
const FUNDS = 10_000_000_000n;
const market = BTC_PERPETUAL.id;

const order = (orderId: number, owner: number, side: Side, price: number, quantity: number): Command => ({
  ...{ kind: 'place-order', orderId, owner, market, side, type: 'limit', timeInForce: 'GTC', price, quantity },
  ...{ quoteTotal: 0n, selfTrade: 'CANCEL_OLDEST' },
});

/** Each a batch: positions are opened, reduced, turned around by one trade and by two, touched by a leverage, and closed. */
const BATCHES: readonly (readonly Command[])[] = [
  [{ kind: 'set-index-price', market, price: 10_000 }],
  [order(1, ALICE, BUY, 10_000, 50), order(2, BOB, SELL, 9_990, 80)],
  [{ kind: 'set-leverage', owner: ALICE, market, leverage: 20, isIsolated: false }],
  [order(3, BOB, BUY, 10_010, 20), order(4, ALICE, SELL, 10_000, 120), order(5, BOB, BUY, 10_005, 60)],
  [order(6, ALICE, BUY, 10_020, 500), { kind: 'cancel-order', owner: ALICE, orderId: 6 }],
  [order(7, ALICE, BUY, 10_000, 5), order(8, BOB, SELL, 10_000, 5)],
];

describe('the digest of a batch', () => {
  it('counts a position that has changed as the object that it was in the first journals', () => {
    const exchange = createExchange();
    for (const command of listing([BTC_PERPETUAL])) exchange.apply(0, command);
    for (const owner of [ALICE, BOB])
      exchange.restoreBalance(accountKey(owner, Wallet.FUTURE, Bucket.AVAILABLE, USDT.id), FUNDS);
    exchange.takeEvents();
    const digests = BATCHES.map((commands, index) => {
      const outcomes = commands.map((command) => exchange.apply(1_700_000_000_000 + index, command));
      expect(outcomes.every(({ ok }) => ok)).toBe(true);
      const batch = exchange.takeBatch();
      const digest = digestOf(outcomes, batch, exchange.counters());
      exchange.recycle(batch);
      return digest;
    });
    // Of the version that made an object for each change.
    expect(digests).toEqual([
      ...['245a85bc8369f915', '845daffdf4a7fad1', '05ad1a506054e968'],
      ...['cd89824a306dcdfe', '0199b0fe2b5c714f', '6c74884e6ef61406'],
    ]);
  });
});
