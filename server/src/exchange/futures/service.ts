/** What a client has in perpetual markets, and what it changes of it beside orders. */
import type {
  FuturesAccount,
  FuturesPosition,
  MarginMode,
  PositionMode,
  PositionSide,
  PositionTerm,
} from '@cambist/contract/futures.ts';
import { namedLeg } from '@cambist/core/events/event-record.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { DEFAULT_LEVERAGE } from '@cambist/core/margin/holding.ts';
import { LONG, SHORT } from '@cambist/core/margin/perpetual.ts';
import { formatAmount, parseAmount } from '@cambist/core/money/amount.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { NET, type PositionLeg } from '@cambist/core/terms/order-terms.ts';
import type { Identity } from '../../platform/calls.ts';
import type { IntentKey } from '../../platform/intent.ts';
import type { Engine } from '../engine/engine.ts';
import { amountProblem, type OrderError } from '../orders/errors.ts';
import type { MarketLookup, Result, TradingService } from '../orders/service.ts';
import { DeleveragingLights } from './deleveraging-lights.ts';
import { describeAccount, describePosition, describeTerm, modeOf, type OpenPosition, signedRatio } from './describe.ts';
import { isPerpetual, type PerpetualMarket } from './perpetual-market.ts';
import { positionId } from './position-id.ts';

export { describeTerms } from './describe.ts';
export type { FuturesForm } from './form.ts';

export { futuresTimes } from './store.ts';
export { isPerpetual, type PerpetualMarket };

export interface FuturesDeps {
  readonly engine: Pick<Engine, 'exchange' | 'sequencer'>;
  readonly markets: MarketLookup;
  readonly trading: Pick<TradingService, 'submit'>;
  /** What perpetuals are settled in. */
  readonly settlement: Asset;
  readonly clock: { now(): number };
}

interface LegSettings {
  readonly leverage: number;
  readonly margin_mode: MarginMode;
}

/** In hedge mode the first two are those of the position that was named, of the long where none was. */
export interface Settings extends LegSettings {
  readonly position_mode: PositionMode;
  readonly legs?: { readonly long: LegSettings; readonly short: LegSettings };
}

/** A market by its name, and in hedge mode which of its two positions. */
export interface NamedPosition {
  readonly name: string;
  readonly positionSide?: PositionSide | undefined;
}

/** What is liquidated as one: an isolated position, or all cross positions of a wallet. In settlement units. */
export interface BackedAccount {
  /** Of an isolated position. */
  readonly place: { readonly market: number; readonly leg: PositionLeg } | undefined;
  readonly equity: bigint;
  readonly required: bigint;
}

export const fail = (error: OrderError): { ok: false; error: OrderError } => ({ ok: false, error });

const isOpen = (view: { readonly position: unknown }): view is OpenPosition => view.position !== undefined;

export class FuturesService {
  readonly #deps: FuturesDeps;
  readonly #lights: DeleveragingLights;

  constructor(deps: FuturesDeps) {
    this.#deps = deps;
    this.#lights = new DeleveragingLights(deps.engine.exchange, deps.clock);
  }

  get settlement(): Asset {
    return this.#deps.settlement;
  }

