/** Sweeps by a real Bitcoin node without a server: deposits and payouts in processes that can be ended anywhere. */
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { createNetworkStore } from '../src/funds/chains/network-store.ts';
import { createAddressStore } from '../src/funds/deposits/address-store.ts';
import { createDepositStore } from '../src/funds/deposits/store.ts';
import { changesOf } from '../src/funds/payouts/moved.ts';
import { CoinSweeper } from '../src/funds/sweeps/coin-sweeper.ts';
import type { Sweep } from '../src/funds/sweeps/service.ts';
import { createSweepStore } from '../src/funds/sweeps/store.ts';
import type { Database } from '../src/platform/database.ts';
import type { BitcoinTestNode } from './bitcoin-node.ts';
import { BTC, createBitcoinStage } from './bitcoin-stage.ts';
import type { StageParts } from './payout-stage.ts';
import { depositWorks, SWEEP_TABLES, sweepPayouts } from './sweep-stage.ts';

/** Blocks after which a deposit may leave, and a payment stays. */
export const [UNLOCKED_AT, CONFIRMATIONS] = [4, 5];
export const MINIMUM = 50_000n;

function worksIn(parts: StageParts) {
  const { database, chain, sender, clock } = parts;
  const { deposits, works } = depositWorks(parts, (code) => (code === 'BTC' ? BTC : undefined));
  if (sender.coinSweeps === undefined) throw new Error('The chain has no coins');
  const sweeper = new CoinSweeper({
    ...{ chain, clock, sweeps: sender.coinSweeps, coins: deposits.coins, isTrusted: () => true },
    networks: createNetworkStore(database),
    store: createSweepStore(database),
    payouts: sweepPayouts(parts),
  });
  return [...works, sweeper.run];
}

/** @param owners ids of clients, each with an address */
export async function createBitcoinSweepStage(
  database: Database,
  bitcoin: BitcoinTestNode,
  seed: Uint8Array,
  owners: readonly number[],
) {
  await database.transaction(SWEEP_TABLES.map((table) => ({ sql: `DELETE FROM ${table}` })));
  await database.query('UPDATE sweep_policy SET is_on = true, least_multiple = 20');
  await database.query(
    `UPDATE coin_networks SET credited_at = 2, unlocked_at = $1, withdraw_confirmations = $2, deposit_minimum = '0.0005'
     WHERE network = 'BTC'`,
    [UNLOCKED_AT, CONFIRMATIONS],
  );
  const stage = await createBitcoinStage(database, bitcoin, Buffer.from(seed), worksIn);
  const addresses = createAddressStore(database);
  const known = new Map<number, string>();
  for (const owner of owners) {
    const address = await stage.signer.address('BTC', await addresses.takeIndex(owner));
    await addresses.add(owner, 'BTC', address, 0);
    known.set(owner, address);
  }
  const store = createSweepStore(database);
  const deposits = createDepositStore(database);
  const addressOf = (owner: number) => known.get(owner) ?? '';

  return Object.assign(stage, {
    ...{ addressOf, sweeps: store },
    all: (): Promise<Sweep[]> => store.list(1000),

    /** From outside, in smallest units. @returns the transaction */
    deposit: (owner: number, units: bigint): Promise<string> =>
      bitcoin.pay({ [addressOf(owner)]: `${units / 100_000_000n}.${String(units % 100_000_000n).padStart(8, '0')}` }),

    /** Blocks with everything that is to be done after each. */
    async blocks(count: number): Promise<void> {
      for (let made = 0; made < count; made += 1) {
        await bitcoin.mine(1);
        stage.clock.at += 61_000;
        await stage.sync();
        await stage.book();
      }
    },

    /** What is at the addresses of all clients by the chain. */
    async atAddresses(): Promise<bigint> {
      let sum = 0n;
      for (const address of known.values()) sum += (await stage.paid(address)).units;
      return sum;
    },

    /** The same as custody believes it, and what was not credited since it was too little. */
    async believed(): Promise<bigint> {
      const moving = (await stage.store.betweenWallets()).flatMap(changesOf);
      const all = [...(await deposits.held()), ...moving].filter(({ coin }) => coin === 'BTC');
      const [below] = await database.query<{ units: bigint }>(
        `SELECT coalesce(sum(units), 0)::numeric AS units FROM deposits WHERE state IN ('BELOW_MINIMUM', 'SEEN') AND height IS NOT NULL`,
      );
      return all.reduce((sum, { units }) => sum + units, below?.units ?? 0n);
    },

    /** What the chain has paid to clients and still has, and what of it the ledger owes. */
    async received(): Promise<{ units: bigint; credited: bigint }> {
      const [row] = await database.query<{ units: bigint; credited: bigint }>(
        `SELECT coalesce(sum(units), 0)::numeric AS units,
                coalesce(sum(units) FILTER (WHERE NOT is_below), 0)::numeric AS credited
         FROM deposits WHERE height IS NOT NULL`,
      );
      return row ?? { units: 0n, credited: 0n };
    },

    /** What a client has in the ledger. */
    spot: (owner: number) => stage.exchange.balance(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, BTC.id)),
    /** What the ledger has booked for transactions. */
    booked: () => -stage.exchange.balance(accountKey(SystemOwner.NETWORK_COSTS, Wallet.SPOT, Bucket.AVAILABLE, BTC.id)),
  });
}

export type BitcoinSweepStage = Awaited<ReturnType<typeof createBitcoinSweepStage>>;
