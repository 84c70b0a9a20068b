/** What the signer allows, from a file of its own: the server cannot change it. */
import { networkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { units } from '../funds/chains/transactions.ts';

const coin = z.strictObject({
  /** Canonical; null for the chain's own coin. */
  contract: z.string().min(1).max(100).nullable(),
  /** Smallest units of the chain. */
  most_per_payment: units,
  /** Of a day (UTC). */
  most_per_day: units,
});

const network = z.strictObject({
  format: z.enum(['evm', 'tron', 'development']),
  /** Of EVM networks. */
  chain_id: z.number().int().positive().optional(),
  /** The most that one transaction may cost, in smallest units of the chain's own coin. */
  fee_cap: units,
  coins: z.array(coin).min(1).max(100),
});

export const policySchema = z.strictObject({ networks: z.partialRecord(networkName, network) });
export type Policy = z.output<typeof policySchema>;
export type NetworkPolicy = z.output<typeof network>;
export type CoinPolicy = z.output<typeof coin>;
