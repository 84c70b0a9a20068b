/**
 * A node of TRON for tests, on a chain in memory. Whatever is sent to it is decoded and verified by TronWeb, which shares no
 * code with us: id, signature, reference block (TAPOS), expiration, balance, energy.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { utils } from 'tronweb';
import type { TronRequest } from '../src/funds/chains/tron-node.ts';
import { answerOf, type Body } from './tron-answers.ts';
import {
  type Block,
  BYTE_FEE,
  ENERGY_FEE,
  type Inner,
  OPENING,
  Refused,
  type Result,
  read,
  type State,
  type Transaction,
} from './tron-protocol.ts';

const TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Of a transfer of a token to a receiver who has some of it already, and to one who has none. */
const ENERGY = { known: 64_285n, new: 130_285n };
const BYTES = { coin: 268n, token: 345n };
const BLOCK_MS = 3000;
/** Blocks after which one is final. */
const SOLID = 19;
/** Blocks that may be replaced: what accounts had behind an older one is not kept. */
const REPLACEABLE = 300;

/** What a token of tests does when it is called: it pays, undoes the call, answers false and pays nothing, or keeps a hundredth. */
export type TokenMode = 'pays' | 'reverts' | 'false' | 'charges';

const word = (digits: string) => digits.padStart(64, '0');
export const hexOf = (address: string): string => utils.address.toHex(address).toLowerCase();

export class TronChainOfTests {
  readonly #now: () => number;
  readonly #blockMs: number;
  #blocks: Block[] = [];
  /** What replaced blocks had, and no node has kept. */
  #lost: Transaction[] = [];
  pool: Transaction[] = [];
  readonly modes = new Map<string, TokenMode>();
  /** Energy that a call takes, as a share of what a simulation says, in percent. */
  energyPercent = 100n;

  constructor(now: () => number, blockMs = BLOCK_MS) {
    this.#now = now;
    this.#blockMs = blockMs;
    this.#append([], { coins: new Map(), tokens: new Map() });
  }

  get head(): Block {
    return this.#blocks.at(-1) as Block;
  }
  get solid(): Block {
    return this.#blocks[Math.max(0, this.#blocks.length - 1 - SOLID)] as Block;
  }
  at(height: number): Block | undefined {
    return this.#blocks[height];
  }
  byId(id: string): Block | undefined {
    return this.#blocks.find(({ blockID }) => blockID === id);
  }

  /** Coins or tokens from nowhere. @param contract null for TRX */
  endow(address: string, contract: string | null, units: bigint): void {
    const { coins, tokens } = this.head.state;
    if (contract === null) coins.set(hexOf(address), (coins.get(hexOf(address)) ?? 0n) + units);
    else tokens.set(`${hexOf(contract)} ${hexOf(address)}`, this.held(address, contract) + units);
  }

  held(address: string, contract: string | null): bigint {
    const { coins, tokens } = this.head.state;
    return (contract === null ? coins.get(hexOf(address)) : tokens.get(`${hexOf(contract)} ${hexOf(address)}`)) ?? 0n;
  }

  /** A payment by somebody else, in the next block. @returns its id */
  pay(
    to: string,
    {
      units,
      contract = null,
      asset,
      result = 'SUCCESS',
      inner = [],
    }: { units: bigint; contract?: string | null; asset?: string; result?: string; inner?: Inner[] },
  ): string {
    const txID = randomBytes(32).toString('hex');
    const owner = `41${'ee'.repeat(20)}`;
    const coin = { to_address: hexOf(to), amount: Number(units), owner_address: owner };
    const shared = { txID, expiration: Number.MAX_SAFE_INTEGER, feeLimit: 0n };
    if (asset !== undefined) {
      const value = { ...coin, asset_name: Buffer.from(asset).toString('hex') };
      this.pool.push({ ...shared, type: 'TransferAssetContract', value, outcome: { result, log: [], inner } });
    } else if (contract === null) {
      this.pool.push({ ...shared, type: 'TransferContract', value: coin, outcome: { result, log: [], inner } });
    } else {
      const topics = [TOPIC, word(owner.slice(2)), word(hexOf(to).slice(2))];
      const log = [{ address: hexOf(contract).slice(2), topics, data: word(units.toString(16)) }];
      const value = { owner_address: owner, contract_address: hexOf(contract) };
      this.pool.push({ ...shared, type: 'TriggerSmartContract', value, outcome: { result, log, inner } });
    }
    return txID;
  }

