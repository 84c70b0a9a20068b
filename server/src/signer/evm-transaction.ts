/** EIP-1559 transactions, built from what is to be paid and read again before they leave. */
import { type ChainPayment, type SignedPayment, type Terms, writeJson } from '../funds/chains/transactions.ts';
import type { Built } from './intent.ts';

type EvmTerms = Extract<Terms, { format: 'evm' }>;

/** Of `transfer(address,uint256)`. */
const TRANSFER = '0xa9059cbb';
const WORD = 64;

const wordOf = (hex: string): string => hex.padStart(WORD, '0');

/** The call that an ERC-20 token is paid by. */
const transferCall = (address: string, amount: bigint): `0x${string}` =>
  `${TRANSFER}${wordOf(address.slice(2).toLowerCase())}${wordOf(amount.toString(16))}`;

/** What a signed transaction pays, and by whose key; undefined unless it is one that this file could have written. */
export async function readEvm(raw: string): Promise<Omit<SignedPayment, 'network'> | undefined> {
  const { keccak256, parseTransaction, recoverTransactionAddress } = await import('viem');
  try {
    const bytes = raw as `0x02${string}`;
    const read = parseTransaction(bytes);
    const { chainId, nonce = 0, gas, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, to, value = 0n, data } = read;
    if (read.type !== 'eip1559' || (read.accessList ?? []).length > 0 || !to || gas === undefined) return undefined;
    const paid = paidBy(to.toLowerCase(), value, data?.toLowerCase());
    const from = (await recoverTransactionAddress({ serializedTransaction: bytes })).toLowerCase();
    const terms = { format: 'evm' as const, chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
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

/** @param privateKey of who pays @param from its address */
export async function signEvm(
  privateKey: Uint8Array,
  from: string,
  { contract, address, units }: ChainPayment,
  { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms,
): Promise<Built> {
  const { privateKeyToAccount } = await import('viem/accounts');
  const wanted = {
    ...{ chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas },
    to: (contract ?? address) as `0x${string}`,
    value: contract === null ? units : 0n,
    data: contract === null ? undefined : transferCall(address, units),
  };
  const account = privateKeyToAccount(`0x${Buffer.from(privateKey).toString('hex')}`);
  const raw = await account.signTransaction({ type: 'eip1559', ...wanted });
  const read = await readEvm(raw);
  const terms = { format: 'evm', chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
  const isWanted =
    read !== undefined &&
    writeJson([read.contract, read.address, read.units, read.from, read.terms]) ===
      writeJson([contract, address.toLowerCase(), units, from.toLowerCase(), terms]);
  if (!isWanted) throw new Error('The transaction is not what was wanted');
  return { raw, transaction: read.transaction };
}
