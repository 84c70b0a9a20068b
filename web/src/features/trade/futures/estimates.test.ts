/** What the form of a perpetual says before an order is what the engine then does, whatever its owner has open. */
import type { MarginMode, PositionSide } from '@cambist/contract/futures.ts';
import { BUY, NET, SELL } from '@cambist/core/terms/order-terms.ts';
import { expect, it } from 'vitest';
import {
  FuturesFloor,
  knownOf,
  MARKETS,
  OWNERS,
  priceText,
  RICH,
  type Shown,
} from '../../../../../server/test/futures-floor.ts';
import { toText } from '../../../lib/decimal.ts';
import { crossBacking, known, oppositeLeg } from '../../../lib/futures/figures.ts';
import { orderedValue } from '../../../lib/futures/orders.ts';
import { marketTerms } from '../../../lib/futures/terms.ts';
import { NEW_TICKET, type Side, type Ticket } from '../ticket/ticket.ts';
import { atLeg, liquidationAfter, summarizeFutures } from './futures-order.ts';
import type { FuturesContext, FuturesLeg } from './futures-state.ts';

type Market = (typeof MARKETS)[number];

/** As `useFuturesContext` makes it from the calls. */
function contextOf(floor: FuturesFloor, owner: number, market: Market, { positions, account }: Shown): FuturesContext {
  const all = positions.map((shown) => {
    const own = MARKETS.find(({ symbol }) => symbol === shown.coin_pair.pair_name)!;
    const { pair, settings } = knownOf(own);
    return known(shown, marketTerms(pair, settings), floor.mark(own));
  });
  const { pair, settings } = knownOf(market);
  const holdings = floor.exchange.holdings().filter((one) => one.owner === owner && one.market === market.id);
  const orders = floor.exchange
    .openOrdersOf(owner)
    .filter((order) => order.market === market.id)
    .map((order) => ({
      ...{ coin_pair: { ...pair, coin_pair_name: '' }, delegate_type: sides[order.side] },
      ...{ position_side: undefined, reduce_only: undefined, trigger: undefined, twap: undefined },
      final_price: priceText(market, order.price),
      remaining: (order.remaining / 10 ** market.lotScale).toFixed(market.lotScale),
    }));
  const legOf = (leg: number, side?: PositionSide): FuturesLeg => {
    const holding = holdings.find((one) => one.leg === leg);
    const isOwn = (one: Shown['positions'][number]) =>
      one.coin_pair.pair_name === market.symbol && one.position_side === side;
    const named = { symbol: market.symbol, market: marketTerms(pair, settings), positionSide: side };
    return {
      leverage: holding?.leverage ?? 10,
      isIsolated: holding?.isIsolated ?? false,
      position: positions.find(isOwn),
      ordered: { BUY: orderedValue(named, orders, 'BUY'), SELL: orderedValue(named, orders, 'SELL') },
      crossBacking: crossBacking(isOwn, all, account),
      opposite: side && oppositeLeg({ coin_pair: { ...pair, coin_pair_name: '' }, position_side: side }, all),
    };
  };
  return {
    ...{ symbol: market.symbol, base: market.base.code, quote: 'USDT', minimums: undefined },
    ...{ priceScale: market.tickScale, quantityScale: market.lotScale, lastPrice: floor.mark(market) },
    ...{ availableBase: undefined, availableQuote: account.free, marks: { mark: floor.mark(market), index: '' } },
    futures: {
      ...{ market: marketTerms(pair, settings), ...legOf(NET), positionSide: undefined },
      legs: floor.isHedged(owner, market.id) ? { long: legOf(1, 'long'), short: legOf(-1, 'short') } : undefined,
      ...{ maximumLeverage: 100, sellsEmpty: true, free: account.free },
    },
  };
}

function ticketOf(market: Market, lots: number, price: number, isReduceOnly: boolean): Ticket {
  const amount = (lots / 10 ** market.lotScale).toFixed(market.lotScale);
  const entry = { ...NEW_TICKET.BUY, amount, price: priceText(market, price) };
  return { ...NEW_TICKET, type: 'limit', priceType: 'AMOUNT', isReduceOnly, BUY: entry, SELL: entry };
}

const other = { BUY: SELL, SELL: BUY } as const;
const own = { BUY, SELL } as const;
const sides = { [BUY]: 'BUY', [SELL]: 'SELL' } as const;

it('the most that can be ordered is taken and a lot more is not, and the position is liquidated where the form said', () => {
  const seen = { placed: 0, most: 0, short: 0, closing: 0, isolated: 0, hedged: 0, waiting: 0 };
  const modes = new Set<MarginMode>();
  for (let seed = 1; seed <= 60; seed += 1) {
    const floor = new FuturesFloor(seed);
    const { random } = floor;
    for (let step = 0; step < 40; step += 1) {
      floor.step();
      floor.clear();
      const [owner, which, side] = [random.pick(OWNERS), random.between(0, 1), random.pick(['BUY', 'SELL'] as const)];
      const market = MARKETS[which]!;
      const where = `seed ${seed}, step ${step}, ${side} of ${owner} in ${market.symbol}`;
      // An order of the same side and leg that waits in the book counts for the limit of the leverage.
      const waits = random.chance(50) && !floor.isHedged(owner, market.id);
      const away = floor.prices[which]! + (side === 'BUY' ? -400 : 400);
      const waiting = { owner, market: market.id, side: own[side], price: away, quantity: random.between(2, 4_000) };
      if (waits && floor.place(waiting)) seen.waiting += 1;
      const context = contextOf(floor, owner, market, floor.shown(owner));
      const isReduceOnly = context.futures.legs !== undefined && random.chance(30);
      const price = floor.prices[which]! + random.between(-30, 30);
      const at = atLeg(ticketOf(market, 1, price, isReduceOnly), side, context);
      const { positionSide, position } = at.futures;
      const estimate = (lots: number) => summarizeFutures(ticketOf(market, lots, price, isReduceOnly), side, at);
      const most = estimate(1).maximumLots;
      if (most < market.minimumLots) continue;
      const terms = { owner, market: market.id, price, positionSide, ...(isReduceOnly && { reduceOnly: true }) };
      expect(floor.place({ ...terms, side: own[side], quantity: most + 1, timeInForce: 'FOK' }), where).toBe(false);
      seen.short += 1;
      const lots = random.chance(40) ? most : random.between(market.minimumLots, most);
      const summary = estimate(lots);
      const end = liquidationAfter(side as Side, summary, at)?.price;
      if (!floor.place({ owner: RICH, market: market.id, side: other[side], price, quantity: lots })) continue;
      const mark = floor.mark(market);
      expect(floor.place({ ...terms, side: own[side], quantity: lots }), `${where}, ${lots} of ${most}`).toBe(true);
      seen.placed += 1;
      if (lots === most) seen.most += 1;
      if (position !== undefined && (position.side === 'long') === (side === 'SELL')) seen.closing += 1;
      if (floor.mark(market) !== mark) continue;
      const after = floor
        .shown(owner)
        .positions.find((one) => one.coin_pair.pair_name === market.symbol && one.position_side === positionSide);
      expect(end === undefined ? null : toText(end), where).toBe(after?.estimated_force_parity ?? null);
      if (after?.margin_mode === 'isolated') seen.isolated += 1;
      if (positionSide !== undefined) seen.hedged += 1;
      if (after) modes.add(after.margin_mode);
    }
  }
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(50);
  expect(modes.size).toBe(2);
});
