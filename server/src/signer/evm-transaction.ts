/** EIP-1559 transactions, built from what is to be paid and read again before they leave. */
import { ethereum, readEvm, transferCall } from '../funds/chains/evm-transaction.ts';
import { type ChainPayment, type Terms, writeJson } from '../funds/chains/transactions.ts';
import type { Built } from './intent.ts';
import type { SigningKey } from './signing-key.ts';

type EvmTerms = Extract<Terms, { format: 'evm' }>;

/** @param key of who pays @param from its address */
export async function signEvm(
  key: SigningKey,
  from: string,
  { contract, address, units }: ChainPayment,
  { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: EvmTerms,
): Promise<Built> {
  const { envelope } = await ethereum();
  const wanted = envelope.from({
    ...{ chainId, nonce: BigInt(nonce), gas, maxFeePerGas, maxPriorityFeePerGas },
    to: (contract ?? address) as `0x${string}`,
    value: contract === null ? units : 0n,
    data: contract === null ? undefined : transferCall(address.slice(2), units),
  });
  const digest = Buffer.from(envelope.getSignPayload(wanted).slice(2), 'hex');
  const { compact, recovery } = await key.sign(digest);
  const [r, s] = [compact.subarray(0, 32), compact.subarray(32)].map((part) => `0x${part.toString('hex')}` as const);
  const raw = envelope.serialize(wanted, { signature: { r: r ?? '0x', s: s ?? '0x', yParity: recovery } });
  const read = await readEvm(raw);
  const terms = { format: 'evm', chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
  const isWanted =
    read !== undefined &&
    writeJson([read.contract, read.address, read.units, read.from, read.terms]) ===
      writeJson([contract, address.toLowerCase(), units, from.toLowerCase(), terms]);
  if (!isWanted) throw new Error('The transaction is not what was wanted');
  return { raw, transaction: read.transaction };
}
