/**
 * Payments by two nodes, of whatever chain. What is signed both have named for themselves, and each stands by what the other
 * has; what ends a payment is what both say, of blocks that both have. What is sent goes to both.
 *
 * Where they name different figures, the careful one counts, whichever of them is wrong: of balances and of fees the lower
 * one, since a payment that is short or too cheap waits, and what was paid too much is gone; of what work may burn at most,
 * and of what something is thought to cost, the higher one, since what a call does not need is not burned, and what is
 * thought to be dear waits.
 */
import { both, type Disagreements, each, merged, type Two, type Whole } from './both-nodes.ts';
import {
  type BlockHeader,
  type Broadcast,
  type Claimed,
  type CoinSweep,
  type CoinSweeps,
  EstimateRefused,
  NodeFailure,
  type PayerCoin,
  type Sender,
  type Terms,
  type TransactionStatus,
  type Wallet,
} from './service.ts';
import { asOne, type ChainPayment } from './transactions.ts';
import { larger, smaller } from './units.ts';

/** Blocks by which one of two nodes may be ahead of the other. */
const AHEAD_BLOCKS = 8;

type Prepared = Terms | 'short' | undefined;

const isSame = (one: TransactionStatus, other: TransactionStatus): boolean =>
  one.state === other.state &&
  (one.state !== 'MINED' ||
    other.state !== 'MINED' ||
    (one.height === other.height && one.isUndone === other.isUndone && one.cost === other.cost));

/** Terms that both nodes have named by what they know, and by which both stand. @throws NodeFailure where there are none */
async function termsOfBoth(
  senders: Two<Sender>,
  [here, there]: Two<Terms>,
  from: string,
  before?: Terms,
): Promise<Terms> {
  for (const terms of asOne(here, there)) {
    const stand = await both(senders, async (sender) => (await sender.vouches?.(from, terms, before)) ?? true);
    if (stand.every((one) => one)) return terms;
  }
  throw new NodeFailure('Both nodes do not stand by the same terms of a payment');
}

async function preparedByBoth(senders: Two<Sender>, [here, there]: Two<Prepared>, from: string): Promise<Prepared> {
  // What only one of them has to pay with is not spent.
  if (here === 'short' || there === 'short') return 'short';
  if (here !== undefined && there !== undefined) return termsOfBoth(senders, [here, there], from);
  if (here === there) return undefined;
  // A receiver may see to that: others do not wait for it.
  throw new EstimateRefused('Both nodes do not say whether a payment would be undone');
}

class PairedCoinSweeps implements Whole<CoinSweeps> {
  readonly most: number;
  readonly #senders: Two<Sender>;
  readonly #sweeps: Two<CoinSweeps>;

  constructor(senders: Two<Sender>, sweeps: Two<CoinSweeps>) {
    const [first, second] = sweeps;
    this.#senders = senders;
    this.#sweeps = sweeps;
    this.most = Math.min(first.most, second.most);
  }

