import type { Command } from '../exchange/command.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import { issue } from '../ledger/issue.ts';
import { TERM_DAYS, type TermChoice } from '../margin/term.ts';
import type { MarketSpec } from '../money/market.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { type ConditionalTerms, type Leg, TRIGGER_SOURCES } from '../orders/conditional/conditional-order.ts';
import type { ExitTerms } from '../orders/exits/exit-plan.ts';
import { BUY, type PositionSide, SELL, type SelfTradeMode, type Side, type TimeInForce } from '../terms/order-terms.ts';
import { USDT } from './markets.ts';
import type { Random } from './random.ts';
import type { Step } from './workload.ts';

const FIRST_OWNER = 100;
const SELF_TRADE_MODES: readonly SelfTradeMode[] = ['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'];
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'GTC', 'GTC', 'POST_ONLY', 'IOC', 'FOK'];

/** Of five owners two. */
const isHedger = (owner: number) => owner % 5 < 2;

/** A third have so little that a wallet is used up, and some of the others so much that hardly an order is too large for it. */
function mostMoved(owner: number): number {
  if (owner % 3 === 0) return 20;
  return owner % 5 === 4 ? 40_000 : 400;
}

/** Of orders one closes a position instead. */
const CLOSED_EVERY = 17;

/** Closes a position or a part of it, or turns it round: as the order would trade, by what is drawn for that, so that seeds stay as they are. */
function closingOf({
  orderId,
  owner,
  market,
  side,
  type,
  timeInForce,
  price,
  selfTrade,
  ...order
}: PlaceOrder): Command {
  const dice = (orderId / CLOSED_EVERY) % 12;
  const sizes = {
    quantity: dice % 3 === 1 ? order.quantity : undefined,
    sharePercent: dice === 2 ? 101 : 100 - dice * 8,
  };
  const reverses = dice % 4 === 0;
  const positionSide = reverses && dice > 0 ? undefined : order.positionSide;
  const terms = { orderId, owner, market, side, type, timeInForce, price, selfTrade, positionSide };
  return { kind: 'close-position', ...terms, ...sizes, reverses };
}

/** Traders of perpetuals who have little and dare much, around prices that run away. */
export class PerpetualWorkload {
  readonly #random: Random;
  readonly #markets: readonly MarketSpec[];
  readonly #owners: number;
  readonly #middle: number[];
  #time = 1_700_000_000_000;
  /** What owners set before anything else. */
  readonly #opening: Command[];
  /** What ends all of a market before anything else happens, the last first. */
  #settling: Command[] = [];
  #lastOrderId = 0;
  #lastTransferId = 0;
  #recent: { readonly orderId: number; readonly owner: number }[] = [];

