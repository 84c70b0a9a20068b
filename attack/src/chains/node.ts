/**
 * An EVM node that fails as nodes do: it is away, does what it is asked and loses the answer, replaces its last blocks, and
 * asks for other fees. Whoever pays from outside sends again what a replaced block had.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startEvmNode, tokenCodes } from '@cambist/server/test/evm-node.ts';
import { encodeFunctionData, erc20Abi, type Hex, keccak256 } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

/** The first account of the node, which it gives coins to. */
const OUTSIDER = mnemonicToAccount('test test test test test test test test test test test junk');
const GWEI = 10n ** 9n;

export type Door = 'OPEN' | 'SHUT' | 'LOSES';

/** What the server asks goes through it. */
async function openDoor(target: string, state: () => Door) {
  const server = createServer(async (request, answer) => {
    const body = await buffer(request);
    if (state() === 'SHUT') return answer.destroy();
    const headers = { 'content-type': 'application/json' };
    const from = await fetch(target, { method: 'POST', headers, body }).catch(() => undefined);
    if (from === undefined || (state() === 'LOSES' && body.includes('eth_sendRawTransaction'))) return answer.destroy();
    return answer.writeHead(from.status, headers).end(await from.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export async function startFailingNode() {
  const node = await startEvmNode();
  const { chain } = node;
  let door: Door = 'OPEN';
  const gate = await openDoor(node.url, () => door);
  const token = await node.deploy(tokenCodes.SilentToken);
  await chain.setAutomine(false);
  const first = await chain.getTransactionCount({ address: OUTSIDER.address });
  /** What the outsider has signed, in the order of its nonces. */
  const sent: { readonly raw: Hex; readonly hash: Hex }[] = [];

  /** One nonce after the other. Never rejects. */
  let last: Promise<void> = Promise.resolve();
  const send = (to: Hex, value: bigint, data?: Hex): Promise<void> => {
    last = last.then(() => signAndSend(to, value, data));
    return last;
  };

  async function signAndSend(to: Hex, value: bigint, data: Hex | undefined): Promise<void> {
    const raw = await OUTSIDER.signTransaction({
      ...{ type: 'eip1559', chainId: foundry.id, nonce: first + sent.length, gas: 120_000n, to, value },
      ...{ maxFeePerGas: 500n * GWEI, maxPriorityFeePerGas: 3n * GWEI },
      ...(data === undefined ? {} : { data }),
    });
    sent.push({ raw, hash: keccak256(raw) });
    await chain.sendRawTransaction({ serializedTransaction: raw }).catch(() => undefined);
  }

  return {
    url: gate.url,
    token,
    get door() {
      return door;
    },
    set door(next: Door) {
      door = next;
    },
    pay: (to: Hex, units: bigint) =>
      send(token, 0n, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })),
    give: (to: Hex, wei: bigint) => send(to, wei),
    /** What no block has is sent once more. */
    async sendAgain(): Promise<void> {
      const used = (await chain.getTransactionCount({ address: OUTSIDER.address })) - first;
      for (const { raw } of sent.slice(used)) {
        await chain.sendRawTransaction({ serializedTransaction: raw }).catch(() => undefined);
      }
    },
    mine: () => chain.mine({ blocks: 1 }),
    /** Other blocks in the place of the last ones, without their transactions, which the pool has lost as well. */
    reorganize: (depth: number) => chain.request({ method: 'anvil_reorg' as never, params: [depth, []] as never }),
    /** What the next block asks for at least. */
    setBaseFee: (gwei: bigint) => chain.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei * GWEI }),
    held: (address: Hex) => node.held(token, address),
    coins: (address: Hex) => chain.getBalance({ address }),
    async stop(): Promise<void> {
      gate.close();
      await node.stop();
    },
  };
}

export type FailingNode = Awaited<ReturnType<typeof startFailingNode>>;
