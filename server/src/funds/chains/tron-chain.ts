/**
 * TRON by the HTTP interface of a node. What has come in is read from the results of transactions that succeeded: TRX by
 * transfers and by calls inside contracts, tokens by the `Transfer` logs of a contract. Tokens of the older kind (TRC-10) are
 * told apart by `trc10:` and their number: their names are anybody's choice.
 */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { tronAddress } from './addresses.ts';
import { TRANSFER } from './evm-node.ts';
import { type BlockHeader, type Chain, NodeFailure, type Payment, type Watched } from './service.ts';
import { blockHeader, hex, nothing, type TronNode, whole } from './tron-node.ts';
import { TronSender } from './tron-sender.ts';

/** Some twenty blocks. */
const STALE_MS = 60_000;
const TOPIC = TRANSFER.slice(2);

const value = z.object({
  ...{ owner_address: hex.optional(), to_address: hex.optional(), amount: whole.optional() },
  asset_name: hex.optional(),
});
const transaction = z.object({
  txID: hex,
  ret: z.array(z.object({ contractRet: z.string().optional() })).default([]),
  raw_data: z.object({ contract: z.array(z.object({ type: z.string(), parameter: z.object({ value }) })) }),
});
const block = blockHeader.extend({ transactions: z.array(transaction).default([]) });

const log = z.object({ address: hex, topics: z.array(hex).default([]), data: hex.default('') });
const inner = z.object({
  transferTo_address: hex.default(''),
  callValueInfo: z.array(z.object({ callValue: whole.optional(), tokenId: z.string().optional() })).default([]),
  rejected: z.boolean().default(false),
  /** What it is, as text in hex. */
  note: z.string().default(''),
});
const info = z.object({
  id: hex,
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: z.array(log).default([]),
  internal_transactions: z.array(inner).default([]),
});
/** A block without transactions has an empty list, or an empty object from some versions. */
const infos = z.union([z.array(info), nothing.transform((): z.output<typeof info>[] => [])]);

type Transaction = z.output<typeof transaction>;
type Info = z.output<typeof info>;

/** Without what the table does not take: a block that it cannot be written of would never be passed. */
const trc10 = (id: string) => `trc10:${id.replaceAll('\0', '')}`;

/** The last 20 bytes of a word or of an address, as people are shown it. */
const addressOf = (digits: string) => tronAddress(digits.slice(-40));

const headerOf = ({ blockID, block_header: { raw_data: of } }: z.output<typeof blockHeader>): BlockHeader => ({
  height: of.number,
  hash: blockID,
  parent: of.parentHash,
  time: of.timestamp,
});

/** A contract may fail, and its transaction be in a block: it has paid nothing but its cost. */
const hasSucceeded = ({ ret }: Transaction, { result, receipt }: Info) =>
  result !== 'FAILED' &&
  (receipt.result ?? 'SUCCESS') === 'SUCCESS' &&
  ret.every(({ contractRet = 'SUCCESS' }) => contractRet === 'SUCCESS');

/** TRX and TRC-10 that a transaction itself has moved. */
function direct({ txID, raw_data: { contract } }: Transaction): Payment[] {
  return contract.flatMap(({ type, parameter: { value: of } }, index): Payment[] => {
    const isOther = type === 'TransferAssetContract';
    if (!isOther && type !== 'TransferContract') return [];
    if (of.to_address === undefined || of.amount === undefined) return [];
    const name = isOther
      ? trc10(
          Buffer.from(of.asset_name ?? '', 'hex')
            .toString('utf8')
            .slice(0, 90),
        )
      : null;
    const output = index === 0 ? 'value' : `value:${index}`;
    return [{ transaction: txID, output, contract: name, address: addressOf(of.to_address), units: of.amount }];
  });
}

/**
 * Internal transactions that move coins (java-tron's `Program`). Others name an address and a value too: energy that is delegated
 * to an address is that of staked coins, which stay where they are.
 */
const MOVING: ReadonlySet<string> = new Set(
  ['call', 'create', 'suicide'].map((note) => Buffer.from(note).toString('hex')),
);

/** What contracts have sent on, by the calls that were not undone. */
function passedOn({ id, internal_transactions: calls }: Info): Payment[] {
  return calls.flatMap(({ transferTo_address: to, callValueInfo, rejected, note }, call) =>
    rejected || to === '' || !MOVING.has(note.toLowerCase())
      ? []
      : callValueInfo.flatMap(({ callValue = 0n, tokenId }, index): Payment[] => [
          {
            ...{ transaction: id, output: `call:${call}.${index}`, address: addressOf(to), units: callValue },
            contract: tokenId === undefined || tokenId === '' ? null : trc10(tokenId),
          },
        ]),
  );
}

/** By the index within the transaction's own logs, which stays the same in another block. */
function tokens({ id, log: logs }: Info): Payment[] {
  return logs.flatMap(({ address, topics, data }, index): Payment[] => {
    const [event, , to] = topics;
    if (event !== TOPIC || topics.length !== 3 || to === undefined || data.length !== 64) return [];
    const facts = { transaction: id, output: `log:${index}`, contract: addressOf(address), address: addressOf(to) };
    return [{ ...facts, units: BigInt(`0x${data}`) }];
  });
}

export class TronChain implements Chain {
  readonly isDevelopment = false;
  readonly network: NetworkName = 'TRC20';
  readonly staleAfterMs = STALE_MS;
  readonly sender: TronSender;
  readonly #node: TronNode;

  constructor(node: TronNode) {
    this.#node = node;
    this.sender = new TronSender(node);
  }

  async head(): Promise<BlockHeader> {
    return headerOf(await this.#node.ask(blockHeader, 'wallet/getblock', { detail: false }));
  }

  async header(height: number): Promise<BlockHeader | undefined> {
    const asked = { id_or_num: String(height), detail: false };
    const found = await this.#node.ask(z.union([blockHeader, nothing]), 'wallet/getblock', asked);
    return found && headerOf(found);
  }

  async payments({ height, hash }: BlockHeader, watched: Watched): Promise<readonly Payment[]> {
    const found = await this.#node.ask(block, 'wallet/getblock', { id_or_num: hash, detail: true });
    if (found.blockID !== hash) throw new NodeFailure(`Block ${hash} is no longer part of ${this.network}`);
    if (found.transactions.length === 0) return [];
    const results = await this.#node.ask(infos, 'wallet/gettransactioninfobyblocknum', { num: height });
    const byId = new Map(results.map((one) => [one.id, one]));
    const all = found.transactions.flatMap((one): Payment[] => {
      const result = byId.get(one.txID);
      // Asked for by height: they may be of another branch, or not there yet.
      if (result === undefined) throw new NodeFailure(`The results of block ${hash} are not there`);
      if (!hasSucceeded(one, result)) return [];
      const owner = one.raw_data.contract[0]?.parameter.value.owner_address;
      const paid = [...direct(one), ...passedOn(result), ...tokens(result)];
      return owner === undefined ? paid : paid.map((payment) => ({ ...payment, from: addressOf(owner) }));
    });
    const ours = await watched([...new Set(all.map(({ address }) => address))]);
    return all.filter(({ address, units }) => units > 0n && ours.has(address));
  }
}
