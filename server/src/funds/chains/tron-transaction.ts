/**
 * TRON transactions of the exchange's own as bytes: those of the protocol's messages (java-tron, `core/Tron.proto` and
 * `core/contract/*.proto`). An id is the SHA-256 of `raw_data`, which is what the owner signs. Pure: the signer reads what it
 * has built, the server what comes back.
 */
import { createHash } from 'node:crypto';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { addressBehind } from '../../platform/secp256k1.ts';
import { tronAddress, tronBytes } from './addresses.ts';
import { TRANSFER_SELECTOR, transferCall } from './evm-transaction.ts';
import { type ChainPayment, type SignedPayment, type Terms, terms as termsOf } from './transactions.ts';

export type TronTerms = Extract<Terms, { format: 'tron' }>;
type Paid = Omit<ChainPayment, 'network'>;

/** Kinds of contracts, as the protocol numbers them, and their messages. */
const KINDS = {
  coin: { type: 1, url: 'type.googleapis.com/protocol.TransferContract' },
  token: { type: 31, url: 'type.googleapis.com/protocol.TriggerSmartContract' },
} as const;
const LENGTH = WireType.LengthDelimited;
/** The call of a token, with its receiver and its amount in a word each. */
const TRANSFER_CALL = new RegExp(`^${TRANSFER_SELECTOR.slice(2)}0{24}([0-9a-f]{40})([0-9a-f]{64})$`);

const bytesField = (writer: BinaryWriter, field: number, value: Uint8Array) => writer.tag(field, LENGTH).bytes(value);
const numberField = (writer: BinaryWriter, field: number, value: bigint | number) =>
  writer.tag(field, WireType.Varint).int64(value);

/** `TransferContract`, or `TriggerSmartContract` of a call that pays a token. */
function contractOf(from: string, { contract, address, units }: Paid): Uint8Array {
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
export function rawData(from: string, payment: Paid, terms: TronTerms): Uint8Array {
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

/** What is sent to a node, in hex. @param signature 65 bytes in hex */
export function signedBytes(raw: Uint8Array, signature: string): string {
  const whole = bytesField(bytesField(new BinaryWriter(), 1, raw), 2, Buffer.from(signature, 'hex'));
  return Buffer.from(whole.finish()).toString('hex');
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
const numberIn = (fields: Fields, field: number) => {
  const value = fields.get(field);
  if (typeof value !== 'bigint') throw new Error(`Field ${field} is missing`);
  return value;
};
const hexIn = (fields: Fields, field: number) => Buffer.from(bytesIn(fields, field)).toString('hex');
const addressIn = (fields: Fields, field: number) => tronAddress(hexIn(fields, field).slice(2));

function paidIn(type: bigint, inner: Fields): Paid {
  if (type === BigInt(KINDS.coin.type))
    return { contract: null, address: addressIn(inner, 2), units: numberIn(inner, 3) };
  const [, receiver = '', amount = ''] = TRANSFER_CALL.exec(hexIn(inner, 4)) ?? [];
  if (receiver === '') throw new Error('A call that pays nothing');
  return { contract: addressIn(inner, 2), address: tronAddress(receiver), units: BigInt(`0x${amount}`) };
}

/** @throws where it is no payment */
function readRaw(raw: Uint8Array): { from: string; paid: Paid; terms: TronTerms } {
  const fields = fieldsOf(raw);
  const outer = fieldsOf(bytesIn(fields, 11));
  const inner = fieldsOf(bytesIn(fieldsOf(bytesIn(outer, 2)), 2));
  const feeLimit = fields.get(18) ?? 0n;
  const terms = termsOf.parse({
    format: 'tron',
    ...{ referenceBytes: hexIn(fields, 1), referenceHash: hexIn(fields, 4), feeLimit },
    ...{ timestamp: Number(numberIn(fields, 14)), expiration: Number(numberIn(fields, 8)) },
  });
  return { from: addressIn(inner, 1), paid: paidIn(numberIn(outer, 1), inner), terms: terms as TronTerms };
}

/** What a signed transaction pays, and by whose key; undefined unless it is one that this file could have written. */
export async function readTron(text: string): Promise<Omit<SignedPayment, 'network'> | undefined> {
  try {
    const whole = fieldsOf(Buffer.from(text, 'hex'));
    const raw = bytesIn(whole, 1);
    const signature = hexIn(whole, 2);
    const { from, paid, terms } = readRaw(raw);
    // Whatever else the bytes say, or say in another way, is lost in what was read.
    const isOwn =
      Buffer.from(rawData(from, paid, terms)).equals(raw) && signedBytes(raw, signature) === text && paid.units > 0n;
    if (!isOwn) return undefined;
    const digest = createHash('sha256').update(raw).digest();
    const signer = await addressBehind({ digest, signature: `0x${signature}` });
    if (signer === undefined || tronAddress(signer.slice(2)) !== from) return undefined;
    return { ...paid, from, terms, transaction: digest.toString('hex') };
  } catch {
    return undefined;
  }
}
