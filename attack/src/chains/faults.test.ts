/**
 * Clients deposit by a chain and withdraw by it, while the server and the signer are killed with SIGKILL, the node is away,
 * loses answers, replaces its blocks, and does whatever else its kind does. In the end every deposit was credited once, every
 * withdrawal was paid once or given back, and what the chain holds is what the ledger owes.
 */
import { findBitcoinProgram, withoutBitcoinNode } from '@cambist/server/test/bitcoin-program.ts';
import { makeSigner } from '@cambist/server/test/signer-process.ts';
import { isFullSuite } from '@cambist/server/test/suite.ts';
import { describe, expect, it } from 'vitest';
import { text, units } from '../decimal.ts';
import { Unanswered } from '../http.ts';
import { OPERATOR, signIn } from '../people.ts';
import { Random } from '../random.ts';
import { sizes } from '../sizes.ts';
import { type DatabaseKind, databaseKinds, startTarget } from '../target.ts';
import { startBitcoinChain } from './bitcoin.ts';
import type { AttackedChain, Failures } from './chain.ts';
import { startEvmChain } from './evm.ts';
import {
  amountOf,
  balanceOf,
  deposit,
  depositsOf,
  type Mover,
  newMover,
  withdraw,
  withdrawalsOf,
} from './movements.ts';
import { startTronChain } from './tron.ts';

const { failures, movements, seed } = sizes;
const MOVERS = Math.max(Math.min(4, movements), Math.ceil(movements / 50));
const EACH = Math.ceil(movements / MOVERS);
const BLOCK_MS = 150;
/** The ledger's smallest unit. */
const LEAST = units('0.00000001');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const chains = [
  ['an EVM node', '1, 2, 6, 7, 11, 12, 14, 15, 22', startEvmChain],
  ['a Bitcoin node', '1, 2, 6, 7, 11, 12, 14, 15, 21', () => startBitcoinChain(EACH * MOVERS, 1)],
  ['a node of TRON', '1, 2, 6, 11, 12, 14, 15, 22, 23', startTronChain],
  ['two Bitcoin nodes', '1, 2, 6, 7, 11, 12, 14, 15, 21', () => startBitcoinChain(EACH * MOVERS, 2)],
] as const;

/** One chain in `npm test` and on PGlite; in `npm run test:all` all but the last, which does what the second does and more. */
function chainsOn(kind: DatabaseKind) {
  if (sizes.everyDatabase) return chains;
  return kind === 'postgres' && isFullSuite ? chains.slice(0, -1) : chains.slice(0, 1);
}

/** @param atEnd takes what is to be done whatever becomes of the test, the last one first */
async function openStage(
  kind: DatabaseKind,
  start: () => Promise<AttackedChain>,
  atEnd: (end: () => void | Promise<void>) => void,
) {
  const chain = await start();
  atEnd(chain.stop);
  const { network, settings: reached, policy, figures } = chain;
  const signer = await makeSigner({ networks: { [network]: policy } }, reached);
  atEnd(signer.remove);
  atEnd(() => signer.kill('SIGKILL'));
  const [, hot] = new RegExp(`Wallet of ${network}: (\\S+)`).exec(signer.shown) ?? [];
  if (hot === undefined) throw new Error(`The signer names no wallet: ${signer.shown}`);
  await signer.start();
  const target = await startTarget(kind, { ...signer.environment, ...reached }, async (sql) => {
    await sql(`UPDATE coin_networks SET ${figures} WHERE coin = '${chain.coin}' AND network = '${network}'`);
    // No operator is there to look at them.
    await sql(`UPDATE withdrawal_policy SET approval_usdt = '1000000000', four_eyes_usdt = '1000000000',
                 hourly_count = 1000000, median_factor = 1000`);
  });
  atEnd(target.remove);
  await chain.endow(hot);
  atEnd(startMining(chain));
  return { chain, signer, target };
}
type Stage = Awaited<ReturnType<typeof openStage>>;

