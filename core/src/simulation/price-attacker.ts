/**
 * One person with two accounts in a thin book, who takes the price down to where the stops of others are and buys what those sell. Seeded:
 * ladders of tiny trades within the band, sweeps, bids that wait at its end, and waiting.
 *
 * What such a person may win, at most. A stop is triggered where the last price is, which is nowhere below the band, and sells nowhere
 * below it either. The band is measured from the reference, so all depends on how far that can be brought. A price from outside that is told
 * in time is the reference: then it stays. Without one, the last price is never more than a band b below the reference, so this moves
 * down by no more than e^(−b × t ÷ T) of itself in a time t, and once for each pause, from which the market goes on at no less than 1 − b
 * of it. With F the reference's floor, P × (1 − b)^pauses × e^(−b × t ÷ T), every stop that can be triggered is at F × (1 − b) or above, and
 * each of its lots is worth no more than P − F × (1 − b) to whoever buys it. Fees and what the honest bids take only lessen that.
 */
import type { Command } from '../exchange/command.ts';
import { createExchange, type FastExchange } from '../exchange/create-exchange.ts';
import { accountKey, Bucket, Wallet } from '../ledger/account.ts';
import { issue } from '../ledger/issue.ts';
import { lowestInBand } from '../money/market.ts';
import { baseUnits } from '../money/notional.ts';
import { REFERENCE_TIME_MS } from '../money/reference-price.ts';
import type { PlaceOrder } from '../orders/commands.ts';
import { BUY, SELL } from '../terms/order-terms.ts';
import { BAND_FROM_REFERENCE } from '../terms/rules.ts';
import { BTC, BTC_USDT, listing, USDT } from './markets.ts';
import { Random } from './random.ts';

const PRICE = 640_000;
const BAND = BTC_USDT.priceBandPpm / 1_000_000;
const [SELLER, BUYER, HONEST] = [201, 202, 203];
/** Below the price, in percent: as they were when such a person won 12,327 USDT. */
const STOPS = [5, 12, 20, 30];
const TELL_EVERY_MS = 10_000;
const WAITS_MS = [1, 20, 400, 1_000, 4_000, 11_000, 60_000, 301_000];
const PLENTY = 10n ** 17n;

export interface AttackTerms {
  readonly seed: number;
  /** Commands in all. */
  readonly steps: number;
  readonly rules: number;
  /** Whether a price from outside is told, which stays where it was. */
  readonly isFed: boolean;
}

/** Results of the simulated attacks; amounts are in quote units. */
export interface AttackResult {
  readonly attacks: number;
  readonly pauses: number;
  /** Stops that were triggered. */
  readonly triggered: number;
  /** The most that one attack has won. */
  readonly mostWon: bigint;
  /** Attacks that have won more than their bound. */
  readonly beyond: number;
}

export function simulatePriceAttacks({ seed, steps, rules, isFed }: AttackTerms): AttackResult {
  const attacker = new PriceAttacker(new Random(seed), rules, isFed);
  const result = { attacks: 0, pauses: 0, triggered: 0, mostWon: 0n, beyond: 0 };
  while (attacker.steps < steps) {
    const { won, bound, pauses, triggered } = attacker.attack();
    result.attacks += 1;
    result.pauses += pauses;
    result.triggered += triggered;
    if (won > result.mostWon) result.mostWon = won;
    if (won > bound) result.beyond += 1;
  }
  return result;
}

type Terms = Pick<PlaceOrder, 'owner' | 'side' | 'price' | 'quantity'> & Partial<PlaceOrder>;

class PriceAttacker {
  readonly #exchange: FastExchange = createExchange();
  readonly #random: Random;
  readonly #isFed: boolean;
  #time = 1_700_000_000_000;
  #toldAt = 0;
  #pauses = 0;
  #triggered = 0;
  steps = 0;

  constructor(random: Random, rules: number, isFed: boolean) {
    this.#random = random;
    this.#isFed = isFed;
    this.#exchange.rules = rules;
    const limits = { maximumOpenOrdersPerOwner: 1_000 };
    for (const command of listing([BTC_USDT], limits)) this.#apply(command);
    for (const owner of [SELLER, BUYER, HONEST])
      for (const { id } of [BTC, USDT]) this.#apply(issue('development-credit', owner, id, PLENTY));
  }

