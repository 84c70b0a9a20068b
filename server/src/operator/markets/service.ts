/**
 * Pairs and coins as an operator lists, changes and ends them. Every act is a command of the exchange; what it would
 * refuse for its fields is said before, by field, and the audit log has the act before it is done.
 */

import type { adminMarket } from '@cambist/contract/admin-markets.ts';
import type { AuditAct } from '@cambist/contract/audit-acts.ts';
import type { MarketSpec } from '@cambist/core/money/market.ts';
import { formatTicks } from '@cambist/core/money/price.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import type { RejectReason } from '@cambist/core/terms/outcome.ts';
import type { z } from 'zod';
import type { ExchangeView, Sequencer, Submission } from '../../exchange/engine/feed.ts';
import type { AuditEntry, AuditLog } from '../../platform/audit-log.ts';
import type { SettlingStore } from './settling-store.ts';
import {
  decimalsProblem,
  describeLimits,
  type FieldError,
  isError,
  type LimitsInput,
  parseFees,
  parseLimits,
  parseReference,
  percentOf,
} from './terms.ts';

export type AdminMarket = z.infer<typeof adminMarket>;

export interface MarketAdminDeps {
  readonly view: ExchangeView;
  readonly sequencer: Sequencer;
  readonly audit: AuditLog;
  readonly settlings: SettlingStore;
}

/** Who acts, why and from where. */
export type Actor = Required<Pick<AuditEntry, 'actorId' | 'reason' | 'address'>>;

export interface ListMarketInput extends LimitsInput {
  readonly coin: string;
  readonly price_decimals: number;
  readonly quantity_decimals: number;
  readonly reference_price: string;
}

export type MarketError =
  | FieldError
  | { readonly kind: 'unknown-pair'; readonly name: string }
  | { readonly kind: 'unknown-coin'; readonly code: string }
  | { readonly kind: 'coin-exists' | 'pair-exists' | 'not-confirmed' | 'resumed' | 'settling' }
  | { readonly kind: 'would-liquidate'; readonly accounts: number }
  | { readonly kind: 'would-cancel'; readonly orders: number }
  | { readonly kind: 'would-pay'; readonly amount: string }
  | { readonly kind: 'rejected'; readonly reason: RejectReason };

/** What all prices are in: balances, limits and fees are shown in it everywhere. */
const QUOTE = 'USDT';
/** Orders that one command cancels: other commands come in between. */
const CANCELLED_AT_ONCE = 1_000;
/** All levels of a side. */
const ALL_LEVELS = 1_000_000;

const rejected = (reason: RejectReason): MarketError => ({ kind: 'rejected', reason });

type HaltMarket = Extract<Submission, { readonly kind: 'halt-market' }>;

export class MarketAdmin {
  readonly #deps: MarketAdminDeps;
  #listing: Promise<unknown> = Promise.resolve();
  /** By market, the last command that halted it or let it trade again, decided or not. */
  readonly #lastHalts = new Map<number, HaltMarket>();

  constructor(deps: MarketAdminDeps) {
    this.#deps = deps;
  }

  /** All that were ever listed, delisted ones last. */
  list() {
    const { view } = this.#deps;
    const markets = view.markets().map((spec) => this.describe(spec));
    const paired = new Set(view.markets().map(({ base }) => base.id));
    const quote = this.#quote();
    const isDelisted = ({ state }: AdminMarket) => state === 'delisted';
    return {
      markets: [...markets.filter((market) => !isDelisted(market)), ...markets.filter(isDelisted)],
      coins: view
        .assets()
        .filter(({ id }) => id !== quote.id)
        .map(({ id, code, scale }) => ({ code, decimals: scale, is_paired: paired.has(id) })),
      quote: { code: quote.code, decimals: quote.scale },
      ...this.fees(),
    };
  }

  fees() {
    const { makerPpm, takerPpm } = this.#deps.view.defaults().fees;
    return { maker_fee_percent: percentOf(makerPpm), taker_fee_percent: percentOf(takerPpm) };
  }

  describe(spec: MarketSpec): AdminMarket {
    const { view } = this.#deps;
    const { halted, delisted, lastPrice, pause, delisting } = view.marketState(spec.id);
    return {
      symbol: spec.symbol,
      coin: spec.base.code,
      state: delisted ? 'delisted' : halted ? 'halted' : pause === undefined ? 'trading' : 'paused',
      resume_at: halted ? null : (pause?.until ?? null),
      delisting: delisting ? { close_only_at: delisting.closeOnlyAt, ends_at: delisting.endsAt } : null,
      price_decimals: spec.tickScale,
      quantity_decimals: spec.lotScale,
      ...describeLimits(spec),
      last_price: lastPrice === 0 ? '' : formatTicks(lastPrice, spec),
      open_orders: this.restingIn(spec.id),
      untriggered_orders: view.untriggeredOrdersIn(spec.id) + view.twapsIn(spec.id),
    };
  }

