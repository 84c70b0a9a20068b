/** What a wallet of a person's own has on Ethereum. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { web3Connect } from '@cambist/contract/web3.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { createExpiring } from '../../platform/expiring.ts';
import { say } from '../../platform/texts.ts';
import { createThrottle } from '../../platform/throttle.ts';
import { canonicalAddress, shownAddress } from './addresses.ts';
import { type CoinNetwork, contractOf, type NetworkStore } from './network-store.ts';
import { type AccountView, type Chain, type Chains, NATIVE_COINS, NodeFailure } from './service.ts';

export interface Web3Deps {
  readonly chains: Chains;
  readonly networks: NetworkStore;
  readonly clock: { now(): number };
}

type Web3 = AnswerOf<typeof web3Connect>['web3'];

const NETWORK = 'ERC20';
const SHOWN = 20;
/** A screen asks again and again; its node is not asked as often. */
const KEPT = { lifetimeMs: 10_000, limit: 10_000 };
/** Each new address costs the node some questions. */
const rule = { free: 30, firstMs: 2_000, longestMs: 60_000, forgetMs: 60_000 };

const away = new Refusal(503, 'NETWORK_AWAY', 'Ethereum cannot be reached at the moment. Try again in a few minutes.', {
  'retry-after': '60',
});

function describe(address: string, view: AccountView, coins: readonly CoinNetwork[], chain: Chain): Web3 {
  return {
    wallet_address: shownAddress('EVM', address),
    eth_balance: formatAmount(view.balance, NATIVE_COINS[NETWORK].scale),
    history: view.movements.flatMap(({ transaction, contract, units, isIncoming, other, time }) => {
      const coin = coins.find((one) => contractOf(one) === contract);
      if (coin === undefined) return [];
      return [
        {
          ...{ transaction, time, coin: coin.coin, amount: formatAmount(units, coin.chain_scale) },
          direction: isIncoming ? ('IN' as const) : ('OUT' as const),
          other: other === null ? null : shownAddress('EVM', other),
        },
      ];
    }),
    since_block: view.since,
    lists_eth: view.listsCoin,
    is_development: chain.isDevelopment,
  };
}

export function serveWeb3(calls: CallServer, { chains, networks, clock }: Web3Deps): void {
  const known = createExpiring<Web3>(clock, KEPT);
  const questions = createThrottle(clock, rule);

  async function read(chain: Chain, address: string): Promise<Web3 | undefined> {
    const coins = (await networks.all()).filter(({ network }) => network === NETWORK);
    const contracts = coins.map(contractOf).filter((contract) => contract !== null);
    const view = await chain.account?.(address, contracts, SHOWN);
    return view && describe(address, view, coins, chain);
  }

  calls.serve(web3Connect, async ({ identity, query }) => {
    const address = canonicalAddress('EVM', query.web3_wallet);
    const kept = known.peek(address);
    if (kept !== undefined) return { message: 'success' as const, web3: kept };
    const chain = chains.get(NETWORK);
    if (chain === undefined) return away;
    const waitMs = questions.take(String(identity.clientId));
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      const text = say('Too many requests. Try again in {{seconds}} s.', { seconds });
      return new Refusal(429, 'TOO_MANY_REQUESTS', text, { 'retry-after': String(seconds) });
    }
    try {
      const web3 = await read(chain, address);
      if (web3 === undefined) return away;
      known.put(address, web3);
      return { message: 'success' as const, web3 };
    } catch (error) {
      if (error instanceof NodeFailure) return away;
      throw error;
    }
  });
}