/** Blocks come by themselves until it is ended. */
function startMining(chain: AttackedChain) {
  let isOver = false;
  const mining = (async () => {
    while (!isOver) {
      await chain.mine();
      await pause(BLOCK_MS);
    }
  })();
  return async () => {
    isOver = true;
    await mining;
  };
}

/** What can fail. Servers are killed as often as two others fail. */
function failuresOf({ chain, signer, target }: Stage): readonly (readonly [string, Failures[string]])[] {
  const killServer = async () => {
    await target.kill();
    await target.restart();
  };
  const killSigner = async (random: Random) => {
    await signer.kill('SIGKILL');
    await pause(random.between(0, 1500));
    await signer.start();
  };
  return [
    ['the server was killed', killServer],
    ['the server was killed', killServer],
    ['the signer was killed', killSigner],
    ...Object.entries(chain.failures),
  ];
}

/** @param isOver asked between two failures @returns how often each has happened */
async function failAgainAndAgain(stage: Stage, isOver: () => boolean): Promise<Record<string, number>> {
  const random = new Random(seed);
  const all = failuresOf(stage);
  const counts = Object.fromEntries(all.map(([name]) => [name, 0]));
  // The server is killed in the shortest run too.
  let happened = 0;
  for (let next = all[0]; next !== undefined; next = isOver() || happened === failures ? undefined : random.pick(all)) {
    await pause(random.between(500, 4000));
    const [name, fail] = next;
    await fail(random);
    counts[name] = (counts[name] ?? 0) + 1;
    happened += 1;
  }
  return counts;
}

/** Deposits, and withdraws as often; what is not there yet is asked for again. */
async function move({ chain }: Stage, mover: Mover, index: number): Promise<void> {
  const random = new Random(seed * 1000 + index);
  const amounts = Array.from({ length: EACH }, () => amountOf(chain, chain.withdrawals, random));
  async function depositAll(): Promise<void> {
    for (let number = 0; number < EACH; number += 1) {
      await deposit(mover, random);
      await pause(random.between(0, 600));
    }
  }
  async function withdrawAll(): Promise<void> {
    for (const [number, amount] of amounts.entries()) {
      const to = chain.elsewhere(index * 100_000 + number + 1);
      while (!(await withdraw(mover, to, amount))) await pause(300);
    }
  }
  await Promise.all([depositAll(), withdrawAll()]);
}

async function settled(movers: readonly Mover[]): Promise<void> {
  const deadline = performance.now() + 120_000 + movements * 600;
  const read = async (mover: Mover) => [
    ...(await withdrawalsOf(mover)).filter(({ stage: at }) => at !== 'SETTLED' && at !== 'FAILED'),
    ...(await depositsOf(mover)).filter(({ state }) => state !== 'UNLOCKED'),
  ];
  const open = (mover: Mover): Promise<readonly object[]> =>
    read(mover).catch((error: unknown) => {
      if (error instanceof Unanswered) return [error];
      throw error;
    });
  for (const mover of movers) {
    for (let waiting = await open(mover); waiting.length > 0; waiting = await open(mover)) {
      if (performance.now() > deadline) throw new Error(`Not settled: ${JSON.stringify(waiting)}`);
      await pause(500);
    }
  }
}

/** What chains hold more of each coin than the ledger owes; absent while that is not known. */
async function surplus({ target }: Stage): Promise<ReadonlyMap<string, bigint>> {
  const operator = await signIn(() => target.http, OPERATOR.email, OPERATOR.password);
  const answer = await operator.send('GET', '/api/v3/admin/chains');
  const { custody } = answer.json<{ custody: { coin: string; difference: string | null }[] }>();
  return new Map(custody.flatMap(({ coin, difference }) => (difference === null ? [] : [[coin, units(difference)]])));
}

/** What transactions have cost is booked too, but for what is smaller than the ledger's smallest unit. */
async function isEven(stage: Stage, before: ReadonlyMap<string, bigint>): Promise<boolean> {
  const { coin, costCoin } = stage.chain;
  const after = await surplus(stage);
  const more = (of: string) => (after.get(of) ?? 0n) - (before.get(of) ?? 0n);
  return after.has(coin) && more(coin) === 0n && more(costCoin) >= -LEAST && more(costCoin) <= LEAST;
}

