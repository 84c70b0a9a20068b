/**
 * TRON transactions, built from what is to be paid and read again before they leave. The bytes are those of the protocol's
 * messages (java-tron, `core/Tron.proto` and `core/contract/*.proto`): an id is the SHA-256 of `raw_data`, which is what the
 * owner signs.
 */
import { createHash } from 'node:crypto';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { tronAddress, tronBytes } from '../funds/chains/addresses.ts';
import { transferCall } from '../funds/chains/evm-transaction.ts';
import type { ChainPayment, Terms } from '../funds/chains/transactions.ts';
import type { Built } from './intent.ts';
import { recoverable, type SigningKey } from './signing-key.ts';

type TronTerms = Extract<Terms, { format: 'tron' }>;

/** Kinds of contracts, as the protocol numbers them, and their messages. */
const KINDS = {
  coin: { type: 1, url: 'type.googleapis.com/protocol.TransferContract' },
  token: { type: 31, url: 'type.googleapis.com/protocol.TriggerSmartContract' },
} as const;
const LENGTH = WireType.LengthDelimited;

const bytesField = (writer: BinaryWriter, field: number, value: Uint8Array) => writer.tag(field, LENGTH).bytes(value);
const numberField = (writer: BinaryWriter, field: number, value: bigint | number) =>
  writer.tag(field, WireType.Varint).int64(value);

/** `TransferContract`, or `TriggerSmartContract` of a call that pays a token. */
function contractOf(from: string, { contract, address, units }: ChainPayment): Uint8Array {
  const message = bytesField(new BinaryWriter(), 1, tronBytes(from));
  if (contract === null) {
    bytesField(message, 2, tronBytes(address));
    return numberField(message, 3, units).finish();
  }
  bytesField(message, 2, tronBytes(contract));
  const call = transferCall(tronBytes(address).subarray(1).toString('hex'), units);
  return bytesField(message, 4, Buffer.from(call.slice(2), 'hex')).finish();
}

/** `Transaction.raw`. */
function rawData(from: string, payment: ChainPayment, terms: TronTerms): Uint8Array {
  const { type, url } = payment.contract === null ? KINDS.coin : KINDS.token;
  const writer = bytesField(new BinaryWriter(), 1, Buffer.from(terms.referenceBytes, 'hex'));
  bytesField(writer, 4, Buffer.from(terms.referenceHash, 'hex'));
  numberField(writer, 8, terms.expiration);
  numberField(writer.tag(11, LENGTH).fork(), 1, type).tag(2, LENGTH).fork().tag(1, LENGTH).string(url);
  bytesField(writer, 2, contractOf(from, payment)).join().join();
  numberField(writer, 14, terms.timestamp);
  if (terms.feeLimit > 0n) numberField(writer, 18, terms.feeLimit);
  return writer.finish();
}

type Fields = ReadonlyMap<number, Uint8Array | bigint>;

/** Each field once, numbers and bytes alone: more than that is nothing that was written here. */
function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, Uint8Array | bigint>();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (fields.has(field)) throw new Error(`Field ${field} comes twice`);
    if (type === WireType.LengthDelimited) fields.set(field, reader.bytes());
    else if (type === WireType.Varint) fields.set(field, BigInt(reader.int64()));
    else throw new Error(`Field ${field} is of another kind`);
  }
  return fields;
}

const bytesIn = (fields: Fields, field: number) => {
  const value = fields.get(field);
  if (!(value instanceof Uint8Array)) throw new Error(`Field ${field} is missing`);
  return value;
};
const addressIn = (fields: Fields, field: number) =>
  tronAddress(Buffer.from(bytesIn(fields, field)).subarray(1).toString('hex'));
const hexIn = (fields: Fields, field: number) => Buffer.from(bytesIn(fields, field)).toString('hex');

/** Whether bytes say what was wanted, and nothing else. */
function isWanted(raw: Uint8Array, from: string, payment: ChainPayment, terms: TronTerms): boolean {
  const fields = fieldsOf(raw);
  const outer = fieldsOf(bytesIn(fields, 11));
  const any = fieldsOf(bytesIn(outer, 2));
  const inner = fieldsOf(bytesIn(any, 2));
  const { type, url } = payment.contract === null ? KINDS.coin : KINDS.token;
  const isTerms =
    hexIn(fields, 1) === terms.referenceBytes &&
    hexIn(fields, 4) === terms.referenceHash &&
    fields.get(8) === BigInt(terms.expiration) &&
    fields.get(14) === BigInt(terms.timestamp) &&
    (fields.get(18) ?? 0n) === terms.feeLimit &&
    fields.size === (terms.feeLimit > 0n ? 6 : 5);
  const isKind =
    outer.get(1) === BigInt(type) && Buffer.from(bytesIn(any, 1)).toString() === url && outer.size + any.size === 4;
  const call = transferCall(tronBytes(payment.address).subarray(1).toString('hex'), payment.units).slice(2);
  const isPayment =
    payment.contract === null
      ? addressIn(inner, 2) === payment.address && inner.get(3) === payment.units
      : addressIn(inner, 2) === payment.contract && hexIn(inner, 4) === call;
  return isTerms && isKind && isPayment && addressIn(inner, 1) === from && inner.size === 3;
}

/** @param key of the hot wallet @param from its address */
export async function signTron(key: SigningKey, from: string, payment: ChainPayment, terms: TronTerms): Promise<Built> {
  const { recoverAddress } = await import('viem');
  const raw = rawData(from, payment, terms);
  const digest = createHash('sha256').update(raw).digest();
  const hash = digest.toString('hex');
  const signature = recoverable(await key.sign(digest));
  const signer = tronAddress((await recoverAddress({ hash: `0x${hash}`, signature })).slice(2));
  if (!isWanted(raw, from, payment, terms) || signer !== from)
    throw new Error('The transaction is not what was wanted');
  const whole = bytesField(bytesField(new BinaryWriter(), 1, raw), 2, Buffer.from(signature.slice(2), 'hex'));
  return { raw: Buffer.from(whole.finish()).toString('hex'), transaction: hash };
}