  listCoin(actor: Actor, code: string, decimals: number): Promise<MarketError | undefined> {
    return this.#inTurn(() => this.#listCoin(actor, code, decimals));
  }

  listMarket(actor: Actor, input: ListMarketInput): Promise<AdminMarket | MarketError> {
    return this.#inTurn(() => this.#listMarket(actor, input));
  }

  /** The limits of a pair as they are, and as the input would have them, in the same decimals. */
  limitsOf(
    symbol: string,
    input: LimitsInput,
  ): { readonly now: LimitsInput; readonly next: LimitsInput } | MarketError {
    const spec = this.#find(symbol);
    if (spec === undefined) return { kind: 'unknown-pair', name: symbol };
    const limits = parseLimits(spec, input);
    return isError(limits) ? limits : { now: describeLimits(spec), next: describeLimits({ ...spec, ...limits }) };
  }

  named(symbol: string): AdminMarket | MarketError {
    const spec = this.#find(symbol);
    return spec === undefined ? { kind: 'unknown-pair', name: symbol } : this.describe(spec);
  }

  async change(actor: Actor, symbol: string, input: LimitsInput): Promise<AdminMarket | MarketError> {
    const spec = this.#find(symbol);
    if (spec === undefined) return { kind: 'unknown-pair', name: symbol };
    const limits = parseLimits(spec, input);
    if (isError(limits)) return limits;
    await this.record(actor, 'change-market', { market: symbol, before: describeLimits(spec), after: { ...input } });
    const refused = await this.submit({ kind: 'change-market', market: spec.id, ...limits });
    return refused ?? this.describe(this.#find(symbol)!);
  }

  async halt(actor: Actor, spec: MarketSpec, halted: boolean): Promise<MarketError | undefined> {
    await this.record(actor, halted ? 'halt-market' : 'resume-market', { market: spec.symbol });
    const refused = await this.submit({ kind: 'halt-market', market: spec.id, halted });
    // What trades again is settled anew, if ever, at whatever price holds then.
    if (refused === undefined && !halted) await this.#deps.settlings.forget(spec.id);
    return refused;
  }

  /** Undefined where none was sent since the start. */
  lastHaltOf(market: number): HaltMarket | undefined {
    return this.#lastHalts.get(market);
  }

  /**
   * Halts the pair, cancels its orders and ends it. One that was interrupted leaves it halted, and is carried on by the
   * next.
   * @returns how many orders were cancelled
   */
  async delist(actor: Actor, symbol: string, confirm: string): Promise<number | MarketError> {
    const spec = this.#find(symbol);
    if (spec === undefined) return { kind: 'unknown-pair', name: symbol };
    if (this.#deps.view.marketState(spec.id).delisted) return rejected('MARKET_DELISTED');
    if (confirm !== symbol) return { kind: 'not-confirmed' };
    const { open_orders, untriggered_orders } = this.describe(spec);
    await this.record(actor, 'delist-market', { market: symbol, open_orders, untriggered_orders });
    const refused = await this.submit({ kind: 'halt-market', market: spec.id, halted: true });
    if (refused !== undefined) return refused;
    const cancelled = await this.endOrders(spec.id);
    if (typeof cancelled !== 'number') return cancelled;
    return (await this.submit({ kind: 'delist-market', market: spec.id })) ?? cancelled;
  }

  /** Announces when a pair ends, or withdraws that; `Delistings` tells its holders and ends it. */
  async announceDelisting(
    actor: Actor,
    symbol: string,
    delisting: AdminMarket['delisting'],
  ): Promise<AdminMarket | MarketError> {
    const spec = this.#find(symbol);
    if (spec === undefined) return { kind: 'unknown-pair', name: symbol };
    const { delisting: before } = this.describe(spec);
    const act = delisting === null ? 'withdraw-delisting' : 'announce-delisting';
    await this.record(actor, act, { market: symbol, before, after: delisting });
    const announced = delisting && { closeOnlyAt: delisting.close_only_at, endsAt: delisting.ends_at };
    const refused = await this.submit({
      ...{ kind: 'announce-delisting', market: spec.id, delisting: announced ?? undefined },
    });
    return refused ?? this.describe(spec);
  }

  async setDefaultFees(actor: Actor, maker: string, taker: string): Promise<MarketError | undefined> {
    const fees = parseFees(maker, taker);
    if (isError(fees)) return fees;
    await this.record(actor, 'set-default-fees', { before: this.fees(), after: { maker, taker } });
    return this.submit({ kind: 'set-default-fees', ...fees });
  }

  /** One listing after the other: each takes the next free id. */
  #inTurn<Answer>(list: () => Promise<Answer>): Promise<Answer> {
    const listed = this.#listing.then(list);
    this.#listing = listed.catch(() => undefined);
    return listed;
  }

  async #listCoin(actor: Actor, code: string, decimals: number): Promise<MarketError | undefined> {
    const assets = this.#deps.view.assets();
    if (assets.some((asset) => asset.code === code)) return { kind: 'coin-exists' };
    const asset = Math.max(...assets.map(({ id }) => id)) + 1;
    await this.record(actor, 'list-coin', { coin: code, decimals });
    return this.submit({ kind: 'list-asset', asset, code, scale: decimals });
  }

