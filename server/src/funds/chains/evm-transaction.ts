/** EIP-1559 transactions of the exchange's own as bytes. Pure: the signer reads what it has built, the server what comes back. */
import type { SignedPayment } from './transactions.ts';

/** Of `transfer(address,uint256)`. */
export const TRANSFER_SELECTOR = '0xa9059cbb';
const WORD = 64;

/** @param digits in hex, without a prefix */
export const wordOf = (digits: string): string => digits.padStart(WORD, '0');

/** The call that a token is paid by. @param digits of the address, in hex */
export const transferCall = (digits: string, amount: bigint): `0x${string}` =>
  `${TRANSFER_SELECTOR}${wordOf(digits.toLowerCase())}${wordOf(amount.toString(16))}`;

/** Loaded when first needed: most starts neither read nor write a transaction. */
export const ethereum = async () => {
  const [hash, keys, envelope] = await Promise.all([
    import('ox/Hash'),
    import('ox/Secp256k1'),
    import('ox/TxEnvelopeEip1559'),
  ]);
  return { ...hash, ...keys, envelope };
};

/** What a signed transaction pays, and by whose key; undefined unless it is one that this file could have written. */
export async function readEvm(raw: string): Promise<Omit<SignedPayment, 'network'> | undefined> {
  const { keccak256, recoverAddress, envelope } = await ethereum();
  try {
    const bytes = raw as `0x02${string}`;
    const read = envelope.deserialize(bytes);
    const { chainId, nonce = 0n, gas, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, to, value = 0n, data } = read;
    const { accessList = [], r, s, yParity } = read;
    if (accessList.length > 0 || !to || gas === undefined || !r || !s || yParity === undefined) return undefined;
    // The same could be said by other bytes, which would be another transaction of the same nonce.
    if (envelope.serialize(read) !== bytes) return undefined;
    const paid = paidBy(to.toLowerCase(), value, data?.toLowerCase());
    const payload = envelope.getSignPayload(read);
    const from = recoverAddress({ payload, signature: { r, s, yParity } }).toLowerCase();
    const terms = { format: 'evm' as const, chainId, nonce: Number(nonce), gas, maxFeePerGas, maxPriorityFeePerGas };
    return paid && { ...paid, from, terms, transaction: keccak256(bytes) };
  } catch {
    return undefined;
  }
}

function paidBy(to: string, value: bigint, data: string | undefined) {
  if (data === undefined || data === '0x') return { contract: null, address: to, units: value };
  const [, receiver = '', amount = ''] = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(data) ?? [];
  if (receiver === '' || value !== 0n) return undefined;
  return { contract: to, address: `0x${receiver}`, units: BigInt(`0x${amount}`) };
}
