/** Payments by TRON: energy and bytes are paid in TRX where nothing is staked for them. */
import { z } from 'zod';
import { tronBytes } from './addresses.ts';
import { TRANSFER } from './evm-node.ts';
import { TRANSFER_SELECTOR, wordOf } from './evm-transaction.ts';
import {
  type Broadcast,
  type ChainPayment,
  type Claimed,
  EstimateRefused,
  NodeFailure,
  type Sender,
  type SignedPayment,
  type Terms,
  type TransactionStatus,
} from './service.ts';
import { EXPIRED_MS } from './transactions.ts';
import { blockHeader, hex, nothing, type TronNode, whole } from './tron-node.ts';
import { readTron } from './tron-transaction.ts';

/** An address that has never had TRX has no account: the answer is empty. Tokens alone make none. */
const account = z.object({ address: hex.optional(), balance: whole.default(0n) });
const simulated = z.object({
  result: z.object({ result: z.boolean().optional(), code: z.string().optional() }),
  energy_used: whole.default(0n),
  constant_result: z.array(hex).default([]),
  transaction: z.object({ ret: z.array(z.object({ ret: z.string().optional() })).default([]) }).optional(),
});
const parameters = z.object({
  chainParameter: z.array(z.object({ key: z.string(), value: whole.optional().catch(undefined) })),
});
/** Other calls write their messages in hex, and this one as they are. */
const answered = z.object({
  result: z.boolean().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
});
const mined = z.object({
  blockNumber: z.int(),
  fee: whole.default(0n),
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: z.array(z.object({ address: hex, topics: z.array(hex).default([]) })).default([]),
});
const call = z.object({
  contract_address: hex.optional(),
  owner_address: hex,
  data: hex.optional(),
});
const sent = z.object({
  txID: hex,
  raw_data: z.object({ contract: z.array(z.object({ parameter: z.object({ value: call }) })).min(1) }),
});

const SELECTOR = TRANSFER_SELECTOR.slice(2);
/** How long a payment is good: ten minutes, in which the chain makes two hundred blocks. */
const GOOD_MS = 600_000;
/**
 * How long one that is carried to be signed: the chain takes none that lasts longer than a day. An hour is left for clocks of
 * machines without a network.
 */
const CARRIED_MS = 23 * 3_600_000;
/** Of a transfer of a token to a receiver who has none of it, where a node cannot say what one needs. */
const TOKEN_ENERGY = 131_000n;
/** Bytes of a payment of a token, and of one of TRX, with their signature. */
const BYTES = { token: 345n, coin: 268n };
const BLOCK_SECONDS = 3;
/** Heights that two bytes tell apart. */
const NAMED_BLOCKS = 65_536;

/** The 20 bytes that contracts know an address by. */
const digitsOf = (address: string) => tronBytes(address).subarray(1).toString('hex');
const hexOf = (address: string) => tronBytes(address).toString('hex');

/** How a transaction names a block: by the last two bytes of its height, and eight of its id. */
const referenceTo = ({ blockID, block_header: { raw_data: of } }: z.output<typeof blockHeader>) => ({
  referenceBytes: (of.number % NAMED_BLOCKS).toString(16).padStart(4, '0'),
  referenceHash: blockID.slice(16, 32).toLowerCase(),
});

/** What the codes of a node mean for a transaction that it does not take (`Return.response_code`). */
function meaningOf(code: string, words: string): Broadcast {
  if (code === 'DUP_TRANSACTION_ERROR') return 'taken';
  if (code === 'BANDWITH_ERROR' || /balance is not sufficient|no enough balance|not enough|does not exist/i.test(words))
    return 'insufficient';
  if (/SERVER_BUSY|NOT_ENOUGH_EFFECTIVE_CONNECTION|NO_CONNECTION|BLOCK_UNSOLIDIFIED/.test(code))
    throw new NodeFailure(`TRC20 takes no transactions now: ${code}`);
  return 'refused';
}

export class TronSender implements Sender {
  readonly canSweep = true;
  readonly #node: TronNode;

  constructor(node: TronNode) {
    this.#node = node;
  }

