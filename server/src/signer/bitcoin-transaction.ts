/**
 * Bitcoin transactions, built from what is to be paid and read again by another reader before they leave. Each input is a
 * key of the signer's own: its script is derived here, and the signature covers it with its amount (BIP143), so that inputs
 * that are not as they were said to be make bytes that no node takes.
 */
import type { HDKey } from '@scure/bip32';
import { type BitcoinNetwork, dustOf, scriptOf } from '../funds/chains/bitcoin-addresses.ts';
import { type BitcoinTransaction, readTransaction } from '../funds/chains/bitcoin-block.ts';
import { isSigned, SEQUENCE, SIGHASH_ALL } from '../funds/chains/bitcoin-signature.ts';
import { type BitcoinTerms, type ChainPayment, claimsOf, isCoinSweep } from '../funds/chains/transactions.ts';
import type { Built, Intent } from './intent.ts';
import type { SigningKey } from './signing-key.ts';

export interface BitcoinKeys {
  /** That the change goes back to. */
  readonly hot: SigningKey;
  /** Of a client's address. */
  readonly ofIndex: (index: number) => SigningKey;
  readonly network: BitcoinNetwork;
}

interface Input {
  readonly transaction: string;
  readonly output: number;
  readonly units: bigint;
  readonly key: SigningKey;
  readonly script: Buffer;
}
interface Output {
  readonly script: Buffer;
  readonly units: bigint;
}

function keyHashOf({ identifier }: HDKey): Buffer {
  if (!identifier) throw new Error('A key without a public key');
  return Buffer.from(identifier);
}
const scriptOfKey = ({ publicKey }: SigningKey): Buffer => Buffer.concat([Buffer.of(0, 20), keyHashOf(publicKey)]);
/** What the script of a key hash stands for where it is signed. */
const scriptCodeOf = ({ publicKey }: SigningKey): Buffer =>
  Buffer.concat([Buffer.of(0x76, 0xa9, 20), keyHashOf(publicKey), Buffer.of(0x88, 0xac)]);

/** @throws where it would not be relayed, or is no address */
function outputOf(address: string, units: bigint, network: BitcoinNetwork): Output {
  const script = scriptOf(address, network);
  if (script === undefined || units < dustOf(script)) throw new Error('A payment that no node would pass on');
  return { script, units };
}

/**
 * Whether what is spent belongs to who pays: coins of the wallet for its own payments; for a sweep all that each address
 * named, and nothing else, with no change beside.
 */
export function spendsOwn({
  payment,
  source,
  terms,
}: Pick<Intent, 'payment' | 'source'> & { terms: BitcoinTerms }): boolean {
  const { inputs, others, change } = terms;
  if (source === null)
    return inputs.every(({ index }) => index === null) && others.every(({ index }) => index === undefined);
  const swept = [{ index: source, units: payment.units }, ...others];
  const left = new Map(swept.map(({ index, units }) => [index, units] as const));
  for (const { index, units } of inputs) {
    const of = index === null ? undefined : left.get(index);
    if (index === null || of === undefined) return false;
    left.set(index, of - units);
  }
  return change === 0n && left.size === swept.length && [...left.values()].every((units) => units === 0n);
}

/** What is paid. Coins of clients pay one output to the hot wallet, whatever address was named; the fee is out of it. */
function outputsOf({ address, units }: ChainPayment, terms: BitcoinTerms, { hot, network }: BitcoinKeys): Output[] {
  const own = scriptOfKey(hot);
  const payments = [{ address, units }, ...terms.others];
  if (isCoinSweep(terms)) {
    const swept = payments.reduce((sum, one) => sum + one.units, -terms.fee);
    if (swept < dustOf(own)) throw new Error('A payment that no node would pass on');
    return [{ script: own, units: swept }];
  }
  const paid = payments.map((one) => outputOf(one.address, one.units, network));
  if (terms.change > 0n && terms.change < dustOf(own)) throw new Error('Change that no node would pass on');
  return terms.change > 0n ? [...paid, { script: own, units: terms.change }] : paid;
}

/** What is to be spent and paid. @throws where it does not add up */
function plan(payment: ChainPayment, terms: BitcoinTerms, keys: BitcoinKeys) {
  const inputs = terms.inputs.map(({ transaction, output, units, index }): Input => {
    const key = index === null ? keys.hot : keys.ofIndex(index);
    return { transaction, output, units, key, script: scriptOfKey(key) };
  });
  if (new Set(claimsOf(terms)).size < inputs.length) throw new Error('An input twice');
  const outputs = outputsOf(payment, terms, keys);
  const left = inputs.reduce((sum, input) => sum + input.units, 0n) - outputs.reduce((sum, one) => sum + one.units, 0n);
  if (left !== terms.fee) throw new Error('Inputs, payments, change and fee do not add up');
  return { inputs, outputs };
}

/** @throws where the bytes are not exactly what was wanted */
function check(read: BitcoinTransaction, inputs: readonly Input[], outputs: readonly Output[]): void {
  const isInput = (at: number, { transaction, output }: Input) => {
    const found = read.inputs[at];
    return found?.transaction === transaction && found.output === output && found.sequence === SEQUENCE;
  };
  const isOutput = (at: number, { script, units }: Output) =>
    read.outputs[at]?.units === units && read.outputs[at].script.equals(script);
  const isWanted =
    read.version === 2 &&
    read.lockTime === 0 &&
    read.inputs.length === inputs.length &&
    read.outputs.length === outputs.length &&
    inputs.every(
      (input, at) =>
        isInput(at, input) && isSigned(read, at, { keyHash: keyHashOf(input.key.publicKey), units: input.units }),
    ) &&
    outputs.every((output, at) => isOutput(at, output));
  if (!isWanted) throw new Error('The transaction is not what was wanted');
}

/** A number in DER: as short as it can be, and never with the highest bit set. */
function derNumber(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = bytes.subarray(first);
  const padded = (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), short]) : short;
  return Buffer.concat([Buffer.of(2, padded.length), padded]);
}

/** As a node reads it: DER, and the kind of signature behind it. */
function written(compact: Buffer): Buffer {
  const parts = Buffer.concat([derNumber(compact.subarray(0, 32)), derNumber(compact.subarray(32))]);
  return Buffer.concat([Buffer.of(0x30, parts.length), parts, Buffer.of(SIGHASH_ALL)]);
}

export async function signBitcoin(payment: ChainPayment, terms: BitcoinTerms, keys: BitcoinKeys): Promise<Built> {
  const { Transaction } = await import('@scure/btc-signer');
  const { inputs, outputs } = plan(payment, terms, keys);
  const transaction = new Transaction({ version: 2, lockTime: 0 });
  for (const { transaction: txid, output: index, units, script } of inputs)
    transaction.addInput({ txid, index, sequence: SEQUENCE, witnessUtxo: { script, amount: units } });
  for (const { script, units } of outputs) transaction.addOutput({ script, amount: units });
  for (const [at, { key, units }] of inputs.entries()) {
    const digest = transaction.preimageWitnessV0(at, scriptCodeOf(key), SIGHASH_ALL, units);
    const { compact } = await key.sign(digest);
    const { publicKey } = key.publicKey;
    if (publicKey === null) throw new Error('A key without a public key');
    transaction.updateInput(at, { partialSig: [[publicKey, written(compact)]] }, true);
  }
  transaction.finalize();
  const raw = transaction.hex;
  const read = readTransaction(raw);
  check(read, inputs, outputs);
  return { raw, transaction: read.id };
}
