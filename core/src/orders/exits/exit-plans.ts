/** The exit plans of open entry orders: found by entry and by exit order, counted by owner and market. */
import type { StateHasher } from '../../collections/state-hash.ts';
import { TRIGGER_SOURCES } from '../conditional/conditional-order.ts';
import type { ExitPlan } from './exit-plan.ts';

/** Entries without a plan cost nothing here. */
export class ExitPlans {
  readonly #byEntry = new Map<number, ExitPlan>();
  /** Entries by their untriggered exit orders. */
  readonly #byExit = new Map<number, number>();
  /** By owner and market, by market, and by market for those that look at the mark price. */
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#byEntry.size;
  }

  find(orderId: number): ExitPlan | undefined {
    return this.#byEntry.get(orderId);
  }

  ofExit(exitId: number): ExitPlan | undefined {
    const entry = this.#byExit.get(exitId);
    return entry === undefined ? undefined : this.#byEntry.get(entry);
  }

  countOf(owner: number, market: number): number {
    return this.#counts.get(`${owner} ${market}`) ?? 0;
  }

  countIn(market: number): number {
    return this.#counts.get(`all ${market}`) ?? 0;
  }

  /** Whether the exits of any entry of a market will be triggered by the mark price. */
  isMarkWatched(market: number): boolean {
    return this.#counts.has(`mark ${market}`);
  }

  /** Adds a plan, or puts it in place of what it was. */
  put(plan: ExitPlan): void {
    this.remove(plan.orderId);
    this.#byEntry.set(plan.orderId, plan);
    if (plan.exitId !== 0) this.#byExit.set(plan.exitId, plan.orderId);
    this.#count(plan, 1);
  }

  remove(orderId: number): void {
    const plan = this.#byEntry.get(orderId);
    if (plan === undefined) return;
    this.#byEntry.delete(orderId);
    this.#byExit.delete(plan.exitId);
    this.#count(plan, -1);
  }

  /** Ascending by entry. */
  all(): ExitPlan[] {
    return [...this.#byEntry.values()].sort((left, right) => left.orderId - right.orderId);
  }

  #count({ owner, market, source }: ExitPlan, change: 1 | -1): void {
    const keys = [`${owner} ${market}`, `all ${market}`, ...(source === 'mark' ? [`mark ${market}`] : [])];
    for (const key of keys) {
      const count = (this.#counts.get(key) ?? 0) + change;
      if (count === 0) this.#counts.delete(key);
      else this.#counts.set(key, count);
    }
  }
}

/** Folds plans into the hash of a state; a state without plans has the hash that it had before there were any. */
export function hashExitPlans(hasher: StateHasher, plans: readonly ExitPlan[]): void {
  for (const { orderId, owner, market, source, takeProfit, stop, exitId, taken } of plans) {
    const legs = [takeProfit, stop].flatMap((leg) => [leg?.trigger ?? 0, leg?.price ?? 0]);
    for (const value of [orderId, owner, market, TRIGGER_SOURCES.indexOf(source), ...legs, exitId])
      hasher.number(value);
    hasher.amount(taken);
  }
}
