import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { BitcoinNode } from './bitcoin-node.ts';
import { BitcoinSender } from './bitcoin-sender.ts';
import { Disagreements, SPLIT_MS } from './both-nodes.ts';
import { EvmSender } from './evm-sender.ts';
import { PairedChain } from './paired-chain.ts';
import { PairedSender } from './paired-sender.ts';
import {
  type BlockHeader,
  type Chain,
  EstimateRefused,
  NodeFailure,
  type Payment,
  type Sender,
  type Terms,
  type TransactionStatus,
} from './service.ts';
import { TronNode } from './tron-node.ts';
import { TronSender } from './tron-sender.ts';

/** Blocks by height, as a node has them; the letter names the branch. */
class FakeNode implements Chain {
  readonly network = 'ERC20';
  readonly isDevelopment = false;
  readonly staleAfterMs = undefined;
  seesInnerCalls = true;
  isAway = false;
  #branches: string[];
  paid: Payment[] = [];

  constructor(blocks: string) {
    this.#branches = [...blocks];
  }

  /** @param blocks a letter for each from the first on */
  has(blocks: string): void {
    this.#branches = [...blocks];
  }

  async head(): Promise<BlockHeader> {
    return (await this.header(this.#branches.length - 1))!;
  }

  async header(height: number): Promise<BlockHeader | undefined> {
    if (this.isAway) throw new NodeFailure('away');
    if (height >= this.#branches.length) return undefined;
    const hash = (at: number) => `${this.#branches.slice(0, at + 1).join('')}`;
    return { height, hash: hash(height), parent: height === 0 ? '' : hash(height - 1), time: height };
  }

  async payments(): Promise<readonly Payment[]> {
    if (this.isAway) throw new NodeFailure('away');
    return this.paid;
  }
}

const nobody = async () => new Set<string>();
const COMMON = 'a'.repeat(20);

describe('a network by two nodes', () => {
  let first: FakeNode;
  let second: FakeNode;
  let chain: PairedChain;
  let now: number;

  beforeEach(() => {
    now = 0;
    [first, second] = [new FakeNode(COMMON), new FakeNode(COMMON)];
    chain = new PairedChain({ first, second, clock: { now: () => now }, logger: createLogger('silent') });
  });

  const height = async () => (await chain.head()).height;

  it('is as far as both are: the one that is ahead waits for the other', async () => {
    expect(await height()).toBe(19);
    first.has(`${COMMON}aaa`);
    expect(await height()).toBe(19);
    second.has(`${COMMON}a`);
    expect(await height()).toBe(20);
    expect(chain.pair).toEqual({ heads: [22, 20], isSplit: false });
  });

  it('is as it was before both began to differ, and is whole again by itself after a short reorganization', async () => {
    await height();
    [first, second].forEach((node, index) => {
      node.has(`${COMMON}${'bc'[index]}`);
    });
    expect(await height()).toBe(19);
    now = SPLIT_MS - 1;
    expect([await height(), chain.pair.isSplit]).toEqual([19, false]);
    second.has(`${COMMON}bb`);
    expect([await height(), chain.pair.isSplit]).toEqual([20, false]);
    // A later one has its own time.
    now += SPLIT_MS;
    second.has(`${COMMON}c`);
    expect([await height(), chain.pair.isSplit]).toEqual([19, false]);
  });

  it('is split once both differ for long, however deep, believes neither, and ends that when they agree', async () => {
    await height();
    second.has('aaaaccccccccccccccccccccccc');
    await height();
    now = SPLIT_MS;
    first.has(`${COMMON}aaaaaa`);
    expect([await height(), chain.pair.isSplit]).toEqual([19, true]);
    await expect(chain.payments((await first.header(22))!, nobody)).rejects.toThrow('not one of both');
    second.has(`${COMMON}aaaaaa`);
    expect([await height(), chain.pair.isSplit]).toEqual([25, false]);
  });

  it('of two that never had a block in common is nothing that could be read', async () => {
    second.has('b'.repeat(30));
    await expect(chain.head()).rejects.toThrow('no block in common');
    now = SPLIT_MS;
    await expect(chain.head()).rejects.toThrow('no block in common');
    expect(chain.pair.isSplit).toBe(true);
  });

  it('stays where both were while one is away, whatever the other says', async () => {
    await height();
    second.isAway = true;
    first.has('aabbbbbbbbbbbbbbbbbbbbbbbbbbbbb');
    expect([await height(), chain.pair.heads]).toEqual([19, [30, undefined]]);
    await expect(chain.payments((await first.header(25))!, nobody)).rejects.toThrow(NodeFailure);
    [first.isAway, second.isAway] = [true, false];
    expect([await height(), chain.pair.heads]).toEqual([19, [undefined, 19]]);
    second.isAway = true;
    expect(await height()).toBe(19);
    const fresh = new PairedChain({ first, second, clock: { now: () => now }, logger: createLogger('silent') });
    await expect(fresh.head()).rejects.toThrow(NodeFailure);
    first.isAway = false;
    await expect(fresh.head()).rejects.toThrow('second node is away');
  });

  it('believes of a block what both have read in it, and is split where they go on reading different things', async () => {
    const paid: Payment = { transaction: '0x1', output: 'value', contract: null, address: '0xa', units: 5n };
    const block = (await chain.head())!;
    first.paid = [paid];
    await expect(chain.payments(block, nobody)).rejects.toThrow('different payments');
    second.paid = [{ ...paid, units: 6n }];
    now = SPLIT_MS;
    await expect(chain.payments(block, nobody)).rejects.toThrow('different payments');
    expect(chain.pair.isSplit).toBe(true);
    second.paid = [paid];
    expect([await chain.payments(block, nobody), chain.pair.isSplit]).toEqual([[paid], false]);
  });

  it('is not one again about a block by what it says of another one', async () => {
    const block = (await chain.head())!;
    first.paid = [{ transaction: '0x1', output: 'value', contract: null, address: '0xa', units: 5n }];
    await expect(chain.payments(block, nobody)).rejects.toThrow('different payments');
    first.paid = [];
    now = SPLIT_MS;
    await chain.payments((await chain.header(18))!, nobody);
    first.paid = [{ transaction: '0x1', output: 'value', contract: null, address: '0xb', units: 5n }];
    await expect(chain.payments(block, nobody)).rejects.toThrow('different payments');
    expect(chain.pair.isSplit).toBe(true);
    first.paid = [];
    await chain.payments(block, nobody);
    expect(chain.pair.isSplit).toBe(false);
  });

  it('reads no header that one has otherwise, or not yet', async () => {
    second.has(`${COMMON.slice(1)}b`);
    await expect(chain.header(19)).rejects.toThrow('different blocks');
    expect((await chain.header(18))?.height).toBe(18);
    first.has(`${COMMON}a`);
    expect(await chain.header(20)).toBeUndefined();
    second.isAway = true;
    await expect(chain.header(18)).rejects.toThrow(NodeFailure);
  });

  it('finds calls inside transactions by the one that offers traces', async () => {
    const inner: Payment = { transaction: '0x1', output: 'call:0', contract: null, address: '0xa', units: 5n };
    const block = (await chain.head())!;
    [first.paid, second.paid] = [[], [inner]];
    await expect(chain.payments(block, nobody)).rejects.toThrow('different payments');
    first.seesInnerCalls = false;
    expect(await chain.payments(block, nobody)).toEqual([inner]);
    [first.seesInnerCalls, second.seesInnerCalls] = [true, false];
    [first.paid, second.paid] = [[inner], []];
    expect(await chain.payments(block, nobody)).toEqual([inner]);
  });
});

const away = () => Promise.reject(new NodeFailure('away'));
type InOrder = (wrong: Partial<Sender>, right: Partial<Sender>) => [Partial<Sender>, Partial<Sender>];
/** Which of both is wrong must make no difference. */
const ORDERS: readonly (readonly [string, InOrder])[] = [
  ['first', (wrong, right) => [wrong, right]],
  ['second', (wrong, right) => [right, wrong]],
];
const ownClock = { at: 0, now: () => ownClock.at };
const disagreements = () => new Disagreements(ownClock);
const pairOf = (first: Partial<Sender>, second: Partial<Sender>, noted = disagreements()) =>
  new PairedSender([first as Sender, second as Sender], { agreedHeight: () => 50, disagreements: noted });
const mined = (height: number, isUndone = false, cost = 1n): TransactionStatus => ({
  ...{ state: 'MINED', height, isUndone, cost },
});
const [UNKNOWN, POOLED, UNCLEAR] = [{ state: 'UNKNOWN' }, { state: 'POOLED' }, { state: 'UNCLEAR' }] as const;

describe('what has become of a payment by two nodes', () => {
  const says = (status: TransactionStatus | undefined): Partial<Sender> => ({
    status: status === undefined ? away : async () => status,
  });

  it.each([
    ['both have it in the same block', mined(40), mined(40), mined(40)],
    ['one has it undone', mined(40, true), mined(40), UNCLEAR],
    ['one names another cost', mined(40, false, 2n), mined(40), UNCLEAR],
    ['they have it in different blocks', mined(40), mined(41), UNCLEAR],
    ['one hides it', UNKNOWN, mined(40), UNCLEAR],
    ['one has it waiting still', POOLED, mined(40), UNCLEAR],
    ['one alone has it waiting', UNKNOWN, POOLED, POOLED],
    ['neither has it', UNKNOWN, UNKNOWN, UNKNOWN],
    // Above what both have, one may be ahead: nothing ends there.
    ['one is a block ahead', POOLED, mined(51), mined(51)],
    ['one is far ahead of all blocks', POOLED, mined(90), UNCLEAR],
    ['one is away, and the other has it', undefined, mined(40), UNCLEAR],
    ['one is away, and the other has it ahead', undefined, mined(51), UNCLEAR],
    ['one is away, and the other does not have it', undefined, UNKNOWN, UNCLEAR],
  ] as const)('is said where %s, in either order', async (_, one, other, expected) => {
    expect(await pairOf(says(one), says(other)).status('0x1')).toEqual(expected);
    expect(await pairOf(says(other), says(one)).status('0x1')).toEqual(expected);
  });

  it('splits the network where they go on contradicting each other, until they agree or it is asked no more', async () => {
    ownClock.at = 0;
    const noted = disagreements();
    const one = { status: async (): Promise<TransactionStatus> => mined(40) };
    const other = { status: async (): Promise<TransactionStatus> => UNKNOWN };
    const pair = pairOf(one, other, noted);
    await pair.status('0x1');
    ownClock.at = SPLIT_MS;
    // Nothing has asked since.
    expect(noted.isSplit).toBe(false);
    await pair.status('0x1');
    expect(noted.isSplit).toBe(true);
    other.status = one.status;
    await pair.status('0x1');
    expect(noted.isSplit).toBe(false);
    other.status = async () => UNKNOWN;
    await pair.status('0x2');
    ownClock.at += SPLIT_MS;
    await pair.status('0x2');
    expect(noted.isSplit).toBe(true);
    ownClock.at += 3 * SPLIT_MS;
    expect(noted.isSplit).toBe(false);
    // Asked again after long, it begins anew.
    await pair.status('0x2');
    expect(noted.isSplit).toBe(false);
  });

  const terms = { format: 'development' as const, nonce: 1, fee: 1n };
  it('is never that another has taken its place by what one alone says, nor while one is away', async () => {
    const taken = { isFree: async () => false, usedBy: async () => '0x2' };
    const free = { isFree: async () => true, usedBy: async () => undefined };
    const silent = { isFree: away, usedBy: away };
    const ask = async (one: Partial<Sender>, other: Partial<Sender>) => {
      const pair = pairOf(one, other);
      return [await pair.isFree('0xa', terms, 9), await pair.usedBy('0xa', terms, 9)];
    };
    expect(await ask(taken, taken)).toEqual([false, '0x2']);
    for (const [, inOrder] of ORDERS) {
      expect(await ask(...inOrder(free, taken))).toEqual([true, undefined]);
      expect(await ask(...inOrder(silent, taken))).toEqual([true, undefined]);
      expect(await ask(...inOrder({ ...taken, usedBy: async () => '0x3' }, taken))).toEqual([false, undefined]);
    }
    await expect(ask(silent, silent)).rejects.toThrow(NodeFailure);
  });

  it('is sent to both: one that has it already, or is away, does not matter', async () => {
    const sent: string[] = [];
    const node = (name: string, answer: 'taken' | 'refused') => ({
      broadcast: async () => {
        sent.push(name);
        return answer;
      },
    });
    expect(await pairOf(node('one', 'refused'), node('other', 'taken')).broadcast('0x')).toBe('taken');
    expect(await pairOf(node('one', 'taken'), node('other', 'refused')).broadcast('0x')).toBe('taken');
    expect(sent).toEqual(['one', 'other', 'one', 'other']);
    for (const [, inOrder] of ORDERS) {
      const [one, other] = inOrder({ broadcast: away }, node('there', 'refused'));
      expect(await pairOf(one, other).broadcast('0x')).toBe('refused');
    }
    await expect(pairOf({ broadcast: away }, { broadcast: away }).broadcast('0x')).rejects.toThrow(NodeFailure);
  });
});

describe.each(ORDERS)('figures of two nodes, of which the %s one is wrong', (_, inOrder) => {
  const wrongAndRight = (wrong: Partial<Sender>, right: Partial<Sender>) => {
    const [first, second] = inOrder(wrong, right);
    return pairOf(first, second);
  };
  const block = { height: 9, hash: '0x9', parent: '0x8', time: 0 };
  const has = (units: bigint): Partial<Sender> => ({ balance: async () => units, balanceAt: async () => units });

  it('make no wallet fuller than the other says, and are stated where both say the same', async () => {
    expect(await wrongAndRight(has(9n), has(7n)).balance('0xa', null)).toBe(7n);
    expect(await wrongAndRight(has(5n), has(7n)).balance('0xa', null)).toBe(5n);
    expect(await wrongAndRight({ balance: away }, has(7n)).balance('0xa', null)).toBe(7n);
    expect(await wrongAndRight(has(7n), has(7n)).balance('0xa', null, true)).toBe(7n);
    await expect(wrongAndRight(has(5n), has(7n)).balance('0xa', null, true)).rejects.toThrow(NodeFailure);
    await expect(wrongAndRight({ balance: away }, has(7n)).balance('0xa', null, true)).rejects.toThrow('away');
    expect(await wrongAndRight(has(5n), has(5n)).balanceAt?.('0xa', null, block)).toBe(5n);
    await expect(wrongAndRight(has(6n), has(5n)).balanceAt?.('0xa', null, block)).rejects.toThrow(NodeFailure);
    await expect(wrongAndRight({ balanceAt: away }, has(5n)).balanceAt?.('0xa', null, block)).rejects.toThrow('away');
    expect(wrongAndRight({}, has(5n)).balanceAt).toBeUndefined();
    const broken = { balance: () => Promise.reject(new Error('a defect')) };
    await expect(wrongAndRight(broken, has(7n)).balance('0xa', null)).rejects.toThrow('a defect');
  });

  const payment = { network: 'ERC20', contract: null, address: '0xb', units: 1n } as const;
  const claimed = { next: 3, underway: [] };
  const prepares = (terms: Terms | 'short' | undefined): Partial<Sender> => ({
    prepare: async () => terms,
    raise: async () => (terms === 'short' ? undefined : terms),
  });
  const prepared = (wrong: Partial<Sender>, right: Partial<Sender>) =>
    wrongAndRight(wrong, right).prepare('0xa', payment, claimed);

  it('sign nothing that one would not, or while one is away', async () => {
    const evm: Terms = {
      ...{ format: 'evm', chainId: 1, nonce: 3, gas: 100n, maxFeePerGas: 20n, maxPriorityFeePerGas: 2n },
    };
    expect(await prepared(prepares(evm), prepares(evm))).toEqual(evm);
    expect(await prepared(prepares('short'), prepares(evm))).toBe('short');
    expect(await prepared(prepares(undefined), prepares(undefined))).toBeUndefined();
    await expect(prepared(prepares(undefined), prepares(evm))).rejects.toThrow(EstimateRefused);
    await expect(prepared({ prepare: away }, prepares(evm))).rejects.toThrow('away');
    // Fees as the lower one has them; what a call may burn as the higher one, where it is about the same.
    const dear = { ...evm, gas: 150n, maxFeePerGas: 40n, maxPriorityFeePerGas: 30n };
    expect(await prepared(prepares(dear), prepares(evm))).toEqual({ ...evm, gas: 150n });
    for (const other of [{ nonce: 4 }, { chainId: 2 }, { gas: 201n }, { gas: 49n }, { maxFeePerGas: 41n }])
      await expect(prepared(prepares({ ...evm, ...other }), prepares(evm))).rejects.toThrow('do not stand by');
    const raised = (wrong: Partial<Sender>, right: Partial<Sender>) =>
      wrongAndRight(wrong, right).raise(evm, { from: '0xa', underway: [] });
    expect(await raised(prepares(dear), prepares(evm))).toEqual({ ...evm, gas: 150n });
    expect(await raised(prepares(undefined), prepares(evm))).toBeUndefined();
    await expect(raised({ raise: away }, prepares(evm))).rejects.toThrow('away');
  });

  it('spend only coins that both have with their amounts, for the lower fee', async () => {
    const coin = (digit: string, units: bigint) => ({ transaction: digit.repeat(64), output: 0, units, index: null });
    const spending = (fee: bigint, ...inputs: ReturnType<typeof coin>[]): Terms => ({
      ...{ format: 'bitcoin', inputs, others: [], change: 0n, fee },
    });
    /** Stands by what has its coins alone. */
    const node = (terms: Terms, ...known: ReturnType<typeof coin>[]): Partial<Sender> => ({
      ...prepares(terms),
      async vouches(_from, of, before) {
        const old = before?.format === 'bitcoin' ? before.inputs : [];
        const added = of.format === 'bitcoin' ? of.inputs.slice(old.length) : [];
        return added.every((input) =>
          known.some(
            (one) =>
              JSON.stringify([one.transaction, String(one.units)]) ===
              JSON.stringify([input.transaction, String(input.units)]),
          ),
        );
      },
    });
    const [real, false_, changed] = [coin('a', 5n), coin('b', 9n), coin('a', 6n)];
    const right = node(spending(2n, real), real);
    expect(await prepared(node(spending(7n, real), real), right)).toEqual(spending(2n, real));
    for (const coins of [[false_], [changed], [real, false_]])
      await expect(prepared(node(spending(1n, ...coins), ...coins), right)).rejects.toThrow('do not stand by');
    // A coin that one hides is not spent either.
    await expect(prepared(node(spending(3n, false_), false_), right)).rejects.toThrow('do not stand by');
    const raised = wrongAndRight(node(spending(1n, real, false_), real, false_), node(spending(3n, real), real)).raise(
      spending(1n, real),
      { from: '', underway: [] },
    );
    await expect(raised).rejects.toThrow('do not stand by');
  });

  it('name a block of TRON that is final for both, for the shorter time, and let no limit be too low', async () => {
    const tron = (reference: string, feeLimit = 100n, time = 1000): Terms => ({
      ...{ format: 'tron', referenceBytes: '0001', referenceHash: reference.repeat(16), feeLimit },
      ...{ timestamp: time, expiration: time + 600_000 },
    });
    const node = (terms: Terms, ...known: string[]): Partial<Sender> => ({
      ...prepares(terms),
      vouches: async (_from, of) => of.format === 'tron' && known.includes(of.referenceHash.slice(0, 1)),
    });
    // One is ahead of the other: the older of both blocks is final for both.
    expect(await prepared(node(tron('b', 130n, 4000), 'a', 'b'), node(tron('a'), 'a'))).toEqual(tron('a', 130n));
    await expect(prepared(node(tron('c'), 'c'), node(tron('a'), 'a'))).rejects.toThrow('do not stand by');
    await expect(prepared(node(tron('a', 201n), 'a'), node(tron('a'), 'a'))).rejects.toThrow('do not stand by');
    const raised = (wrong: Partial<Sender>) =>
      wrongAndRight(wrong, node(tron('a'), 'a')).raise(tron('a'), { from: '', underway: [] });
    // That its time is over both must say.
    expect(await raised(prepares(undefined))).toBeUndefined();
    expect(await raised(node(tron('a'), 'a'))).toEqual(tron('a'));
  });

  it('are thought to be dear where one says so, and less where one says so of what can be moved at once', async () => {
    const costs = (cost: bigint, minutes: number): Partial<Sender> => ({
      ...{ estimate: async () => ({ cost, minutes }), openingCost: async () => cost, most: async () => cost },
    });
    const pair = wrongAndRight(costs(9n, 1), costs(5n, 3));
    expect(await pair.estimate('0xa', payment, 6)).toEqual({ cost: 9n, minutes: 3 });
    expect([await pair.openingCost?.(), await pair.most?.('0xa')]).toEqual([9n, 5n]);
    const single = wrongAndRight({ estimate: away, openingCost: away, most: away }, costs(5n, 3));
    expect(await single.estimate('0xa', payment, 6)).toEqual({ cost: 5n, minutes: 3 });
    await expect(single.most?.('0xa')).rejects.toThrow('away');
    await expect(wrongAndRight({ chainId: async () => 2 }, { chainId: async () => 1 }).chainId()).rejects.toThrow(
      'different chains',
    );
  });

  it('sweep the outputs that both would spend', async () => {
    const coins = [1n, 2n, 3n].map((units) => ({ transaction: 'a'.repeat(64), output: Number(units), units }));
    const terms = (fee: bigint): Terms => ({
      ...{ format: 'bitcoin', inputs: coins.map((one) => ({ ...one, index: 4 })), others: [], change: 0n, fee },
    });
    const node = (fee: bigint, most: number, ...missing: bigint[]): Partial<Sender> => ({
      vouches: async () => true,
      coinSweeps: {
        most,
        fees: async () => (count) => fee * BigInt(count),
        spendable: async (asked) => asked.filter(({ units }) => !missing.includes(units)),
        prepare: async () => (missing.length > 0 ? 'short' : terms(fee)),
      },
    });
    const { coinSweeps } = wrongAndRight(node(9n, 40, 2n), node(5n, 50));
    expect([coinSweeps?.most, (await coinSweeps?.fees())?.(2)]).toEqual([40, 18n]);
    expect(await coinSweeps?.spendable(coins)).toEqual([coins[0], coins[2]]);
    const sweep = { index: 4, coins };
    expect(await coinSweeps?.prepare('', sweep, [])).toBe('short');
    expect(await wrongAndRight(node(9n, 40), node(5n, 50)).coinSweeps?.prepare('', sweep, [])).toEqual(terms(5n));
    expect(wrongAndRight({}, node(5n, 50)).coinSweeps).toBeUndefined();
  });
});

describe('a pair', () => {
  const optional: { readonly [Name in keyof Sender as undefined extends Sender[Name] ? Name : never]-?: true } = {
    ...{ carries: true, canSweep: true, openingCost: true, coinSweeps: true, balanceAt: true, read: true, most: true },
    ...{ isCounting: true, psbt: true, vouches: true },
  };
  const network = 'regtest';
  it.each([
    new EvmSender({} as ConstructorParameters<typeof EvmSender>[0]),
    new TronSender(new TronNode(away)),
    new BitcoinSender(new BitcoinNode({ url: 'http://127.0.0.1:9', cookieFile: undefined, network })),
  ])('can do whatever the senders of a chain can: %o', (one: Sender) => {
    const pair: Sender = pairOf(one, one);
    // Both have vouched for what a pair has named.
    const names = (Object.keys(optional) as (keyof typeof optional)[]).filter((name) => name !== 'vouches');
    for (const name of names)
      expect([name, typeof pair[name] === typeof one[name] || (name === 'canSweep' && !pair[name])]).toEqual([
        name,
        true,
      ]);
    expect([pairOf(one, {}).canSweep, pairOf({}, one).canSweep]).toEqual([false, false]);
  });
});
