/**
 * Fees, tiers and funding of a perpetual as an operator changes them. They hold for open positions too, so what that does to
 * them is counted first, and nothing is liquidated by it that the operator has not agreed to.
 */
import type { NewPerpetualTerms, TermsEffect } from '@cambist/contract/admin-futures.ts';
import type { PerpetualSpec } from '@cambist/core/money/market.ts';
import { describeTerms, type FuturesForm, isPerpetual, type PerpetualMarket } from '../../exchange/futures/service.ts';
import type { Figures } from '../../identity/operators/service.ts';
import { parseTerms } from './perpetual-terms.ts';
import { areLooser, protectionsOf } from './protections.ts';
import type { Actor, MarketAdmin, MarketAdminDeps, MarketError } from './service.ts';
import { isError } from './terms.ts';
import { effectOf } from './terms-effect.ts';

export interface Agreed {
  /** How many accounts may be liquidated. */
  readonly liquidations: number;
  /** Whether orders that rest may be ended. */
  readonly cancelling: boolean;
}

export class PerpetualAdmin {
  readonly #deps: MarketAdminDeps;
  readonly #markets: MarketAdmin;
  readonly #form: FuturesForm;

  constructor(deps: MarketAdminDeps, markets: MarketAdmin, form: FuturesForm) {
    this.#deps = deps;
    this.#markets = markets;
    this.#form = form;
  }

  /** What the form offers from now on; the engine is not bound by it. */
  async setSellsEmpty(actor: Actor, isOn: boolean): Promise<void> {
    const detail = { before: this.#form.sellsEmpty, after: isOn };
    await this.#deps.audit.record({ ...actor, act: 'set-futures-form', detail });
    await this.#form.setSellsEmpty(isOn);
  }

  async preview(symbol: string, terms: NewPerpetualTerms): Promise<TermsEffect | MarketError> {
    const read = this.#read(symbol, terms);
    return 'kind' in read ? read : this.#effect(read.market, read.perpetual);
  }

  /** Liquidations or cancellations that a change of terms would cause and that the operator has not agreed to. */
  notAgreed({ liquidated_accounts: liquidated, cancelled_orders: cancelled }: TermsEffect, agreed: Agreed) {
    if (liquidated > agreed.liquidations) return { kind: 'would-liquidate', accounts: liquidated } as const;
    return cancelled > 0 && !agreed.cancelling ? ({ kind: 'would-cancel', orders: cancelled } as const) : undefined;
  }

  /** The figures that protect, before and after, where the terms loosen one of them. */
  looser(symbol: string, terms: NewPerpetualTerms): { readonly before: Figures; readonly after: Figures } | undefined {
    const read = this.#read(symbol, terms);
    if ('kind' in read || !areLooser(read.market.perpetual, read.perpetual)) return undefined;
    const { market, perpetual } = read;
    return { before: protectionsOf(market), after: protectionsOf({ ...market, perpetual }) };
  }

  async change(
    actor: Actor,
    symbol: string,
    terms: NewPerpetualTerms,
    agreed: Agreed,
  ): Promise<TermsEffect | MarketError> {
    const read = this.#read(symbol, terms);
    if ('kind' in read) return read;
    const { market, perpetual } = read;
    const effect = await this.#effect(market, perpetual);
    const refused = this.notAgreed(effect, agreed);
    if (refused !== undefined) return refused;
    const detail = { market: symbol, before: describeTerms(market), after: terms, effect };
    await this.#deps.audit.record({ ...actor, act: 'change-perpetual', detail });
    return (await this.#submit(market, perpetual)) ?? effect;
  }

  /** A new taker's fee needs an empty book: the market is halted for as long as that takes. */
  async #submit(market: PerpetualMarket, perpetual: PerpetualSpec): Promise<MarketError | undefined> {
    const { id, minimumLots, maximumLots, minimumNotional, priceBandPpm } = market;
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    const change = { kind: 'change-market' as const, market: id, ...limits, perpetual };
    if (perpetual.takerPpm === market.perpetual.takerPpm) return this.#markets.submit(change);
    const { halted } = this.#markets.lastHaltOf(id) ?? this.#deps.view.marketState(id);
    const halt = { kind: 'halt-market' as const, market: id, halted: true };
    const stopped = halted ? undefined : await this.#markets.submit(halt);
    if (stopped !== undefined) return stopped;
    const cleared = await this.#markets.endReserving(id);
    const refused = cleared ?? (await this.#markets.submit(change));
    // What was halted by something else before or meanwhile stays halted.
    const isOwn = this.#markets.lastHaltOf(id) === halt;
    const resumed = isOwn ? await this.#markets.submit({ ...halt, halted: false }) : undefined;
    return refused ?? resumed;
  }

  #read(
    symbol: string,
    terms: NewPerpetualTerms,
  ): { readonly market: PerpetualMarket; readonly perpetual: PerpetualSpec } | MarketError {
    const { view } = this.#deps;
    const market = view.markets().find((one) => one.symbol === symbol);
    if (market === undefined || !isPerpetual(market)) return { kind: 'unknown-pair', name: symbol };
    if (view.marketState(market.id).delisted) return { kind: 'rejected', reason: 'MARKET_DELISTED' };
    const perpetual = parseTerms(market, terms);
    return isError(perpetual) ? perpetual : { market, perpetual };
  }

  async #effect(market: PerpetualMarket, perpetual: PerpetualSpec): Promise<TermsEffect> {
    const effect = await effectOf(this.#deps.view, market, perpetual);
    const isOther = perpetual.takerPpm !== market.perpetual.takerPpm;
    return { ...effect, cancelled_orders: isOther ? this.#markets.reservingIn(market.id) : 0 };
  }
}