  constructor(random: Random, markets: readonly MarketSpec[], owners: number) {
    this.#random = random;
    this.#markets = markets;
    this.#owners = owners;
    this.#middle = markets.map(() => 10_000);
    const all = Array.from({ length: owners }, (_, place) => FIRST_OWNER + place).filter(isHedger);
    this.#opening = markets.flatMap(({ id: market }) =>
      all.map((owner): Command => ({ kind: 'set-position-mode', owner, market, isHedged: true })),
    );
  }

  next(): Step {
    this.#time += this.#random.between(0, 3);
    return { time: this.#time, command: this.#opening.pop() ?? this.#settling.pop() ?? this.#command() };
  }

  #command(): Command {
    const random = this.#random;
    const dice = random.between(1, 1000);
    if (dice <= 60) return this.#transfer();
    if (dice <= 63) return this.#insure();
    if (dice <= 90) return this.#credit();
    if (dice <= 92) return this.#mode();
    if (dice <= 130) return this.#leverage();
    if (dice <= 170) return this.#margin();
    if (dice <= 230) return this.#mark();
    if (dice <= 232) return this.#delisting();
    if (dice <= 236) return { kind: 'halt-market', market: this.#market().id, halted: random.chance(8) };
    if (dice <= 239) return this.#terms();
    if (dice <= 240) return this.#settle();
    if (dice <= 246) return { kind: 'run-liquidations', maximum: random.between(0, 4) };
    if (dice <= 300) return this.#cancel();
    if (dice <= 360) return this.#amend();
    if (dice <= 362) return { kind: 'cancel-all-orders', owner: this.#owner(), market: undefined };
    if (dice <= 363) return { kind: 'stop-orders', owner: this.#owner() };
    if (dice <= 366) return this.#lastPrice();
    if (dice <= 370) {
      const { takeProfit, stop } = this.#legs(0, SELL);
      return { kind: 'amend-conditional-order', ...this.#known(), takeProfit, stop };
    }
    if (dice <= 460) return this.#conditional();
    if (dice <= 475) return this.#twap();
    if (dice <= 495) return this.#runTwaps();
    if (dice <= 530) return this.#withTerm();
    const order = this.#place();
    return order.orderId % CLOSED_EVERY === 0 ? closingOf(order) : order;
  }

  #owner(): number {
    return FIRST_OWNER + this.#random.between(0, this.#owners - 1);
  }

  #market(): MarketSpec {
    return this.#random.pick(this.#markets);
  }

  #credit(): Command {
    const owner = this.#owner();
    const most = Math.max(900, 2 * mostMoved(owner));
    return issue('development-credit', owner, USDT.id, BigInt(this.#random.between(1, most)) * 1_000_000n);
  }

  /** Into the futures wallet more often than out of it. */
  #transfer(): Command {
    const random = this.#random;
    this.#lastTransferId += random.between(1, 3);
    const owner = this.#owner();
    const [from, to] = random.chance(65) ? [Wallet.SPOT, Wallet.FUTURE] : [Wallet.FUTURE, Wallet.SPOT];
    const leg = {
      from: accountKey(owner, from, Bucket.AVAILABLE, USDT.id),
      to: accountKey(owner, to, Bucket.AVAILABLE, USDT.id),
      amount: BigInt(random.between(1, mostMoved(owner))) * 1_000_000n,
    };
    const facts = { transferId: this.#lastTransferId, reference: owner, isPending: false, detail: '' };
    return { kind: 'transfer', reason: 'wallet-transfer', legs: [leg], ...facts };
  }

  #insure(): Command {
    const [from, to] = [SystemOwner.HOUSE_CAPITAL, SystemOwner.INSURANCE].map((owner) =>
      accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, USDT.id),
    );
    const legs = [{ from: from!, to: to!, amount: BigInt(this.#random.between(1, 3_000_000)) }];
    const facts = { transferId: 0, reference: 0, isPending: false, detail: '' };
    return { kind: 'transfer', reason: 'insurance-capital', legs, ...facts };
  }

  #leverage(): Command {
    const random = this.#random;
    const leverage = random.chance(5) ? random.pick([0, 101, 1.5, -1]) : random.pick([1, 2, 5, 10, 20, 50, 100]);
    const market = random.chance(2) ? 99 : this.#market().id;
    const owner = this.#owner();
    // Mostly one mode for each owner: with orders open only the leverage may change.
    const facts = { owner, market, leverage, isIsolated: (owner % 2 === 0) === random.chance(80) };
    return {
      kind: 'set-leverage',
      ...facts,
      ...this.#positionSide(owner),
      ...(random.chance(90) && { movesReserves: true }),
      // By what is drawn already, so that other seeds stay as they are.
      ...(owner % 3 === 0 && leverage === 20 && { isIsolated: undefined }),
      ...(owner % 3 === 1 && leverage === 50 && { leverage: undefined }),
    };
  }

  /** Two of five hedge in all markets, from the beginning on; others try it now and then, mostly with something open. */
  #mode(): Command {
    const random = this.#random;
    const owner = this.#owner();
    const market = random.chance(2) ? 99 : this.#market().id;
    return { kind: 'set-position-mode', owner, market, isHedged: isHedger(owner) !== random.chance(15) };
  }

  #delisting(): Command {
    const random = this.#random;
    // One alone, and rarely: what is refused there trades nothing.
    const { id: market } = this.#markets.at(-1)!;
    const endsAt = this.#time + random.between(0, 20_000);
    return random.chance(25)
      ? { kind: 'announce-delisting', market, delisting: { closeOnlyAt: endsAt - random.between(-1, 20_000), endsAt } }
      : { kind: 'announce-delisting', market, delisting: undefined };
  }

  /** Mostly as the owner's mode needs it, and more often to open than to close. @param side of an order */
  #positionSide(owner: number, side: Side = BUY): { readonly positionSide?: PositionSide } {
    const random = this.#random;
    if (isHedger(owner) === random.chance(4)) return {};
    return { positionSide: (side === BUY) === random.chance(60) ? 'long' : 'short' };
  }

  #margin(): Command {
    const random = this.#random;
    const amount = random.chance(3) ? random.pick([0n, 2n ** 70n]) : BigInt(random.between(-9_000_000, 9_000_000));
    const owner = this.#owner();
    return { kind: 'adjust-margin', owner, market: this.#market().id, amount, ...this.#positionSide(owner) };
  }

  /** Mostly near the price, at times far away. */
  #mark(): Command {
    const random = this.#random;
    const place = random.between(0, this.#markets.length - 1);
    // A crash of more than half now and then.
    const reach = random.chance(2) ? 6_500 : random.chance(13) ? 3_000 : random.chance(50) ? 60 : 400;
    const price = Math.max(1, this.#middle[place]! + random.between(-reach, reach));
    if (random.chance(50)) this.#middle[place] = price;
    this.#time += this.#passing();
    const waits = price % 5 > 0 && { waitsWhileHalted: true };
    return { kind: 'set-index-price', market: this.#markets[place]!.id, price: random.chance(3) ? 0 : price, ...waits };
  }

  /** A last price that is told, about where is traded. */
  #lastPrice(): Command {
    const random = this.#random;
    const place = random.between(0, this.#markets.length - 1);
    const price = Math.max(1, this.#middle[place]! + random.between(-200, 200));
    return { kind: 'set-reference-price', market: this.#markets[place]!.id, price };
  }

  /** Mostly seconds between two indexes, at times so long that they are old or an interval ends. */
  #passing(): number {
    const random = this.#random;
    if (random.chance(3)) return random.between(0, random.chance(10) ? 700_000_000 : 5_000_000);
    return random.chance(10) ? random.between(0, 70_000) : random.between(0, 4_000);
  }

  /**
   * Halts a market, clears it and settles its positions near its price or far from it, a few with a command; it trades again
   * afterwards. Now and then something is left out, which is refused.
   */
  #settle(): Command {
    const random = this.#random;
    const place = random.between(0, this.#markets.length - 1);
    const market = random.chance(3) ? 99 : this.#markets[place]!.id;
    const reach = random.chance(30) ? 5_000 : 300;
    const price = random.chance(3) ? 0 : Math.max(1, this.#middle[place]! + random.between(-reach, reach));
    const settle: Command = {
      kind: 'settle-positions',
      market,
      price,
      maximum: random.between(random.chance(90) ? 1 : 0, 3),
    };
    this.#settling = [
      { kind: 'halt-market', market, halted: false },
      ...Array.from({ length: random.between(1, 6) }, () => settle),
      ...(random.chance(10) ? [] : [{ kind: 'clear-market', market, maximum: 10_000 } as const]),
    ];
    return random.chance(95) ? { kind: 'halt-market', market, halted: true } : settle;
  }

  /** New tiers, which may be below what is open, and now and then another fee. */
  #terms(): Command {
    const random = this.#random;
    const { id, minimumLots, maximumLots, minimumNotional, priceBandPpm, perpetual } = this.#market();
    const tiers = perpetual!.tiers.map((tier) => ({
      ...tier,
      maximumNotional: tier.maximumNotional / (random.chance(50) ? 1n : 2n),
    }));
    const fees = { makerPpm: 200, takerPpm: random.chance(50) ? 500 : 600 };
    const { markClampPpm, funding } = perpetual!;
    const pricing = { markClampPpm: random.chance(50) ? markClampPpm : 50_000, funding };
    const limits = { minimumLots, maximumLots, minimumNotional, priceBandPpm };
    return { kind: 'change-market', market: id, ...limits, perpetual: { ...fees, ...pricing, tiers } };
  }

  #known(): { readonly orderId: number; readonly owner: number } {
    return this.#recent.length > 0 ? this.#random.pick(this.#recent) : { orderId: 1, owner: this.#owner() };
  }

  #cancel(): Command {
    return { kind: 'cancel-order', ...this.#known() };
  }

  /** Of some slices that are due soon; a third only reduces. */
  #twap(): Command {
    const random = this.#random;
    const place = random.between(0, this.#markets.length - 1);
    const side: Side = random.chance(50) ? BUY : SELL;
    const facts = { owner: this.#owner(), market: this.#markets[place]!.id, side, orderId: this.#nextOrderId() };
    this.#remember(facts);
    return {
      kind: 'place-twap',
      ...facts,
      ...{ price: this.#price(place), quantity: random.between(5, 80), selfTrade: random.pick(SELF_TRADE_MODES) },
      ...{ durationMs: random.between(5, 40) * 1_000, intervalMs: random.between(1, 8) * 1_000 },
      ...(random.chance(33) && { reduceOnly: true }),
      ...this.#positionSide(facts.owner, side),
    };
  }

  #runTwaps(): Command {
    this.#time += this.#random.between(0, 3_000);
    return { kind: 'run-twaps', maximum: this.#random.between(1, 5) };
  }

  /** Mostly what ends a position: a stop, a take-profit or both, of a part or of all that will be open. */
  #conditional(): Command {
    const random = this.#random;
    const place = random.between(0, this.#markets.length - 1);
    const side: Side = random.chance(50) ? BUY : SELL;
    const reduceOnly = random.chance(80);
    const facts = { owner: this.#owner(), market: this.#markets[place]!.id, side, orderId: this.#nextOrderId() };
    this.#remember(facts);
    return {
      kind: 'place-conditional-order',
      ...facts,
      source: random.pick(TRIGGER_SOURCES),
      timeInForce: random.pick(TIMES_IN_FORCE),
      quantity: random.chance(reduceOnly ? 60 : 3) ? 0 : random.between(1, 60),
      quoteTotal: random.chance(3) ? 5_000_000n : 0n,
      selfTrade: random.pick(SELF_TRADE_MODES),
      ...this.#legs(place, side),
      ...(reduceOnly && { reduceOnly }),
      ...this.#positionSide(facts.owner, side),
    };
  }

  #legs(place: number, side: Side): Pick<ConditionalTerms, 'takeProfit' | 'stop' | 'trailing'> {
    const random = this.#random;
    const leg = (sign: number): Leg => {
      const trigger = Math.max(1, this.#middle[place]! + sign * random.between(2, random.chance(80) ? 150 : 2_000));
      return { trigger, price: random.chance(70) ? 0 : Math.max(1, trigger + random.between(-30, 30)) };
    };
    const below = side === SELL ? -1 : 1;
    const dice = random.between(1, 100);
    if (dice > 92)
      return {
        takeProfit: undefined,
        stop: undefined,
        trailing: { callbackPpm: 0, callbackTicks: random.between(5, 200), activation: 0 },
      };
    const takeProfit = dice <= 60 ? leg(-below) : undefined;
    return { takeProfit, stop: dice > 30 ? leg(below) : undefined, trailing: undefined };
  }

  /** Of an entry: mostly on their right sides. */
  #exits(place: number, entrySide: Side): ExitTerms {
    const { takeProfit, stop } = this.#legs(place, entrySide === BUY ? SELL : BUY);
    return { source: this.#random.pick(TRIGGER_SOURCES), takeProfit, stop };
  }

  #nextOrderId(): number {
    this.#lastOrderId += this.#random.between(1, 2);
    return this.#lastOrderId;
  }

  #remember({ orderId, owner }: { readonly orderId: number; readonly owner: number }): void {
    this.#recent.push({ orderId, owner });
    if (this.#recent.length > 25) this.#recent = this.#recent.slice(1);
  }

  #amend(): Command {
    const random = this.#random;
    const known = this.#known();
    const price = random.chance(50) ? undefined : this.#price(random.between(0, this.#markets.length - 1));
    const quantity = random.chance(40) ? undefined : random.between(1, 60);
    return {
      kind: 'amend-order',
      ...known,
      price,
      quantity,
      timeInForce: 'GTC',
      selfTrade: random.pick(SELF_TRADE_MODES),
    };
  }

  #place(): PlaceOrder {
    const random = this.#random;
    const place = random.between(0, this.#markets.length - 1);
    const isLimit = random.chance(78);
    const byTotal = !isLimit && random.chance(30);
    const most = Math.min(60, this.#markets[place]!.maximumLots);
    const owner = this.#owner();
    const side: Side = random.chance(50) ? BUY : SELL;
    const order: PlaceOrder = {
      kind: 'place-order',
      orderId: this.#nextOrderId(),
      owner,
      market: this.#markets[place]!.id,
      side,
      type: isLimit ? 'limit' : 'market',
      timeInForce: random.pick(TIMES_IN_FORCE),
      price: isLimit ? this.#price(place) : 0,
      quantity: byTotal ? 0 : random.between(1, most),
      quoteTotal: byTotal ? BigInt(random.between(1, 900)) * 1_000_000n : 0n,
      selfTrade: random.pick(SELF_TRADE_MODES),
      ...(random.chance(isHedger(owner) ? 10 : 35) && { reduceOnly: true }),
      ...this.#positionSide(owner, side),
      ...(isLimit && random.chance(10) && { visible: random.between(1, 20) }),
      ...(random.chance(20) && { exits: this.#exits(place, side) }),
      ...(random.chance(5) && { term: this.#term() }),
    };
    this.#remember(order);
    return isLimit ? order : this.#withBound(order, place);
  }

  /** Every fifth order states a bound near the price, by its id: no draw of the random numbers moves. */
  #withBound(order: PlaceOrder, place: number): PlaceOrder {
    const { orderId } = order;
    return orderId % 5 === 0 ? { ...order, worstPrice: this.#middle[place]! + (orderId % 41) - 20 } : order;
  }

  /** Of what some units of margin need, at times out of bounds. */
  #term(): TermChoice {
    const random = this.#random;
    const amount = (most: number) => BigInt(random.between(0, most)) * 10_000n;
    const floor = random.chance(40) ? 0n : amount(random.chance(80) ? 80 : 400);
    return { days: random.pick(TERM_DAYS), target: amount(random.chance(70) ? 60 : 1_000), floor };
  }

  /** Mostly one that trades at once and opens something. */
  #withTerm(): PlaceOrder {
    const random = this.#random;
    const { visible: _visible, exits: _exits, ...order } = this.#place();
    const [place, isBuy] = [this.#markets.findIndex(({ id }) => id === order.market), order.side === BUY];
    const price = order.type === 'market' ? 0 : Math.max(1, this.#middle[place]! + (isBuy ? 200 : -200));
    const positionSide = order.positionSide && (isBuy ? 'long' : 'short');
    const timeInForce = random.chance(85) ? 'IOC' : 'FOK';
    return { ...order, timeInForce, price, reduceOnly: undefined, positionSide, term: this.#term() };
  }

  #price(place: number): number {
    const random = this.#random;
    if (random.chance(10)) this.#middle[place]! += random.between(-120, 120);
    if (this.#middle[place]! < 500) this.#middle[place] = 10_000;
    const reach = random.chance(6) ? 900 : 25;
    return Math.max(1, this.#middle[place]! + random.between(-reach, reach));
  }
}
