/**
 * Ends a perpetual for good: it is halted, its orders end, its positions are settled at one price, and it is delisted. What that
 * costs the insurance is counted first, by the engine's functions, and it costs no more than the operator has agreed to.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { SettlementEffect } from '@cambist/contract/admin-futures.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { fundingOwed } from '@cambist/core/margin/funding.ts';
import { perpetualTerms } from '@cambist/core/margin/perpetual.ts';
import { unrealised } from '@cambist/core/margin/position.ts';
import { formatAmount, parseAmount } from '@cambist/core/money/amount.ts';
import { formatTicks, parseTicks } from '@cambist/core/money/price.ts';
import { isPerpetual, type PerpetualMarket } from '../../exchange/futures/service.ts';
import { amountProblem } from '../../exchange/orders/errors.ts';
import { say } from '../../platform/texts.ts';
import { type OpenHolding, openIn } from './open-positions.ts';
import type { Actor, MarketAdmin, MarketAdminDeps, MarketError } from './service.ts';
import { invalid } from './terms.ts';

/** How far a price may be from the mark: further off it is a slip. */
const REACH_PERCENT = 10;
/** Looked at in one piece of the process's time. */
const LOOKED_AT = 500;
/** Positions of each side in one command: orders of other markets come in between. */
const SETTLED_AT_ONCE = 200;

/** What settling at a price does; money in settlement units. */
interface Effect {
  readonly market: PerpetualMarket;
  readonly positions: number;
  readonly orders: number;
  readonly insurancePays: bigint;
}

interface Read {
  readonly market: PerpetualMarket;
  readonly ticks: number;
}

export interface Settling {
  readonly price: string;
  /** The name of the market, typed. */
  readonly confirm: string;
  /** The most that the insurance may pay, in the settlement coin. */
  readonly accept_insurance: string;
}

export class PerpetualSettling {
  readonly #deps: MarketAdminDeps;
  readonly #markets: MarketAdmin;
  /** Ids of markets that are being settled: two prices at once would settle some at one and some at the other. */
  readonly #running = new Set<number>();

  constructor(deps: MarketAdminDeps, markets: MarketAdmin) {
    this.#deps = deps;
    this.#markets = markets;
  }

  async preview(symbol: string, price: string): Promise<SettlementEffect | MarketError> {
    const read = await this.#read(symbol, price);
    return 'kind' in read ? read : this.#describe(await this.#effect(read.market, read.ticks));
  }

  /** One that was interrupted leaves the market halted, and is carried on by the next at the same price. */
  async settle(actor: Actor, symbol: string, settling: Settling): Promise<SettlementEffect | MarketError> {
    const read = await this.#read(symbol, settling.price);
    if ('kind' in read) return read;
    const { id, quote } = read.market;
    if (settling.confirm !== symbol) return { kind: 'not-confirmed' };
    const accepted = parseAmount(settling.accept_insurance, quote.scale);
    if (!accepted.ok) return invalid('accept_insurance', amountProblem(accepted.error, quote.scale));
    if (this.#running.has(id)) return { kind: 'settling' };
    this.#running.add(id);
    try {
      return await this.#settle(actor, read, settling, accepted.value);
    } finally {
      this.#running.delete(id);
    }
  }

  async #settle(actor: Actor, { market, ticks }: Read, { price }: Settling, accepted: bigint) {
    const effect = await this.#effect(market, ticks);
    const described = this.#describe(effect);
    if (effect.insurancePays > accepted) return wouldPay(effect);
    const detail = { market: market.symbol, price, effect: described };
    await this.#deps.audit.record({ ...actor, act: 'settle-perpetual', detail });
    const stopped = await this.#stop(market.id);
    if (stopped !== undefined) return stopped;
    // Counted again, as positions are what they are now.
    const final = await this.#effect(market, ticks);
    if (final.insurancePays > accepted) return wouldPay(final);
    return (await this.#end(market.id, ticks)) ?? this.#describe({ ...final, orders: effect.orders });
  }

  async #stop(market: number): Promise<MarketError | undefined> {
    const halted = await this.#markets.submit({ kind: 'halt-market', market, halted: true });
    if (halted !== undefined) return halted;
    const cancelled = await this.#markets.endOrders(market);
    return typeof cancelled === 'number' ? undefined : cancelled;
  }

