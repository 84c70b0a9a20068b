/** Trades with the market maker's quotes at natural times and sizes, in a simulated market. */
import { HOUSE_MAKER, HOUSE_TAKER } from '@cambist/core/ledger/account.ts';
import { BUY, SELL, type Side } from '@cambist/core/terms/order-terms.ts';
import type { ExchangeView } from '../engine/feed.ts';
import type { MarketInfo } from '../instruments/service.ts';
import type { MarketData, Random } from '../market-data/service.ts';
import type { OrderSender } from './order-sender.ts';
import { tradesPerSecond, usdtPerTrade } from './pace.ts';
import type { Reference } from './reference.ts';

interface Deps {
  readonly sender: Pick<OrderSender, 'submit'>;
  readonly marketData: Pick<MarketData, 'ticker'>;
  readonly reference: Reference;
  readonly random: Random;
  readonly view: Pick<ExchangeView, 'positionsOf'>;
}

const SIZE_DEVIATION = 1.1;
/** How far through the best price an order may go, as a fraction. */
const SLIPPAGE = 0.001;
const LEAN = 0.25;
/** Trades that a position of the maker's is worth where the taker does most to make it smaller. */
const LARGE_IN_TRADES = 200;
const MOST_HELP = 0.2;
const CLOSE_EVERY_MS = 1_000;

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

  /**
   * Closes what it has in a perpetual, for a market that is not simulated any more: the market maker has the other side, so that both
   * are gone then. Where there are no quotes yet, the best price is what a client asks for.
   * @param price what the perpetual is quoted around, ticks
   */
  leaveWhenDue({ spec }: MarketInfo, price: number, now: number): void {
    if (spec.perpetual === undefined || now < (this.#nextTrade.get(spec.id) ?? 0)) return;
    this.#nextTrade.set(spec.id, now + CLOSE_EVERY_MS);
    const lots = this.#lotsOf(HOUSE_TAKER, spec.id);
    const { bid, ask } = this.#deps.marketData.ticker(spec.id);
    if (lots === 0 || (lots < 0 ? ask : bid) === undefined) return;
    this.#send(spec.id, lots < 0 ? BUY : SELL, price, Math.min(spec.maximumLots, Math.abs(lots)), true);
  }

  /** Of a position in a perpetual; below zero where it is short. */
  #lotsOf(owner: number, market: number): number {
    const position = this.#deps.view.positionsOf(owner).find((one) => one.market === market)?.position;
    return position === undefined ? 0 : position.direction * position.lots;
  }

  /** Times between trades are exponentially distributed. */
  #pauseMs({ dailyTurnover }: MarketInfo): number {
    return (-Math.log(1 - this.#deps.random.uniform()) * 1000) / tradesPerSecond(dailyTurnover);
  }

  /** Whoever sells to a maker that is long makes its position larger: it buys a little more often, and the other way round. */
  #help({ spec, dailyTurnover }: MarketInfo, price: number): number {
    if (spec.perpetual === undefined) return 0;
    const usdt = (this.#lotsOf(HOUSE_MAKER, spec.id) * price) / 10 ** (spec.tickScale + spec.lotScale);
    const share = usdt / (usdtPerTrade(dailyTurnover) * LARGE_IN_TRADES);
    return MOST_HELP * Math.max(-1, Math.min(1, share));
  }

  #trade(market: MarketInfo): void {
    const { spec, dailyTurnover } = market;
    const { marketData, reference, random } = this.#deps;
    const { bid, ask } = marketData.ticker(spec.id);
    const isBuy = random.uniform() < 0.5 + LEAN * reference.momentum(spec.id) + this.#help(market, bid?.[0] ?? 0);
    const best = isBuy ? ask : bid;
    if (best === undefined) return;
    const usdt =
      usdtPerTrade(dailyTurnover) * Math.exp(SIZE_DEVIATION * random.normal() - (SIZE_DEVIATION * SIZE_DEVIATION) / 2);
    const lots = Math.round((Math.max(usdt, 2) * 10 ** (spec.tickScale + spec.lotScale)) / best[0]);
    const quantity = Math.min(spec.maximumLots, Math.max(spec.minimumLots, lots));
    this.#send(spec.id, isBuy ? BUY : SELL, best[0], quantity, false);
  }

  /** What the best quotes have of it, up to a little beyond a price. */
  #send(market: number, side: Side, price: number, quantity: number, reduceOnly: boolean): void {
    void this.#deps.sender.submit({
      kind: 'place-order',
      owner: HOUSE_TAKER,
      market,
      side,
      type: 'limit',
      timeInForce: 'IOC',
      price: side === BUY ? Math.ceil(price * (1 + SLIPPAGE)) : Math.max(1, Math.floor(price * (1 - SLIPPAGE))),
      quantity,
      quoteTotal: 0n,
      selfTrade: 'CANCEL_NEWEST',
      ...(reduceOnly && { reduceOnly }),
    });
  }
}
