/**
 * What clients have deposited, brought to the hot wallet in one output: its fee is what a node asks of those that can wait a
 * day, and comes out of what is swept.
 */
import { dustOf } from './bitcoin-addresses.ts';
import type { BitcoinNode } from './bitcoin-node.ts';
import { feeOf, virtualBytes } from './bitcoin-selection.ts';
import { incrementOf, isSpendable, rateWithin } from './bitcoin-spending.ts';
import type { CoinSweep, CoinSweeps, NamedCoinSweep, Terms } from './service.ts';
import { type BitcoinTerms, MOST_INPUTS, MOST_OTHERS, type PayerCoin, raised } from './transactions.ts';
import { larger } from './units.ts';

/** The blocks in which a sweep is to be mined: a day. */
const CALM_BLOCKS = 144;
/** A hot wallet's script is a key hash. */
const HOT_SCRIPT = Buffer.alloc(22);

const sumOf = (coins: readonly PayerCoin[]): bigint => coins.reduce((sum, { units }) => sum + units, 0n);
const bytesOf = (coins: number): bigint => virtualBytes(coins, [HOT_SCRIPT]);

/** What is left is worth more than its fee, and would be relayed. */
const isWorth = (sum: bigint, fee: bigint): boolean => sum >= 2n * fee && sum - fee >= dustOf(HOT_SCRIPT);

export class BitcoinSweeps implements CoinSweeps {
  readonly most = MOST_INPUTS;
  readonly #node: BitcoinNode;

  constructor(node: BitcoinNode) {
    this.#node = node;
  }

  async fees(): Promise<(coins: number) => bigint> {
    const rate = await rateWithin(this.#node, CALM_BLOCKS);
    return (coins) => feeOf(bytesOf(coins), rate);
  }

  async spendable(coins: readonly PayerCoin[]): Promise<readonly PayerCoin[]> {
    const asked = await Promise.all(coins.map((coin) => isSpendable(this.#node, coin)));
    return coins.filter((_, at) => asked[at]);
  }

  async prepare(hot: string, sweep: CoinSweep, others: readonly NamedCoinSweep[]): Promise<Terms | 'short'> {
    if (!(await this.#isWhole(sweep))) return 'short';
    const along: NamedCoinSweep[] = [];
    let count = sweep.coins.length;
    for (const other of others) {
      const isRoom = along.length < MOST_OTHERS && count + other.coins.length <= this.most;
      const isOther = [sweep, ...along].every(({ index }) => index !== other.index);
      if (!isRoom || !isOther || !(await this.#isWhole(other))) continue;
      along.push(other);
      count += other.coins.length;
    }
    const inputs = [sweep, ...along].flatMap(({ coins, index }) =>
      coins.map(({ transaction, output, units }) => ({ transaction, output, units, index })),
    );
    const fee = (await this.fees())(count);
    if (!isWorth(sumOf(inputs), fee)) return 'short';
    const carried = along.map(({ id, index, coins }) => ({ id, address: hot, units: sumOf(coins), index }));
    return { format: 'bitcoin', inputs, others: carried, change: 0n, fee };
  }

  /** Spends the same for a higher fee; undefined where that would be most of what it brings. */
  async raise(terms: BitcoinTerms): Promise<BitcoinTerms | undefined> {
    const { inputs, fee } = terms;
    const [fees, increment] = await Promise.all([this.fees(), incrementOf(this.#node)]);
    const least = fee + feeOf(bytesOf(inputs.length), increment);
    const next = raised(fee, larger(fees(inputs.length), least));
    return isWorth(sumOf(inputs), next) ? { ...terms, fee: next } : undefined;
  }

  async #isWhole({ coins }: CoinSweep): Promise<boolean> {
    return (await this.spendable(coins)).length === coins.length;
  }
}
