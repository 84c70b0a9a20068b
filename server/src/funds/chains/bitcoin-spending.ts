/** What a node of Bitcoin says of spending: what it costs, and whether an output can be spent. */
import { z } from 'zod';
import { amount, type BitcoinNode, hexText } from './bitcoin-node.ts';
import type { PayerCoin } from './transactions.ts';
import { larger } from './units.ts';

const networkInfo = z.object({ relayfee: amount, incrementalfee: amount });
const poolInfo = z.object({ mempoolminfee: amount });
/** Without a rate where the node has seen too little. */
const estimated = z.object({ feerate: amount.optional() });
const unspent = z
  .object({
    ...{ confirmations: z.number().int(), coinbase: z.boolean(), value: amount },
    scriptPubKey: z.object({ hex: hexText }),
  })
  .nullable();

/** Rates are smallest units for 1,000 virtual bytes. What is paid where the node has no estimate, and never more than. */
const RATES = { unknown: 10_000n, most: 300_000n };
const COINBASE_DEPTH = 100;

type Outpoint = Pick<PayerCoin, 'transaction' | 'output'>;

/**
 * For 1,000 virtual bytes: what the node thinks, no less than what it takes, and no more than is sensible.
 * @param within the blocks in which a transaction is to be mined
 */
export async function rateWithin(node: BitcoinNode, within: number): Promise<bigint> {
  const [{ feerate = RATES.unknown }, { mempoolminfee }, { relayfee }] = await Promise.all([
    node.ask(estimated, 'estimatesmartfee', [within]),
    node.ask(poolInfo, 'getmempoolinfo', []),
    node.ask(networkInfo, 'getnetworkinfo', []),
  ]);
  const rate = larger(feerate, larger(mempoolminfee, relayfee));
  return rate > RATES.most ? RATES.most : rate;
}

/** What a replacement pays for its own way, besides what the one before it has paid (BIP125), for 1,000 virtual bytes. */
export async function incrementOf(node: BitcoinNode): Promise<bigint> {
  return (await node.ask(networkInfo, 'getnetworkinfo', [])).incrementalfee;
}

/** Whether no block has spent it. */
export async function isUnspent(node: BitcoinNode, { transaction, output }: Outpoint): Promise<boolean> {
  return (await node.ask(unspent, 'gettxout', [transaction, output, false])) !== null;
}

/**
 * Whether the node would let it be spent now, with the amount that is named: by nothing that waits at it, and no block's new
 * coins that are too new.
 * @param script whose it must be
 */
export async function isSpendable(
  node: BitcoinNode,
  { transaction, output, units }: PayerCoin,
  script?: Buffer,
): Promise<boolean> {
  const seen = await node.ask(unspent, 'gettxout', [transaction, output, true]);
  if (seen === null || seen.value !== units) return false;
  if (script !== undefined && seen.scriptPubKey.hex !== script.toString('hex')) return false;
  return seen.confirmations >= (seen.coinbase ? COINBASE_DEPTH : 1);
}
