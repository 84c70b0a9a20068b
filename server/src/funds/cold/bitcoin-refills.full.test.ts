/** Refills of the hot wallet on a real Bitcoin node: signed by the cold machine, or as a PSBT by wallets of others. */
import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type BitcoinTestNode, startBitcoinNode } from '../../../test/bitcoin-node.ts';
import { findBitcoinProgram, withoutBitcoinNode } from '../../../test/bitcoin-program.ts';
import { type BitcoinStage, createBitcoinStage } from '../../../test/bitcoin-stage.ts';
import { type ColdMachine, coldWorks, createColdMachine, insertOperator } from '../../../test/cold-stage.ts';
import { databaseKinds, openMigrated } from '../../../test/databases.ts';
import { Killed } from '../../../test/mortal-database.ts';
import { endAtEachStep } from '../../../test/simulation.ts';
import type { Database } from '../../platform/database.ts';
import { keyHashAddress, scriptOf } from '../chains/bitcoin-addresses.ts';
import { readTransaction } from '../chains/bitcoin-block.ts';

const program = await findBitcoinProgram();
const base58 = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());
const COIN = 100_000_000n;
const CONFIRMATIONS = 3;
let stages = 200;

describe.each(databaseKinds)('refills by a Bitcoin node (%s)', (kind) => {
  let bitcoin: BitcoinTestNode;
  let database: Database;
  let close: () => Promise<void>;
  let stage: BitcoinStage;
  let operatorId: number;
  let cold: ColdMachine;
  let key: HDKey;

  beforeAll(async () => {
    if (program === undefined) return;
    bitcoin = await startBitcoinNode();
    ({ database, close } = await openMigrated(kind));
    await database.query(`UPDATE coin_networks SET withdraw_confirmations = ${CONFIRMATIONS} WHERE network = 'BTC'`);
    operatorId = await insertOperator(database, `cold-btc-${kind}@example.test`);
  });
  beforeEach(async ({ skip }) => {
    skip(program === undefined, withoutBitcoinNode());
    stages += 1;
    for (const table of ['wallet_moves', 'wallet_bounds']) await database.query(`DELETE FROM ${table}`);
    await database.query(`UPDATE payout_networks SET cold_address = ''`);
    stage = await createBitcoinStage(database, bitcoin, Buffer.alloc(32, stages), coldWorks);
    const seed = Buffer.alloc(32, stages + 20);
    const coins = [{ contract: null, most_per_payment: 100n * COIN, most_per_day: 100n * COIN }];
    cold = createColdMachine({
      ...{ network: 'BTC', database, stage, chain: () => stage.chain, operatorId, seed },
      allowed: { format: 'bitcoin', fee_cap: 100_000n, most_fees_per_day: 10n ** 30n, coins },
    });
    key = HDKey.fromMasterSeed(seed).derive("m/84'/0'/1'/0/0");
  });
  afterEach(() => {
    stage?.remove();
    cold?.remove();
  });
  afterAll(async () => {
    await close?.();
    await bitcoin?.stop();
  });

  async function mine(blocks: number): Promise<void> {
    for (let made = 0; made < blocks; made += 1) {
      await bitcoin.mine(1);
      await stage.sync();
    }
  }
  const balance = (address: string) => stage.sender.balance(address, null);
  const bound = (low: bigint, target: bigint) =>
    cold.store.saveBounds(cold.by, { network: 'BTC', coin: 'BTC', low, target, high: 50n * COIN });

  /** The cold wallet has two coins, and the hot one too little. */
  async function askForRefill(): Promise<void> {
    await bitcoin.pay({ [cold.address]: '3' });
    await bitcoin.pay({ [cold.address]: '2' });
    await bitcoin.mine(1);
    await bound(COIN, 4n * COIN);
    await stage.sync();
    await stage.sync();
  }

  /** All that the cold wallet has left, after a refill of four coins whose cost is booked. */
  async function expectRefilled(): Promise<void> {
    expect(await cold.moves()).toEqual(['refill BTC SENDING']);
    await stage.sync();
    await mine(CONFIRMATIONS);
    await stage.sync();
    await stage.book();
    expect(await cold.moves()).toEqual(['refill BTC FINAL']);
    const [payout] = await stage.store.list(10);
    const cost = await stage.costs([payout?.transaction ?? '']);
    expect([await balance(stage.hot), await balance(cold.address)]).toEqual([4n * COIN, COIN - cost]);
    expect([payout?.cost, payout?.purpose]).toEqual([cost, 'refill']);
    expect(stage.alarms).toEqual([expect.stringMatching(/^refill-asked/)]);
  }

  it('are signed by the cold machine from a file, and said by it in words', async () => {
    await askForRefill();
    const { name, file } = await cold.request();
    expect(name).toMatch(/^refill-\d+\.json$/);
    const { signed, words } = await cold.sign(file);
    expect(words.join('\n')).toMatch(new RegExp(`To +${stage.hot}`));
    expect(words.join('\n')).toMatch(/Keeps +0\.9999\d+ BTC +\(back to the wallet of this machine\)/);
    expect(await cold.bring(signed)).toBeUndefined();
    await expectRefilled();
  });

  it('are signed as a PSBT by another library, final or not', async () => {
    await askForRefill();
    const { psbt } = await cold.request();
    const transaction = Transaction.fromPSBT(Buffer.from(psbt ?? '', 'base64'));
    // Wallets that trust no amount alone find the whole transactions that are spent.
    expect(transaction.getInput(0).nonWitnessUtxo).toBeDefined();
    expect(await cold.bring(psbt ?? '')).toBe('UNREADABLE');
    transaction.sign(key.privateKey ?? new Uint8Array());
    const unfinished = Buffer.from(transaction.toPSBT()).toString('base64');
    expect(await cold.bring(`${unfinished.slice(0, 76)}\n${unfinished.slice(76)}\n`)).toBeUndefined();
    await expectRefilled();
  });

  it("are signed as a PSBT by the node's own wallet, which has the key and knows nothing of us", async ({ skip }) => {
    skip(program?.name !== 'bitcoin-knots', 'Litecoin writes PSBTs of its own');
    await askForRefill();
    const { psbt } = await cold.request();
    const wallet = `cold-${kind}`;
    await bitcoin.call('createwallet', wallet, false, true, '', false, true);
    const secret = Buffer.concat([Buffer.of(0xef), key.privateKey ?? Buffer.alloc(0), Buffer.of(1)]);
    const descriptor = `wpkh(${base58.encode(secret)})`;
    const { checksum } = z.object({ checksum: z.string() }).parse(await bitcoin.call('getdescriptorinfo', descriptor));
    await bitcoin.inWallet(wallet, 'importdescriptors', [{ desc: `${descriptor}#${checksum}`, timestamp: 'now' }]);
    const done = z
      .object({ psbt: z.string(), complete: z.boolean() })
      .parse(await bitcoin.inWallet(wallet, 'walletprocesspsbt', psbt));
    await bitcoin.call('unloadwallet', wallet);
    expect(done.complete).toBe(true);
    expect(await cold.bring(done.psbt)).toBeUndefined();
    await expectRefilled();
  });

  it('bring what the cold wallet has where that is less, and say so once where it has nothing', async () => {
    await bound(COIN, 4n * COIN);
    await stage.sync();
    await stage.sync();
    await mine(1);
    expect([await cold.moves(), stage.alarms]).toEqual([[], [expect.stringMatching(/^cold-wallet-short/)]]);
    for (let coins = 0; coins < 3; coins += 1) await bitcoin.pay({ [cold.address]: '0.5' });
    await mine(2);
    const move = await cold.asked();
    expect(move.units).toBeGreaterThan((149n * COIN) / 100n);
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await mine(CONFIRMATIONS + 2);
    expect(await cold.moves()).toContain('refill BTC FINAL');
    expect([await balance(stage.hot), await balance(cold.address)]).toEqual([move.units, 0n]);
  });

  it('refuse what pays anything else than was asked, or is not signed by the cold wallet (fault 4)', async () => {
    await askForRefill();
    const { file, psbt } = await cold.request();
    const good = JSON.parse((await cold.sign(file)).signed) as { request: string; raw: string };
    const { terms, units } = await cold.asked();
    if (terms?.format !== 'bitcoin') throw new Error('Terms of another chain');
    const hot = scriptOf(stage.hot, 'regtest') ?? Buffer.alloc(0);
    const own = scriptOf(cold.address, 'regtest') ?? Buffer.alloc(0);
    const stranger = scriptOf(keyHashAddress(Buffer.alloc(20, 1), 'regtest'), 'regtest') ?? Buffer.alloc(0);
    type Paid = readonly (readonly [Buffer, bigint])[];
    const as = (outputs: Paid, { by = key, inputs = terms.inputs, sequence = 0xfffffffd, lockTime = 0 } = {}) => {
      const transaction = new Transaction({ version: 2, lockTime });
      for (const { transaction: txid, output: index, units: amount } of inputs)
        transaction.addInput({ txid, index, sequence, witnessUtxo: { script: own, amount } });
      for (const [script, amount] of outputs) transaction.addOutput({ script, amount });
      // Another key signs what it was told to be its own.
      if (by !== key || inputs.length < terms.inputs.length)
        return Buffer.from(transaction.toPSBT()).toString('base64');
      transaction.sign(by.privateKey ?? new Uint8Array());
      transaction.finalize();
      return transaction.hex;
    };
    const asWanted: Paid = [
      [hot, units],
      [own, terms.change],
    ];
    expect(await cold.bring('no file')).toBe('UNREADABLE');
    expect(await cold.bring('{"no": "file"}')).toBe('UNREADABLE');
    expect(await cold.bring(JSON.stringify({ ...good, request: 'other:refill:1' }))).toBe('OTHER');
    expect(await cold.bring(JSON.stringify({ ...good, network: 'ERC20' }))).toBe('OTHER');
    const changed: Paid[] = [
      [[hot, units + terms.change]],
      [[hot, units]],
      [
        [hot, units - 1n],
        [own, terms.change + 1n],
      ],
      [
        [hot, units],
        [own, terms.change - 1n],
      ],
      [
        [hot, units],
        [stranger, terms.change],
      ],
      [
        [stranger, units],
        [own, terms.change],
      ],
      [...asWanted.slice(0, 1), [own, terms.change - 1_000n], [stranger, 1_000n]],
      [...asWanted.slice(0, 1), [own, terms.change - 1_000n], [own, 1_000n]],
    ];
    const found = [];
    for (const outputs of changed) found.push(await cold.bring(as(outputs)));
    // With a third output it is no payment of one wallet to another any more.
    expect(found).toEqual([
      ...changed.slice(0, 4).map(() => 'NOT_AS_ASKED'),
      'UNREADABLE',
      'NOT_AS_ASKED',
      'UNREADABLE',
      'UNREADABLE',
    ]);
    expect(await cold.bring(as(asWanted, { sequence: 0xffffffff }))).toBe('UNREADABLE');
    expect(await cold.bring(as(asWanted, { lockTime: 1_000 }))).toBe('UNREADABLE');
    expect(await cold.bring(as(asWanted, { by: HDKey.fromMasterSeed(Buffer.alloc(32, 3)) }))).toBe('UNREADABLE');
    expect(terms.inputs).toHaveLength(2);
    expect(await cold.bring(as(asWanted, { inputs: terms.inputs.slice(0, 1) }))).toBe('UNREADABLE');
    // A signature that is not of these bytes.
    const { inputs } = readTransaction(good.raw);
    const signature = inputs[0]?.witness[0]?.toString('hex') ?? '';
    const flipped = `${signature.slice(0, 20)}${signature[20] === '0' ? '1' : '0'}${signature.slice(21)}`;
    expect(await cold.bring(JSON.stringify({ ...good, raw: good.raw.replace(signature, flipped) }))).toBe(
      'NOT_AS_ASKED',
    );
    expect(await cold.bring(`${psbt}AA==`)).toBe('UNREADABLE');
    expect(await cold.moves()).toEqual(['refill BTC PLANNED']);
    expect(await cold.bring(as(asWanted))).toBeUndefined();
    await expectRefilled();
  });

  it('that an operator gives up are asked for anew, and either of both counts once', async () => {
    await askForRefill();
    const first = await cold.signed();
    expect(await cold.store.cancelled(await cold.asked(), cold.by, stage.clock.now())).toBe(true);
    await stage.sync();
    expect(await cold.moves()).toEqual(['refill BTC CANCELLED', 'refill BTC PLANNED']);
    expect(await cold.bring(first)).toBe('OTHER');
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await mine(CONFIRMATIONS + 2);
    expect(await balance(stage.hot)).toBe(4n * COIN);
  });

  it('are asked for and arrive once wherever a process ends, and go back and come again with a reorganization (faults 2, 5)', async () => {
    await askForRefill();
    expect(await endAtEachStep(stage, 24)).toBeGreaterThan(10);
    expect(await cold.moves()).toEqual(['refill BTC PLANNED']);
    expect(await cold.bring(await cold.signed())).toBeUndefined();
    await stage.syncUnder((where) => {
      if (where === 'after the node') throw new Killed(where);
    });
    stage.restart();
    await mine(2);
    await bitcoin.drop(2);
    await bitcoin.mineEmpty(3);
    await stage.sync();
    expect(await balance(stage.hot)).toBe(0n);
    await mine(CONFIRMATIONS + 2);
    expect(await cold.moves()).toEqual(['refill BTC FINAL']);
    expect(await balance(stage.hot)).toBe(4n * COIN);
  });
});
