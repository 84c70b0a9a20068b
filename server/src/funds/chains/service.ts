/** Chains as other slices see them: blocks, what was paid in each, and which coins travel by which network. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Family } from './addresses.ts';

export type { Family } from './addresses.ts';
export { canonicalAddress, deriveAddress, FAMILIES, familyOf, isAddressOf, shownAddress } from './addresses.ts';
export type { CoinNetwork, NetworkStore } from './network-store.ts';
export { ledgerAmount, unitsOf } from './units.ts';

export interface BlockHeader {
  readonly height: number;
  readonly hash: string;
  readonly parent: string;
  /** Ms since 1970. */
  readonly time: number;
}

/** An amount that a transaction of a block has paid to an address. */
export interface Payment {
  readonly transaction: string;
  /** Which of the transaction's payments it is: the same in whichever block the transaction comes to be. */
  readonly output: string;
  /** The token; null for the chain's own coin. */
  readonly contract: string | null;
  /** As `canonicalAddress` writes it. */
  readonly address: string;
  /** Smallest units of the chain, above zero. */
  readonly units: bigint;
}

/** Of deposit addresses; none of them signs. */
export interface Keys {
  /** The extended public key of a family; undefined where there is none. */
  readonly xpubOf: (family: Family) => string | undefined;
  /** The address of an index as the signer derives it; undefined where the signer cannot be asked. */
  readonly signedAddress: (family: Family, index: number) => string | undefined;
}

/** Those of some addresses that are the exchange's own. */
export type Watched = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/** A node did not answer, or answered nonsense. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';
}

/** A chain as its node tells it. Each call throws `NodeFailure` while the node is away. */
export interface Chain {
  readonly network: NetworkName;
  /** Made in this process: nothing on it is worth anything. */
  readonly isDevelopment: boolean;
  /** A newest block that is older than this says that the node is behind; undefined where blocks have no rhythm. */
  readonly staleAfterMs: number | undefined;
  head(): Promise<BlockHeader>;
  /** The block of the present chain at a height; undefined above its end. */
  header(height: number): Promise<BlockHeader | undefined>;
  /**
   * What a block has paid to watched addresses, by transactions that succeeded. Addresses are looked up by what the block
   * contains, so the cost does not depend on how many are watched.
   */
  payments(block: BlockHeader, watched: Watched): Promise<readonly Payment[]>;
}

/** The chains of this process by network. */
export type Chains = ReadonlyMap<NetworkName, Chain>;
