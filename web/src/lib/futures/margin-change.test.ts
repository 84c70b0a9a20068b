/** The price that the margin dialog shows beforehand, beside the engine's after the change. */
import type { FuturesPosition } from '@cambist/contract/futures.ts';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { LONG, notionalOf, requirement } from '@cambist/core/margin/perpetual.ts';
import { unrealised } from '@cambist/core/margin/position.ts';
import { BTC_PERPETUAL } from '@cambist/core/simulation/markets.ts';
import { ALICE, BOB, TradingFloor } from '@cambist/core/simulation/trading-floor.ts';
import { describe, expect, it } from 'vitest';
import { toText } from '../decimal.ts';
import { type Known, liquidationWithMargin } from './figures.ts';
import { priceText, usdt } from './terms.ts';

const MARKET = BTC_PERPETUAL.id;
const USD = 1_000_000n;
const [PRICE, LOTS] = [10_000, 500];

/** An isolated position of each side at x10, as the engine has it after a move of the mark. */
function openPosition(side: 'long' | 'short', mark: number) {
  const engine = createExchange();
  const floor = new TradingFloor(() => engine);
  for (const owner of [ALICE, BOB]) floor.moveToFutures(owner, 1_000n * USD);
  floor.index(PRICE, MARKET);
  floor.apply({ kind: 'set-leverage', owner: ALICE, market: MARKET, leverage: 10, isIsolated: true });
  const [buyer, seller] = side === 'long' ? [ALICE, BOB] : [BOB, ALICE];
  floor.sell({ owner: seller, market: MARKET, price: PRICE, quantity: LOTS });
  floor.buy({ owner: buyer, market: MARKET, price: PRICE, quantity: LOTS });
  floor.index(mark, MARKET);
  const view = () => engine.positionsOf(ALICE).find(({ market }) => market === MARKET)!;
  return { floor, view };
}

/** The same position as the page knows it. */
function asShown({ view }: ReturnType<typeof openPosition>): Known {
  const { position, margin, mark, funding: owed } = view();
  const { perpetual, tickScale: priceScale, lotScale: quantityScale } = BTC_PERPETUAL;
  const { takerPpm, tiers } = perpetual!;
  const market = { priceScale, quantityScale, terms: { unitsPerTickLot: 100n, takerPpm, tiers } };
  if (position === undefined) throw new Error('Nothing is open');
  const profit = unrealised(market.terms, position, mark);
  const required = requirement(market.terms, notionalOf(market.terms, mark, position.lots));
  const shown = { margin: toText(usdt(margin)), margin_mode: 'isolated' } as FuturesPosition;
  return { shown, market, position, mark, profit, owed, required };
}

describe('the liquidation price after a change of margin', () => {
  it.each([
    ['long', 10_000, 20n],
    ['long', 9_800, 500n],
    ['short', 9_700, 20n],
  ] as const)('is the engine’s: %s at a mark of %i ticks, %i USDT', (side, mark, first) => {
    const trade = openPosition(side, mark);
    const { view, floor } = trade;
    expect(view().position?.direction === LONG).toBe(side === 'long');
    // Added, then some of it taken out again.
    for (const change of [first * USD, -(first / 2n) * USD]) {
      const known = asShown(trade);
      const price = () => {
        const { liquidationPrice: ticks } = view();
        return ticks === undefined ? undefined : priceText(known.market, ticks);
      };
      const before = liquidationWithMargin(known, 0n);
      const after = liquidationWithMargin(known, change);
      expect(before).toEqual(price());
      expect(after).not.toEqual(before);
      const amount = change;
      expect(
        floor.verdict({ kind: 'adjust-margin', owner: ALICE, market: MARKET, amount, positionSide: undefined }),
      ).toBe('OK');
      expect(after).toEqual(price());
    }
  });
});
