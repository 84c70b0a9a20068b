/** The calls of development's chains: send from outside, make blocks, reorganize. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { developmentChains, mineBlocks, reorganizeChain, sendOnChain } from '@cambist/contract/development-chains.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import { canonicalAddress, familyOf, isAddressOf, shownAddress } from './addresses.ts';
import type { DevelopmentBlock } from './development-accounts.ts';
import type { DevelopmentChain } from './development-chain.ts';
import { type CoinNetwork, contractOf, type NetworkStore } from './network-store.ts';
import { NATIVE_COINS, type Payment } from './service.ts';
import { unitsOf } from './units.ts';

export interface DevelopmentChainDeps {
  readonly chains: ReadonlyMap<NetworkName, DevelopmentChain>;
  readonly networks: NetworkStore;
}

const SHOWN_BLOCKS = 20;
/** Of a block, and of what waits. */
const SHOWN_PAYMENTS = 100;
/** As with the faucet: enough to play, and far from what an account can hold. */
const MAXIMUM_COINS = 1_000_000_000n;

const noChain = new Refusal(404, 'UNKNOWN_NETWORK', 'This network is not made by the server itself.');

function describePayment(payment: Payment, network: NetworkName, coins: readonly CoinNetwork[]) {
  const coin = coins.find((one) => one.network === network && contractOf(one) === payment.contract);
  const native = payment.contract === null ? NATIVE_COINS[network] : undefined;
  return {
    transaction: payment.transaction,
    coin: native?.coin ?? coin?.coin ?? payment.contract ?? '',
    address: shownAddress(familyOf(network), payment.address),
    amount: formatAmount(payment.units, native?.scale ?? coin?.chain_scale ?? 0),
  };
}

function describeChain(chain: DevelopmentChain, coins: readonly CoinNetwork[]) {
  const { network } = chain;
  const describe = (payment: Payment) => describePayment(payment, network, coins);
  const block = ({ height, hash, time, payments }: DevelopmentBlock) => ({
    ...{ height, hash, time },
    payments: payments.slice(0, SHOWN_PAYMENTS).map(describe),
  });
  const blocks = chain.lastBlocks(SHOWN_BLOCKS);
  return {
    network,
    height: blocks[0]?.height ?? 0,
    blocks: blocks.map(block),
    waiting: chain.waiting.slice(0, SHOWN_PAYMENTS).map(describe),
  };
}

/** What an order to send comes to, or why it cannot be sent. */
function outputOf(body: { coin: string; address: string; amount: string }, coin: CoinNetwork | undefined) {
  if (coin === undefined)
    return new Refusal(404, 'UNKNOWN_COIN', say('There is no coin called {{name}}.', { name: body.coin }));
  const family = familyOf(coin.network);
  if (!isAddressOf(family, body.address))
    return new Refusal(422, 'INVALID_ADDRESS', say('This is not an address of this network.', {}, 'address'));
  const units = unitsOf(body.amount, coin.chain_scale);
  if (units === undefined) {
    const text = say('Use a plain decimal with at most {{scale}} places', { scale: coin.chain_scale }, 'amount');
    return new Refusal(422, 'TOO_MANY_DECIMALS', text);
  }
  if (units === 0n || units > MAXIMUM_COINS * 10n ** BigInt(coin.chain_scale)) {
    const text = say('Use an amount above zero, and at most a billion coins at once', {}, 'amount');
    return new Refusal(422, 'INVALID_AMOUNT', text);
  }
  return { contract: contractOf(coin), address: canonicalAddress(family, body.address), units };
}

export function serveDevelopmentChains(calls: CallServer, { chains, networks }: DevelopmentChainDeps): void {
  calls.serve(developmentChains, async () => {
    const coins = await networks.all();
    return { chains: [...chains.values()].map((chain) => describeChain(chain, coins)) };
  });

  calls.serve(sendOnChain, async ({ body }) => {
    const chain = chains.get(body.network);
    if (chain === undefined) return noChain;
    const coins = await networks.all();
    const name = body.coin.toUpperCase();
    const output = outputOf(
      body,
      coins.find(({ coin, network }) => coin === name && network === body.network),
    );
    if (output instanceof Refusal) return output;
    return { transaction: chain.send(output), chain: describeChain(chain, coins) };
  });

  calls.serve(mineBlocks, async ({ body }) => {
    const chain = chains.get(body.network);
    chain?.mine(body.blocks);
    return chain === undefined ? noChain : { chain: describeChain(chain, await networks.all()) };
  });

  calls.serve(reorganizeChain, async ({ body }) => {
    const chain = chains.get(body.network);
    chain?.reorganize(body.depth, body.payments);
    return chain === undefined ? noChain : { chain: describeChain(chain, await networks.all()) };
  });
}
