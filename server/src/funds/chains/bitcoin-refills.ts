/**
 * Refills of the hot wallet from a cold one: what is asked as a PSBT (BIP174), and what comes back signed. A signed
 * transaction is read from its bytes; what it spends is looked up by the node, and each signature is checked here.
 */
import { z } from 'zod';
import { RpcRefusal } from '../../platform/node-http.ts';
import { addressOfScript, scriptOf } from './bitcoin-addresses.ts';
import { type BitcoinOutput, type BitcoinTransaction, readTransaction } from './bitcoin-block.ts';
import { type BitcoinNode, hexText } from './bitcoin-node.ts';
import { isSigned, SEQUENCE } from './bitcoin-signature.ts';
import type { BitcoinTerms, ChainPayment, SignedPayment } from './transactions.ts';

/**
 * Of whole transactions that are spent, as many wallets ask for beside the amounts (they trust no amount that a signature of
 * one input alone covers): beyond it they are left out.
 */
const MAXIMUM_BEFORE_BYTES = 100_000;
const NOT_FOUND = -5;
const KEY_HASH_BYTES = 22;

const found = z.object({ hex: hexText });

/** As the node has it, whether it is in a block or waits. */
async function rawOf(node: BitcoinNode, transaction: string): Promise<string | undefined> {
  try {
    return (await node.attempt(found, 'getrawtransaction', [transaction, true])).hex;
  } catch (error) {
    if (error instanceof RpcRefusal && error.code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** What is to be signed by a wallet of others, as base64. */
export async function writePsbt(
  node: BitcoinNode,
  from: string,
  { address, units }: ChainPayment,
  { inputs, change }: BitcoinTerms,
): Promise<string> {
  const { Transaction } = await import('@scure/btc-signer');
  const [own, to] = [scriptOf(from, node.network), scriptOf(address, node.network)];
  if (own === undefined || to === undefined) throw new Error(`No address of ${node.network}`);
  const before = await Promise.all(inputs.map(({ transaction }) => rawOf(node, transaction)));
  const isSmall = before.reduce((sum, raw) => sum + (raw?.length ?? 0), 0) <= 2 * MAXIMUM_BEFORE_BYTES;
  const psbt = new Transaction({ version: 2, lockTime: 0 });
  for (const [at, { transaction: txid, output: index, units: amount }] of inputs.entries()) {
    const whole = isSmall && before[at] !== undefined ? { nonWitnessUtxo: before[at] } : {};
    psbt.addInput({ txid, index, sequence: SEQUENCE, witnessUtxo: { script: own, amount }, ...whole });
  }
  psbt.addOutput({ script: to, amount: units });
  if (change > 0n) psbt.addOutput({ script: own, amount: change });
  return Buffer.from(psbt.toPSBT()).toString('base64');
}

/** The bytes of a transaction, in hex: as they are, or of a PSBT that has all signatures. Undefined for anything else. */
async function transactionIn(text: string): Promise<string | undefined> {
  const written = text.replace(/\s/g, '');
  if (/^([0-9a-f]{2})+$/i.test(written)) return written.toLowerCase();
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(written)) return undefined;
  const { Transaction } = await import('@scure/btc-signer');
  try {
    const psbt = Transaction.fromPSBT(Buffer.from(written, 'base64'));
    if (!psbt.isFinal) psbt.finalize();
    return Buffer.from(psbt.extract()).toString('hex');
  } catch {
    return undefined;
  }
}

function readRaw(raw: string): BitcoinTransaction | undefined {
  try {
    return readTransaction(raw);
  } catch {
    return undefined;
  }
}

/** What each input spends; undefined where the node does not have it. */
async function spentBy(node: BitcoinNode, { inputs }: BitcoinTransaction): Promise<BitcoinOutput[] | undefined> {
  const spent: BitcoinOutput[] = [];
  for (const { transaction, output } of inputs) {
    const raw = await rawOf(node, transaction);
    const before = raw === undefined ? undefined : readRaw(raw);
    const of = before?.id === transaction ? before.outputs[output] : undefined;
    if (of === undefined) return undefined;
    spent.push(of);
  }
  return spent;
}

/** Whether each input is of one key hash, and has its signature over all of the transaction. */
function isSignedBy(own: Buffer, read: BitcoinTransaction, spent: readonly BitcoinOutput[]): boolean {
  const keyHash = own.subarray(2);
  return read.inputs.every(({ sequence }, at) => {
    const of = spent[at];
    const isOwn = of?.script.equals(own) === true && sequence === SEQUENCE;
    return isOwn && isSigned(read, at, { keyHash, units: of.units });
  });
}

/** One payment of a wallet whose change goes back to it; undefined for anything else. */
export async function readRefill(node: BitcoinNode, text: string): Promise<SignedPayment | undefined> {
  const raw = await transactionIn(text);
  const read = raw === undefined ? undefined : readRaw(raw);
  if (raw === undefined || read === undefined || read.version !== 2 || read.lockTime !== 0) return undefined;
  const spent = await spentBy(node, read);
  const own = spent?.[0]?.script;
  if (spent === undefined || own?.length !== KEY_HASH_BYTES || !isSignedBy(own, read, spent)) return undefined;
  const [paid, back] = [false, true].map((isBack) =>
    read.outputs.filter(({ script }) => script.equals(own) === isBack),
  );
  const [from, address] = [own, paid?.[0]?.script].map((script) => script && addressOfScript(script, node.network));
  if (paid?.length !== 1 || (back?.length ?? 0) > 1 || from === undefined || address === undefined) return undefined;
  const [units, change] = [paid[0]?.units ?? 0n, back?.[0]?.units ?? 0n];
  const inputs = read.inputs.map(({ transaction, output }, at) => ({
    ...{ transaction, output, units: spent[at]?.units ?? 0n, index: null },
  }));
  const fee = inputs.reduce((sum, input) => sum + input.units, -units - change);
  const terms: BitcoinTerms = { format: 'bitcoin', inputs, others: [], change, fee };
  return { network: 'BTC', contract: null, address, units, from, terms, transaction: read.id, raw };
}
