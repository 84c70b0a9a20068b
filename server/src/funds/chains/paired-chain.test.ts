import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { EvmSender } from './evm-sender.ts';
import { PairedChain, SPLIT_MS } from './paired-chain.ts';
import { PairedSender } from './paired-sender.ts';
import {
  type BlockHeader,
  type Chain,
  NodeFailure,
  type Payment,
  type Sender,
  type TransactionStatus,
} from './service.ts';

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
    await expect(chain.payments(block, nobody)).rejects.toThrow('different payments');
    now = SPLIT_MS;
    expect(chain.pair.isSplit).toBe(true);
    second.paid = [paid];
    expect([await chain.payments(block, nobody), chain.pair.isSplit]).toEqual([[paid], false]);
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

describe('payments by two nodes', () => {
  const away = () => Promise.reject(new NodeFailure('away'));
  const mined = (height: number, isUndone = false): TransactionStatus => ({
    state: 'MINED',
    height,
    isUndone,
    cost: 1n,
  });
  const terms = { format: 'development' as const, nonce: 1, fee: 1n };
  const pairOf = (first: Partial<Sender>, second: Partial<Sender>) =>
    new PairedSender(first as Sender, second as Sender, () => 50);
  const statusOf = (first: TransactionStatus, second: TransactionStatus) =>
    pairOf({ status: async () => first }, { status: async () => second }).status('0x1');

  it('are in a block where both say so, undone where both say so', async () => {
    expect(await statusOf(mined(40), mined(40))).toEqual(mined(40));
    expect(await statusOf(mined(40, true), mined(40))).toEqual({ state: 'POOLED' });
    expect(await statusOf(mined(40), mined(41))).toEqual({ state: 'POOLED' });
    expect(await statusOf(mined(40), { state: 'UNKNOWN' })).toEqual({ state: 'POOLED' });
    expect(await statusOf({ state: 'UNKNOWN' }, { state: 'POOLED' })).toEqual({ state: 'POOLED' });
    expect(await statusOf({ state: 'UNKNOWN' }, { state: 'UNKNOWN' })).toEqual({ state: 'UNKNOWN' });
    // Above what both have, one may be a block ahead: nothing ends there.
    expect(await statusOf({ state: 'POOLED' }, mined(51))).toEqual(mined(51));
  });

  it('are never replaced by what one alone says, nor while one is away', async () => {
    const taken = { isFree: async () => false, usedBy: async () => '0x2' };
    const free = { isFree: async () => true, usedBy: async () => undefined };
    const silent = { isFree: away, usedBy: away };
    const ask = async (one: Partial<Sender>, other: Partial<Sender>) => {
      const pair = pairOf(one, other);
      return [await pair.isFree('0xa', terms, 9), await pair.usedBy('0xa', terms, 9)];
    };
    expect(await ask(taken, taken)).toEqual([false, '0x2']);
    expect(await ask(taken, free)).toEqual([true, undefined]);
    expect(await ask(silent, taken)).toEqual([true, undefined]);
    expect(await ask(taken, { ...taken, usedBy: async () => '0x3' })).toEqual([false, undefined]);
    await expect(ask(silent, silent)).rejects.toThrow(NodeFailure);
  });

  it('state of a block what both say of it', async () => {
    const block = { height: 9, hash: '0x9', parent: '0x8', time: 0 };
    const says = (units: bigint) => ({ balanceAt: async () => units });
    const read = (one: Partial<Sender>, other: Partial<Sender>) => pairOf(one, other).balanceAt?.('0xa', null, block);
    expect(await read(says(5n), says(5n))).toBe(5n);
    await expect(read(says(6n), says(5n))).rejects.toThrow(NodeFailure);
    await expect(read({ balanceAt: away }, says(5n))).rejects.toThrow(NodeFailure);
    expect(pairOf(says(5n), {}).balanceAt).toBeUndefined();
  });

  it('can do whatever they can by one node', () => {
    const optional: { readonly [Name in keyof Sender as undefined extends Sender[Name] ? Name : never]-?: true } = {
      ...{
        carries: true,
        canSweep: true,
        openingCost: true,
        coinSweeps: true,
        balanceAt: true,
        read: true,
        most: true,
      },
      ...{ isCounting: true, psbt: true },
    };
    const one: Sender = new EvmSender({} as ConstructorParameters<typeof EvmSender>[0]);
    const pair: Sender = pairOf(one, one);
    const can = (sender: Sender) =>
      (Object.keys(optional) as (keyof typeof optional)[]).filter((name) => sender[name] !== undefined);
    expect(can(one)).toEqual(['canSweep', 'balanceAt', 'read']);
    expect(can(pair)).toEqual(can(one));
    expect([pairOf(one, {}).canSweep, pairOf({}, one).canSweep]).toEqual([false, false]);
  });

  it('are sent to both, and asked about of the one that answers', async () => {
    const sent: string[] = [];
    const node = (name: string, answer: 'taken' | 'refused') => ({
      broadcast: async () => {
        sent.push(name);
        return answer;
      },
      balance: async () => 7n,
    });
    expect(await pairOf(node('one', 'refused'), node('other', 'taken')).broadcast('0x')).toBe('taken');
    expect(sent).toEqual(['one', 'other']);
    expect(await pairOf(node('one', 'refused'), { broadcast: away }).broadcast('0x')).toBe('refused');
    await expect(pairOf({ broadcast: away }, { broadcast: away }).broadcast('0x')).rejects.toThrow(NodeFailure);
    expect(await pairOf({ balance: away }, node('other', 'taken')).balance('0xa', null)).toBe(7n);
    expect(await pairOf({ balance: async () => 9n }, node('other', 'taken')).balance('0xa', null)).toBe(7n);
    const broken = { balance: () => Promise.reject(new Error('a defect')) };
    await expect(pairOf(broken, node('other', 'taken')).balance('0xa', null)).rejects.toThrow('a defect');
  });
});
