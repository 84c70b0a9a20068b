/** EIP-1559 transactions, built from what is to be paid and read again before they leave. */
import type { ChainPayment, Terms } from '../funds/chains/transactions.ts';
import type { Built } from './intent.ts';

type EvmTerms = Extract<Terms, { format: 'evm' }>;

/** Of `transfer(address,uint256)`. */
const TRANSFER = '0xa9059cbb';
const WORD = 64;

const wordOf = (hex: string): string => hex.padStart(WORD, '0');

/** The call that an ERC-20 token is paid by. */
const transferCall = (address: string, amount: bigint): `0x${string}` =>
  `${TRANSFER}${wordOf(address.slice(2).toLowerCase())}${wordOf(amount.toString(16))}`;

/** @param privateKey of who pays @param from its address */
export async function signEvm(
  privateKey: Uint8Array,
  from: string,
  { contract, address, units }: ChainPayment,
  { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms,
): Promise<Built> {
  const { keccak256, parseTransaction, recoverTransactionAddress } = await import('viem');
  const { privateKeyToAccount } = await import('viem/accounts');
  const wanted = {
    ...{ chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas },
    to: (contract ?? address) as `0x${string}`,
    value: contract === null ? units : 0n,
    data: contract === null ? undefined : transferCall(address, units),
  };
  const account = privateKeyToAccount(`0x${Buffer.from(privateKey).toString('hex')}`);
  const raw = await account.signTransaction({ type: 'eip1559', ...wanted });
  const read = parseTransaction(raw);
  const isWanted =
    read.type === 'eip1559' &&
    read.to?.toLowerCase() === wanted.to.toLowerCase() &&
    (read.value ?? 0n) === wanted.value &&
    (read.data ?? undefined)?.toLowerCase() === wanted.data &&
    (read.nonce ?? 0) === nonce &&
    [read.chainId, read.gas, read.maxFeePerGas ?? 0n, read.maxPriorityFeePerGas ?? 0n].every(
      (figure, index) => figure === [chainId, gas, maxFeePerGas, maxPriorityFeePerGas][index],
    ) &&
    (read.accessList ?? []).length === 0;
  const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
  if (!isWanted || signer.toLowerCase() !== from.toLowerCase())
    throw new Error('The transaction is not what was wanted');
  return { raw, transaction: keccak256(raw) };
}
