/** What a client has in perpetual markets, and what it changes of it beside orders. */
import type { FuturesAccount, FuturesPosition, MarginMode } from '@cambist/contract/futures.ts';
import { perpetualTerms } from '@cambist/core/margin/perpetual.ts';
import { parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset, MarketSpec } from '@cambist/core/money/market.ts';
import type { Identity } from '../../platform/calls.ts';
import type { IntentKey } from '../../platform/intent.ts';
import type { Engine } from '../engine/engine.ts';
import { amountProblem, type OrderError } from '../orders/errors.ts';
import type { MarketLookup, Result, TradingService } from '../orders/service.ts';
import { describeAccount, describePosition, modeOf, type OpenPosition } from './describe.ts';

export interface FuturesDeps {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
  readonly markets: MarketLookup;
  readonly trading: Pick<TradingService, 'submit'>;
  /** What perpetuals are settled in. */
  readonly settlement: Asset;
}

export interface Settings {
  readonly leverage: number;
  readonly margin_mode: MarginMode;
}

/** A market that is a perpetual. */
export type PerpetualMarket = MarketSpec & { readonly perpetual: NonNullable<MarketSpec['perpetual']> };

export const fail = (error: OrderError): { ok: false; error: OrderError } => ({ ok: false, error });

const isOpen = (view: { readonly position: unknown }): view is OpenPosition => view.position !== undefined;

export class FuturesService {
  readonly #deps: FuturesDeps;

  constructor(deps: FuturesDeps) {
    this.#deps = deps;
  }

  get settlement(): Asset {
    return this.#deps.settlement;
  }

  /** A perpetual by its name; others are unknown here. */
  market(name: string): Result<PerpetualMarket> {
    const market = this.#deps.markets.resolve(name);
    return market !== undefined && isPerpetual(market)
      ? { ok: true, value: market }
      : fail({ kind: 'unknown-pair', name });
  }

  /** Ascending by market; memory, which may be ahead of the commit. */
  openOf(owner: number): readonly OpenPosition[] {
    return this.#deps.engine.exchange.positionsOf(owner).filter(isOpen);
  }

  openIn(owner: number, market: number): OpenPosition | undefined {
    return this.openOf(owner).find((view) => view.market === market);
  }

  /** As they are once everything is committed that memory holds now. */
  async positions(owner: number): Promise<{ positions: FuturesPosition[]; account: FuturesAccount }> {
    const { engine, markets, settlement } = this.#deps;
    const wallet = engine.exchange.walletOf(owner, settlement.id);
    const positions = this.openOf(owner).map((view) => describePosition(markets.byId(view.market), view, wallet));
    const account = describeAccount(settlement, wallet);
    await engine.sequencer.settled();
    return { positions, account };
  }

  async settings(owner: number, market: PerpetualMarket): Promise<Settings> {
    const settings = this.#settingsOf(owner, market);
    await this.#deps.engine.sequencer.settled();
    return settings;
  }

  /** What is left out stays as it is. */
  async changeLeverage(
    { clientId: owner }: Identity,
    name: string,
    {
      leverage,
      margin_mode,
    }: { readonly leverage?: number | undefined; readonly margin_mode?: MarginMode | undefined },
    intent?: IntentKey,
  ): Promise<Result<Settings>> {
    const market = this.market(name);
    if (!market.ok) return market;
    const known = this.#settingsOf(owner, market.value);
    const settings = { leverage: leverage ?? known.leverage, margin_mode: margin_mode ?? known.margin_mode };
    const wanted = { leverage: settings.leverage, isIsolated: settings.margin_mode === 'isolated' };
    const command = { kind: 'set-leverage', owner, market: market.value.id, ...wanted } as const;
    const result = await this.#deps.trading.submit(owner, command, intent);
    return result.ok ? { ok: true, value: settings } : result;
  }

  /** @param text below zero to take out */
  async changeMargin(
    { clientId: owner }: Identity,
    name: string,
    text: string,
    intent?: IntentKey,
  ): Promise<Result<FuturesPosition | undefined>> {
    const market = this.market(name);
    if (!market.ok) return market;
    const { scale } = this.#deps.settlement;
    const parsed = parseAmount(text.replace(/^-/, ''), scale);
    if (!parsed.ok) return fail({ kind: 'invalid-field', field: 'amount', detail: amountProblem(parsed.error, scale) });
    const amount = text.startsWith('-') ? -parsed.value : parsed.value;
    const command = { kind: 'adjust-margin', owner, market: market.value.id, amount } as const;
    const result = await this.#deps.trading.submit(owner, command, intent);
    if (!result.ok) return result;
    const { positions } = await this.positions(owner);
    return { ok: true, value: positions.find(({ id }) => id === String(market.value.id)) };
  }

  #settingsOf(owner: number, market: PerpetualMarket): Settings {
    const { leverage, isIsolated } = this.#deps.engine.exchange.holdingOf(owner, market.id);
    return { leverage, margin_mode: modeOf(isIsolated) };
  }
}

const isPerpetual = (market: MarketSpec): market is PerpetualMarket => market.perpetual !== undefined;

/** The terms that positions of a market are computed by. */
export const termsOf = (market: PerpetualMarket) => perpetualTerms(market, market.perpetual);