interface Verdict {
  /** What is not as it was promised. */
  readonly wrong: readonly string[];
  /** Withdrawals that were given back after they had been accepted. */
  readonly givenBack: number;
}

async function verdict({ chain }: Stage, mover: Mover): Promise<Verdict> {
  const wrong: string[] = [];
  const sorted = (amounts: readonly bigint[]) => amounts.map(text).sort().join(' ');
  const credited = (await depositsOf(mover)).map(({ recharge_amount: amount }) => units(amount));
  if (sorted(credited) !== sorted(mover.deposited))
    wrong.push(`credited ${sorted(credited)}, sent ${sorted(mover.deposited)}`);
  // What came to nothing before it was answered was asked for again.
  const going = (await withdrawalsOf(mover)).filter(({ stage: at }) => at !== 'FAILED');
  const listed = new Set(going.map(({ withdraw_address: to }) => to.toLowerCase()));
  const paid = new Map([...mover.asked].filter(([to]) => listed.has(to.toLowerCase())));
  if (going.length !== paid.size) wrong.push(`${going.length} withdrawals to ${paid.size} addresses`);
  for (const [address, amount] of mover.asked) {
    const arrived = await chain.held(address);
    const due = paid.has(address) ? amount - chain.fee : 0n;
    if (arrived !== due) wrong.push(`${address} has ${text(arrived)} of ${text(due)}`);
  }
  const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((all, amount) => all + amount, 0n);
  const { available, held } = await balanceOf(mover);
  const due = sum(mover.deposited) - sum(paid.values());
  if (available !== due || held !== 0n)
    wrong.push(`a balance of ${text(available)} and ${text(held)}, ${text(due)} are due`);
  return { wrong, givenBack: mover.asked.size - paid.size };
}

/** The rest is what a run has found. */
async function run(stage: Stage) {
  const { chain, target } = stage;
  // The hot wallets of all networks have something that the ledger does not owe.
  const before = await surplus(stage);
  const movers: Mover[] = [];
  for (let index = 0; index < MOVERS; index += 1) movers.push(await newMover(target, chain, `mover-${index}`));
  let isOver = false;
  const failing = failAgainAndAgain(stage, () => isOver);
  try {
    await Promise.all(movers.map((mover, index) => move(stage, mover, index)));
    await settled(movers);
  } finally {
    isOver = true;
    await failing;
  }
  // Whatever has failed last may have undone something.
  await settled(movers);
  const found: Verdict[] = [];
  for (const mover of movers) found.push(await verdict(stage, mover));
  return { before, counts: await failing, found };
}

describe.each(databaseKinds)('deposits and withdrawals on %s', (kind) => {
  it.for(chainsOn(kind))(
    `by %s are each done once, ${EACH * MOVERS} of both, whatever fails and whenever (faults %s; seed ${seed})`,
    {
      timeout: 300_000 + movements * 2000,
    },
    async ([name, , start], { skip, annotate, onTestFinished }) => {
      if (name.includes('Bitcoin')) skip((await findBitcoinProgram()) === undefined, withoutBitcoinNode());
      const stage = await openStage(kind, start, onTestFinished);
      const { chain } = stage;
      const { before, counts, found } = await run(stage);
      expect(found.flatMap(({ wrong }) => wrong)).toEqual([]);
      const givenBack = found.reduce((sum, one) => sum + one.givenBack, 0);
      expect(givenBack).toBeLessThanOrEqual(chain.undone());
      await expect.poll(() => isEven(stage, before), { timeout: 30_000, interval: 1000 }).toBe(true);
      const happened = Object.entries(counts).map(([what, count]) => `${what} ${count} times`);
      await annotate(`${happened.join(', ')}; ${chain.undone()} payments were undone, ${givenBack} given back`);
      expect(counts['the server was killed']).toBeGreaterThan(0);
    },
  );
});
