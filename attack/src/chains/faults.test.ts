/**
 * Clients deposit on a real EVM node and withdraw by it, while the server and the signer are killed with SIGKILL, the node is
 * away, loses answers, replaces its blocks and asks for five times the fee. In the end every deposit was credited once, every
 * withdrawal was paid once, and what the chain holds is what the ledger owes.
 */
import { makeSigner } from '@cambist/server/test/signer-process.ts';
import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { OPERATOR, signIn } from '../people.ts';
import { Random } from '../random.ts';
import { sizes } from '../sizes.ts';
import { type DatabaseKind, databaseKinds, startTarget } from '../target.ts';
import {
  balanceOf,
  deposit,
  depositsOf,
  elsewhere,
  FEE,
  type Mover,
  newMover,
  withdraw,
  withdrawalsOf,
} from './movements.ts';
import { type FailingNode, startFailingNode } from './node.ts';

const { movements, seed } = sizes;
const MOVERS = Math.max(4, Math.ceil(movements / 50));
const EACH = Math.ceil(movements / MOVERS);
const USDT = 10n ** 6n;
const ETHER = 10n ** 18n;
/** Of the hot wallet at the beginning: the ledger owes nothing of it. */
const ENDOWMENT = { usdt: 1_000_000n, ether: 100n };
const BLOCK_MS = 150;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const policyOf = (token: Hex) => ({
  networks: {
    ERC20: {
      ...{ format: 'evm', chain_id: 31_337, fee_cap: String(ETHER) },
      coins: [null, token].map((contract) => ({
        ...{ contract, most_per_payment: String(1000n * ETHER), most_per_day: String(1_000_000n * ETHER) },
      })),
    },
  },
});

async function openStage(kind: DatabaseKind) {
  const node = await startFailingNode();
  const signer = await makeSigner(policyOf(node.token));
  const [, hot] = /Wallet of ERC20: (0x[0-9a-fA-F]{40})/.exec(signer.shown) ?? [];
  if (hot === undefined) throw new Error(`The signer names no wallet: ${signer.shown}`);
  await signer.start();
  const settings = { ...signer.environment, ERC20_RPC_URL: node.url };
  const target = await startTarget(kind, settings, async (sql) => {
    await sql(`UPDATE coin_networks SET contract = '${node.token}' WHERE coin = 'USDT' AND network = 'ERC20'`);
    await sql(`UPDATE coin_networks SET unlocked_at = 12 WHERE network = 'ERC20'`);
    // No operator is there to look at them.
    await sql(`UPDATE withdrawal_policy SET approval_usdt = '1000000000', four_eyes_usdt = '1000000000',
                 hourly_count = 1000000, median_factor = 1000`);
  });
  await node.give(hot as Hex, ENDOWMENT.ether * ETHER);
  await node.pay(hot as Hex, ENDOWMENT.usdt * USDT);
  await node.mine();
  return { node, signer, target, hot };
}
type Stage = Awaited<ReturnType<typeof openStage>>;

/** Blocks come by themselves, and what outsiders have sent comes into them, until it is ended. */
function startMining(node: FailingNode) {
  let isOver = false;
  const mining = (async () => {
    for (let count = 0; !isOver; count += 1) {
      await node.mine();
      if (count % 5 === 0) await node.sendAgain();
      await pause(BLOCK_MS);
    }
  })();
  return async () => {
    isOver = true;
    await mining;
  };
}

const counts = { server: 0, signer: 0, node: 0, answers: 0, blocks: 0, fees: 0 };

/** One failure. */
async function fail({ node, signer, target }: Stage, random: Random): Promise<void> {
  const kinds = ['server', 'server', 'signer', 'node', 'answers', 'blocks', 'blocks', 'fees'] as const;
  const kind = random.pick(kinds);
  counts[kind] += 1;
  if (kind === 'server') {
    await target.kill();
    await target.restart();
  } else if (kind === 'signer') {
    await signer.kill('SIGKILL');
    await pause(random.between(0, 1500));
    await signer.start();
  } else if (kind === 'blocks') await node.reorganize(random.between(1, 5));
  else if (kind === 'fees') await node.setBaseFee(BigInt(random.between(5, 40)));
  else {
    node.door = kind === 'node' ? 'SHUT' : 'LOSES';
    await pause(random.between(300, 2000));
    node.door = 'OPEN';
  }
}

/** @param isOver asked between two failures */
async function failAgainAndAgain(stage: Stage, isOver: () => boolean): Promise<void> {
  const random = new Random(seed);
  while (!isOver()) {
    await pause(random.between(200, 1800));
    await fail(stage, random);
  }
}

