/**
 * Payments by Bitcoin. Coins of the hot wallet that are in a block pay, and those alone: what is in none may never be. One
 * transaction takes along what else waits.
 */
import { z } from 'zod';
import { RpcRefusal } from '../../platform/node-http.ts';
import { dustOf, scriptOf } from './bitcoin-addresses.ts';
import { readTransaction } from './bitcoin-block.ts';
import { BitcoinCoins, type Coin, outpointOf } from './bitcoin-coins.ts';
import { type BitcoinNode, hash, hexText } from './bitcoin-node.ts';
import { readRefill, writePsbt } from './bitcoin-refills.ts';
import { feeOf, selectCoins, virtualBytes } from './bitcoin-selection.ts';
import { incrementOf, isSpendable, isUnspent, rateWithin } from './bitcoin-spending.ts';
import { BitcoinSweeps } from './bitcoin-sweeps.ts';
import {
  type Broadcast,
  type ChainPayment,
  type Claimed,
  NodeFailure,
  type Sender,
  type Terms,
  type TransactionStatus,
  type Wallet,
} from './service.ts';
import {
  type BitcoinTerms,
  claimsOf,
  isCoinSweep,
  MOST_INPUTS,
  MOST_OTHERS,
  raised,
  type SignedPayment,
} from './transactions.ts';
import { larger } from './units.ts';

const chainInfo = z.object({ blocks: z.number().int() });
const found = z.object({ hex: hexText, blockhash: hash.optional(), confirmations: z.number().int().optional() });
const placed = z.object({ height: z.number().int(), confirmations: z.number().int() });

/** The blocks in which a transaction is to be mined. */
const WITHIN_BLOCKS = 3;
const BLOCK_MINUTES = 10;
/** Of a script of any kind, at most. */
const WIDEST_SCRIPT = Buffer.alloc(34);
/** Blocks that are searched for a spender in one run, and in all: two weeks. */
const SEARCHED = { run: 36, all: 2016 };
const KEPT = 1_000;

const NOT_FOUND = -5;
const IN_CHAIN = -27;

/** What the words of a node mean for a transaction that it does not take. */
function meaningOf({ code, message }: RpcRefusal): Broadcast {
  if (code === IN_CHAIN || /already.known|already in (block chain|utxo set|mempool)/i.test(message)) return 'taken';
  return /insufficient fee|fee not met|min.*fee/i.test(message) ? 'underpriced' : 'refused';
}

/** Of the hot wallet. */
const inputOf = ({ transaction, output, units }: Coin) => ({ transaction, output, units, index: null });

function bitcoin(terms: Terms): BitcoinTerms {
  if (terms.format !== 'bitcoin') throw new Error('Terms of another chain');
  return terms;
}

export class BitcoinSender implements Sender {
  readonly carries = MOST_OTHERS;
  readonly coinSweeps: BitcoinSweeps;
  readonly #node: BitcoinNode;
  readonly #coins = new Map<string, BitcoinCoins>();
  /** Of transactions: they do not change. */
  readonly #costs = new Map<string, bigint>();
  /** Of outputs whose spender is searched: between which heights there is none. */
  readonly #searched = new Map<string, { readonly top: number; readonly bottom: number }>();

  constructor(node: BitcoinNode) {
    this.#node = node;
    this.coinSweeps = new BitcoinSweeps(node);
  }

  async chainId(): Promise<undefined> {
    return undefined;
  }

  async balance(address: string, contract: string | null): Promise<bigint> {
    if (contract !== null) return 0n;
    const coins = await this.#coinsOf(address).unspent();
    return coins.reduce((sum, { units }) => sum + units, 0n);
  }

