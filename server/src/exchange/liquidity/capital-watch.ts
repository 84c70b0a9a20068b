/**
 * Fills the market maker's capital and the insurance up while they are used, says what they lose, since what is refilled hides it, and
 * stops both where that is more than the operator stands for.
 */
import {
  accountKey,
  accountParts,
  Bucket,
  HOUSE_MAKER,
  HOUSE_TAKER,
  SystemOwner,
  Wallet,
} from '@cambist/core/ledger/account.ts';
import { declarationOf } from '@cambist/core/ledger/transfer.ts';
import type { ExchangeView, Submission } from '../engine/feed.ts';
import type { Catalogue } from '../instruments/service.ts';
import { capitalCommands } from './capital.ts';

export type CapitalNotice =
  /** The insurance of an asset, or the market maker in it, had lost most of its capital, and is filled up by so many smallest units. */
  | { readonly kind: 'insurance-refilled' | 'maker-refilled'; readonly asset: number; readonly amount: bigint }
  /**
   * All of it together has lost more than so many USDT since it was provided; with `loss-limit` as many as it may, so that nothing is
   * quoted and filled up until it has less than that again.
   */
  | { readonly kind: 'capital-lost' | 'loss-limit'; readonly usdt: number };

interface Deps {
  readonly catalogue: Catalogue;
  readonly view: Pick<ExchangeView, 'balance' | 'marginWalletOf'>;
  readonly bandPrice: (market: number) => number;
  /** Accounts of the market maker that are filled up. */
  readonly owners: readonly number[];
  /** Ticks, with a fraction: what a market's coin is worth. */
  readonly priceOf: (market: number) => number;
  /** What all of it may lose, in USDT; undefined for any loss. */
  readonly lossLimit: number | undefined;
  /** What the insurance of each settlement asset is filled up to, in whole units. */
  readonly insured: () => bigint;
  readonly onCapital: (notice: CapitalNotice) => void;
}

const REFILL_EVERY_MS = 600_000;
/** Often, since a feed that is wrong costs thousands in a second. */
const WATCH_EVERY_MS = 1_000;
/** Of the limit: a loss that is less again than so much of it lets the market maker go on. */
const RESUMES_BELOW = 0.9;
/** USDT; each further alarm is for twice as much. */
const FIRST_LOSS = 100_000;
/** A refill is for a loss where at least one part of so many of it has left the market maker's accounts, and not only changed between them. */
const LOST_PART = 4n;
const SYMBOL_OF_MONEY = 'USDT';

/**
 * What the market maker, the insurance and the fees have of an asset beyond what was put behind them, in smallest units; below zero is
 * what others have of it now. What was issued for them is what their source is short of. In perpetuals the market maker's two accounts
 * pay fees for trading with each other, which are the exchange's again.
 */
export function resultIn({ view }: Pick<Deps, 'view'>, asset: number): bigint {
  const system = (owner: SystemOwner) => view.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
  const spot = (owner: number) =>
    view.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset)) +
    view.balance(accountKey(owner, Wallet.SPOT, Bucket.HELD, asset));
  const own = [HOUSE_MAKER, HOUSE_TAKER].map((owner) => spot(owner) + view.marginWalletOf(owner, asset).total);
  const others = [SystemOwner.HOUSE_CAPITAL, SystemOwner.INSURANCE, SystemOwner.FEES].map(system);
  return [...own, ...others].reduce((sum, one) => sum + one, 0n);
}

/** The same of all assets that trade against USDT, at their prices, in whole USDT. */
export function resultInUsdt(deps: Pick<Deps, 'catalogue' | 'view' | 'priceOf'>): number {
  const { catalogue, priceOf } = deps;
  const money = catalogue.assetByCode(SYMBOL_OF_MONEY);
  if (money === undefined) return 0;
  const coins = catalogue.markets
    .filter(({ spec }) => spec.quote.id === money.id)
    .map(({ spec: { id, base, tickScale } }) => {
      const whole = Number(resultIn(deps, base.id)) / 10 ** base.scale;
      return (whole * priceOf(id)) / 10 ** tickScale;
    });
  return coins.reduce((sum, one) => sum + one, Number(resultIn(deps, money.id)) / 10 ** money.scale);
}

/** The highest of the alarms' levels that a loss has reached, in USDT; 0 for none. */
export function levelOf(loss: number): number {
  return loss < FIRST_LOSS ? 0 : FIRST_LOSS * 2 ** Math.floor(Math.log2(loss / FIRST_LOSS));
}

export class CapitalWatch {
  readonly #deps: Deps;
  #refilledAt: number;
  #watchedAt = 0;
  /** The level of the last alarm. */
  #level = 0;
  #isSpent = false;

  constructor(deps: Deps, now: number) {
    this.#deps = deps;
    this.#refilledAt = now;
  }

  /** Whether more was lost than may be. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Commands that bring everything to where it should be; none on most starts. What was never provided was not lost. */
  opening(): Submission[] {
    this.#limit(-resultInUsdt(this.#deps));
    if (this.#isSpent) return [];
    return this.#refill((kind, asset, amount) => this.#tell(kind, asset, amount));
  }

  /** The same while it runs, every ten minutes. */
  due(now: number): Submission[] {
    this.#watch(now);
    if (this.#isSpent || now - this.#refilledAt <= REFILL_EVERY_MS) return [];
    this.#refilledAt = now;
    return this.#refill((kind, asset, amount) => {
      if (kind === 'insurance-refilled') this.#deps.onCapital({ kind, asset, amount });
      else this.#tell(kind, asset, amount);
    });
  }

  #refill(tell: (kind: 'insurance-refilled' | 'maker-refilled', asset: number, amount: bigint) => void): Submission[] {
    const { catalogue, view, bandPrice, owners, insured } = this.#deps;
    const commands = capitalCommands(catalogue, view, bandPrice, owners, insured());
    for (const command of commands) {
      if (command.kind !== 'transfer' || declarationOf(command.reason)?.effect === 'own') continue;
      const kind = command.reason === 'insurance-capital' ? 'insurance-refilled' : 'maker-refilled';
      for (const { to, amount } of command.legs) tell(kind, accountParts(to).asset, amount);
    }
    return commands;
  }

  #tell(kind: 'insurance-refilled' | 'maker-refilled', asset: number, amount: bigint): void {
    if (-resultIn(this.#deps, asset) * LOST_PART >= amount) this.#deps.onCapital({ kind, asset, amount });
  }

  #watch(now: number): void {
    if (now - this.#watchedAt < WATCH_EVERY_MS) return;
    this.#watchedAt = now;
    const loss = -resultInUsdt(this.#deps);
    this.#limit(loss);
    const level = levelOf(loss);
    // What is won back is said again when it is lost again, but not at each crossing of a level.
    if (level > this.#level) this.#deps.onCapital({ kind: 'capital-lost', usdt: level });
    if (level > this.#level || level * 4 <= this.#level) this.#level = level;
  }

  #limit(loss: number): void {
    const { lossLimit: limit, onCapital } = this.#deps;
    if (limit === undefined) return;
    const wasSpent = this.#isSpent;
    this.#isSpent = loss > (wasSpent ? limit * RESUMES_BELOW : limit);
    if (this.#isSpent && !wasSpent) onCapital({ kind: 'loss-limit', usdt: limit });
  }
}
