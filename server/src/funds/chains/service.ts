/** Chains as other slices see them: blocks, what was paid in each, and which coins travel by which network. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import type { Family } from './addresses.ts';
import type { BitcoinNetwork } from './bitcoin-addresses.ts';
import type { ChainPayment, PayerCoin, SignedPayment, Terms } from './transactions.ts';

export type { Family } from './addresses.ts';
export { canonicalAddress, deriveAddress, FAMILIES, familyOf, isAddressOf, shownAddress } from './addresses.ts';
export type { BitcoinNetwork } from './bitcoin-addresses.ts';
export { type CoinNetwork, chainScaleOf, contractOf, type NetworkStore } from './network-store.ts';
export { type SignedRefill, signedRefill, writeRequest } from './refill-files.ts';
export {
  type ChainPayment,
  highestCost,
  isExhausted,
  isOrdered,
  lastsUntil,
  NATIVE_COINS,
  nonceOf,
  othersOf,
  outputName,
  outputNamed,
  type PayerCoin,
  payerCoins,
  type SignedPayment,
  type Terms,
  terms,
  writeJson,
} from './transactions.ts';
export { ledgerAmount, smaller, unitsOf } from './units.ts';
export { isUnspendable } from './unspendable.ts';

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
  /** The canonical address whose transaction it is; absent where the chain does not say. */
  readonly from?: string;
}

/** Of deposit addresses; none of them signs. */
export interface Keys {
  /** The extended public key of a family; undefined where there is none. */
  readonly xpubOf: (family: Family) => Promise<string | undefined>;
  /** The address of an index as the signer derives it; undefined where the signer cannot be asked. */
  readonly signedAddress: (family: Family, index: number) => Promise<string | undefined>;
  /** Whose addresses those of Bitcoin are. */
  readonly bitcoin: BitcoinNetwork;
}

/** Those of some addresses that are the exchange's own. */
export type Watched = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/** A node did not answer, or answered nonsense. */
export class NodeFailure extends Error {
  override readonly name: string = 'NodeFailure';
}

/** A node that answers otherwise does not trace a block: it has dropped the state that the block began with, for instance. */
export class TracesRefused extends NodeFailure {
  override readonly name = 'TracesRefused';
}

/**
 * A node that answers otherwise does not say what one payment needs, in words that are not known here, or a token does not say what
 * an address has of it. A receiver or that token may be the reason, so that other payments do not wait for it.
 */
export class EstimateRefused extends NodeFailure {
  override readonly name = 'EstimateRefused';
}

/** A payment from or to an address that is asked about. */
export interface AccountMovement {
  readonly transaction: string;
  /** The token; null for the chain's own coin. */
  readonly contract: string | null;
  readonly units: bigint;
  readonly isIncoming: boolean;
  /** The other side; null where the chain does not say. */
  readonly other: string | null;
  /** Ms since 1970. */
  readonly time: number;
}

/** What a chain knows of an address, whoever it belongs to. */
export interface AccountView {
  /** Smallest units of the chain's own coin. */
  readonly balance: bigint;
  /** Newest first. */
  readonly movements: readonly AccountMovement[];
  /** The first block that was looked at. */
  readonly since: number;
  /** False where payments of the chain's own coin cannot be looked up. */
  readonly listsCoin: boolean;
}

export type TransactionStatus =
  /** In no block and in no pool that the node knows: dropped, or never there. */
  | { readonly state: 'UNKNOWN' }
  | { readonly state: 'POOLED' }
  /** Of two nodes one is away, or has it in a block where the other has not: nothing follows from it. */
  | { readonly state: 'UNCLEAR' }
  | {
      readonly state: 'MINED';
      readonly height: number;
      /** Undone by the chain: it has paid nothing but its cost. */
      readonly isUndone: boolean;
      /** Smallest units of the chain's own coin. */
      readonly cost: bigint;
    };

/** `taken` also where the node had it already; each other answer says that the node does not take it as things are. */
export type Broadcast = 'taken' | 'insufficient' | 'underpriced' | 'refused';

/** What the exchange's own transactions have claimed that may not be in a block yet. */
export interface Claimed {
  /** The first nonce that none of them has; null before the first payment, and where there are no nonces. */
  readonly next: number | null;
  /** Of those that have not ended. */
  readonly underway: readonly Terms[];
  /** Payments that wait as well, in their order: those that fit go along where one transaction can take several. */
  readonly others?: readonly NamedPayment[];
  /** It is carried to a machine without a network to be signed, and back: it must last for hours where time ends it. */
  readonly isCarried?: boolean;
  /** Of the last payment of the payer in this coin, where that has used up all that it could burn, and moved nothing. */
  readonly exhausted?: Terms | undefined;
}

/** From which a replacement may take more. */
export interface Wallet {
  readonly from: string;
  /** As of `Claimed`. */
  readonly underway: readonly Terms[];
}

/** A payment of the chain's own coin, under the name that it has at the signer for ever. */
export interface NamedPayment {
  readonly id: string;
  readonly address: string;
  readonly units: bigint;
}

/** What is swept from an address that has no balance but outputs. */
export interface CoinSweep {
  /** Of the address in the tree of keys. */
  readonly index: number;
  readonly coins: readonly PayerCoin[];
}

export type NamedCoinSweep = CoinSweep & Pick<NamedPayment, 'id'>;

/**
 * Sweeps where addresses have outputs instead of a balance: one transaction takes several addresses along, and its fee comes
 * out of what they hold. Nothing about them is urgent, and so is their fee.
 */