  async estimate(from: string, { address }: ChainPayment, confirmations: number) {
    const scripts = [this.#script(from), scriptOf(address, this.#node.network) ?? WIDEST_SCRIPT];
    const cost = feeOf(virtualBytes(1, scripts), await this.#rate());
    return { cost, minutes: confirmations * BLOCK_MINUTES };
  }

  async isFree(_from: string, terms: Terms): Promise<boolean> {
    for (const input of bitcoin(terms).inputs) {
      if (!(await isUnspent(this.#node, input))) return false;
    }
    return true;
  }

  async usedBy(from: string, terms: Terms, height: number): Promise<string | undefined> {
    // Coins of a wallet are followed block by block; those of clients are not.
    const coins = isCoinSweep(terms) ? undefined : this.#coinsOf(from);
    await coins?.unspent();
    const head = coins?.height ?? (await this.#node.ask(chainInfo, 'getblockchaininfo', [])).blocks;
    for (const input of bitcoin(terms).inputs) {
      if (await isUnspent(this.#node, input)) continue;
      const outpoint = outpointOf(input);
      const spender = coins?.spenderOf(outpoint) ?? (await this.#search(outpoint, head));
      if (spender !== undefined) return spender.height <= height ? spender.transaction : undefined;
    }
    return undefined;
  }

  async prepare(
    from: string,
    { address, units }: ChainPayment,
    { underway, others = [] }: Claimed,
  ): Promise<Terms | 'short' | undefined> {
    const script = this.#payable(address, units);
    if (script === undefined) return undefined;
    const rate = await this.#rate();
    let free = await this.#free(from, underway);
    let carried = others
      .filter((other) => this.#payable(other.address, other.units) !== undefined)
      .slice(0, this.carries);
    const ownScript = this.#script(from);
    for (;;) {
      const scripts = [script, ...carried.map((other) => this.#script(other.address))];
      const sum = carried.reduce((total, other) => total + other.units, units);
      const selection = selectCoins(free, { scripts, units: sum, rate, ownScript });
      if (selection === undefined) {
        if (carried.length === 0) return 'short';
        carried = carried.slice(0, -1);
        continue;
      }
      const gone = await this.#notSpendable(selection.inputs);
      if (gone.size > 0) {
        free = free.filter((coin) => !gone.has(outpointOf(coin)));
        continue;
      }
      const inputs = selection.inputs.map(inputOf);
      const pays = carried.map((other) => ({ id: other.id, address: other.address, units: other.units }));
      return { format: 'bitcoin', inputs, others: pays, change: selection.change, fee: selection.fee };
    }
  }

  /** The same payments and inputs: what is paid more comes out of the change, and where that is too little, out of more coins. */
  async raise(terms: Terms, { from, underway }: Wallet): Promise<Terms | undefined> {
    if (isCoinSweep(terms)) return this.coinSweeps.raise(bitcoin(terms));
    const { inputs, others, change, fee } = bitcoin(terms);
    const [rate, increment] = await Promise.all([this.#rate(), incrementOf(this.#node)]);
    const scripts = Array.from({ length: others.length + 2 }, () => WIDEST_SCRIPT);
    const withMore = (more: readonly Coin[]): Terms | undefined => {
      const bytes = virtualBytes(inputs.length + more.length, scripts);
      // BIP125: it pays for its own way besides what the one before it has paid.
      const next = raised(fee, larger(feeOf(bytes, rate), fee + feeOf(bytes, increment)));
      const sum = more.reduce((all, { units }) => all + units, change + fee);
      if (sum < next) return undefined;
      const isDust = sum - next < dustOf(WIDEST_SCRIPT);
      const all = [...inputs, ...more.map(inputOf)];
      return { ...bitcoin(terms), inputs: all, change: isDust ? 0n : sum - next, fee: isDust ? sum : next };
    };
    const enough = withMore([]);
    if (enough !== undefined || inputs.length === MOST_INPUTS) return enough;
    const free = await this.#free(from, underway);
    const wide = free.sort((one, other) => (one.units < other.units ? -1 : 1)).find((coin) => withMore([coin]));
    return wide === undefined || (await this.#notSpendable([wide])).size > 0 ? undefined : withMore([wide]);
  }

  /** Coins that it would let be spent as well, with the same amounts. */
  async vouches(from: string, terms: Terms, before?: Terms): Promise<boolean> {
    const known = new Set(before === undefined ? [] : claimsOf(before));
    const script = isCoinSweep(terms) ? undefined : this.#script(from);
    const added = bitcoin(terms).inputs.filter((input) => !known.has(outpointOf(input)));
    for (const coin of added) if (!(await isSpendable(this.#node, coin, script))) return false;
    return true;
  }

  /** Of the largest coins that one transaction can spend, with room for a higher fee. */
  async most(from: string): Promise<bigint> {
    const rate = await this.#rate();
    const each = feeOf(virtualBytes(1, []) - virtualBytes(0, []), rate);
    const worth = (await this.#coinsOf(from).unspent()).map(({ units }) => units).filter((units) => units > each);
    const largest = worth.sort((one, other) => (one < other ? 1 : -1)).slice(0, MOST_INPUTS);
    const fee = feeOf(virtualBytes(largest.length, [WIDEST_SCRIPT, WIDEST_SCRIPT]), rate);
    const left = largest.reduce((sum, units) => sum + units, -raised(fee));
    return left > 0n ? left : 0n;
  }

  read(text: string): Promise<SignedPayment | undefined> {
    return readRefill(this.#node, text);
  }

  psbt(from: string, payment: ChainPayment, terms: Terms): Promise<string> {
    return writePsbt(this.#node, from, payment, bitcoin(terms));
  }

  isCounting(address: string): boolean {
    return this.#coins.get(address)?.isCounting ?? false;
  }

  async broadcast(raw: string): Promise<Broadcast> {
    try {
      await this.#node.attempt(hash, 'sendrawtransaction', [raw]);
      return 'taken';
    } catch (error) {
      if (error instanceof RpcRefusal) return meaningOf(error);
      throw error;
    }
  }

  async status(transaction: string): Promise<TransactionStatus> {
    await this.#node.needIndex();
    const seen = await this.#find(transaction);
    if (seen === undefined) return { state: 'UNKNOWN' };
    if (seen.blockhash === undefined) return { state: 'POOLED' };
    const { height, confirmations } = await this.#node.ask(placed, 'getblockheader', [seen.blockhash]);
    // The index may name a block that was replaced.
    if (confirmations < 1) return { state: 'UNKNOWN' };
    return { state: 'MINED', height, isUndone: false, cost: await this.#cost(transaction, seen.hex) };
  }

  /** Coins that no open payout claims. */
  async #free(from: string, underway: readonly Terms[]): Promise<Coin[]> {
    const claimed = new Set(underway.flatMap(claimsOf));
    return (await this.#coinsOf(from).unspent()).filter((coin) => !claimed.has(outpointOf(coin)));
  }

  #script(address: string): Buffer {
    const script = scriptOf(address, this.#node.network);
    if (script === undefined) throw new Error(`${address} is no address of ${this.#node.network}`);
    return script;
  }

  /** Undefined where an output would not be relayed. */
  #payable(address: string, units: bigint): Buffer | undefined {
    const script = scriptOf(address, this.#node.network);
    return script === undefined || units < dustOf(script) ? undefined : script;
  }

  #coinsOf(address: string): BitcoinCoins {
    const known = this.#coins.get(address) ?? new BitcoinCoins(this.#node, this.#script(address));
    this.#coins.set(address, known);
    return known;
  }

  /** Those that the node would not let be spent now: spent by what waits at it, or too new a block's new coins. */
  async #notSpendable(coins: readonly Coin[]): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    for (const coin of coins) if (!(await isSpendable(this.#node, coin))) gone.add(outpointOf(coin));
    return gone;
  }

  #rate(): Promise<bigint> {
    return rateWithin(this.#node, WITHIN_BLOCKS);
  }

  async #find(transaction: string): Promise<z.output<typeof found> | undefined> {
    try {
      return await this.#node.attempt(found, 'getrawtransaction', [transaction, true]);
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === NOT_FOUND) return undefined;
      throw error;
    }
  }

  async #cost(transaction: string, raw: string): Promise<bigint> {
    const known = this.#costs.get(transaction);
    if (known !== undefined) return known;
    const { inputs, outputs } = readTransaction(raw);
    let cost = outputs.reduce((sum, { units }) => sum - units, 0n);
    for (const { transaction: of, output } of inputs) {
      const before = await this.#find(of);
      const spent = before && readTransaction(before.hex).outputs[output];
      if (spent === undefined) throw new NodeFailure(`BTC does not have ${of}, which was spent`);
      cost += spent.units;
    }
    if (this.#costs.size >= KEPT) this.#costs.clear();
    this.#costs.set(transaction, cost);
    return cost;
  }

  /** Looks at what has come since, and goes further back, some blocks in each run. */
  async #search(outpoint: string, head: number): Promise<{ transaction: string; height: number } | undefined> {
    const { top, bottom } = this.#searched.get(outpoint) ?? { top: head, bottom: head + 1 };
    const lowest = Math.max(0, head - SEARCHED.all, bottom - SEARCHED.run);
    for (let height = head; height >= lowest; height -= 1) {
      if (height <= top && height >= bottom) continue;
      const { transactions } = await this.#node.block(await this.#node.ask(hash, 'getblockhash', [height]));
      const spender = transactions.find(({ inputs }) => inputs.some((input) => outpointOf(input) === outpoint));
      if (spender !== undefined) return { transaction: spender.id, height };
    }
    if (this.#searched.size >= KEPT) this.#searched.clear();
    this.#searched.set(outpoint, { top: head, bottom: lowest });
    if (lowest === 0 || lowest === head - SEARCHED.all) return undefined;
    throw new NodeFailure('What has spent a coin of BTC is being searched');
  }
}
