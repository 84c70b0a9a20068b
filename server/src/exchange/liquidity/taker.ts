/** Trades with the market maker's quotes at natural times and sizes. */
import { HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import type { MarketInfo } from '../instruments/service.ts';
import type { MarketData, Random } from '../market-data/service.ts';
import type { OrderSender } from './order-sender.ts';
import { tradesPerSecond, usdtPerTrade } from './pace.ts';
import type { Reference } from './reference.ts';

interface Deps {
  readonly sender: OrderSender;
  readonly marketData: Pick<MarketData, 'ticker'>;
  readonly reference: Reference;
  readonly random: Random;
  /** Lots of the maker's position in a perpetual; below zero where it is short. */
  readonly makerLots: (market: number) => number;
}

const SIZE_DEVIATION = 1.1;
/** How far through the best price an order may go, as a fraction. */
const SLIPPAGE = 0.001;
const LEAN = 0.25;
/** Trades that a position of the maker's is worth where the taker does most to make it smaller. */
const LARGE_IN_TRADES = 200;
const MOST_HELP = 0.2;

export class Taker {
  readonly #deps: Deps;
  readonly #nextTrade = new Map<number, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  tradeWhenDue(market: MarketInfo, now: number): void {
    const { id } = market.spec;
    const due = this.#nextTrade.get(id) ?? now + this.#pauseMs(market);
    if (due <= now) this.#trade(market);
    this.#nextTrade.set(id, due <= now ? now + this.#pauseMs(market) : due);
  }

  /** Times between trades are exponentially distributed. */
  #pauseMs({ dailyTurnover }: MarketInfo): number {
    return (-Math.log(1 - this.#deps.random.uniform()) * 1000) / tradesPerSecond(dailyTurnover);
  }

  /** Whoever sells to a maker that is long makes its position larger: it buys a little more often, and the other way round. */
  #help({ spec, dailyTurnover }: MarketInfo, price: number): number {
    if (spec.perpetual === undefined) return 0;
    const usdt = (this.#deps.makerLots(spec.id) * price) / 10 ** (spec.tickScale + spec.lotScale);
    const share = usdt / (usdtPerTrade(dailyTurnover) * LARGE_IN_TRADES);
    return MOST_HELP * Math.max(-1, Math.min(1, share));
  }

  #trade(market: MarketInfo): void {
    const { spec, dailyTurnover } = market;
    const { sender, marketData, reference, random } = this.#deps;
    const { bid, ask } = marketData.ticker(spec.id);
    const isBuy = random.uniform() < 0.5 + LEAN * reference.momentum(spec.id) + this.#help(market, bid?.[0] ?? 0);
    const best = isBuy ? ask : bid;
    if (best === undefined) return;
    const price = Math.max(1, Math.round(best[0] * (isBuy ? 1 + SLIPPAGE : 1 - SLIPPAGE)));
    const usdt =
      usdtPerTrade(dailyTurnover) * Math.exp(SIZE_DEVIATION * random.normal() - (SIZE_DEVIATION * SIZE_DEVIATION) / 2);
    const lots = Math.round((Math.max(usdt, 2) * 10 ** (spec.tickScale + spec.lotScale)) / best[0]);
    void sender.submit({
      kind: 'place-order',
      owner: HOUSE_TAKER,
      market: spec.id,
      side: isBuy ? BUY : SELL,
      type: 'limit',
      timeInForce: 'IOC',
      price,
      quantity: Math.min(spec.maximumLots, Math.max(spec.minimumLots, lots)),
      quoteTotal: 0n,
      selfTrade: 'CANCEL_NEWEST',
    });
  }
}