  async #end(market: number, price: number): Promise<MarketError | undefined> {
    await this.#deps.settlings.begin(market, price);
    while (this.#deps.view.openInterest(market) > 0) {
      const command = { kind: 'settle-positions', market, price, maximum: SETTLED_AT_ONCE } as const;
      const refused = await this.#markets.submit(command);
      if (refused !== undefined) return this.#refused(market, refused);
    }
    const refused = await this.#markets.submit({ kind: 'delist-market', market });
    return refused && this.#refused(market, refused);
  }

  async #refused(market: number, error: MarketError): Promise<MarketError> {
    if (error.kind !== 'rejected' || error.reason !== 'MARKET_NOT_EMPTY') return error;
    // Another operator has let it trade again meanwhile.
    await this.#deps.settlings.forget(market);
    return { kind: 'resumed' };
  }

  async #read(symbol: string, price: string): Promise<Read | MarketError> {
    const { view } = this.#deps;
    const market = view.markets().find((one) => one.symbol === symbol);
    if (market === undefined || !isPerpetual(market)) return { kind: 'unknown-pair', name: symbol };
    if (view.marketState(market.id).delisted) return { kind: 'rejected', reason: 'MARKET_DELISTED' };
    const parsed = parseTicks(price, market);
    if (!parsed.ok) return invalid('price', amountProblem(parsed.error, market.tickScale));
    const ticks = parsed.value;
    const begun = await this.#deps.settlings.priceOf(market.id);
    if (begun !== undefined) return begun === ticks ? { market, ticks } : otherPrice(market, begun);
    const mark = this.#markOf(market.id);
    const isNear = mark === 0 || Math.abs(ticks - mark) * 100 <= mark * REACH_PERCENT;
    if (ticks > 0 && isNear) return { market, ticks };
    const values = { percent: REACH_PERCENT, mark: formatTicks(mark, market) };
    return invalid('price', say('Use a price at most {{percent}}% from the mark, which is {{mark}}', values));
  }

  /** What positions are valued by, as in the core; 0 before any price. */
  #markOf(market: number): number {
    const { markPrice, lastPrice } = this.#deps.view.marketState(market);
    return markPrice || lastPrice;
  }

  async #effect(market: PerpetualMarket, ticks: number): Promise<Effect> {
    const open = openIn(this.#deps.view, market.id);
    const { open_orders: resting, untriggered_orders: untriggered } = this.#markets.describe(market);
    const insurancePays = await this.#shortOf(market, open, ticks);
    return { market, positions: open.length, orders: resting + untriggered, insurancePays };
  }

  #describe({ market, positions, orders, insurancePays }: Effect): SettlementEffect {
    const { view } = this.#deps;
    const money = (units: bigint) => formatAmount(units, market.quote.scale);
    const mark = this.#markOf(market.id);
    const insurance = accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, market.quote.id);
    return {
      mark_price: mark === 0 ? null : formatTicks(mark, market),
      ...{ positions, cancelled_orders: orders },
      ...{ insurance_pays: money(insurancePays), insurance: money(view.balance(insurance)) },
    };
  }

  /** What owners will owe and do not have: isolated positions beyond their margin, and wallets beyond all that they have. */
  async #shortOf(market: PerpetualMarket, open: readonly OpenHolding[], ticks: number): Promise<bigint> {
    const { view } = this.#deps;
    const terms = perpetualTerms(market, market.perpetual);
    const { fundingIndex } = view.perpetualState(market.id);
    const mark = this.#markOf(market.id);
    let short = 0n;
    const moved = new Map<number, bigint>();
    for (const { owner, position, margin, isIsolated, fundingIndex: paid } of open) {
      const profit = unrealised(terms, position, ticks);
      if (isIsolated) {
        const left = margin + profit - fundingOwed(position.direction, position.lots, paid, fundingIndex);
        if (left < 0n) short -= left;
      } else {
        const counted = mark === 0 ? 0n : unrealised(terms, position, mark);
        moved.set(owner, (moved.get(owner) ?? 0n) + profit - counted);
      }
    }
    let looked = 0;
    for (const [owner, change] of moved) {
      looked += 1;
      if (looked % LOOKED_AT === 0) await pause();
      const left = view.marginWalletOf(owner, market.quote.id).equity + change;
      if (left < 0n) short -= left;
    }
    return short;
  }
}

/** Some are settled already, and the others get the same price. */
const otherPrice = (market: PerpetualMarket, begun: number) => {
  const price = formatTicks(begun, market);
  return invalid(
    'price',
    say('This settlement was begun at {{price}}. Use the same price, or let the market trade again.', { price }),
  );
};

const wouldPay = ({ market, insurancePays }: Effect): MarketError => ({
  kind: 'would-pay',
  amount: formatAmount(insurancePays, market.quote.scale),
});