  async #listMarket(actor: Actor, input: ListMarketInput): Promise<AdminMarket | MarketError> {
    const { view } = this.#deps;
    const quote = this.#quote();
    const base = view.assets().find(({ code }) => code === input.coin);
    if (base === undefined || base.id === quote.id) return { kind: 'unknown-coin', code: input.coin };
    const symbol = `${base.code}-${quote.code}`;
    const markets = view.markets();
    if (markets.some((market) => market.symbol === symbol)) return { kind: 'pair-exists' };
    const [tickScale, lotScale] = [input.price_decimals, input.quantity_decimals];
    const problem = decimalsProblem(base, quote, { tickScale, lotScale });
    if (problem !== undefined) return problem;
    const id = Math.max(-1, ...markets.map((market) => market.id)) + 1;
    const none = { minimumLots: 1, maximumLots: 1, minimumNotional: 0n, priceBandPpm: 0 };
    const bare: MarketSpec = { id, symbol, base, quote, tickScale, lotScale, ...none };
    const limits = parseLimits(bare, input);
    if (isError(limits)) return limits;
    const price = parseReference({ ...bare, ...limits }, input.reference_price);
    if (typeof price !== 'number') return price;
    await this.record(actor, 'list-market', { market: symbol, ...input });
    // Sent together, so that no order comes before the price that it is measured against.
    const terms = { symbol, base: base.id, quote: quote.id, tickScale, lotScale, ...limits };
    const [refused] = await Promise.all([
      this.submit({ kind: 'list-market', market: id, ...terms }),
      this.submit({ kind: 'set-reference-price', market: id, price }),
    ]);
    return refused ?? this.describe(view.markets().find((market) => market.id === id)!);
  }

  /** Orders that end before a taker's fee changes: those that rest, and with TWAPs the untriggered ones, which are cleared before them. */
  reservingIn(market: number): number {
    const { view } = this.#deps;
    const twaps = view.twapsIn(market);
    return this.restingIn(market) + (twaps === 0 ? 0 : twaps + view.untriggeredOrdersIn(market));
  }

  /** Ends those of a halted market. */
  async endReserving(market: number): Promise<MarketError | undefined> {
    for (let left = this.reservingIn(market); left > 0; left = this.reservingIn(market)) {
      const maximum = Math.min(left, CANCELLED_AT_ONCE);
      // Those that rest are ended first.
      const refused = await this.submit({ kind: 'clear-market', market, maximum });
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  /** Ends all orders of a halted market. @returns how many */
  async endOrders(market: number): Promise<number | MarketError> {
    for (let cancelled = 0; ; ) {
      const command = { kind: 'clear-market' as const, market, maximum: CANCELLED_AT_ONCE };
      const { outcome, ended } = await this.#deps.sequencer.submit(command);
      // Another operator has let it trade again meanwhile.
      if (!outcome.ok) return outcome.reason === 'MARKET_NOT_EMPTY' ? { kind: 'resumed' } : rejected(outcome.reason);
      cancelled += ended;
      if (ended < CANCELLED_AT_ONCE) return cancelled;
    }
  }

  #quote() {
    const quote = this.#deps.view.assets().find(({ code }) => code === QUOTE);
    if (quote === undefined) throw new Error(`The exchange has no ${QUOTE}`);
    return quote;
  }

  #find(symbol: string): MarketSpec | undefined {
    return this.#deps.view.markets().find((market) => market.symbol === symbol);
  }

  /** How many orders rest. */
  restingIn(market: number): number {
    let count = 0;
    for (const side of [BUY, SELL] as const) {
      const levels = this.#deps.view.depth(market, side, ALL_LEVELS);
      for (let index = 2; index < levels.length; index += 3) count += levels[index]!;
    }
    return count;
  }

  record(actor: Actor, act: AuditAct, detail: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#deps.audit.record({ ...actor, act, detail });
  }

  async submit(command: Submission): Promise<MarketError | undefined> {
    if (command.kind === 'halt-market') this.#lastHalts.set(command.market, command);
    let isDone = false;
    try {
      const { outcome } = await this.#deps.sequencer.submit(command);
      isDone = outcome.ok;
      return outcome.ok ? undefined : rejected(outcome.reason);
    } finally {
      if (command.kind === 'halt-market' && !isDone) this.#forgetHalt(command);
    }
  }

  /** One that came to nothing says nothing of its market. */
  #forgetHalt(halt: HaltMarket): void {
    if (this.#lastHalts.get(halt.market) === halt) this.#lastHalts.delete(halt.market);
  }
}
