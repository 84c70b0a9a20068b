/** EIP-1559 transactions, built from what is to be paid and read again before they leave. */
import { readEvm, transferCall } from '../funds/chains/evm-transaction.ts';
import { type ChainPayment, type Terms, writeJson } from '../funds/chains/transactions.ts';
import type { Built } from './intent.ts';

type EvmTerms = Extract<Terms, { format: 'evm' }>;

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
    data: contract === null ? undefined : transferCall(address.slice(2), units),
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
