/** Deposits of a chain of outputs as what their addresses can pay with. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Database, Statement } from '../../platform/database.ts';
import { familyOf, outputName, outputNamed, type PayerCoin } from '../chains/service.ts';

/** An output of a deposit at the address of a client. */
export type HeldCoin = PayerCoin & { readonly address: string; readonly index: number };

/** What a payment has spent is swept by no other. */
export const sweeping = (
  network: NetworkName,
  spent: readonly Pick<PayerCoin, 'transaction' | 'output'>[],
): Statement[] =>
  spent.length === 0
    ? []
    : [
        {
          sql: `UPDATE deposits SET is_swept = true FROM unnest($2::text[], $3::text[]) AS row (transaction, output)
                WHERE network = $1 AND deposits.transaction = row.transaction AND deposits.output = row.output`,
          parameters: [
            network,
            spent.map(({ transaction }) => transaction),
            spent.map(({ output }) => outputName(output)),
          ],
        },
      ];

export function createHeldCoins(database: Database) {
  return {
    /**
     * Outputs at addresses of clients that are as deep as what may leave, in whatever state the deposit is, also below the
     * minimum; those with the most first. @param depth in blocks
     */
    async coins(network: NetworkName, coin: string, least: bigint, depth: number, limit: number): Promise<HeldCoin[]> {
      const rows = await database.query<Omit<HeldCoin, 'output'> & { readonly output: string }>(
        `SELECT deposits.transaction, deposits.output, deposits.units, deposits.address, key_index AS "index"
         FROM deposits JOIN chain_cursors ON chain_cursors.network = deposits.network
           JOIN deposit_addresses ON deposit_addresses.address = deposits.address AND family = $6
           JOIN deposit_keys ON deposit_keys.client_id = deposit_addresses.client_id
         WHERE deposits.network = $1 AND coin = $2 AND NOT is_swept AND deposits.units >= $3::text::numeric
           AND deposits.height <= chain_cursors.height - $4::int8 + 1
         ORDER BY deposits.units DESC, deposits.id LIMIT $5`,
        [network, coin, String(least), depth, limit, familyOf(network)],
      );
      return rows.map((row) => ({ ...row, output: outputNamed(row.output) }));
    },
  };
}
