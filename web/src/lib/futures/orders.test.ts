/** The largest order that the form offers, against the engine that is asked for it. */
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { perpetualTerms } from '@cambist/core/margin/perpetual.ts';
import { ETH_PERPETUAL, USDT } from '@cambist/core/simulation/markets.ts';
import { Random } from '@cambist/core/simulation/random.ts';
import { ALICE, BOB, TradingFloor } from '@cambist/core/simulation/trading-floor.ts';
import { expect, it } from 'vitest';
import { affordable, type Open } from './orders.ts';
import type { MarketTerms } from './terms.ts';

const MARKET = ETH_PERPETUAL.id;
const USD = 1_000_000n;
const market: MarketTerms = {
  terms: perpetualTerms(ETH_PERPETUAL, ETH_PERPETUAL.perpetual!),
  ...{ priceScale: ETH_PERPETUAL.tickScale, quantityScale: ETH_PERPETUAL.lotScale },
};

/** Alice's position, if any, at a leverage, and a bid of Bob's that a sell may meet. */
function stage(random: Random) {
  const floor = new TradingFloor(createExchange);
  const mark = random.between(9_000, 11_000);
  const leverage = random.pick([2, 3, 5, 10]);
  const isIsolated = random.between(0, 1) === 1;
  floor.moveToFutures(BOB, 100_000n * USD);
  floor.moveToFutures(ALICE, BigInt(random.between(20_000_000, 150_000_000)));
  floor.index(mark, MARKET);
  floor.verdict({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage, isIsolated, movesReserves: true });
  const held = random.pick([undefined, 'BUY', 'SELL'] as const);
  if (held !== undefined) {
    const terms = { market: MARKET, price: mark, quantity: random.between(2, 100) };
    if (held === 'BUY') {
      floor.sell({ ...terms, owner: BOB });
      floor.buy({ ...terms, owner: ALICE });
    } else {
      floor.buy({ ...terms, owner: BOB });
      floor.sell({ ...terms, owner: ALICE });
    }
  }
  const bid = random.pick([0, mark - random.between(1, 60), mark + random.between(1, 60)]);
  if (bid > 0) expect(floor.buy({ market: MARKET, owner: BOB, price: bid, quantity: 400 })).toBe('OK');
  const position = floor.position(ALICE, MARKET)?.position;
  const open: Open | undefined = position && { position, isIsolated };
  return { floor, mark, leverage, bid, open };
}

it('is taken by the engine, and a lot more is not, at prices on both sides of the mark', () => {
  const random = new Random(46);
  for (let turn = 0; turn < 300; turn += 1) {
    const { floor, mark, leverage, bid, open } = stage(random);
    const side = random.pick(['BUY', 'SELL'] as const);
    const ticks = mark + random.between(-60, 60);
    const free = floor.exchange.freeOf(ALICE, USDT.id);
    const most = affordable(market, { side, ticks, leverage, mark, bid }, free, open);
    const place = (quantity: number) =>
      floor[side === 'BUY' ? 'buy' : 'sell']({ market: MARKET, price: ticks, quantity });
    const facts = { turn, side, ticks, mark, bid, leverage, open, most, free };
    expect({ ...facts, answer: place(most + 1) }).toEqual({ ...facts, answer: 'INSUFFICIENT_FUNDS' });
    if (most > 0) expect({ ...facts, answer: place(most) }).toEqual({ ...facts, answer: 'OK' });
  }
});