  mine(count = 1, { isEmpty = false } = {}): void {
    for (let made = 0; made < count; made += 1) {
      const state = { coins: new Map(this.head.state.coins), tokens: new Map(this.head.state.tokens) };
      const time = this.#nextTime();
      const taken = isEmpty ? [] : this.pool.splice(0).filter(({ expiration }) => expiration > time);
      // One after another: what one has left decides whether the next one can be paid.
      const done = taken.flatMap((of) => (this.#refusal(of, state) ? [] : [{ of, result: this.#execute(of, state) }]));
      this.#append(done, state);
    }
  }

  /** Other blocks in the place of the last ones; what those had waits again, or is gone. */
  reorganize(depth: number, isKept: boolean): void {
    const dropped = this.#blocks.splice(this.#blocks.length - depth);
    const had = dropped.flatMap(({ transactions }) => transactions.map(({ of }) => of));
    (isKept ? this.pool : this.#lost).push(...had);
    this.mine(depth + 1, { isEmpty: true });
  }

  /** Has what another node has: its blocks, and what waits at it. */
  follow(peer: TronChainOfTests): void {
    this.#blocks = [...peer.#blocks];
    const waiting = new Map([...this.pool, ...peer.pool].map((of) => [of.txID, of]));
    this.pool = [...waiting.values()].filter(({ txID }) => this.find(txID) === undefined);
  }

  /** Others send again what was lost of theirs. */
  resend(): void {
    this.pool.push(...this.#lost.splice(0).filter(({ outcome }) => outcome !== undefined));
  }

  find(txID: string) {
    for (const block of this.#blocks) {
      const found = block.transactions.find(({ of }) => of.txID === txID);
      if (found !== undefined) return { block, ...found };
    }
    return undefined;
  }

  take(raw: string): void {
    const { reference, ...of } = read(raw);
    if (this.find(of.txID) !== undefined || this.pool.some(({ txID }) => txID === of.txID))
      throw new Refused('DUP_TRANSACTION_ERROR', 'dup');
    const isReference = ({ blockID }: Block) => blockID.slice(12, 32) === reference;
    if (!this.#blocks.some(isReference)) throw new Refused('TAPOS_ERROR', 'tapos failed');
    const { timestamp } = this.head;
    if (of.expiration <= timestamp || of.expiration > timestamp + 86_400_000)
      throw new Refused('TRANSACTION_EXPIRATION_ERROR', 'expired');
    const refusal = this.#refusal(of, this.head.state);
    if (refusal !== undefined) throw refusal;
    this.pool.push(of);
  }

  /** Each transaction of the chain as it is, with what has become of it. */
  get transactions(): readonly { readonly of: Transaction; readonly result: Result }[] {
    return this.#blocks.flatMap(({ transactions }) => transactions);
  }

  /** Why an account cannot pay a transaction as it is. What is burned for energy is found out when it is done. */
  #refusal({ type, value, outcome }: Transaction, { coins }: State): Refused | undefined {
    if (outcome !== undefined) return undefined;
    const has = coins.get(String(value.owner_address));
    if (has === undefined)
      return new Refused(
        'CONTRACT_VALIDATE_ERROR',
        `Contract validate error : account ${value.owner_address} does not exist`,
      );
    if (type === 'TriggerSmartContract')
      return has < BYTES.token * BYTE_FEE
        ? new Refused('BANDWITH_ERROR', 'Account resource insufficient error.')
        : undefined;
    if (has < BigInt(value.amount as number) + this.#coinFee(value, coins))
      return new Refused('CONTRACT_VALIDATE_ERROR', 'Validate TransferContract error, balance is not sufficient.');
    return undefined;
  }

  #coinFee(value: Transaction['value'], coins: State['coins']): bigint {
    return coins.has(String(value.to_address)) ? BYTES.coin * BYTE_FEE : OPENING.account + OPENING.system;
  }

  #energy(contract: string, to: string, tokens: State['tokens']): bigint {
    return (tokens.get(`${contract} ${to}`) ?? 0n) > 0n ? ENERGY.known : ENERGY.new;
  }

  /** Of a call, without doing it. */
  simulate(contract: string, selector: string, parameter: string, owner: string) {
    const held = (address: string) => this.head.state.tokens.get(`${contract} 41${address.slice(-40)}`) ?? 0n;
    if (selector === 'balanceOf(address)')
      return { energy_used: 500, constant_result: [word(held(parameter).toString(16))], isUndone: false };
    const mode = this.modes.get(contract) ?? 'pays';
    const isShort = held(owner) < BigInt(`0x${parameter.slice(64)}`);
    const isUndone = mode === 'reverts' || isShort;
    return {
      energy_used: Number(this.#energy(contract, `41${parameter.slice(24, 64)}`, this.head.state.tokens)),
      constant_result: [isUndone ? '' : word(mode === 'false' ? '0' : '1')],
      isUndone,
    };
  }

  #nextTime(): number {
    return Math.max(this.#now(), (this.#blocks.at(-1)?.timestamp ?? 0) + this.#blockMs);
  }

  #append(transactions: Block['transactions'], state: State): void {
    const number = this.#blocks.length;
    const blockID = number.toString(16).padStart(16, '0') + randomBytes(24).toString('hex');
    const parentHash = this.#blocks.at(-1)?.blockID ?? '0'.repeat(64);
    this.#blocks.push({ blockID, number, parentHash, timestamp: this.#nextTime(), transactions, state });
    const buried = this.#blocks[number - REPLACEABLE]?.state;
    buried?.coins.clear();
    buried?.tokens.clear();
  }

  #execute({ type, value, feeLimit, outcome }: Transaction, { coins, tokens }: State): Result {
    if (outcome !== undefined) {
      const { result: contractRet, ...rest } = outcome;
      const paid = type === 'TransferContract' && contractRet === 'SUCCESS' ? String(value.to_address) : undefined;
      if (paid !== undefined) coins.set(paid, (coins.get(paid) ?? 0n) + BigInt(value.amount as number));
      for (const { address, topics, data } of contractRet === 'SUCCESS' ? rest.log : []) {
        const key = `41${address} 41${(topics[2] ?? '').slice(-40)}`;
        tokens.set(key, (tokens.get(key) ?? 0n) + BigInt(`0x${data}`));
      }
      return { ...rest, contractRet, fee: 0n };
    }
    const owner = String(value.owner_address);
    const move = (of: Map<string, bigint>, from: string, to: string, units: bigint) => {
      of.set(from, (of.get(from) ?? 0n) - units);
      of.set(to, (of.get(to) ?? 0n) + units);
    };
    const has = coins.get(owner) ?? 0n;
    if (type === 'TransferContract') {
      const fee = this.#coinFee(value, coins);
      move(coins, owner, String(value.to_address), BigInt(value.amount as number));
      coins.set(owner, (coins.get(owner) ?? 0n) - fee);
      return { contractRet: 'SUCCESS', log: [], inner: [], fee };
    }
    const contract = String(value.contract_address);
    const data = String(value.data);
    const [to, units] = [`41${data.slice(32, 72)}`, BigInt(`0x${data.slice(72)}`)];
    const needed = ((this.#energy(contract, to, tokens) * this.energyPercent) / 100n) * ENERGY_FEE;
    const bytes = BYTES.token * BYTE_FEE;
    // What it may burn is bounded by its limit, and by what the account has beside its bytes.
    const most = feeLimit < has - bytes ? feeLimit : has - bytes;
    const isOut = needed > most;
    const fee = (isOut ? (most / ENERGY_FEE) * ENERGY_FEE : needed) + bytes;
    coins.set(owner, has - fee);
    const isShort = (tokens.get(`${contract} ${owner}`) ?? 0n) < units;
    const mode = isShort ? 'reverts' : (this.modes.get(contract) ?? 'pays');
    if (isOut) return { contractRet: 'OUT_OF_ENERGY', log: [], inner: [], fee };
    if (mode === 'reverts') return { contractRet: 'REVERT', log: [], inner: [], fee };
    if (mode === 'false') return { contractRet: 'SUCCESS', log: [], inner: [], fee };
    const kept = mode === 'charges' ? units / 100n : 0n;
    const shares = [[to, units - kept] as const, ...(kept > 0n ? [[contract, kept] as const] : [])];
    const log = shares.map(([receiver, share]) => {
      move(tokens, `${contract} ${owner}`, `${contract} ${receiver}`, share);
      const topics = [TOPIC, word(owner.slice(2)), word(receiver.slice(2))];
      return { address: contract.slice(2), topics, data: word(share.toString(16)) };
    });
    return { contractRet: 'SUCCESS', log, inner: [], fee };
  }
}

/** What a node says instead of its answer; undefined where it says that. */
export type TronLie = (path: string, answer: object, body: Body) => object | undefined;

/** The same without a server, for a node in the process. */
export const requestOf =
  (chain: TronChainOfTests, lie: TronLie = () => undefined): TronRequest =>
  async (path, body) => {
    const honest = answerOf(chain, `/${path}`, body as Body);
    return JSON.parse(JSON.stringify(lie(`/${path}`, honest, body as Body) ?? honest));
  };

export interface TronNodeOfTests {
  /** What finds it, as settings of the server. */
  readonly settings: { readonly TRC20_RPC_URL: string; readonly TRC20_SOLIDITY_URL: string };
  readonly chain: TronChainOfTests;
  /** While it is false, nothing is answered; `LOSES` does what it is asked, and loses the answer. */
  door: 'OPEN' | 'SHUT' | 'LOSES';
  lie?: TronLie | undefined;
  stop(): Promise<void>;
}

async function open(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function shut(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** As java-tron does, it tells of final blocks at a port of its own, and of nothing else there. */
export async function startTronNode(now: () => number, blockMs?: number): Promise<TronNodeOfTests> {
  const chain = new TronChainOfTests(now, blockMs);
  const serverOf = (room: '/wallet/' | '/walletsolidity/') =>
    createServer(async (request, response) => {
      const body = (await json(request)) as Body;
      if (node.door === 'SHUT') return response.destroy();
      if (!request.url?.startsWith(room)) return response.writeHead(404).end();
      try {
        const honest = answerOf(chain, request.url ?? '', body);
        const answer = JSON.stringify(node.lie?.(request.url ?? '', honest, body) ?? honest);
        if (node.door === 'LOSES' && request.url === '/wallet/broadcasthex') return response.destroy();
        return response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
      } catch (error) {
        return response.writeHead(500).end(String(error));
      }
    });
  const servers = [serverOf('/wallet/'), serverOf('/walletsolidity/')] as const;
  const [full, solid] = await Promise.all(servers.map(open));
  const node: TronNodeOfTests = {
    settings: { TRC20_RPC_URL: full ?? '', TRC20_SOLIDITY_URL: solid ?? '' },
    chain,
    door: 'OPEN',
    stop: async () => void (await Promise.all(servers.map(shut))),
  };
  return node;
}
