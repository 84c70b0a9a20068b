/** Sweeps as other slices see them: deposits that are brought from the addresses of clients to the hot wallet. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Authority } from '../../platform/authority.ts';

/**
 * `PLANNED`: nothing was sent for it; `TOPPING_UP`: gas is on its way to the address; `SENDING`: its payment is planned, and
 * followed as a payout; `FINAL`: the hot wallet has it; `FAILED`: it has moved nothing, and another may be planned.
 */
export type SweepState = 'PLANNED' | 'TOPPING_UP' | 'SENDING' | 'FINAL' | 'FAILED';
/** `PAYMENT`: what was sent for it has failed; the payout says why. */
export type SweepWaits = '' | 'NODE' | 'FEE' | 'WOULD_FAIL' | 'NOT_WORTH' | 'PAYMENT';

export type Sweep = {
  readonly id: number;
  readonly network: NetworkName;
  readonly coin: string;
  /** Canonical. */
  readonly address: string;
  /** Of the address in the tree of keys. */
  readonly key_index: number;
  readonly state: SweepState;
  readonly waits_for: SweepWaits;
  /** Smallest units of the chain, as is the top-up; null before that is decided. */
  readonly units: bigint | null;
  readonly top_up: bigint | null;
  readonly created_at: number;
  readonly updated_at: number;
};

export type SweepPolicy = {
  readonly network: NetworkName;
  readonly is_on: boolean;
  /** The least worth, as a multiple of what a sweep costs. */
  readonly least_multiple: number;
  /** What the chain's own coin is worth in USDT where no market has a price of it, as decimal text, and when that was said. */
  readonly coin_price: string | null;
  readonly coin_price_at: number | null;
};

/** What is absent stays. */
export type PolicyChange = Omit<SweepPolicy, 'coin_price' | 'coin_price_at'> & {
  readonly coin_price?: string | null | undefined;
};

export interface Sweeps {
  /** Those underway first, then the newest. */
  list(limit: number): Promise<readonly Sweep[]>;
  policies(): Promise<readonly SweepPolicy[]>;
  /** While the operator may. */
  changePolicy(by: Authority, change: PolicyChange, now: number): Promise<void>;
  /** Whether the addresses of clients can pay by it. */
  serves(network: NetworkName): boolean;
  /** Whether a market says what the chain's own coin is worth. */
  hasMarket(network: NetworkName): boolean;
}
