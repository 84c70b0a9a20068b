/** What the run asks of a chain under attack. All that differs between chains is behind it. */
import type { Random } from '../random.ts';

/** By what the run's last line calls them. */
export type Failures = Readonly<Record<string, (random: Random) => Promise<void>>>;

/** Amounts are decimals of `decimal.ts`. */
export interface AttackedChain {
  readonly network: 'ERC20' | 'BTC' | 'TRC20';
  /** What clients move, and what transactions cost. */
  readonly coin: 'USDT' | 'BTC';
  readonly costCoin: 'ETH' | 'BTC' | 'TRX';
  /** What a withdrawal costs its client. */
  readonly fee: bigint;
  /** Every amount is a multiple of it, by so many. */
  readonly grain: bigint;
  readonly deposits: readonly [least: number, most: number];
  readonly withdrawals: readonly [least: number, most: number];

  /** For the server and the signer. */
  readonly settings: Readonly<Record<string, string>>;
  /** Of the signer: what it allows on the network. */
  readonly policy: object;
  /** Figures of the coin that an operator has set: an assignment in SQL. */
  readonly figures: string;

  /** Gives the hot wallet more than it will need: the ledger owes nothing of it. */
  endow(hot: string): Promise<void>;
  /** By an outsider, who sends it until a block has it that stays. */
  pay(address: string, amount: bigint): Promise<void>;
  /** An address that no one else is paid at. @param number below 2 ** 32 */
  elsewhere(number: number): string;
  /** What an address has by the chain itself. */
  held(address: string): Promise<bigint>;
  /** The exchange's own transactions that are in a block and were undone there: each has moved nothing. */
  undone(): number;
  /** One block, with what outsiders have to send again. */
  mine(): Promise<void>;
  /** What happens to the chain and its node. Each is over when it resolves. */
  readonly failures: Failures;
  stop(): Promise<void>;
}
