/** What the account that took in a simulated market does in one that is not. */
import { HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import { BUY } from '@cambist/core/terms/order-terms.ts';
import { expect, it } from 'vitest';
import type { ExchangeView, Submission } from '../engine/feed.ts';
import type { MarketInfo } from '../instruments/service.ts';
import { createRandom, type MarketData } from '../market-data/service.ts';
import { Taker } from './taker.ts';
import { fixedReference } from './test-house.ts';

const MARKET = 20;

it('closes at the price of now, and not at whatever a client asks in a book without quotes', () => {
  const sent: Submission[] = [];
  const taker = new Taker({
    sender: {
      async submit(command: Submission) {
        sent.push(command);
        return undefined;
      },
    },
    marketData: { ticker: () => ({ ask: [110_000, 50] }) } as unknown as Pick<MarketData, 'ticker'>,
    reference: fixedReference(new Map([[MARKET, 100_000]])),
    random: createRandom(1),
    view: {
      positionsOf: () => [{ market: MARKET, position: { direction: -1, lots: 40 } }],
    } as unknown as Pick<ExchangeView, 'positionsOf'>,
  });
  taker.leaveWhenDue({ spec: { id: MARKET, maximumLots: 30, perpetual: {} } } as MarketInfo, 100_000, 1_000_000);
  expect(sent).toEqual([
    expect.objectContaining({ owner: HOUSE_TAKER, side: BUY, price: 100_100, quantity: 30, reduceOnly: true }),
  ]);
});
