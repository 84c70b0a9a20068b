/** Which payments in a block move coins between the exchange's own addresses: none of them is a deposit. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Payment } from '../chains/service.ts';
import type { PayoutStore } from './store.ts';

/**
 * Whatever the hot wallet has paid and is not known as a withdrawal is internal: a database that was set back has forgotten
 * what it sent.
 *
 * @param hot its canonical address; undefined before the signer has named it since the start
 */
export async function internalOf(
  store: Pick<PayoutStore, 'networks' | 'purposes'>,
  network: NetworkName,
  hot: string | undefined,
  payments: readonly Pick<Payment, 'transaction' | 'from'>[],
): Promise<ReadonlySet<string>> {
  const own = hot ?? (await store.networks()).get(network)?.hotAddress;
  const known = await store.purposes(network, [...new Set(payments.map(({ transaction }) => transaction))]);
  const internal = payments.filter(({ transaction, from }) => {
    const purpose = known.get(transaction);
    return purpose === undefined ? from !== undefined && from === own : purpose !== 'withdrawal';
  });
  return new Set(internal.map(({ transaction }) => transaction));
}