export interface CoinSweeps {
  /** Outputs that one transaction can spend. */
  readonly most: number;
  /** What a transaction to the hot wallet costs now, by how many outputs it spends. */
  fees(): Promise<(coins: number) => bigint>;
  /** Those that the chain would let be spent now. */
  spendable(coins: readonly PayerCoin[]): Promise<readonly PayerCoin[]>;
  /**
   * What decides the bytes of a sweep with those of the others that fit; `short` where a coin of it cannot be spent now, or
   * most of what it holds would go for the fee.
   */
  prepare(hot: string, sweep: CoinSweep, others: readonly NamedCoinSweep[]): Promise<Terms | 'short'>;
}

/** Payments by a chain. Each call throws `NodeFailure` while the node is away. */
export interface Sender {
  /** How many further payments one transaction can take along; absent where it pays one alone. */
  readonly carries?: number | undefined;
  /** Whether the address of a client can pay as the hot wallet does, where it has the coin for the fee. */
  readonly canSweep?: boolean | undefined;
  /**
   * What it costs more to send the chain's own coin to an address that the chain does not know yet, in its smallest units.
   * Absent where it costs nothing.
   */
  readonly openingCost?: (() => Promise<bigint>) | undefined;
  /** Of a chain without balances. */
  readonly coinSweeps?: CoinSweeps | undefined;
  /**
   * As of the newest block. Of two nodes that differ it is the lower one.
   * @param isStated to others: two nodes must say the same
   */
  balance(address: string, contract: string | null, isStated?: boolean): Promise<bigint>;
  /** As of a block of the chain as it is now. Absent where a chain knows its newest block alone. */
  readonly balanceAt?: ((address: string, contract: string | null, block: BlockHeader) => Promise<bigint>) | undefined;
  /** What a payment costs, in smallest units of the chain's own coin, and in how many minutes it is so deep. */
  estimate(
    from: string,
    payment: ChainPayment,
    confirmations: number,
  ): Promise<{ readonly cost: bigint; readonly minutes: number }>;
  /** Whether a transaction of these terms could still be mined on top of the block at a height. */
  isFree(from: string, terms: Terms, height: number): Promise<boolean>;
  /** The transaction that has what the terms claim, by the blocks up to a height; undefined where none is seen. */
  usedBy(from: string, terms: Terms, height: number): Promise<string | undefined>;
  /**
   * What decides the bytes of a payment now, with claims that nothing else has; undefined where the chain would undo it,
   * `short` where all that would be left to pay it is claimed.
   */
  prepare(from: string, payment: ChainPayment, claimed: Claimed): Promise<Terms | 'short' | undefined>;
  /**
   * The same with each fee raised by an eighth at least, and to what is asked for now; where nothing but time ends a
   * transaction, terms of another one, and undefined before it has ended for good.
   */
  raise(terms: Terms, wallet: Wallet): Promise<Terms | undefined>;
  /**
   * Whether what terms rest on is so by this node too, where another node has named them. Absent where they rest on nothing
   * that two nodes have not both named.
   * @param before those that they replace: what is in them was asked then
   */
  readonly vouches?: ((from: string, terms: Terms, before?: Terms) => Promise<boolean>) | undefined;
  /** What bytes that were signed elsewhere pay; undefined unless they are exactly one payment. Absent where none come. */
  readonly read?: ((raw: string) => Promise<SignedPayment | undefined>) | undefined;
  /** The most that one payment of the chain's own coin can be now; absent where that is the balance less its cost. */
  readonly most?: ((from: string) => Promise<bigint>) | undefined;
  /** Whether the coins of an address are being counted, which takes minutes; absent where a node knows them. */
  readonly isCounting?: ((address: string) => boolean) | undefined;
  /** What is to be signed in the form that wallets of others read (BIP174), as base64; absent where there is none. */
  readonly psbt?: ((from: string, payment: ChainPayment, terms: Terms) => Promise<string>) | undefined;
  broadcast(raw: string): Promise<Broadcast>;
  status(transaction: string): Promise<TransactionStatus>;
  /** As an EVM names itself in what is signed for it; undefined for other chains. */
  chainId(): Promise<number | undefined>;
}

/** Two nodes of a network, as they were asked last. */
export interface Pair {
  /** Heights of their newest blocks; undefined of one that is away. */
  readonly heads: readonly [first: number | undefined, second: number | undefined];
  /** They have disagreed for longer than a short reorganization takes. */
  readonly isSplit: boolean;
}

/** A chain as its node tells it. Each call throws `NodeFailure` while the node is away. */
export interface Chain {
  readonly network: NetworkName;
  /** Made in this process: nothing on it is worth anything. */
  readonly isDevelopment: boolean;
  /** A newest block that is older than this says that the node is behind; undefined where blocks have no rhythm. */
  readonly staleAfterMs: number | undefined;
  /** Absent where nothing is paid by it. */
  readonly sender?: Sender | undefined;
  /** False where payments by calls inside transactions are not found. */
  readonly seesInnerCalls?: boolean | undefined;
  /** Absent where there is one node. */
  readonly pair?: Pair | undefined;
  head(): Promise<BlockHeader>;
  /** The block of the present chain at a height; undefined above its end. */
  header(height: number): Promise<BlockHeader | undefined>;
  /**
   * What a block has paid to watched addresses, by transactions that succeeded. Addresses are looked up by what the block
   * contains, so the cost does not depend on how many are watched.
   */
  payments(block: BlockHeader, watched: Watched): Promise<readonly Payment[]>;
  /** Where it can be asked about addresses. @param contracts the tokens that count @param limit movements at most */
  readonly account?:
    | ((address: string, contracts: readonly string[], limit: number) => Promise<AccountView>)
    | undefined;
}

/** The chains of this process by network. */
export type Chains = ReadonlyMap<NetworkName, Chain>;
