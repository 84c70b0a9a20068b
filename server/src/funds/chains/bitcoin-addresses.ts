/**
 * Bitcoin addresses and the scripts that they stand for. A payment is to a script: what is compared is the whole of it, and
 * never the text that a node shows for it.
 */
import { createHash } from 'node:crypto';
import { base58, bech32, bech32m } from '@scure/base';

/** How the addresses of each network begin (BIP173, and Bitcoin Core's chainparams). */
const NETWORKS = {
  mainnet: { human: 'bc', keyHash: 0x00, scriptHash: 0x05 },
  testnet: { human: 'tb', keyHash: 0x6f, scriptHash: 0xc4 },
  signet: { human: 'tb', keyHash: 0x6f, scriptHash: 0xc4 },
  regtest: { human: 'bcrt', keyHash: 0x6f, scriptHash: 0xc4 },
} as const;
export type BitcoinNetwork = keyof typeof NETWORKS;
export const BITCOIN_NETWORKS = Object.keys(NETWORKS) as [BitcoinNetwork, ...BitcoinNetwork[]];

const CHECKSUM_BYTES = 4;
const [OP_EQUAL, OP_DUP, OP_EQUALVERIFY, OP_HASH160, OP_CHECKSIG, OP_1] = [0x87, 0x76, 0x88, 0xa9, 0xac, 0x51];

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Witness programs that have a meaning: version 0 of 20 or 32 bytes, version 1 of 32. Others pay whoever comes first. */
function witnessScript(text: string, human: string): Buffer | undefined {
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase();
  const address = text.toLowerCase();
  if (!isOneCase || !address.startsWith(`${human}1`)) return undefined;
  // BIP350: another checksum from version 1 on, since that of version 0 overlooks some insertions.
  for (const [code, version, sizes] of [[bech32, 0, [20, 32]] as const, [bech32m, 1, [32]] as const]) {
    const decoded = code.decodeUnsafe(address);
    if (decoded?.prefix !== human || decoded.words[0] !== version) continue;
    const program = code.fromWordsUnsafe(decoded.words.slice(1));
    if (!program || !(sizes as readonly number[]).includes(program.length)) return undefined;
    return Buffer.concat([Buffer.of(version === 0 ? 0 : OP_1, program.length), program]);
  }
  return undefined;
}

function hashScript(
  text: string,
  { keyHash, scriptHash }: { keyHash: number; scriptHash: number },
): Buffer | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,36}$/.test(text)) return undefined;
  const bytes = Buffer.from(base58.decode(text));
  const [body, checksum] = [bytes.subarray(0, -CHECKSUM_BYTES), bytes.subarray(-CHECKSUM_BYTES)];
  if (body.length !== 21 || !sha256(sha256(body)).subarray(0, CHECKSUM_BYTES).equals(checksum)) return undefined;
  const hash = body.subarray(1);
  if (body[0] === keyHash)
    return Buffer.concat([Buffer.of(OP_DUP, OP_HASH160, 20), hash, Buffer.of(OP_EQUALVERIFY, OP_CHECKSIG)]);
  return body[0] === scriptHash ? Buffer.concat([Buffer.of(OP_HASH160, 20), hash, Buffer.of(OP_EQUAL)]) : undefined;
}

/** What an output to an address has as its script; undefined for what is no address of the network. */
export const scriptOf = (address: string, network: BitcoinNetwork): Buffer | undefined =>
  witnessScript(address, NETWORKS[network].human) ?? hashScript(address, NETWORKS[network]);

/** The hash of a key or of a script, or the key, that a script made by `scriptOf` pays to. */
export function payloadOf(script: Buffer): Buffer {
  if (script[0] === OP_DUP) return script.subarray(3, 23);
  return script[0] === OP_HASH160 ? script.subarray(2, 22) : script.subarray(2);
}

/** Pay to witness public key hash, version 0. @param keyHash 20 bytes */
export const keyHashAddress = (keyHash: Uint8Array, network: BitcoinNetwork): string =>
  bech32.encode(NETWORKS[network].human, [0, ...bech32.toWords(keyHash)]);

/** The address of a script of the one kind that the exchange's own addresses have; undefined for any other. */
export function addressOfScript(script: Uint8Array, network: BitcoinNetwork): string | undefined {
  const isKeyHash = script.length === 22 && script[0] === 0 && script[1] === 20;
  return isKeyHash ? keyHashAddress(script.subarray(2), network) : undefined;
}

/** Bech32 is the same in both cases; the letters of older addresses are not. */
export const canonicalBitcoinAddress = (address: string): string =>
  /^(bc|tb|bcrt)1/i.test(address) ? address.toLowerCase() : address;

/** What an output must hold to be relayed, by the size of its script: spending it would cost more (Bitcoin Core's policy). */
export const dustOf = (script: Uint8Array): bigint => {
  const isWitness = script[0] === 0 || script[0] === OP_1;
  // Three satoshis for each byte of the output and of the input that spends it.
  return BigInt(3 * (8 + 1 + script.length + (isWitness ? 67 : 148)));
};