  async chainId(): Promise<undefined> {
    return undefined;
  }

  async balance(address: string, contract: string | null): Promise<bigint> {
    if (contract === null) return (await this.#account(address)).balance;
    const { constant_result: results } = await this.#call(
      address,
      contract,
      'balanceOf(address)',
      wordOf(digitsOf(address)),
    );
    const [units] = results;
    if (units === undefined || units === '') throw new EstimateRefused(`${contract} does not say what ${address} has`);
    return BigInt(`0x${units}`);
  }

  async estimate(from: string, payment: ChainPayment, confirmations: number) {
    const minutes = Math.max(1, Math.ceil((confirmations * BLOCK_SECONDS) / 60));
    const { byteFee, energyFee, opening } = await this.#prices();
    if (payment.contract !== null) {
      const limit = await this.#feeLimit(from, payment, 1n, 1n);
      return { cost: (limit ?? TOKEN_ENERGY * energyFee) + BYTES.token * byteFee, minutes };
    }
    const isKnown = (await this.#account(payment.address)).address !== undefined;
    return { cost: BYTES.coin * byteFee + (isKnown ? 0n : opening), minutes };
  }

  async openingCost(): Promise<bigint> {
    return (await this.#prices()).opening;
  }

  /** Nothing takes the place of a payment: only time ends it. */
  async isFree(): Promise<boolean> {
    return true;
  }

  async usedBy(): Promise<undefined> {
    return undefined;
  }

  async prepare(from: string, payment: ChainPayment, claimed: Claimed): Promise<Terms | undefined> {
    // A third more: what energy a call takes depends on the state that it finds.
    const limit = await this.#feeLimit(from, payment, 4n, 3n);
    if (limit === undefined) return undefined;
    const { next, isCarried = false, exhausted } = claimed;
    // Where energy has run out, a node does not know what the call needs.
    const tried = exhausted?.format === 'tron' ? 2n * exhausted.feeLimit : 0n;
    const feeLimit = payment.contract !== null && tried > limit ? tried : limit;
    const { time, ...lasting } = await this.#lasting(isCarried ? CARRIED_MS : GOOD_MS);
    return { format: 'tron', ...lasting, timestamp: Math.max(next ?? 0, time), feeLimit };
  }

  async raise(terms: Terms): Promise<Terms | undefined> {
    if (terms.format !== 'tron') throw new Error('Terms of another chain');
    const { block_header: solid } = await this.#node.ask(blockHeader, 'walletsolidity/getblock', { detail: false });
    // Blocks up to there are final, and each later one is later than the end of the transaction. The signer waits as long.
    if (solid.raw_data.timestamp <= terms.expiration + EXPIRED_MS) return undefined;
    const { time, ...lasting } = await this.#lasting(GOOD_MS);
    return { ...terms, ...lasting };
  }

  /** The block that they name is final here too. */
  async vouches(_from: string, terms: Terms): Promise<boolean> {
    if (terms.format !== 'tron') throw new Error('Terms of another chain');
    const { block_header: solid } = await this.#node.ask(blockHeader, 'walletsolidity/getblock', { detail: false });
    const { number } = solid.raw_data;
    const below = (number - Number.parseInt(terms.referenceBytes, 16)) % NAMED_BLOCKS;
    const height = number - ((below + NAMED_BLOCKS) % NAMED_BLOCKS);
    const asked = { id_or_num: String(height), detail: false };
    const named = await this.#node.ask(z.union([blockHeader, nothing]), 'wallet/getblock', asked);
    return named !== undefined && referenceTo(named).referenceHash === terms.referenceHash;
  }

  async read(raw: string): Promise<SignedPayment | undefined> {
    const read = await readTron(raw);
    return read && { ...read, network: 'TRC20' };
  }

  async broadcast(raw: string): Promise<Broadcast> {
    const answer = await this.#node.ask(answered, 'wallet/broadcasthex', { transaction: raw });
    if (answer.result === true) return 'taken';
    return meaningOf(answer.code ?? '', answer.message ?? '');
  }

  async status(transaction: string): Promise<TransactionStatus> {
    const asked = { value: transaction };
    const found = await this.#node.ask(z.union([mined, nothing]), 'wallet/gettransactioninfobyid', asked);
    if (found === undefined) {
      const waiting = await this.#node.ask(z.union([sent, nothing]), 'wallet/gettransactionfrompending', asked);
      return { state: waiting === undefined ? 'UNKNOWN' : 'POOLED' };
    }
    const { blockNumber: height, fee: cost, result, receipt } = found;
    const hasFailed = result === 'FAILED' || (receipt.result ?? 'SUCCESS') !== 'SUCCESS';
    const isUndone = hasFailed || !(await this.#hasMoved(transaction, found));
    return { state: 'MINED', height, isUndone, cost };
  }

  /** A token may answer that it has moved nothing, and its transaction succeeds. */
  async #hasMoved(transaction: string, { log }: z.output<typeof mined>): Promise<boolean> {
    const { raw_data: raw } = await this.#node.ask(sent, 'wallet/gettransactionbyid', { value: transaction });
    const { contract_address: contract, owner_address: owner, data = '' } = raw.contract[0]?.parameter.value ?? {};
    if (contract === undefined || owner === undefined || !data.startsWith(SELECTOR)) return true;
    const receiver = data.slice(SELECTOR.length, SELECTOR.length + 64);
    const wanted = [TRANSFER.slice(2), wordOf(owner.slice(-40)), receiver];
    return log.some(
      ({ address, topics }) =>
        address.slice(-40) === contract.slice(-40) && wanted.every((topic, index) => topics[index] === topic),
    );
  }

  /** What a payment may burn for energy; undefined where the chain would undo it. */
  async #feeLimit(from: string, payment: ChainPayment, times: bigint, over: bigint): Promise<bigint | undefined> {
    const { contract, address, units } = payment;
    if (contract === null) return 0n;
    const given = wordOf(digitsOf(address)) + wordOf(units.toString(16));
    const [answer, { energyFee }] = await Promise.all([
      this.#call(from, contract, 'transfer(address,uint256)', given),
      this.#prices(),
    ]);
    const { result, transaction, constant_result: results, energy_used: energy } = answer;
    const isUndone = result.result !== true || (transaction?.ret ?? []).some(({ ret = 'SUCESS' }) => ret !== 'SUCESS');
    // Some tokens answer nothing; what they answer must not be false.
    const [told = ''] = results;
    if (isUndone || (told !== '' && BigInt(`0x${told}`) === 0n)) return undefined;
    return (energy * energyFee * times) / over;
  }

  #call(from: string, contract: string, selector: string, parameter: string) {
    const asked = { owner_address: hexOf(from), contract_address: hexOf(contract) };
    return this.#node.ask(simulated, 'wallet/triggerconstantcontract', {
      ...{ ...asked, parameter },
      function_selector: selector,
    });
  }

  #account(address: string) {
    return this.#node.ask(account, 'wallet/getaccount', { address: hexOf(address) });
  }

  /** In sun: of a unit of energy, of a byte, and of an account that a payment of TRX opens. */
  async #prices(): Promise<{ energyFee: bigint; byteFee: bigint; opening: bigint }> {
    const { chainParameter: all } = await this.#node.ask(parameters, 'wallet/getchainparameters', {});
    const read = (key: string) => {
      const found = all.find((one) => one.key === key)?.value;
      if (found === undefined) throw new NodeFailure(`TRC20 does not name ${key}`);
      return found;
    };
    const opening = read('getCreateNewAccountFeeInSystemContract') + read('getCreateAccountFee');
    return { energyFee: read('getEnergyFee'), byteFee: read('getTransactionFee'), opening };
  }

  /** Until when a transaction is good that is made now, and on which branch: that of the last block that is final. */
  async #lasting(goodMs: number) {
    const [head, solid] = await Promise.all([
      this.#node.ask(blockHeader, 'wallet/getblock', { detail: false }),
      this.#node.ask(blockHeader, 'walletsolidity/getblock', { detail: false }),
    ]);
    const time = head.block_header.raw_data.timestamp;
    return {
      time,
      ...referenceTo(solid),
      expiration: time + goodMs,
    };
  }
}