  /** What the insurance has, in settlement units; memory. */
  insurance(): bigint {
    const { engine, settlement } = this.#deps;
    return engine.exchange.balance(accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, settlement.id));
  }

  /** A perpetual by its name, or by that of its coin's spot market, as older clients have it. */
  market(name: string): Result<PerpetualMarket> {
    const { markets } = this.#deps;
    const named = markets.resolve(name);
    const market = named?.perpetual === undefined ? named && markets.resolve(`${named.symbol}-SWAP`) : named;
    return market !== undefined && isPerpetual(market)
      ? { ok: true, value: market }
      : fail({ kind: 'unknown-pair', name });
  }

  /** Owners of what is open in a market, in no order; who has both legs comes twice. */
  *holdersOf(market: number): Iterable<number> {
    const { exchange } = this.#deps.engine;
    for (const direction of [LONG, SHORT] as const)
      for (const { owner } of exchange.openPositions(market, direction)) yield owner;
  }

  /** Ascending by market; memory, which may be ahead of the commit. */
  openOf(owner: number): readonly OpenPosition[] {
    return this.#deps.engine.exchange.positionsOf(owner).filter(isOpen);
  }

  openIn(owner: number, market: number, leg: PositionLeg): OpenPosition | undefined {
    return this.openOf(owner).find((view) => view.market === market && view.leg === leg);
  }

  isHedged(owner: number, market: number): boolean {
    return this.#holdingOf(owner, market, NET)?.isHedged === true;
  }

  /** A position's term, and whether it may be closed now; null without one. */
  termOf(open: OpenPosition): PositionTerm | null {
    return describeTerm(this.#deps.settlement, open, this.#deps.clock.now());
  }

  /** As they are once everything is committed that memory holds now. */
  async positions(owner: number): Promise<{ positions: FuturesPosition[]; account: FuturesAccount }> {
    const { engine, markets, settlement } = this.#deps;
    const wallet = engine.exchange.marginWalletOf(owner, settlement.id);
    const positions = this.openOf(owner).map((view) => ({
      ...describePosition(markets.byId(view.market), view, wallet),
      deleveraging_light: this.#lights.of(view),
      term: this.termOf(view),
    }));
    const account = describeAccount(settlement, wallet);
    await engine.sequencer.settled();
    return { positions, account };
  }

  /** What all open positions would bring at their marks, and its part of their initial margin; null where nothing is open. */
  async gained(owner: number): Promise<{ readonly profit: string; readonly part: string | null }> {
    const open = this.openOf(owner);
    const profit = open.reduce((sum, view) => sum + view.profit, 0n);
    const initial = open.reduce((sum, view) => sum + view.initial, 0n);
    await this.#deps.engine.sequencer.settled();
    const text = formatAmount(profit, this.#deps.settlement.scale);
    return { profit: text, part: initial === 0n ? null : signedRatio(profit * 100n, initial) };
  }

  /** What backs an owner's open positions, and what they must have; memory. */
  accountsOf(owner: number): readonly BackedAccount[] {
    const open = this.openOf(owner);
    const isolated = open
      .filter(({ isIsolated }) => isIsolated)
      .map(({ market, leg, margin, profit, funding, required }) => ({
        place: { market, leg },
        equity: margin + profit - funding,
        required,
      }));
    if (isolated.length === open.length) return isolated;
    const { equity, required } = this.#deps.engine.exchange.marginWalletOf(owner, this.#deps.settlement.id);
    return [{ place: undefined, equity, required }, ...isolated];
  }

  /** Cross positions, which need what is in the wallet, and what of it may leave; memory, as a transfer decides by it. */
  exposureOf(owner: number): readonly { id: string; pairName: string; asset: Asset; free: bigint }[] {
    const { engine, markets, settlement: asset } = this.#deps;
    const free = engine.exchange.freeOf(owner, asset.id);
    return this.openOf(owner)
      .filter(({ isIsolated }) => !isIsolated)
      .map(({ market, leg }) => ({
        ...{ id: positionId({ market, leg }), pairName: markets.byId(market).symbol },
        ...{ asset, free: free > 0n ? free : 0n },
      }));
  }

  async settings(owner: number, market: PerpetualMarket, positionSide?: PositionSide): Promise<Settings> {
    const settings = this.#settingsOf(owner, market, positionSide);
    await this.#deps.engine.sequencer.settled();
    return settings;
  }

  /** What is left out stays as it is when the change is made; what open orders reserve moves with the leverage. */
  async changeLeverage(
    { clientId: owner }: Identity,
    { name, positionSide }: NamedPosition,
    change: { readonly leverage?: number | undefined; readonly margin_mode?: MarginMode | undefined },
    intent?: IntentKey,
  ): Promise<Result<Settings>> {
    const market = this.market(name);
    if (!market.ok) return market;
    const { leverage, margin_mode: mode } = change;
    const isIsolated = mode && mode === 'isolated';
    const wanted = { leverage, isIsolated, positionSide, movesReserves: true };
    const command = { kind: 'set-leverage', owner, market: market.value.id, ...wanted } as const;
    const result = await this.#deps.trading.submit(owner, command, intent);
    return result.ok ? { ok: true, value: this.#settingsOf(owner, market.value, positionSide) } : result;
  }

  async changePositionMode(
    { clientId: owner }: Identity,
    name: string,
    mode: PositionMode,
    intent?: IntentKey,
  ): Promise<Result<Settings>> {
    const market = this.market(name);
    if (!market.ok) return market;
    const command = { kind: 'set-position-mode', owner, market: market.value.id, isHedged: mode === 'hedge' } as const;
    const result = await this.#deps.trading.submit(owner, command, intent);
    return result.ok ? { ok: true, value: this.#settingsOf(owner, market.value) } : result;
  }

  /** @param text below zero to take out */
  async changeMargin(
    { clientId: owner }: Identity,
    { name, positionSide }: NamedPosition,
    text: string,
    intent?: IntentKey,
  ): Promise<Result<FuturesPosition | undefined>> {
    const market = this.market(name);
    if (!market.ok) return market;
    const { scale } = this.#deps.settlement;
    const parsed = parseAmount(text.replace(/^-/, ''), scale);
    if (!parsed.ok) return fail({ kind: 'invalid-field', field: 'amount', detail: amountProblem(parsed.error, scale) });
    const amount = text.startsWith('-') ? -parsed.value : parsed.value;
    const command = { kind: 'adjust-margin', owner, market: market.value.id, amount, positionSide } as const;
    const result = await this.#deps.trading.submit(owner, command, intent);
    if (!result.ok) return result;
    const { positions } = await this.positions(owner);
    const id = positionId({ market: market.value.id, leg: namedLeg(positionSide) });
    return { ok: true, value: positions.find((one) => one.id === id) };
  }

  #settingsOf(owner: number, { id }: PerpetualMarket, positionSide: PositionSide = 'long'): Settings {
    if (!this.isHedged(owner, id)) return { ...this.#legSettings(owner, id, NET), position_mode: 'one-way' };
    const legs = { long: this.#legSettings(owner, id, LONG), short: this.#legSettings(owner, id, SHORT) };
    return { ...legs[positionSide], position_mode: 'hedge', legs };
  }

  #legSettings(owner: number, market: number, leg: PositionLeg): LegSettings {
    const { leverage = DEFAULT_LEVERAGE, isIsolated = false } = this.#holdingOf(owner, market, leg) ?? {};
    return { leverage, margin_mode: modeOf(isIsolated) };
  }

  #holdingOf(owner: number, market: number, leg: PositionLeg) {
    const { exchange } = this.#deps.engine;
    return exchange.positionsOf(owner).find((view) => view.market === market && view.leg === leg);
  }
}
