/** What the protocol of TRON says: its prices, and transactions as TronWeb reads and verifies them, which shares no code with us. */
import { createHash } from 'node:crypto';
import { utils } from 'tronweb';

export const ENERGY_FEE = 100n;
export const BYTE_FEE = 1000n;
/** What TRX that opens an account costs in the place of its bytes. */
export const OPENING = { account: 100_000n, system: 1_000_000n };

type Kind = 'TransferContract' | 'TransferAssetContract' | 'TriggerSmartContract';
export type Log = { address: string; topics: string[]; data: string };
export type Inner = {
  transferTo_address: string;
  callValueInfo: { callValue?: number; tokenId?: string }[];
  rejected?: boolean;
  /** Text in hex. */
  note: string;
};

export interface Transaction {
  readonly txID: string;
  readonly type: Kind;
  readonly value: Readonly<Record<string, unknown>>;
  readonly expiration: number;
  readonly feeLimit: bigint;
  /** Of one that others have sent: what becomes of it. */
  readonly outcome?: { readonly result: string; readonly log: Log[]; readonly inner: Inner[] };
}

export interface Result {
  readonly contractRet: string;
  readonly log: Log[];
  readonly inner: Inner[];
  readonly fee: bigint;
}

export interface State {
  /** Of each account: an address that has never had TRX has none. */
  readonly coins: Map<string, bigint>;
  readonly tokens: Map<string, bigint>;
}

export interface Block {
  readonly blockID: string;
  readonly number: number;
  readonly parentHash: string;
  readonly timestamp: number;
  readonly transactions: readonly { readonly of: Transaction; readonly result: Result }[];
  /** Behind it. */
  readonly state: State;
}

export class Refused extends Error {
  readonly code: string;
  constructor(code: string, words: string) {
    super(words);
    this.code = code;
  }
}

interface ProtocolMessage {
  getRawData_asU8?(): Uint8Array;
  getRawData(): { serializeBinary(): Uint8Array; getContractList(): { getType(): number }[] };
  getSignatureList_asU8(): Uint8Array[];
}

/** As TronWeb reads the bytes. */
export function read(raw: string): Transaction & { reference: string } {
  const { Transaction: Message } = (
    globalThis as unknown as {
      TronWebProto: { Transaction: { deserializeBinary(bytes: Uint8Array): ProtocolMessage } };
    }
  ).TronWebProto;
  const message = Message.deserializeBinary(Buffer.from(raw, 'hex'));
  const rawHex = Buffer.from(message.getRawData().serializeBinary()).toString('hex');
  // The bytes that were sent must be those that are read: an id is that of the bytes.
  if (!raw.includes(rawHex)) throw new Refused('OTHER_ERROR', 'not canonical');
  const type =
    message.getRawData().getContractList()[0]?.getType() === 31 ? 'TriggerSmartContract' : 'TransferContract';
  const of = utils.deserializeTx.deserializeTransaction(type, rawHex);
  const txID = createHash('sha256').update(Buffer.from(rawHex, 'hex')).digest('hex');
  if (utils.transaction.txPbToTxID(utils.transaction.txJsonToPb({ raw_data: of })).replace(/^0x/, '') !== txID)
    throw new Refused('OTHER_ERROR', 'another id');
  const [signature] = message.getSignatureList_asU8();
  // It writes hex in capitals, and nodes do not.
  const fields = Object.entries<unknown>(of.contract[0].parameter.value);
  const value = Object.fromEntries(
    fields.map(([name, field]) => [name, typeof field === 'string' ? field.toLowerCase() : field]),
  );
  const owner = utils.crypto.ecRecover(txID, Buffer.from(signature ?? []).toString('hex'));
  if (owner.toLowerCase() !== String(value.owner_address).toLowerCase())
    throw new Refused('SIGERROR', 'Validate signature error');
  const reference = `${of.ref_block_bytes}${of.ref_block_hash}`.toLowerCase();
  return { txID, type, value, expiration: of.expiration, feeLimit: BigInt(of.fee_limit ?? 0), reference };
}
