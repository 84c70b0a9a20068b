/**
 * Finds the positions that a new price may liquidate without looking at the others. What an account has beyond what it must have
 * is shared out among its positions, and each waits for the price that would use its share up; as long as none is reached, the
 * account stands. Reached ones are looked at and wait anew: a share that is left is a fraction of the one before, so an account
 * that comes near its end is looked at a few times, and the others never.
 *
 * All of it follows from the positions and is made anew after a start.
 */
import { MinHeap } from '../collections/min-heap.ts';
import { divFloor } from '../money/rounding.ts';
import type { Holding } from './holding.ts';
import { BILLION } from './mark-price.ts';
import { LONG, type PerpetualTerms } from './perpetual.ts';

interface Waiting {
  readonly price: bigint;
  readonly holding: Holding;
  /** The holding's when it began to wait; with another it waits elsewhere. */
  readonly turn: number;
}

const isWaiting = ({ holding, turn }: Waiting): boolean => holding.turn === turn;

/** Left beside what a position may lose, in units a lot: whole numbers are rounded in four places on the way. */
const SPARE = 2n;
const MILLION = 1_000_000n;

/** What waits for one price of a market to rise so far. */
class Ascending {
  readonly #heap = new MinHeap<Waiting>((left, right) => left.price < right.price);
  #most = 1_024;

  add(price: bigint, holding: Holding): void {
    this.#heap.push({ price, holding, turn: holding.turn });
    if (this.#heap.size <= this.#most) return;
    this.#heap.retain(isWaiting);
    this.#most = Math.max(1_024, 2 * this.#heap.size);
  }

  /** Takes out what has been reached. */
  take(price: bigint, found: (holding: Holding) => void): void {
    for (let least = this.#heap.least; least !== undefined && least.price <= price; least = this.#heap.least) {
      this.#heap.pop();
      if (isWaiting(least)) found(least.holding);
    }
  }
}

/** What a long lot is worth after its funding, in settlement units. */
function lotWorth({ unitsPerTickLot }: PerpetualTerms, mark: number, fundingIndex: bigint): bigint {
  return BigInt(mark) * unitsPerTickLot - divFloor(fundingIndex, BILLION);
}

/** Of one market. */
export class Watches {
  /** Longs lose as a lot's worth falls (so its opposite rises), shorts as it rises; both must have more as the mark rises. */
  readonly #longs = new Ascending();
  readonly #shorts = new Ascending();
  readonly #marks = new Ascending();

  /** @param share what the position may lose before its account is looked at again, in settlement units */
  add(holding: Holding, share: bigint): void {
    const { position, valuation } = holding;
    if (position === undefined) return;
    const { terms, mark, fundingIndex } = valuation;
    const lots = BigInt(position.lots);
    const worth = lotWorth(terms, mark, fundingIndex);
    const room = (share * 7n) / (8n * lots) - SPARE;
    const away = room > 0n ? room : 0n;
    const steepest = BigInt(terms.tiers.at(-1)!.maintenancePpm + terms.takerPpm);
    const rise = (share * MILLION) / (8n * lots * terms.unitsPerTickLot * steepest);
    holding.turn += 1;
    if (position.direction === LONG) this.#longs.add(away - worth, holding);
    else this.#shorts.add(worth + away, holding);
    this.#marks.add(BigInt(mark) + rise + 1n, holding);
  }

  /** Those that the present price has reached; they wait no more. */
  take(terms: PerpetualTerms, mark: number, fundingIndex: bigint, found: (holding: Holding) => void): void {
    const worth = lotWorth(terms, mark, fundingIndex);
    this.#longs.take(-worth, found);
    this.#shorts.take(worth, found);
    this.#marks.take(BigInt(mark), found);
  }
}
