/** Instruments, fees and limits of the reference exchange. */

import type { InstrumentCommand, OrderLimits, SetReferencePrice } from '../instruments/commands.ts';
import { marketProblems } from '../instruments/market-problems.ts';
import { INITIAL_MARKET_STATE } from '../instruments/market-state.ts';
import { MAXIMUM_OPEN_ORDERS } from '../matching/order-pool.ts';
import type { MarketSpec } from '../money/market.ts';
import { maximumTicks } from '../money/notional.ts';
import { assetProblems } from '../money/validate-market.ts';
import { isClient, isWithin, type Refusal } from './reference-rules.ts';
import type { ReferenceMarket, ReferenceState } from './reference-state.ts';

const OF_MARKET = [
  'change-market',
  'halt-market',
  'announce-delisting',
  'delist-market',
  'set-reference-price',
] as const;

type Handled = Exclude<InstrumentCommand, { kind: 'clear-market' }>;
type OfMarket = Extract<Handled, { kind: (typeof OF_MARKET)[number] }>;

export class ReferenceInstruments {
  readonly #state: ReferenceState;

  constructor(state: ReferenceState) {
    this.#state = state;
  }

  apply(time: number, command: Handled): Refusal {
    const state = this.#state;
    switch (command.kind) {
      case 'list-asset': {
        const asset = { id: command.asset, code: command.code, scale: command.scale };
        if (state.assets.some(({ id, code }) => id === asset.id || code === asset.code)) return 'DUPLICATE_ID';
        if (assetProblems(asset).length > 0) return 'INVALID_MARKET';
        state.assets.push(asset);
        state.events.push({ kind: 'asset-listed', asset, time });
        return undefined;
      }
      case 'list-market':
        return this.#list(time, command);
      case 'set-fees': {
        const { owner, makerPpm, takerPpm } = command;
        if (!isClient(owner)) return 'ACCOUNT_LIMIT';
        if (!areFees(makerPpm, takerPpm)) return 'INVALID_FEE';
        state.fees.set(owner, { makerPpm, takerPpm });
        state.events.push({ kind: 'fees-set', owner, makerPpm, takerPpm, time });
        return undefined;
      }
      case 'set-default-fees': {
        const { makerPpm, takerPpm } = command;
        if (!areFees(makerPpm, takerPpm)) return 'INVALID_FEE';
        state.defaultFees = { makerPpm, takerPpm };
        state.events.push({ kind: 'default-fees-set', makerPpm, takerPpm, time });
        return undefined;
      }
      case 'set-limits': {
        const { kind: _kind, ...limits } = command;
        if (!areLimits(limits)) return 'INVALID_QUANTITY';
        state.limits = limits;
        state.events.push({ kind: 'limits-set', limits, time });
        return undefined;
      }
      default:
        return this.#applyToMarket(time, command);
    }
  }

