/**
 * An EVM node that fails as nodes do: it is away, does what it is asked and loses the answer, replaces its last blocks, and
 * asks for other fees. Whoever pays from outside sends again what a replaced block had.
 */
import { evmElsewhere } from '@cambist/server/test/elsewhere.ts';
import { type EvmClient, startEvmNode, tokenCodes } from '@cambist/server/test/evm-node.ts';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { units } from '../decimal.ts';
import type { AttackedChain } from './chain.ts';
import { doorFailures, openGate } from './gate.ts';

/** The first account of the node, which it gives coins to. */
const OUTSIDER = mnemonicToAccount('test test test test test test test test test test test junk');
const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;
/** The token's smallest unit. */
const SMALLEST = units('0.000001');
const ENDOWMENT = { usdt: units('1000000'), ether: 100n * ETHER };
/** Blocks after which outsiders look for what was replaced. */
const LOOKED_AT = 5;

/** Pays from outside, and again what a replaced block had. */
async function createOutsider(chain: EvmClient) {
  const first = await chain.getTransactionCount({ address: OUTSIDER.address });
  /** What it has signed, in the order of its nonces. */
  const sent: Hex[] = [];
  const offer = (raw: Hex) => chain.sendRawTransaction({ serializedTransaction: raw }).catch(() => undefined);
  return {
    async send(to: Hex, value: bigint, data: Hex): Promise<void> {
      const raw = await OUTSIDER.signTransaction({
        ...{ type: 'eip1559', chainId: foundry.id, nonce: first + sent.length, gas: 120_000n, to, value, data },
        ...{ maxFeePerGas: 500n * GWEI, maxPriorityFeePerGas: 3n * GWEI },
      });
      sent.push(raw);
      await offer(raw);
    },
    async sendAgain(): Promise<void> {
      const used = (await chain.getTransactionCount({ address: OUTSIDER.address })) - first;
      for (const raw of sent.slice(used)) await offer(raw);
    },
  };
}

/** Runs one after another, whatever becomes of the one before. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return (act: () => Promise<unknown>): Promise<void> => {
    const done = last.then(act);
    last = done.catch(() => undefined);
    return done.then(() => undefined);
  };
}

export async function startEvmChain(): Promise<AttackedChain> {
  const node = await startEvmNode();
  const { chain } = node;
  const gate = await openGate(node.url, 'eth_sendRawTransaction');
  const token = await node.deploy(tokenCodes.SilentToken);
  await chain.setAutomine(false);
  const outsider = await createOutsider(chain);
  /** One nonce after the other, and one block: anvil loses blocks that it makes while it replaces others. */
  const inTurn = createTurns();
  let mined = 0;

  const pay = (to: string, amount: bigint) => {
    const args = [to as Hex, amount / SMALLEST] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    return inTurn(() => outsider.send(token, 0n, data));
  };
  async function mine(): Promise<void> {
    await inTurn(() => chain.mine({ blocks: 1 }));
    mined += 1;
    if (mined % LOOKED_AT === 0) await outsider.sendAgain();
  }

  return {
    ...{ network: 'ERC20', coin: 'USDT', costCoin: 'ETH', fee: units('20'), grain: units('1') },
    ...{ deposits: [60, 90], withdrawals: [31, 50] },
    settings: { ERC20_RPC_URL: `http://127.0.0.1:${gate.port}` },
    policy: {
      ...{
        format: 'evm',
        chain_id: foundry.id,
        fee_cap: String(ETHER),
        most_fees_per_day: '1000000000000000000000000',
      },
      coins: [null, token].map((contract) => ({
        ...{ contract, most_per_payment: String(1000n * ETHER), most_per_day: String(1_000_000n * ETHER) },
      })),
    },
    figures: `contract = '${token}', credited_at = 2, unlocked_at = 12`,
    async endow(hot) {
      await inTurn(() => outsider.send(hot as Hex, ENDOWMENT.ether, '0x'));
      await pay(hot, ENDOWMENT.usdt);
      await mine();
    },
    pay,
    elsewhere: evmElsewhere,
    held: async (address) => (await node.held(token, address as Hex)) * SMALLEST,
    undone: () => 0,
    mine,
    failures: {
      ...doorFailures(gate),
      // Other blocks in the place of the last ones, without their transactions, which the pool has lost as well.
      'blocks were replaced': (random) =>
        inTurn(() => chain.request({ method: 'anvil_reorg' as never, params: [random.between(1, 5), []] as never })),
      'fees rose': (random) => chain.setNextBlockBaseFeePerGas({ baseFeePerGas: BigInt(random.between(5, 40)) * GWEI }),
    },
    async stop() {
      gate.close();
      await node.stop();
    },
  };
}