  async fees(): Promise<(coins: number) => bigint> {
    const [here, there] = await both(this.#sweeps, (one) => one.fees());
    return (coins) => larger(here(coins), there(coins));
  }

  async spendable(coins: readonly PayerCoin[]): Promise<readonly PayerCoin[]> {
    const [here, there] = await both(this.#sweeps, (one) => one.spendable(coins));
    return here.filter((coin) => there.includes(coin));
  }

  async prepare(hot: string, sweep: CoinSweep, others: readonly (CoinSweep & { readonly id: string })[]) {
    const asked = await both(this.#sweeps, (one) => one.prepare(hot, sweep, others));
    return (await preparedByBoth(this.#senders, asked, hot)) ?? 'short';
  }
}

export interface PairedSenderParts {
  /** Of the newest block that both nodes have. */
  readonly agreedHeight: () => number;
  readonly disagreements: Pick<Disagreements, 'note'>;
}

export class PairedSender implements Whole<Sender> {
  readonly carries: Sender['carries'];
  readonly canSweep: Sender['canSweep'];
  readonly openingCost: Sender['openingCost'];
  readonly coinSweeps: Sender['coinSweeps'];
  readonly balanceAt: Sender['balanceAt'];
  /** What it has named both stand by. */
  readonly vouches: undefined;
  readonly read: Sender['read'];
  readonly most: Sender['most'];
  readonly isCounting: Sender['isCounting'];
  readonly psbt: Sender['psbt'];
  readonly #senders: Two<Sender>;
  readonly #parts: PairedSenderParts;

  constructor(senders: Two<Sender>, parts: PairedSenderParts) {
    const [first, second] = senders;
    this.#senders = senders;
    this.#parts = parts;
    const have = (name: keyof Sender) => first[name] !== undefined && second[name] !== undefined;
    const { coinSweeps: sweeps } = first;
    if (have('carries')) this.carries = Math.min(first.carries ?? 0, second.carries ?? 0);
    this.canSweep = (first.canSweep && second.canSweep) ?? false;
    if (sweeps && second.coinSweeps) this.coinSweeps = new PairedCoinSweeps(senders, [sweeps, second.coinSweeps]);
    if (have('openingCost')) this.openingCost = () => this.#openingCost();
    if (have('balanceAt')) this.balanceAt = (...asked) => this.#balanceAt(...asked);
    if (have('read')) this.read = (raw) => this.#read(raw);
    if (have('most')) this.most = (from) => this.#most(from);
    if (have('isCounting')) this.isCounting = (address) => senders.some((one) => one.isCounting?.(address));
    if (have('psbt')) this.psbt = (...asked) => this.#psbt(...asked);
  }

  async balance(address: string, contract: string | null, isStated = false): Promise<bigint> {
    if (!isStated) return merged(this.#senders, (sender) => sender.balance(address, contract), smaller);
    return this.#agreed(address, (sender) => sender.balance(address, contract));
  }

  /** What is stated to others is what both say. */
  #balanceAt(...asked: [address: string, contract: string | null, block: BlockHeader]): Promise<bigint> {
    return this.#agreed(asked[0], async (sender) => sender.balanceAt?.(...asked));
  }

  async estimate(from: string, payment: ChainPayment, confirmations: number) {
    return merged(
      this.#senders,
      (sender) => sender.estimate(from, payment, confirmations),
      (here, there) => ({
        cost: larger(here.cost, there.cost),
        minutes: Math.max(here.minutes, there.minutes),
      }),
    );
  }

  #openingCost(): Promise<bigint> {
    return merged(this.#senders, async (sender) => (await sender.openingCost?.()) ?? 0n, larger);
  }

  async prepare(from: string, payment: ChainPayment, claimed: Claimed): Promise<Prepared> {
    const asked = await both(this.#senders, (sender) => sender.prepare(from, payment, claimed));
    return preparedByBoth(this.#senders, asked, from);
  }

  /** Where time alone ends a transaction, both say that it has. */
  async raise(terms: Terms, wallet: Wallet): Promise<Terms | undefined> {
    const [here, there] = await both(this.#senders, (sender) => sender.raise(terms, wallet));
    if (here === undefined || there === undefined) return undefined;
    return termsOfBoth(this.#senders, [here, there], wallet.from, terms);
  }

  /** Bytes and signatures say what they pay: a node that does not know what they spend can only hide it. */
  async #read(raw: string) {
    const [here, there] = await each(this.#senders, async (sender) => sender.read?.(raw));
    return here ?? there;
  }

  async #most(from: string): Promise<bigint> {
    const [here, there] = await both(this.#senders, async (sender) => (await sender.most?.(from)) ?? 0n);
    return smaller(here, there);
  }

  async #psbt(...asked: Parameters<NonNullable<Sender['psbt']>>): Promise<string> {
    const [here, there] = await each(this.#senders, async (sender) => sender.psbt?.(...asked));
    return here ?? there ?? '';
  }

  chainId(): Promise<number | undefined> {
    return merged(
      this.#senders,
      (sender) => sender.chainId(),
      (here, there) => {
        if (here === there) return here;
        throw new NodeFailure('Both nodes are of different chains');
      },
    );
  }

  /** It could still be mined unless both know better. */
  async isFree(from: string, terms: Terms, height: number): Promise<boolean> {
    const [here, there] = await each(this.#senders, (sender) => sender.isFree(from, terms, height));
    return here !== false || there !== false;
  }

  async usedBy(from: string, terms: Terms, height: number): Promise<string | undefined> {
    const [here, there] = await each(this.#senders, (sender) => sender.usedBy(from, terms, height));
    return here === there ? here : undefined;
  }

  async broadcast(raw: string): Promise<Broadcast> {
    return merged(
      this.#senders,
      (sender) => sender.broadcast(raw),
      (here, there) => (there === 'taken' ? there : here),
    );
  }

  async status(transaction: string): Promise<TransactionStatus> {
    const [here, there] = await each(this.#senders, (sender) => sender.status(transaction));
    if (here === undefined || there === undefined) return { state: 'UNCLEAR' };
    const mined = [here, there].flatMap((one) => (one.state === 'MINED' ? one : []));
    const agreed = this.#parts.agreedHeight();
    // Above what both have, one may be ahead: nothing ends there.
    const isAhead = mined.every(({ height }) => height > agreed && height <= agreed + AHEAD_BLOCKS);
    const isUnclear = !isSame(here, there) && !isAhead;
    this.#parts.disagreements.note(`transaction ${transaction}`, isUnclear);
    if (isUnclear) return { state: 'UNCLEAR' };
    if (mined[0] !== undefined) return mined[0];
    return here.state === there.state ? here : { state: 'POOLED' };
  }

  /** @throws NodeFailure where both do not say the same */
  async #agreed(address: string, ask: (sender: Sender) => Promise<bigint | undefined>): Promise<bigint> {
    const [here, there] = await both(this.#senders, ask);
    if (here === undefined || here !== there) throw new NodeFailure(`Both nodes do not say what ${address} has`);
    return here;
  }
}