  #list(time: number, command: Extract<InstrumentCommand, { kind: 'list-market' }>): Refusal {
    const state = this.#state;
    const { kind: _kind, market: id, base, quote, ...terms } = command;
    if (state.markets.some(({ spec }) => spec.id === id || spec.symbol === command.symbol)) return 'DUPLICATE_ID';
    const baseAsset = state.assets.find((asset) => asset.id === base);
    const quoteAsset = state.assets.find((asset) => asset.id === quote);
    if (baseAsset === undefined || quoteAsset === undefined) return 'UNKNOWN_ASSET';
    const spec: MarketSpec = { id, ...terms, base: baseAsset, quote: quoteAsset };
    if (marketProblems(spec).length > 0) return 'INVALID_MARKET';
    const market = {
      spec,
      state: { ...INITIAL_MARKET_STATE },
    };
    state.markets.push(market);
    this.#changed(time, market);
    return undefined;
  }

  #applyToMarket(time: number, command: OfMarket): Refusal {
    const market = this.#state.market(command.market);
    if (market === undefined) return 'UNKNOWN_MARKET';
    const { state } = market;
    const { id } = market.spec;
    if (command.kind === 'set-reference-price') return this.#setReferencePrice(time, market, command);
    if (state.delisted) return 'MARKET_DELISTED';
    if (command.kind === 'announce-delisting') {
      const { delisting } = command;
      if (delisting !== undefined && delisting.endsAt <= time) return 'INVALID_SCHEDULE';
      if (delisting !== undefined && delisting.closeOnlyAt > delisting.endsAt) return 'INVALID_SCHEDULE';
      state.delisting = delisting;
    } else if (command.kind === 'halt-market') {
      state.halted = command.halted;
    } else if (command.kind === 'delist-market') {
      if (this.#state.holdings.some((one) => one.market === id && one.position)) return 'MARKET_NOT_EMPTY';
      const orders = [...this.#state.orders, ...this.#state.untriggered];
      if (!state.halted || orders.some((order) => order.market === id)) return 'MARKET_NOT_EMPTY';
      state.delisted = true;
    } else {
      const { kind: _kind, market: _market, perpetual: terms, ...limits } = command;
      const perpetual = terms ?? market.spec.perpetual;
      const spec = { ...market.spec, ...limits, perpetual };
      const isOther = (market.spec.perpetual === undefined) !== (perpetual === undefined);
      if (isOther || marketProblems(spec).length > 0) return 'INVALID_MARKET';
      const hasOrders = [...this.#state.orders, ...this.#state.twaps].some((order) => order.market === id);
      if (hasOrders && perpetual?.takerPpm !== market.spec.perpetual?.takerPpm) return 'MARKET_NOT_EMPTY';
      const prices = this.#state.orders.filter((order) => order.market === id).map(({ price }) => price);
      if ([state.lastPrice, ...prices].some((price) => price > maximumTicks(spec))) return 'INVALID_PRICE';
      market.spec = spec;
    }
    this.#changed(time, market);
    const goesOn = command.kind === 'halt-market' && !command.halted && !this.#state.isPaused(market);
    if (goesOn) this.#state.restartLast(time, id);
    return undefined;
  }

  #setReferencePrice(time: number, market: ReferenceMarket, command: SetReferencePrice): Refusal {
    const { price, triggersNothing, isReferenceOnly } = command;
    const { spec, state } = market;
    const { rules } = this.#state;
    if (state.traded && rules < 7) return 'ALREADY_TRADED';
    if (state.traded && state.halted) return 'MARKET_HALTED';
    if (!isWithin(price, 1, maximumTicks(spec))) return 'INVALID_PRICE';
    const before = state.lastPrice;
    const isReferenced = rules >= 11 && spec.perpetual === undefined;
    if (isReferenceOnly && !isReferenced) return 'INVALID_MARKET';
    if (isReferenceOnly && before === 0) return 'NO_PRICE';
    const told = isReferenced ? { reference: price * 1_048_576, referenceAt: time + 30_000 } : {};
    Object.assign(state, told);
    if (isReferenceOnly) {
      const { reference, referenceAt } = state;
      this.#state.events.push({ kind: 'reference-told', market: spec.id, price, reference, referenceAt, time });
      if (!state.halted && !this.#state.isPaused(market)) this.#state.onPrice(time, spec.id, before);
      return undefined;
    }
    state.lastPrice = price;
    if (rules < 7 || before === 0) this.#changed(time, market);
    else this.#state.events.push({ kind: 'reference-price-set', market: spec.id, price, ...told, time });
    const triggers = rules >= 7 && !state.halted && !triggersNothing && !this.#state.isPaused(market);
    if (triggers) this.#state.onPrice(time, spec.id, price);
    else this.#state.noteLast(time, spec.id);
    return undefined;
  }

  #changed(time: number, market: ReferenceMarket): void {
    const state = this.#state.stateOf(market);
    this.#state.events.push({ kind: 'market-changed', market: market.spec, state, time });
  }
}

function areFees(...rates: readonly number[]): boolean {
  return rates.every((ppm) => isWithin(ppm, 0, 1_000_000));
}

function areLimits(limits: OrderLimits): boolean {
  return (
    isWithin(limits.maximumOpenOrdersPerOwner, 0, MAXIMUM_OPEN_ORDERS) &&
    isWithin(limits.maximumUntriggeredOrdersPerOwner, 0, 100_000) &&
    isWithin(limits.maximumUntriggeredOrdersPerMarket, 0, 100_000)
  );
}
