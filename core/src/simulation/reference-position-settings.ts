/** What owners change of their positions beside trading, in the reference exchange. */
import type { AdjustMargin, SetLeverage, SetPositionMode } from '../margin/commands.ts';
import { DEFAULT_LEVERAGE } from '../margin/holding.ts';
import { initialMargin } from '../margin/perpetual.ts';
import { MAXIMUM_AMOUNT } from '../money/amount.ts';
import type { OpenOrder } from '../orders/order-state.ts';
import { BUY, SELL, type Side } from '../terms/order-terms.ts';
import { legNamed } from './reference-legs.ts';
import { ReferenceMatching, shownOf } from './reference-matching.ts';
import type { ReferencePerpetuals } from './reference-perpetuals.ts';
import { isClient, type Refusal } from './reference-rules.ts';
import type { ReferenceState } from './reference-state.ts';

export class ReferencePositionSettings {
  readonly #state: ReferenceState;
  readonly #perpetuals: ReferencePerpetuals;

  constructor(state: ReferenceState, perpetuals: ReferencePerpetuals) {
    this.#state = state;
    this.#perpetuals = perpetuals;
  }

  setLeverage(time: number, command: SetLeverage): Refusal {
    const { owner, market, positionSide } = command;
    const spec = this.#state.market(market)?.spec;
    if (spec === undefined) return 'UNKNOWN_MARKET';
    if (spec.perpetual === undefined) return 'INVALID_MARKET';
    if (!isClient(owner)) return 'ACCOUNT_LIMIT';
    const most = spec.perpetual.tiers[0]!.maximumLeverage;
    const isWrong = (times: number) => !Number.isInteger(times) || times < 1 || times > most;
    if (isWrong(command.leverage ?? 1)) return 'INVALID_LEVERAGE';
    if (this.#perpetuals.isHedged(owner, market) === (positionSide === undefined)) return 'POSITION_SIDE_MISMATCH';
    const leg = legNamed({ positionSide });
    const orders = this.#perpetuals.ordersOf(owner, market, leg);
    const holding = this.#perpetuals.holding(owner, market, leg);
    const { leverage = holding.leverage, isIsolated = holding.isIsolated } = command;
    if (isWrong(leverage)) return 'INVALID_LEVERAGE';
    if (orders.length > 0 && (!command.movesReserves || holding.isIsolated !== isIsolated)) return 'ORDERS_OPEN';
    const cost = holding.position?.cost ?? 0n;
    if (cost > 0n && holding.isIsolated !== isIsolated) return 'POSITION_OPEN';
    const exposures = [BUY, SELL].map((side) => this.#perpetuals.exposure(holding, side as Side));
    if (exposures.some((exposure) => exposure > this.#perpetuals.largestAt(spec, leverage))) return 'ABOVE_RISK_LIMIT';
    const has = isIsolated ? holding.margin - this.#perpetuals.owed(holding) : initialMargin(cost, holding.leverage);
    const needed = initialMargin(cost, leverage);
    const added = isIsolated && needed > has ? needed - has : 0n;
    // Resting ones before TWAPs, which are hidden whole.
    const opening = orders
      .filter(({ reduceOnly }) => !reduceOnly)
      .map((order) => ({ order, isHidden: order.hidden === order.remaining }))
      .sort((a, b) => Number(a.isHidden) - Number(b.isHidden) || a.order.orderId - b.order.orderId)
      .map(({ order }) => ({
        order,
        was: this.#perpetuals.reserve(spec, order, order.remaining),
        is: this.#perpetuals.reserveAt(spec, order, order.remaining, leverage),
      }));
    const before = this.#perpetuals.free(owner, spec.quote.id);
    let after = before - added;
    if (!isIsolated) after += has - needed;
    for (const { was, is } of opening) after += was - is;
    // Who has less than nothing free may still make that better.
    if (after < before && after < 0n) return 'INSUFFICIENT_FUNDS';
    if (!isIsolated && this.#perpetuals.isBound(time, holding)) {
      const [income] = this.#perpetuals.assets(holding);
      if (needed + income <= holding.term!.floor) return 'TERM_RUNNING';
    }
    this.#perpetuals.touch(time, spec, owner, leg);
    for (const { order, was, is } of opening) if (is !== was) this.#holdMore(time, order, is - was);
    const touched = this.#perpetuals.holding(owner, market, leg);
    const changed = { ...touched, leverage, isIsolated, margin: touched.margin + added };
    this.#perpetuals.change(time, spec, changed, { available: -added, margin: added }, 'leverage');
    return undefined;
  }

  /** Where nothing of an owner's is open in a market. */
  setPositionMode(time: number, { owner, market, isHedged }: SetPositionMode): Refusal {
    const spec = this.#state.market(market)?.spec;
    if (spec === undefined) return 'UNKNOWN_MARKET';
    if (spec.perpetual === undefined) return 'INVALID_MARKET';
    if (!isClient(owner)) return 'ACCOUNT_LIMIT';
    const isOwn = (one: { readonly owner: number; readonly market: number }) =>
      one.owner === owner && one.market === market;
    if ([...this.#state.orders, ...this.#state.untriggered, ...this.#state.twaps].some(isOwn)) return 'ORDERS_OPEN';
    if (this.#state.holdings.some((one) => isOwn(one) && one.position !== undefined)) return 'POSITION_OPEN';
    const net = { ...this.#perpetuals.holding(owner, market, 0), isHedged };
    this.#perpetuals.change(time, spec, net, {}, 'mode');
    const { leverage, isIsolated } = net;
    const legs = isHedged ? ([1, -1] as const).map((leg) => this.#perpetuals.holding(owner, market, leg)) : [];
    for (const leg of legs) {
      const isChosen = leg.leverage !== DEFAULT_LEVERAGE || leg.isIsolated;
      if (isChosen || (leverage === DEFAULT_LEVERAGE && !isIsolated)) continue;
      this.#perpetuals.change(time, spec, { ...leg, leverage, isIsolated }, {}, 'mode');
    }
    return undefined;
  }

  adjustMargin(time: number, { owner, market, amount, positionSide }: AdjustMargin): Refusal {
    const spec = this.#state.market(market)?.spec;
    if (spec === undefined) return 'UNKNOWN_MARKET';
    if (spec.perpetual !== undefined && this.#perpetuals.isHedged(owner, market) === (positionSide === undefined))
      return 'POSITION_SIDE_MISMATCH';
    const leg = legNamed({ positionSide });
    const holding = this.#perpetuals.holding(owner, market, leg);
    if (holding.position === undefined || !holding.isIsolated) return 'NO_POSITION';
    if (amount === 0n || amount > MAXIMUM_AMOUNT || amount < -MAXIMUM_AMOUNT) return 'INVALID_AMOUNT';
    if (amount > 0n && amount > this.#perpetuals.free(owner, spec.quote.id)) return 'INSUFFICIENT_FUNDS';
    const profit = this.#perpetuals.profit(holding);
    const left = holding.margin - this.#perpetuals.owed(holding) + amount + (profit < 0n ? profit : 0n);
    if (amount < 0n && left < initialMargin(holding.position.cost, holding.leverage)) return 'INSUFFICIENT_FUNDS';
    if (
      amount < 0n &&
      this.#perpetuals.isBound(time, holding) &&
      this.#perpetuals.assets(holding)[1] + amount <= holding.term!.floor
    )
      return 'TERM_RUNNING';
    this.#perpetuals.touch(time, spec, owner, leg);
    const touched = this.#perpetuals.holding(owner, market, leg);
    const after = { ...touched, margin: touched.margin + amount };
    this.#perpetuals.change(time, spec, after, { available: -amount, margin: amount }, 'margin');
    return undefined;
  }

  /** For an order that goes on as it was. */
  #holdMore(time: number, order: OpenOrder, amount: bigint): void {
    const matching = new ReferenceMatching(this.#state, this.#state.market(order.market)!.spec, time, false);
    const lots = shownOf(order);
    const held = matching.hold(order, amount);
    matching.changed(order, 'open', 'NONE', { before: { price: order.price, lots }, resting: lots, held });
  }
}
