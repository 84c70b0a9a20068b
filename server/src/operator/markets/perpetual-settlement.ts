/**
 * Ends a perpetual for good: it is halted, its orders end, its positions are settled at one price, and it is delisted. What that
 * costs the insurance is counted first, by the engine's functions, and it costs no more than the operator has agreed to.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { SettlementEffect } from '@cambist/contract/admin-futures.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { fundingOwed } from '@cambist/core/margin/funding.ts';
import type { HoldingRecord } from '@cambist/core/margin/holdings.ts';
import { perpetualTerms } from '@cambist/core/margin/perpetual.ts';
import { unrealised } from '@cambist/core/margin/position.ts';
import { formatAmount, parseAmount } from '@cambist/core/money/amount.ts';
import { formatTicks, parseTicks } from '@cambist/core/money/price.ts';
import { isPerpetual, type PerpetualMarket } from '../../exchange/futures/service.ts';
import { amountProblem } from '../../exchange/orders/errors.ts';
import { say } from '../../platform/texts.ts';
import type { Actor, MarketAdmin, MarketAdminDeps, MarketError } from './service.ts';
import { invalid } from './terms.ts';

/** How far a price may be from the mark: further off it is a slip. */
const REACH_PERCENT = 10;
/** Looked at in one piece of the process's time. */
const LOOKED_AT = 500;
/** Positions of each side in one command: orders of other markets come in between. */
const SETTLED_AT_ONCE = 200;

type Open = HoldingRecord & { readonly position: NonNullable<HoldingRecord['position']> };

const isOpen = (one: HoldingRecord): one is Open => one.position !== undefined;

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

  constructor(deps: MarketAdminDeps, markets: MarketAdmin) {
    this.#deps = deps;
    this.#markets = markets;
  }

  async preview(symbol: string, price: string): Promise<SettlementEffect | MarketError> {
    const read = this.#read(symbol, price);
    return 'kind' in read ? read : this.#effect(read.market, read.ticks);
  }

  /** One that was interrupted leaves the market halted, and is carried on by the next. */
  async settle(actor: Actor, symbol: string, settling: Settling): Promise<SettlementEffect | MarketError> {
    const read = this.#read(symbol, settling.price);
    if ('kind' in read) return read;
    const { market, ticks } = read;
    if (settling.confirm !== symbol) return { kind: 'not-confirmed' };
    const accepted = parseAmount(settling.accept_insurance, market.quote.scale);
    if (!accepted.ok) return invalid('accept_insurance', amountProblem(accepted.error, market.quote.scale));
    const effect = await this.#affordable(market, ticks, accepted.value);
    if ('kind' in effect) return effect;
    const detail = { market: symbol, price: settling.price, effect };
    await this.#deps.audit.record({ ...actor, act: 'settle-perpetual', detail });
    const stopped = await this.#stop(market.id);
    if (stopped !== undefined) return stopped;
    // Counted again, as positions are what they are now.
    const final = await this.#affordable(market, ticks, accepted.value);
    if ('kind' in final) return final;
    const refused = await this.#end(market.id, ticks);
    return refused ?? { ...final, cancelled_orders: effect.cancelled_orders };
  }

  async #affordable(market: PerpetualMarket, ticks: number, accepted: bigint): Promise<SettlementEffect | MarketError> {
    const effect = await this.#effect(market, ticks);
    const costs = parseAmount(effect.insurance_pays, market.quote.scale);
    return costs.ok && costs.value <= accepted ? effect : { kind: 'would-pay', amount: effect.insurance_pays };
  }

  async #stop(market: number): Promise<MarketError | undefined> {
    const halted = await this.#markets.submit({ kind: 'halt-market', market, halted: true });
    if (halted !== undefined) return halted;
    const cancelled = await this.#markets.endOrders(market);
    return typeof cancelled === 'number' ? undefined : cancelled;
  }

  async #end(market: number, price: number): Promise<MarketError | undefined> {
    while (this.#deps.view.openInterest(market) > 0) {
      const command = { kind: 'settle-positions', market, price, maximum: SETTLED_AT_ONCE } as const;
      const refused = await this.#markets.submit(command);
      if (refused !== undefined) return this.#resumed(refused);
    }
    const delisted = await this.#markets.submit({ kind: 'delist-market', market });
    return delisted && this.#resumed(delisted);
  }

  /** Another operator has let it trade again meanwhile. */
  #resumed(error: MarketError): MarketError {
    return error.kind === 'rejected' && error.reason === 'MARKET_NOT_EMPTY' ? { kind: 'resumed' } : error;
  }

  #read(symbol: string, price: string): { readonly market: PerpetualMarket; readonly ticks: number } | MarketError {
    const { view } = this.#deps;
    const market = view.markets().find((one) => one.symbol === symbol);
    if (market === undefined || !isPerpetual(market)) return { kind: 'unknown-pair', name: symbol };
    if (view.marketState(market.id).delisted) return { kind: 'rejected', reason: 'MARKET_DELISTED' };
    const parsed = parseTicks(price, market);
    if (!parsed.ok) return invalid('price', amountProblem(parsed.error, market.tickScale));
    const ticks = parsed.value;
    const { markPrice, lastPrice } = view.marketState(market.id);
    const mark = markPrice || lastPrice;
    const isNear = mark === 0 || Math.abs(ticks - mark) * 100 <= mark * REACH_PERCENT;
    if (ticks > 0 && isNear) return { market, ticks };
    const values = { percent: REACH_PERCENT, mark: formatTicks(mark, market) };
    return invalid('price', say('Use a price at most {{percent}}% from the mark, which is {{mark}}', values));
  }

  async #effect(market: PerpetualMarket, ticks: number): Promise<SettlementEffect> {
    const { view } = this.#deps;
    const open = view.holdings().filter((one): one is Open => one.market === market.id && isOpen(one));
    const money = (units: bigint) => formatAmount(units, market.quote.scale);
    const { markPrice } = view.marketState(market.id);
    const insurance = accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, market.quote.id);
    const { open_orders: resting, untriggered_orders: untriggered } = this.#markets.describe(market);
    return {
      mark_price: markPrice === 0 ? null : formatTicks(markPrice, market),
      positions: open.length,
      cancelled_orders: resting + untriggered,
      insurance_pays: money(await this.#shortOf(market, open, ticks)),
      insurance: money(view.balance(insurance)),
    };
  }

  /** What owners will owe and do not have: isolated positions beyond their margin, and wallets beyond all that they have. */
  async #shortOf(market: PerpetualMarket, open: readonly Open[], ticks: number): Promise<bigint> {
    const { view } = this.#deps;
    const terms = perpetualTerms(market, market.perpetual);
    const { fundingIndex } = view.perpetualState(market.id);
    const { markPrice, lastPrice } = view.marketState(market.id);
    const mark = markPrice || lastPrice;
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
