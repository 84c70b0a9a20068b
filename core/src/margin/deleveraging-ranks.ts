/**
 * In which order positions of a side are closed against one that is liquidated. Ranks are computed for all of a side once for
 * the prices of the moment; then those alone whose account has changed are computed again, so that a crash costs what it closes.
 *
 * A rank only rises by a change that `Margins.takenOut` notes. One that falls otherwise, as by a deposit, is found when it would
 * come first. All of it follows from positions, balances and prices, and is made anew after a start.
 */
import { MinHeap } from '../collections/min-heap.ts';
import type { AccountTable } from '../ledger/account-table.ts';
import type { MarketBook } from '../orders/market-book.ts';
import type { Holding } from './holding.ts';
import type { Margins } from './margins.ts';
import type { Direction } from './perpetual.ts';

interface Ranked {
  readonly holding: Holding;
  readonly rank: bigint;
  readonly ownerNumber: number;
  /** The holding's when it was ranked; with another it was ranked anew. */
  readonly turn: number;
}

/** Higher is earlier; of two that are alike the older owner's. */
const isBefore = (one: Ranked, other: Ranked): boolean =>
  one.rank === other.rank ? one.ownerNumber < other.ownerNumber : one.rank > other.rank;

export interface RanksDeps {
  readonly accounts: AccountTable;
  readonly margins: Margins;
  /** By index. */
  readonly books: readonly MarketBook[];
}

export class DeleveragingRanks {
  readonly #deps: RanksDeps;
  readonly #rankOf: (holding: Holding) => bigint;
  /** By index of the market and direction. */
  readonly #heaps = new Map<string, MinHeap<Ranked>>();
  /** Marks and funding indexes that the ranks are of. */
  #prices: readonly (number | bigint)[] = [];

  constructor(deps: RanksDeps, rankOf: (holding: Holding) => bigint) {
    this.#deps = deps;
    this.#rankOf = rankOf;
  }

  /** Those of a direction, the first to be closed first, by their ranks as it begins; what is taken is ranked anew for the next time. */
  *take(market: number, direction: Direction, liquidated: Holding): Iterable<Holding> {
    const { margins } = this.#deps;
    this.#keepPrices();
    // The account that is liquidated changes on the way: its rank stays what it was before.
    for (const one of margins.holdings.ofOwner(liquidated.owner)) margins.unranked.add(one);
    const heap = this.#heap(market, direction);
    this.#rankAgain();
    for (let first = heap.least; first !== undefined; first = heap.least) {
      heap.pop();
      const { holding } = first;
      if (!isCurrent(first, direction)) continue;
      const rank = holding.owner === liquidated.owner ? first.rank : this.#rankOf(holding);
      if (rank !== first.rank) heap.push({ ...first, rank });
      else {
        margins.unranked.add(holding);
        yield holding;
      }
    }
  }

  /** Comes after each new mark, so that nothing is noted of changes that no rank needs. */
  forget(): void {
    const { margins } = this.#deps;
    if (!margins.isRanking) return;
    margins.isRanking = false;
    margins.unranked.clear();
    this.#heaps.clear();
  }

  /** Other prices are other ranks. */
  #keepPrices(): void {
    const prices = this.#deps.books.flatMap(({ perpetual }) =>
      perpetual === undefined ? [] : [perpetual.mark, perpetual.fundingIndex],
    );
    if (prices.length === this.#prices.length && prices.every((price, place) => price === this.#prices[place])) return;
    this.#prices = prices;
    this.forget();
  }

  #heap(market: number, direction: Direction): MinHeap<Ranked> {
    const key = `${market} ${direction}`;
    const known = this.#heaps.get(key);
    if (known !== undefined) return known;
    const heap = new MinHeap<Ranked>(isBefore);
    this.#heaps.set(key, heap);
    this.#deps.margins.isRanking = true;
    for (const holding of this.#deps.margins.holdings.open(market, direction)) this.#push(heap, holding);
    return heap;
  }

  /** What has changed since it was ranked, where its side is ranked. */
  #rankAgain(): void {
    const { unranked } = this.#deps.margins;
    for (const holding of unranked) {
      const { market, position } = holding;
      const heap = position && this.#heaps.get(`${market} ${position.direction}`);
      if (heap !== undefined) this.#push(heap, holding);
    }
    unranked.clear();
  }

  #push(heap: MinHeap<Ranked>, holding: Holding): void {
    holding.rankTurn += 1;
    const ownerNumber = this.#deps.accounts.ownerNumber(holding.owner);
    heap.push({ holding, rank: this.#rankOf(holding), ownerNumber, turn: holding.rankTurn });
  }
}

const isCurrent = ({ holding, turn }: Ranked, direction: Direction): boolean =>
  holding.rankTurn === turn && holding.position?.direction === direction;
