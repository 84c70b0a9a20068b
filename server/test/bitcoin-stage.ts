/**
 * Payouts by a real Bitcoin node without a server: a signer with its own file, one or two processes that send and can be
 * ended anywhere, and a database that outlives them. The chain itself says at the end what was paid.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import type { Asset } from '@cambist/core/money/market.ts';
import { z } from 'zod';
import { keyHashAddress, scriptOf } from '../src/funds/chains/bitcoin-addresses.ts';
import { readTransaction } from '../src/funds/chains/bitcoin-block.ts';
import { BitcoinChain } from '../src/funds/chains/bitcoin-chain.ts';
import { amount, BitcoinNode } from '../src/funds/chains/bitcoin-node.ts';
import type { KeptPayout } from '../src/funds/payouts/kept-payout.ts';
import { createPayoutStore } from '../src/funds/payouts/store.ts';
import type { Database } from '../src/platform/database.ts';
import type { Policy } from '../src/signer/policy.ts';
import { signerInProcess } from '../src/signer/service.ts';
import type { BitcoinTestNode } from './bitcoin-node.ts';
import { createFate, type Fate } from './mortal-database.ts';
import { mortalSequencer } from './mortal-sequencer.ts';
import { beginProcess, endingAnywhere, type WorksOf } from './payout-stage.ts';

export const BTC: Asset = { id: 3, code: 'BTC', scale: 8 };
const SEED = Buffer.alloc(32, 9);
const scan = z.object({ unspents: z.array(z.object({ txid: z.string(), amount })) });

/** @param worksOf what each process does beside payouts, in its order */
export async function createBitcoinStage(
  database: Database,
  bitcoin: BitcoinTestNode,
  seed = SEED,
  worksOf: WorksOf = () => [],
) {
  const directory = mkdtempSync(join(tmpdir(), 'cambist-bitcoin-payouts-'));
  const clock = { at: 1_000, now: () => clock.at };
  await database.transaction(
    ['payout_attempts', 'payout_costs', 'payouts'].map((table) => ({ sql: `DELETE FROM ${table}` })),
  );
  await database.query('UPDATE payout_book SET id = gen_random_uuid(), newest_signed = NULL');
  await database.query(
    `UPDATE payout_networks SET hot_address = '', next_nonce = NULL, cost_rest = 0, is_paused = false`,
  );
  const plain = createPayoutStore(database);
  const alarms: string[] = [];
  const coins = [{ contract: null, most_per_payment: 10n ** 12n, most_per_day: 10n ** 13n }];
  const policy: { networks: Policy['networks'] } = {
    networks: { BTC: { format: 'bitcoin', fee_cap: 10_000_000n, most_fees_per_day: 10n ** 30n, coins } },
  };
  const exchange = createExchange();
  exchange.apply(0, { kind: 'list-asset', asset: BTC.id, code: BTC.code, scale: BTC.scale });
  const fate = createFate();
  const sequencer = mortalSequencer(exchange, fate.ask);
  const openSigner = (folder = directory) =>
    signerInProcess(folder, { seed, policy: () => policy, clock, bitcoin: 'regtest' });
  let signer = openSigner();
  const hot = await signer.hotAddress('BTC');
  let process = begin();

  function begin() {
    // Another process has a client of its own, and has counted no coins.
    const chain = new BitcoinChain(new BitcoinNode({ url: bitcoin.url, cookieFile: undefined, network: 'regtest' }));
    const parts = { database, chain, signer, assets: [BTC], fate: fate.ask, exchange, sequencer };
    const chargedFor = ({ reference }: { readonly reference: number }) => BigInt(reference);
    return { chain, ...beginProcess({ ...parts, clock, alarms, chargedFor }, worksOf) };
  }

  const found = async (address: string) => {
    const script = scriptOf(address, 'regtest')?.toString('hex');
    return scan.parse(await bitcoin.call('scantxoutset', 'start', [`raw(${script})`]));
  };

  return {
    ...{ hot, policy, alarms, clock, store: plain, exchange },
    get signer() {
      return signer;
    },
    get chain() {
      return process.chain;
    },
    get runner() {
      return process.runner;
    },
    get sender() {
      return process.chain.sender;
    },

    async fund(...amounts: readonly string[]): Promise<void> {
      for (const one of amounts) await bitcoin.pay({ [hot]: one });
      await bitcoin.mine(1);
    },

    async plan(reference: number, units: bigint, address: string, confirmations = 6): Promise<void> {
      const payment = { purpose: 'withdrawal', reference, network: 'BTC', coin: 'BTC', address, units } as const;
      await database.transaction([plain.planning(payment, confirmations, clock.now())]);
    },

    async payout(reference: number): Promise<KeptPayout> {
      const [payout] = await plain.byReferences('withdrawal', [reference]);
      if (payout === undefined) throw new Error(`There is no payout for ${reference}`);
      return payout;
    },

    /** An address of nobody here, that nothing has paid yet. */
    to(reference: number): string {
      const hash = Buffer.from(seed.subarray(0, 20));
      hash.writeUInt32BE(reference, 16);
      return keyHashAddress(hash, 'regtest');
    },

    /** Without a fault. */
    async sync(): Promise<void> {
      for (const work of process.works) await work();
      await process.runner.run();
    },
    /** What is to be booked as costs of the network. */
    book: () => process.costs(),

    /** In a process that ends where fate wants it, beside others. @returns whether it has ended */
    syncUnder: (next: Fate, works: readonly (() => Promise<unknown>)[] = []): Promise<boolean> =>
      fate.under(next, () => endingAnywhere(process, works)),

    /** The same keys with a record of its own. */
    otherSigner: () => openSigner(mkdtempSync(join(directory, 'other-'))),
    /** A second process beside the first, on the same chain, database and signer. */
    beside: () => begin(),
    /** A new process and signer find what the last ones have left. */
    restart(): void {
      signer = openSigner();
      process = begin();
    },

    /** What an address has in blocks that are part of the chain, in how many payments. */
    async paid(address: string): Promise<{ units: bigint; count: number }> {
      const { unspents } = await found(address);
      return { units: unspents.reduce((sum, one) => sum + one.amount, 0n), count: unspents.length };
    },

    /** What transactions have cost: what their inputs have above their outputs. */
    async costs(ids: Iterable<string>): Promise<bigint> {
      const raw = async (id: string) => readTransaction(String(await bitcoin.call('getrawtransaction', id)));
      let sum = 0n;
      for (const id of ids) {
        const { inputs, outputs } = await raw(id);
        for (const { transaction, output } of inputs) sum += (await raw(transaction)).outputs[output]?.units ?? 0n;
        sum -= outputs.reduce((all, { units }) => all + units, 0n);
      }
      return sum;
    },

    remove: (): void => rmSync(directory, { recursive: true, force: true }),
  };
}

export type BitcoinStage = Awaited<ReturnType<typeof createBitcoinStage>>;