/** Deposits, and withdraws as often; what is not there yet is asked for again. */
async function move({ node }: Stage, mover: Mover, index: number): Promise<void> {
  const random = new Random(seed * 1000 + index);
  const amounts = Array.from({ length: EACH }, () => random.between(31, 50));
  async function depositAll(): Promise<void> {
    for (let number = 0; number < EACH; number += 1) {
      await deposit(mover, node, random);
      await pause(random.between(0, 600));
    }
  }
  async function withdrawAll(): Promise<void> {
    for (const [number, amount] of amounts.entries()) {
      while (!(await withdraw(mover, elsewhere(index, number), amount))) await pause(300);
    }
  }
  await Promise.all([depositAll(), withdrawAll()]);
}

async function settled(movers: readonly Mover[]): Promise<void> {
  const deadline = performance.now() + 120_000 + movements * 600;
  const open = async (mover: Mover) => [
    ...(await withdrawalsOf(mover)).filter(({ stage: at }) => at !== 'SETTLED' && at !== 'FAILED'),
    ...(await depositsOf(mover)).filter(({ state }) => state !== 'UNLOCKED'),
  ];
  for (const mover of movers) {
    for (let waiting = await open(mover); waiting.length > 0; waiting = await open(mover)) {
      if (performance.now() > deadline) throw new Error(`Not settled: ${JSON.stringify(waiting)}`);
      await pause(500);
    }
  }
}

/** What chains hold more than the ledger owes, in smallest units of the ledger; not a number while that is not known. */
async function surplus({ target }: Stage): Promise<Record<'USDT' | 'ETH', number>> {
  const operator = await signIn(() => target.http, OPERATOR.email, OPERATOR.password);
  const answer = await operator.send('GET', '/api/v3/admin/chains');
  const { custody } = answer.json<{ custody: { coin: string; difference: string | null }[] }>();
  const read = (name: string) => {
    const difference = custody.find(({ coin }) => coin === name)?.difference ?? null;
    return difference === null ? Number.NaN : Number(difference.replace('.', ''));
  };
  return { USDT: read('USDT'), ETH: read('ETH') };
}

/** What is not as it was promised. */
async function verdict({ node }: Stage, mover: Mover): Promise<string[]> {
  const wrong: string[] = [];
  const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0);
  const credited = (await depositsOf(mover)).map(({ recharge_amount: amount }) => Number(amount)).toSorted();
  if (String(credited) !== String(mover.deposited.toSorted()))
    wrong.push(`credited ${credited}, sent ${mover.deposited}`);
  // What came to nothing before it was answered was asked for again.
  const listed = (await withdrawalsOf(mover)).filter(({ stage: at }) => at !== 'FAILED');
  if (listed.length !== mover.asked.size)
    wrong.push(`${listed.length} withdrawals, ${mover.asked.size} were asked for`);
  for (const [address, amount] of mover.asked) {
    const arrived = await node.held(address as Hex);
    if (arrived !== BigInt(amount - FEE) * USDT) wrong.push(`${address} has ${arrived} of ${amount - FEE}`);
  }
  const { available, held } = await balanceOf(mover);
  const due = sum(mover.deposited) - sum(mover.asked.values());
  if (available !== due || held !== 0) wrong.push(`a balance of ${available} and ${held}, ${due} are due`);
  return wrong;
}

describe.each(databaseKinds)('deposits and withdrawals on %s', (kind) => {
  it(`are each done once, ${EACH * MOVERS} of both, whatever fails and whenever (faults 1, 2, 6, 7, 11, 12, 14, 15; seed ${seed})`, {
    timeout: 300_000 + movements * 2000,
  }, async () => {
    const stage = await openStage(kind);
    const stopMining = startMining(stage.node);
    try {
      // The hot wallets of all networks have something that the ledger does not owe.
      const before = await surplus(stage);
      const indexes = Array.from({ length: MOVERS }, (_, index) => index);
      const movers: Mover[] = [];
      for (const index of indexes) movers.push(await newMover(stage.target, `mover-${index}`));
      let isOver = false;
      const failing = failAgainAndAgain(stage, () => isOver);
      try {
        await Promise.all(movers.map((mover, index) => move(stage, mover, index)));
      } finally {
        isOver = true;
        await failing;
      }
      await settled(movers);
      const found = await Promise.all(movers.map((mover) => verdict(stage, mover)));
      expect(found.flat()).toEqual([]);
      // What transactions have cost is booked too, but for what is smaller than the ledger's smallest unit.
      const isEven = async () => {
        const { USDT: usdt, ETH: ether } = await surplus(stage);
        return usdt === before.USDT && Math.abs(ether - before.ETH) <= 1;
      };
      await expect.poll(isEven, { timeout: 30_000, interval: 1000 }).toBe(true);
      expect(counts.server).toBeGreaterThan(0);
    } finally {
      await stopMining();
      await stage.target.remove();
      await stage.signer.kill('SIGKILL');
      stage.signer.remove();
      await stage.node.stop();
    }
  });
});
