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
}

const SIZE_DEVIATION = 1.1;
/** How far through the best price an order may go, as a fraction. */
const SLIPPAGE = 0.001;
const LEAN = 0.25;

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

  #trade({ spec, dailyTurnover }: MarketInfo): void {
    const { sender, marketData, reference, random } = this.#deps;
    const { bid, ask } = marketData.ticker(spec.id);
    const isBuy = random.uniform() < 0.5 + LEAN * reference.momentum(spec.id);
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