  /** One attack on a market that begins at its price. @returns what it has won, and what it may have */
  attack(): { won: bigint; bound: bigint; pauses: number; triggered: number } {
    const volumes = this.#open();
    const [begun, wealth] = [this.#time, this.#wealth()];
    [this.#pauses, this.#triggered] = [0, 0];
    const end = this.steps + this.#random.between(30, 300);
    while (this.steps < end) this.#act();
    const won = this.#wealth() - wealth;
    const elapsed = this.#time - begun;
    return { won, bound: this.#bound(volumes, elapsed), pauses: this.#pauses, triggered: this.#triggered };
  }

  /** A quiet market at its price, with a thin book and stops. @returns lots of each stop */
  #open(): number[] {
    this.#time += 3_600_000;
    for (const owner of [SELLER, BUYER, HONEST]) this.#apply({ kind: 'cancel-all-orders', owner, market: undefined });
    this.#apply({ kind: 'run-twaps', maximum: 1 });
    this.#apply({ kind: 'set-reference-price', market: BTC_USDT.id, price: PRICE });
    const random = this.#random;
    for (let level = 1; level <= 6; level += 1) {
      const away = Math.round((PRICE * level * random.between(5, 14)) / 1_000);
      this.#place({ owner: HONEST, side: BUY, price: PRICE - away, quantity: random.between(10, 60) });
      this.#place({ owner: HONEST, side: SELL, price: PRICE + away, quantity: random.between(10, 60) });
    }
    // A price that was told is no longer fresh, unless another is told.
    this.#time += 60_000;
    return STOPS.map((percent) => this.#stop(Math.round((PRICE * (100 - percent)) / 100), random.between(100, 3_000)));
  }

  #stop(trigger: number, quantity: number): number {
    const terms = {
      owner: HONEST,
      market: BTC_USDT.id,
      side: SELL,
      source: 'last',
      timeInForce: 'IOC',
      quantity,
    } as const;
    this.#apply({
      ...{ kind: 'place-conditional-order', orderId: this.#exchange.lastOrderId + 1, quoteTotal: 0n, ...terms },
      ...{ selfTrade: 'CANCEL_OLDEST', takeProfit: undefined, stop: { trigger, price: 0 }, trailing: undefined },
    });
    return quantity;
  }

  #act(): void {
    const random = this.#random;
    const dice = random.between(1, 100);
    if (dice <= 40) this.#ladder();
    else if (dice <= 62)
      this.#place({
        owner: BUYER,
        side: BUY,
        price: this.#lowest() + random.between(0, 3_000),
        quantity: random.between(200, 3_000),
      });
    else if (dice <= 85) this.#wait(random.pick(WAITS_MS));
    else if (dice <= 93)
      this.#place({ owner: SELLER, side: SELL, price: 0, type: 'market', quantity: random.between(50, 5_000) });
    else this.#apply({ kind: 'cancel-all-orders', owner: BUYER, market: undefined });
  }

  /** A tiny trade with itself, further down, after what is bid above it. */
  #ladder(): void {
    const { lastPrice } = this.#exchange.marketState(BTC_USDT.id);
    const step = Math.floor(lastPrice * BAND * (this.#random.between(50, 98) / 100));
    const price = Math.max(this.#lowest(), lastPrice - step);
    const levels = this.#exchange.depth(BTC_USDT.id, BUY, 50);
    let above = 0;
    for (let at = 0; at < levels.length; at += 3) if (levels[at]! > price) above += levels[at + 1]!;
    this.#place({ owner: BUYER, side: BUY, price, quantity: 10 });
    this.#place({
      owner: SELLER,
      side: SELL,
      price,
      quantity: above + 10,
      timeInForce: 'IOC',
      selfTrade: 'CANCEL_OLDEST',
    });
  }

  #wait(ms: number): void {
    this.#time += ms;
    this.#apply({ kind: 'run-twaps', maximum: 1 });
  }

  #lowest(): number {
    return lowestInBand(this.#exchange.bandPrice(BTC_USDT.id), BTC_USDT.priceBandPpm);
  }

  #place(terms: Terms): void {
    this.#apply({
      ...{ kind: 'place-order', orderId: this.#exchange.lastOrderId + 1, market: BTC_USDT.id, quoteTotal: 0n },
      ...{ type: 'limit', timeInForce: terms.type === 'market' ? 'IOC' : 'GTC', selfTrade: 'CANCEL_NEWEST' },
      ...terms,
    });
  }

  #apply(command: Command): void {
    this.#tell();
    this.#time += this.#random.between(0, 3);
    this.#send(command);
  }

  /** What the server does while it has a price of other markets. */
  #tell(): void {
    if (!this.#isFed || this.#exchange.rules < BAND_FROM_REFERENCE || this.#time - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = this.#time;
    this.#send({ kind: 'set-reference-price', market: BTC_USDT.id, price: PRICE, isReferenceOnly: true });
  }

  #send(command: Command): void {
    this.steps += 1;
    this.#exchange.apply(this.#time, command);
    const batch = this.#exchange.takeBatch();
    for (const { kind } of batch.objects) {
      if (kind === 'market-paused') this.#pauses += 1;
      if (kind === 'order-triggered') this.#triggered += 1;
    }
    this.#exchange.recycle(batch);
  }

  /** Of both accounts in quote units, coins at the price that the market began with. */
  #wealth(): bigint {
    let wealth = 0n;
    for (const owner of [SELLER, BUYER])
      for (const bucket of [Bucket.AVAILABLE, Bucket.HELD]) {
        const of = (asset: number) => this.#exchange.balance(accountKey(owner, Wallet.SPOT, bucket, asset));
        wealth += of(USDT.id) + (of(BTC.id) * BigInt(PRICE)) / baseUnits(BTC_USDT, 1);
      }
    return wealth;
  }

  /** In quote units, rounded up: a tick of a lot is one. */
  #bound(volumes: readonly number[], elapsedMs: number): bigint {
    const moved = (1 - BAND) ** this.#pauses * Math.exp((-BAND * elapsedMs) / REFERENCE_TIME_MS);
    const lowest = PRICE * (this.#isFed ? 1 : moved) * (1 - BAND);
    const within = volumes.filter((_, at) => (PRICE * (100 - STOPS[at]!)) / 100 >= lowest);
    const lots = within.reduce((sum, one) => sum + one, 0);
    return BigInt(Math.ceil(lots * (PRICE - lowest)));
  }
}
