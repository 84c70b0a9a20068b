/** What the signer allows, from a file of its own: the server cannot change it. */
import { networkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { units } from '../funds/chains/transactions.ts';

/** Canonical once it was read. */
const address = z.string().min(1).max(100);

const coin = z.strictObject({
  /** Canonical; null for the chain's own coin. */
  contract: z.string().min(1).max(100).nullable(),
  /** Smallest units of the chain. */
  most_per_payment: units,
  /** Of a day (UTC). */
  most_per_day: units,
  /** By which a cold machine says what it signs. */
  name: z.string().min(1).max(20).optional(),
  decimals: z.number().int().min(0).max(30).optional(),
});

const network = z.strictObject({
  format: z.enum(['evm', 'bitcoin', 'tron', 'development']),
  /** Of EVM networks. */
  chain_id: z.number().int().positive().optional(),
  /** The most that one transaction may cost, in smallest units of the chain's own coin. */
  fee_cap: units,
  /** The most that all transactions of a day (UTC) may cost, sweeps among them, by the most that each may. */
  most_fees_per_day: units,
  coins: z.array(coin).min(1).max(100),
  /** The cold wallet: what is paid there does not leave the exchange, and no amount bounds it. */
  cold_address: address.optional(),
  /** Of a cold machine: the hot wallet, and nothing is paid to anywhere else. */
  only_to: address.optional(),
});

export const policySchema = z.strictObject({ networks: z.partialRecord(networkName, network) });
export type Policy = z.output<typeof policySchema>;
export type NetworkPolicy = z.output<typeof network>;
export type CoinPolicy = z.output<typeof coin>;
