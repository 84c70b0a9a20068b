/** Payments by a chain of development, with the rules of a node: signatures, nonces, fees, replacements. */
import type { DevelopmentAccounts, DevelopmentBlock } from './development-accounts.ts';
import { type DevelopmentTransaction, readDevelopment } from './development-transaction.ts';
import type { Broadcast, ChainPayment, Claimed, Sender, SignedPayment, Terms, TransactionStatus } from './service.ts';
import { nonceOf, raised } from './transactions.ts';

/** What the sender needs of its chain. */
interface Chain {
  readonly network: string;
  readonly accounts: DevelopmentAccounts;
  readonly pool: ReadonlyMap<string, DevelopmentTransaction>;
  readonly baseFee: bigint;
  readonly refused: ReadonlySet<string>;
  blockOf(transaction: string): DevelopmentBlock | undefined;
  blocksDownTo(height: number): Generator<DevelopmentBlock>;
  accept(pooled: DevelopmentTransaction, replaced: readonly string[]): void;
}

/** As development makes them by default. */
const BLOCK_MINUTES = 3 / 60;

export class DevelopmentSender implements Sender {
  readonly canSweep = true;
  readonly #chain: Chain;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  async chainId(): Promise<undefined> {
    return undefined;
  }

  async balance(address: string, contract: string | null): Promise<bigint> {
    return this.#chain.accounts.balance(address, contract);
  }

  async estimate(_from: string, _payment: ChainPayment, confirmations: number) {
    return { cost: this.#chain.baseFee, minutes: Math.max(1, Math.ceil(confirmations * BLOCK_MINUTES)) };
  }

  async isFree(address: string, terms: Terms, height: number): Promise<boolean> {
    const above = [...this.#chain.blocksDownTo(Math.max(0, height + 1))].flatMap(
      ({ transactions = [] }) => transactions,
    );
    return (
      this.#chain.accounts.nonce(address) - above.filter(({ from }) => from === address).length <= (nonceOf(terms) ?? 0)
    );
  }

  async usedBy(address: string, terms: Terms, height: number): Promise<string | undefined> {
    const nonce = nonceOf(terms);
    for (const { height: at, transactions = [] } of this.#chain.blocksDownTo(0)) {
      const found = transactions.find((one) => one.from === address && one.nonce === nonce);
      if (found !== undefined) return at <= height ? found.id : undefined;
    }
    return undefined;
  }

  async prepare(from: string, { address, contract }: ChainPayment, { next }: Claimed): Promise<Terms | undefined> {
    const { refused, baseFee, accounts } = this.#chain;
    if (refused.has(address) || (contract !== null && refused.has(contract))) return undefined;
    const nonce = Math.max(next ?? 0, accounts.nonce(from));
    return { format: 'development', nonce, fee: baseFee };
  }

  async raise(terms: Terms): Promise<Terms> {
    if (terms.format !== 'development') throw new Error('Terms of another chain');
    return { ...terms, fee: raised(terms.fee, this.#chain.baseFee) };
  }

  async read(raw: string): Promise<SignedPayment | undefined> {
    const read = readDevelopment(raw);
    const [output] = read?.outputs ?? [];
    if (read === undefined || output === undefined) return undefined;
    const { network, from, nonce, fee, id: transaction } = read;
    return { ...output, network, from, terms: { format: 'development', nonce, fee }, transaction };
  }

  async broadcast(raw: string): Promise<Broadcast> {
    const { network, accounts, pool, accept } = this.#chain;
    const transaction = readDevelopment(raw);
    if (transaction?.network !== network) return 'refused';
    const { id, from, nonce, fee, outputs } = transaction;
    if (pool.has(id) || this.#chain.blockOf(id) !== undefined) return 'taken';
    if (nonce < accounts.nonce(from)) return 'refused';
    const rivals = [...pool.values()].filter((one) => one.from === from && one.nonce === nonce);
    // As nodes ask: a tenth more.
    if (rivals.some((rival) => fee * 10n < rival.fee * 11n)) return 'underpriced';
    const coins = outputs.filter(({ contract }) => contract === null).reduce((sum, { units }) => sum + units, fee);
    if (accounts.balance(from, null) < coins) return 'insufficient';
    accept.call(
      this.#chain,
      transaction,
      rivals.map((rival) => rival.id),
    );
    return 'taken';
  }

  async status(transaction: string): Promise<TransactionStatus> {
    const block = this.#chain.blockOf(transaction);
    const mined = block?.transactions?.find(({ id }) => id === transaction);
    if (block === undefined || mined === undefined)
      return { state: this.#chain.pool.has(transaction) ? 'POOLED' : 'UNKNOWN' };
    return { state: 'MINED', height: block.height, isUndone: mined.isUndone, cost: mined.fee };
  }
}
